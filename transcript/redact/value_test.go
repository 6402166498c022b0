package redact

import (
	"strings"
	"testing"
)

// TestClassOf checks what names say about their values, in the spellings of variables, headers, tags and
// prose.
func TestClassOf(t *testing.T) {
	for class, names := range map[class]string{
		nothing: `x, ab, id, key, name, color, primary_key, publicKey, keyboard, passport, secretary, tokens, tokenizer, author,
			authorized, max_tokens, cache-key, sort key, value, _`,
		refused: `page_token, nextPageToken, next-token, continuationToken, prev_token, previous token, syncToken, resume_token,
			cancellationToken, csrf_token, CSRF-Token, xsrf-token, max_token, eos_token, bos_token, pad_token, unk token, special_token,
			stop_token, per token, last_token, first token, start_token, end_token, input_token, output_token, a token, the token, each token,
			one token, cursor_token, idempotency-token, authenticity_token, publicToken, antiforgery token, verification_token, requestToken,
			cls_token, sep_token, mask_token, keep token, scroll_token`,
		scheme: `authorization, Authorization, proxy-authorization, AUTHORIZATION`,
		password: `password, Password, DB_PASSWORD, db.password, userPassword, passwd, mysql_pwd, pwd, PGPASSPHRASE_pass, passphrase, SMTP_PASS,
			passwort, PASSWORD_PROD, password_2, --password`,
		random: `secret, client_secret, clientSecret, CLIENT-SECRET, apikey, apiKey, api-key, API_KEY, X-Api-Key, api key, secretkey,
			secret_key, AWS_SECRET_ACCESS_KEY, accesskey, AccountKey, privatekey, private key, auth_key, authkey, encryption_key, signingKey,
			master key, shared_key, service-key, clientKey, clientsecret, license key, licence_key, app_key, ADMIN_KEY, deploy key, application_key,
			webhook_key, storage_key, hmac_key, credential, credentials, AWS_CREDS, apitoken, API_KEY_PROD, api_key_v2, secret_old,
			api_key_production, api_key_dev, api_key_test, api_key_live, api_key_staging, api_key_value, api_key_new, api_key_base, api_key_v1,
			api_key_1, api_key_header`,
		token: `access_token, accessToken, GITHUB_TOKEN, X-Vault-Token, bot token, refresh_token, authtoken, accesstoken, bearertoken,
			DEPLOY_TOKEN_PROD`,
		bare: `token, Token, TOKEN, token_, .token, auth, _auth, basic auth`,
	} {
		for name := range strings.SplitSeq(names, ",") {
			name = strings.TrimSpace(name)
			if got := classOf(name); got != class {
				t.Errorf("%q has the class %d, want %d", name, got, class)
			}
		}
	}
}

// TestLastWord checks how names are split into words.
func TestLastWord(t *testing.T) {
	for name, want := range map[string][2]string{
		"": {"", ""}, "token": {"token", ""}, "api_key": {"key", "api_"}, "api-key": {"key", "api-"}, "a.b": {"b", "a."}, "api key": {"key", "api "},
		"apiKey": {"key", "api"}, "APIKey": {"apikey", ""}, "APIKEY": {"apikey", ""}, "X_API_KEY": {"key", "X_API_"}, "Key": {"key", ""},
		"key__": {"key", ""}, "getX": {"x", "get"}, "__": {"", ""},
	} {
		if word, rest := lastWord(name); word != want[0] || rest != want[1] {
			t.Errorf("the last word of %q is %q after %q, want %q after %q", name, word, rest, want[0], want[1])
		}
	}
}

// TestDemand checks what is demanded of a value by what stands before it.
func TestDemand(t *testing.T) {
	for demand, befores := range map[demand][]string{
		ids: {"api_key=", "API_KEY: ", "github_token = ", "<clientSecret>", "| secret | ", "the api key is ", `"accessToken":"`, "Cookie: a=b; sid=",
			`"Cookie": "sid=`, `"x-api-key", "`},
		mixed:  {"token=", "auth: ", "<token>", `{"token":"`},
		remote: {"api_key ", "the access token `", "the secret of ", "access token for them: ", "token count: "},
		never: {"", "id=", "page_token=", "password=x ", "commit ", "key: ", "authorization=", "Bearer ", "sid=",
			"the secret (of) the ", "api_key; ", "api_key = x\n"},
	} {
		for _, before := range befores {
			c := cursor{table: known(), s: before + "0123456789abcdef"}
			if got := c.demand(c.before(len(before)), len(before)); got != demand {
				t.Errorf("after %q the demand is %d, want %d", before, got, demand)
			}
		}
	}
}

