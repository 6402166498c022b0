package redact

import (
	"strings"
	"testing"
)

// TestPasswords checks in which places passwords are found, and where they end.
func TestPasswords(t *testing.T) {
	const gone = "[redacted: password]"
	for _, tt := range []struct{ in, want string }{
		{"password=k9Lw2x", "password=" + gone},
		{"password=my.secret.pass1", "password=my.secret.pass1"}, // a member in code
		{"password = my.secret.pass1", "password = my.secret.pass1"},
		{"DB_PASSWORD = my.secret.pass1", "DB_PASSWORD = my.secret.pass1"},
		{"DB_PASSWORD=my.secret.pass1", "DB_PASSWORD=" + gone},
		{"PASSWORD='my.secret.pass1'", "PASSWORD='" + gone + "'"},
		{`"password": "my.secret.pass1"`, `"password": "` + gone + `"`},
		{"password='my.secret.pass1'", "password='" + gone + "'"},
		{"PASSWORD=my.secret.passes", "PASSWORD=my.secret.passes"},
		{"PWD: k9Lw2x", "PWD: " + gone},
		{"pass = k9Lw2x", "pass = " + gone},
		{"user.passwd : 'k9Lw2x'", "user.passwd : '" + gone + "'"},
		{"passphrase := `k9 Lw2x`", "passphrase := `k9 Lw2x`"}, // a sentence
		{"password := `k9Lw2x`", "password := `" + gone + "`"},
		{"password == 'k9Lw2x'", "password == '" + gone + "'"},
		{":password => 'k9Lw2x'", ":password => '" + gone + "'"},
		{`"password": "k9L,w2x;|&>"`, `"password": "` + gone + `"`},
		{`{\"password\": \"k9Lw2x\"}`, `{\"password\": \"` + gone + `\"}`},
		{"| password | k9Lw2x |", "| password | " + gone + " |"},
		{"**Password:** k9Lw2x", "**Password:** " + gone},
		{"['mysql', '--password', 'k9Lw2x']", "['mysql', '--password', '" + gone + "']"},
		{`["--password", "k9Lw2x"]`, `["--password", "` + gone + `"]`},
		{"[`--password`,`k9Lw2x`]", "[`--password`,`" + gone + "`]"},
		{"f(password, k9Lw2x)", "f(password, k9Lw2x)"}, // an argument
		{"mysql --password k9Lw2x", "mysql --password " + gone},
		{"the password k9Lw2x", "the password k9Lw2x"}, // no option
		{"<password>k9Lw2x</password>", "<password>" + gone + "</password>"},
		{"<password>k9 Lw2x</password>", "<password>k9 Lw2x</password>"},
		{"<password>a&b;c1,d</password>", "<password>" + gone + "</password>"},
		{"a.password>k9Lw2x", "a.password>k9Lw2x"}, // a comparison
		{`<add key="Password" value="k9Lw2x" />`, `<add key="Password" value="` + gone + `" />`},
		{`<Password value="k9Lw2x" />`, `<Password value="` + gone + `" />`},
		{`<add key="Colour" value="k9Lw2x" />`, `<add key="Colour" value="k9Lw2x" />`},

		{"password=k9Lw2x\nnext", "password=" + gone + "\nnext"},
		{"password=k9Lw2x\rnext", "password=" + gone + "\rnext"},
		{`password=k9Lw2x\nnext`, "password=" + gone + `\nnext`},
		{`password=k9Lw2x\"next`, "password=" + gone + `\"next`},
		{`password=k9L\w2x next`, "password=" + gone + " next"},
		{`password=k9Lw2x\`, "password=" + gone + `\`},
		{"password=k9Lw2x next", "password=" + gone + " next"},
		{"password=k9Lw2x\tnext", "password=" + gone + "\tnext"},
		{"password=k9Lw2x,next", "password=" + gone + ",next"},
		{"password=k9Lw2x;next", "password=" + gone + ";next"},
		{"password=k9Lw2x|next", "password=" + gone + "|next"},
		{"password=k9Lw2x&next=1", "password=" + gone + "&next=1"},
		{"password=k9Lw2x>next", "password=" + gone + ">next"},
		{"password=k9Lw2x<br>", "password=" + gone + "<br>"},
		{"'password=k9Lw2x'", "'password=" + gone + "'"},
		{`"password=k9Lw2x"`, `"password=` + gone + `"`},
		{"`password=k9Lw2x`", "`password=" + gone + "`"},
		{"(password=k9Lw2x)", "(password=" + gone + ")"},
		{"(password=k9(L)w2x)", "(password=" + gone + ")"},
		{"{password=k9Lw2x}", "{password=" + gone + "}"},
		{"[password=k9Lw2x]", "[password=" + gone + "]"},
		{"password: k9Lw2x.", "password: " + gone + "."},
		{"password: k9Lw2x?!", "password: " + gone + "?!"},
		{"password: 'k9Lw2x!'", "password: '" + gone + "'"},
		{"password: \x1b[1mk9Lw2x\x1b[0m", "password: \x1b[1m" + gone + "\x1b[0m"},

		{"curl -u ana:k9Lw2x http://h", "curl -u ana:" + gone + " http://h"},
		{"curl --user ana:k9Lw2x http://h", "curl --user ana:" + gone + " http://h"},
		{"curl --user=a.n-a@h+x:k9Lw2x http://h", "curl --user=a.n-a@h+x:" + gone + " http://h"},
		{"curl -u 'ana:k9Lw2x' http://h", "curl -u 'ana:" + gone + "' http://h"},
		{`curl -u "ana":"k9Lw2x" http://h`, `curl -u "ana":"` + gone + `" http://h`},
		{`curl -u "ana:!secret word" http://h`, `curl -u "ana:!secret word" http://h`},
		{`curl -u "ana:!se<cret" http://h`, `curl -u "ana:` + gone + `" http://h`},
		{"curl -u ana http://h", "curl -u ana http://h"},
		{"curl -u", "curl -u"},
		{"curl -u ana:", "curl -u ana:"},
		{"curl -x ana:k9Lw2x http://h", "curl -x ana:k9Lw2x http://h"},
		{"docker run -u 1000:1000 app", "docker run -u 1000:1000 app"},

		{"http://ana:k9Lw2x@host/", "http://ana:[redacted: password in a URL]@host/"},
		{"http://a%40b+c~d.e-f:k9@host/", "http://a%40b+c~d.e-f:[redacted: password in a URL]@host/"},
		{"http://:k9@host/", "http://:[redacted: password in a URL]@host/"},
		{"http://ana:@host/", "http://ana:@host/"},
		{"http://ana:k9Lw2x/path", "http://ana:k9Lw2x/path"},
		{"http://ana:k9Lw2x", "http://ana:k9Lw2x"},
		{"://ana:k9Lw2x@host", "://ana:k9Lw2x@host"},
		{"1://ana:k9Lw2x@host", "1://ana:k9Lw2x@host"},
		{"http:/ana:k9Lw2x@host", "http:/ana:k9Lw2x@host"},
		{"http://user:pass@host", "http://user:pass@host"},
		{"http://user:Secret@host", "http://user:Secret@host"},
		{"http://user:token@host", "http://user:token@host"},
		{"http://user:pwd@host", "http://user:pwd@host"},
		{"http://user:user@host", "http://user:user@host"},
		{"http://user:passwd@host", "http://user:passwd@host"},
		{"http://host:8080/a@b", "http://host:8080/a@b"},
		{"http://ana:${PW}@host", "http://ana:${PW}@host"},
		{"http://ana:" + strings.Repeat("k9", 128) + "@host", "http://ana:[redacted: password in a URL]@host"},
		{"http://ana:" + strings.Repeat("k9", 128) + "k@host", "http://ana:" + strings.Repeat("k9", 128) + "k@host"},
	} {
		if got, _ := Text(tt.in); got != tt.want {
			t.Errorf("%q became\n  %q, want\n  %q", tt.in, got, tt.want)
		}
	}
}

// TestAuthorization checks which credentials of a header are found.
func TestAuthorization(t *testing.T) {
	const token = "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3H"
	const gone = "[redacted: Authorization header]"
	for _, tt := range []struct{ in, want string }{
		{"Authorization: Bearer " + token, "Authorization: Bearer " + gone},
		{"AUTHORIZATION: BEARER " + token, "AUTHORIZATION: BEARER " + gone},
		{"Proxy-Authorization: Basic " + token + "==,", "Proxy-Authorization: Basic " + gone + ","},
		{"authorization=token " + token, "authorization=token " + gone},
		{`"Authorization": "ApiKey ` + token + `"`, `"Authorization": "ApiKey ` + gone + `"`},
		{"Authorization: " + token, "Authorization: " + gone},
		{"Authorization: 9f86d081884c7d659a2f", "Authorization: " + gone},
		{"Authorization: 9f86d081884c7d659a2", "Authorization: 9f86d081884c7d659a2"}, // 19 bytes
		{"Authorization: Bearer " + token[:12], "Authorization: Bearer " + gone},
		{"Authorization: Bearer " + token[:11], "Authorization: Bearer " + token[:11]},
		{"Authorization: Bearer 1212121212121212", "Authorization: Bearer 1212121212121212"},
		{"Authorization: Bearer some-long-word", "Authorization: Bearer some-long-word"},
		{"Authorization: Bearer YOUR_TOKEN_0123456", "Authorization: Bearer YOUR_TOKEN_0123456"},
		{"Authorization: Digest " + token, "Authorization: Digest " + token},
		{"Authorization:", "Authorization:"},
		{"Author: " + token, "Author: " + token},
	} {
		if got, _ := Text(tt.in); got != tt.want {
			t.Errorf("%q became\n  %q, want\n  %q", tt.in, got, tt.want)
		}
	}
}

// TestChosen checks which values after the name of a password are one, with and without quotes.
func TestChosen(t *testing.T) {
	for _, tt := range []struct {
		value          string
		quoted, either bool // is one in quotes, is one without
	}{
		{"k9Lw2x", true, true},
		{"k9Lw2", false, false}, // five bytes
		{strings.Repeat("k9", 64), true, true},
		{strings.Repeat("k9", 64) + "k", false, false},
		{"summer", false, false}, // a word
		{"summerTime", false, false},
		{"SUMMER", false, false},
		{"summer!", true, false},
		{"summer-time", false, false},
		{"123456", false, false},
		{"summer1", true, true},
		{"summer_1", false, false}, // the name of a variable
		{"1summer", true, true},
		{"Summer_1", true, true},
		{"s#mmer1", true, true},
		{"k9 Lw2x", false, false},
		{"k9Lw2xé", false, false},
		{"[k9Lw2x", false, false},
		{"/etc/k9Lw2x", false, false},
		{"http://k9Lw2x", false, false},
		{"$k9Lw2x", true, true},
		{"$SUMMER_1", false, false},
		{"$summer1", true, true}, {"$summer_1", false, false}, {"$summer", false, false},
		{"${k9Lw2x}", false, false},
		{"$(k9Lw2x)", false, false},
		{"a${k9Lw2x}", false, false},
		{"%k9Lw2x", true, true},
		{"%k9Lw2x%", false, false},
		{"%(k9Lw2x", false, false},
		{"%{k9Lw2x", false, false},
		{"{k9Lw2x", false, false}, {"<k9Lw2x", false, false}, {"(k9Lw2x", false, false}, {"*k9Lw2x", false, false}, {"&k9Lw2x", false, false},
		{"a{{k9Lw2x", false, false}, {"k9...Lw2x", false, false}, {"k9Lw2x()", false, false}, {"k9->Lw2x", false, false}, {"k9=>Lw2x", false, false},
		{"fetch(k9)", false, false},
		{"form[k9]", false, false},
		{"k9w(k9)", true, true}, // no name in code
		{"config.db.pass1", true, false},
		{"config.d.pass1", true, true}, // words of one letter
		{"p4.rT7.yQ", true, true},
		{"config12.db", true, true},
	} {
		if got := chosen(tt.value, true, true); got != tt.quoted {
			t.Errorf("%q in quotes is a password: %v, want %v", tt.value, got, tt.quoted)
		}
		if got := chosen(tt.value, false, false); got != tt.either {
			t.Errorf("%q without quotes is a password: %v, want %v", tt.value, got, tt.either)
		}
	}
}

// TestColourAt checks the lengths of colour codes at the start of a text.
func TestColourAt(t *testing.T) {
	for in, want := range map[string]int{
		"\x1b[0mx": 4, "\x1b[mx": 3, "\x1b[1;36mx": 7, `\x1b[0mx`: 7, `\u001b[0mx`: 9, `\033[0mx`: 7, `\e[0mx`: 5,
		"": 0, "x": 0, "\x1b[": 0, "\x1b[0": 0, "[0m": 0, "\x1b0m": 0, "\x1b[0123456789;m": 14, "\x1b[0123456789;;m": 0,
	} {
		if got := colourAt(in); got != want {
			t.Errorf("%q begins with a colour of %d bytes, want %d", in, got, want)
		}
	}
}