// TestMet checks which values each demand accepts.
func TestMet(t *testing.T) {
	const (
		long  = "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3H" // 24 characters
		hex16 = "9f86d081884c7d65"
		hex32 = hex16 + "9a2feaa0c55ad015"
		uuid  = "550e8400-e29b-41d4-a716-446655440000"
	)
	for _, tt := range []struct {
		value              string
		ids, mixed, remote bool
	}{
		{long, true, true, true},
		{long[:16], true, true, true},
		{long[:15], true, false, false},
		{long[:10], true, false, false},
		{long[:9], false, false, false},
		{hex16, true, false, false},
		{hex16[:15], true, false, false},
		{hex32, true, false, true},
		{hex32[:31], true, false, false},
		{uuid, true, false, true},
		{"aaaa1bbbbbbbbbbbcccccccc2ddddddd", false, false, false}, // too regular
		{"deadbeefdeadbeef", false, false, false},                 // no digits
		{"beefcafe1234567890deadbeef", true, false, false},        // no change of kind, but hexadecimal
		{"012345678901234", true, false, false},
		{"01234567890123", false, false, false}, // 14 digits: a time
		{"012345678901234-", false, false, false},
		{"/srv/" + long, false, false, false},
		{"./" + long, false, false, false},
		{"../" + long, false, false, false},
		{"~/" + long, false, false, false},
		{"@" + long, false, false, false},
		{"x://" + long, false, false, false},
		{"description_of_a_thing_2", false, false, false},
		{"VALUE_OF_THE_THING_2025_03_01", false, false, false},
		{"aBcDeFgHiJkLmNoPqRsTu", true, true, true}, // mixed case without digits
		{"AbCdEfGhIjKlMn", true, false, false},
		{"AbCdEfGhIjKlM", false, false, false},                                       // 13 letters
		{"q7rkvxlmtz4268315wcydhbjsfg6902843qakeuoxinp751935", true, true, true},     // 50 bytes, 7 changes
		{"q7rkvxlmtz4268315wcydhbjsfg6902843qakeuoxinp7519358", false, false, false}, // 51 bytes
		{"camelCaseNameOfAValue", false, false, false},
	} {
		p := profileOf(tt.value)
		if got := [...]bool{ids.met(tt.value, p), mixed.met(tt.value, p), remote.met(tt.value, p)}; got != [...]bool{tt.ids, tt.mixed, tt.remote} {
			t.Errorf("%q meets ids, mixed, remote: %v, want %v, %v, %v", tt.value, got, tt.ids, tt.mixed, tt.remote)
		}
		if never.met(tt.value, p) {
			t.Errorf("%q meets never", tt.value)
		}
	}
}

// TestLeastEntropy checks that values that repeat few characters are no secrets, and that the limit depends
// on their length and alphabet.
func TestLeastEntropy(t *testing.T) {
	for _, tt := range []struct {
		value  string
		secret bool
	}{
		{"a1b2a1b2c3d4", true}, {"a1b2a1b2a1b2", false},
		{"a1b2c3d4a1b2c3d4", true}, {"a1b2c3d4a1b2c3d4x1", true}, {"a1b2c3a1b2c3a1b2c3", false}, {"a1b2c3x1a1b2c3x1", false},
		{"a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4", true}, {"a1b2c3x4a1b2c3x4a1b2c3x4", false}, {"a1b2c3x4y5z6a1b2c3x4y5z6", true},
	} {
		if got := entropy(tt.value) >= leastEntropy(tt.value); got != tt.secret {
			t.Errorf("%q has %.2f bits a byte of %v, want it a secret: %v", tt.value, entropy(tt.value), leastEntropy(tt.value), tt.secret)
		}
	}
}

// TestProfile counts the parts of values.
func TestProfile(t *testing.T) {
	for value, want := range map[string]profile{
		"":          {},
		"abc":       {n: 3, lower: 3, longest: 3},
		"Abc":       {n: 3, lower: 2, upper: 1, longest: 2}, // a capital begins a word
		"aBc":       {n: 3, lower: 2, upper: 1, flips: 1, longest: 1},
		"ab12":      {n: 4, lower: 2, digits: 2, flips: 1, longest: 2},
		"12ab34":    {n: 6, lower: 2, digits: 4, flips: 2, longest: 2},
		"12AB":      {n: 4, upper: 2, digits: 2, flips: 1, longest: 2},
		"a-1":       {n: 3, lower: 1, digits: 1, longest: 1}, // the sign is between
		"1111":      {n: 4, digits: 4},
		"abcDEFGhi": {n: 9, lower: 5, upper: 4, flips: 1, longest: 4},
	} {
		if got := profileOf(value); got != want {
			t.Errorf("%q: %+v, want %+v", value, got, want)
		}
	}
}

// TestPlaceholder checks which values say that they stand for others.
func TestPlaceholder(t *testing.T) {
	for value, want := range map[string]bool{
		"your-api-key": true, "YOUR_TOKEN": true, "changeme": true, "change-me-1": true, "change_me": true, "dummy-key": true, "insert-key-here": true,
		"replace-this": true, "redacted": true, "a***b": true, "process.env.KEY": true, "import.meta.env": true, "os.environ": true, "getenv": true,
		"12345678": true, "abcdefgh": true, "EXAMPLEKEY": true, "placeholder": true, "key-xxxx": true, "sk-...": true,
		"q7Rk2Vx9Lm4Tz8": false, "1234567": false, "abcdefg": false, "xxx": false, "..": false, "": false,
	} {
		if got := placeholder(value); got != want {
			t.Errorf("%q is a placeholder: %v, want %v", value, got, want)
		}
	}
}

// TestValueEnd checks where the value of a name ends.
func TestValueEnd(t *testing.T) {
	const secret = "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3H"
	for _, tt := range []struct{ text, value string }{
		{secret, secret},
		{secret + " ", secret},
		{secret + ".", secret},
		{secret + "-/~.", secret},
		{secret + "==", secret + "=="},
		{secret + "==,", secret + "=="},
		{"q7R%2B" + secret, "q7R%2B" + secret},
		{secret + "%3D%3D", secret + "%3D%3D"},
		{secret + "%26next", secret},
		{secret + "%20next", secret},
		{secret + "%zz", secret},
		{secret + "%2", secret},
		{"9f86d:0818", "9f86d:0818"},
		{"9f86d|0818", "9f86d|0818"},
		{"9f86:0818", "9f86"}, // too short
		{secret + ":8080", secret},
		{"9f86d081: x", "9f86d081"},
	} {
		end := 0
		for end < len(tt.text) && valueByte(tt.text[end]) {
			end++
		}
		c := cursor{table: known(), s: tt.text}
		if got := tt.text[:c.valueEnd(0, end)]; got != tt.value {
			t.Errorf("the value at the start of %q is %q, want %q", tt.text, got, tt.value)
		}
	}
}

// TestQuotedEnd checks that a value in quotes may have other characters.
func TestQuotedEnd(t *testing.T) {
	for text, want := range map[string]string{
		`"q7R!x,9&z"`: "q7R!x,9&z", `'q7R!x"9'`: `q7R!x"9`, "`q7R!x`": "q7R!x", `\"q7R!x\"`: "q7R!x", `"q7R!x\\"`: "q7R!x",
		`"q7R!x 9"`: "q7R", `"q7R!x`: "q7R", `"q7Rné"`: "q7Rn", " q7R!x\"": "q7R", "q7R!x\"": "q7R", `"q7R"`: "q7R",
		`"` + "q7R!" + strings.Repeat("x", 124) + `"`: "q7R!" + strings.Repeat("x", 124),
		`"` + "q7R!" + strings.Repeat("x", 125) + `"`: "q7R",
	} {
		from := strings.Index(text, "q")
		to := from
		for to < len(text) && valueByte(text[to]) {
			to++
		}
		c := cursor{table: known(), s: text}
		if got := text[from:c.quotedEnd(from, to)]; got != want {
			t.Errorf("the value in %q is %q, want %q", text, got, want)
		}
	}
}

// TestVariables checks that a token which is assigned to a variable of the environment is a secret, whatever it looks
// like: elsewhere, a UUID or a hash with that name may be the token of a page.
func TestVariables(t *testing.T) {
	for in, found := range map[string]bool{
		"TOKEN=bdd0b6cc60d5d32cbe54014c2b54b955":           true,
		"export TOKEN=bdd0b6cc60d5d32cbe54014c2b54b955":    true,
		`TOKEN="7c73b6c9-e04b-4dce-a5d0-0a4d7f7595b5"`:     true,
		"token=bdd0b6cc60d5d32cbe54014c2b54b955":           false,
		"TOKEN: bdd0b6cc60d5d32cbe54014c2b54b955":          false,
		"NEXT_PAGE_TOKEN=bdd0b6cc60d5d32cbe54014c2b54b955": false,
		"TOKEN=YOUR_TOKEN_GOES_HERE":                       false,
		"password: $(%abc9x":                               true,
		"password: $(cat abc9x)":                           false,
		"postgres://admin:S3cr$et9x@db.sail.io/app":        true,
		"postgres://admin:pa$(%w0rd9@db.sail.io/app":       true,
		"postgres://admin:$PASS@db.sail.io/app":            false,
		"postgres://admin:${PASS}@db.sail.io/app":          false,
		"postgres://admin:x$(cat file)@db.sail.io/app":     false,
	} {
		if out, _ := Text(in); (out != in) != found {
			t.Errorf("%q became %q, want a secret: %v", in, out, found)
		}
	}
}
