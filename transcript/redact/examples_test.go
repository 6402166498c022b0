package redact_test

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"condense/transcript/redact"
)

// examplesOtherwise lists families of gitleaks with examples that package redact judges otherwise:
// missed secrets (+), and other texts that are replaced (-).
var examplesOtherwise = map[string]string{
	"aws-amazon-bedrock-api-key-long-lived +": "the value says EXAMPLE",
	"curl-auth-header +":                      "a value with characters that no scheme allows, and 16 hexadecimal digits after the name Token alone",
	"curl-auth-user +":                        "names in braces, and passwords without digits",
	"facebook-access-token +":                 "a name without an operator",
	"gcp-service-account +":                   "the type of a file is no secret; its private key is found",
	"hashicorp-tf-password +":                 "a password without digits",
	"kubernetes-secret-yaml +":                "names that say nothing of secrets",
	"nuget-config-password +":                 "passwords without digits",
	"sidekiq-secret +":                        "a value that consists of words",

	"1password-service-account-token -": "the start of a cut token",
	"anthropic-admin-api-key -":         "keys of any length, to allow for new forms",
	"anthropic-api-key -":               "keys of any length, to allow for new forms",
	"azure-ad-client-secret -":          "a public key with a name and the form of a secret",
	"cisco-meraki-api-key -":            "values of another length after the name of a key",
	"curl-auth-header -":                "a token after the wrong scheme",
	"freemius-secret-key -":             "a secret in another language than PHP",
	"gcp-api-key -":                     "keys that are known to be public",
	"generic-api-key -":                 "hexadecimal digits after the name apiKey",
	"mailchimp-api-key -":               "a token in a call",
	"nuget-config-password -":           "passwords in another file than nuget.config",
	"slack-config-access-token -":       "tokens of any length, to allow for new forms",
	"slack-user-token -":                "tokens of any length, to allow for new forms",
}

// TestExamples reads the examples that gitleaks has for its rules.
func TestExamples(t *testing.T) {
	data, err := os.ReadFile("testdata/gitleaks.txt")
	if err != nil {
		t.Fatal(err)
	}
	stale := map[string]bool{}
	for key := range examplesOtherwise {
		stale[key] = true
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		text, err := base64.StdEncoding.DecodeString(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		n++
		out, counts := redact.Text(string(text))
		if (fields[1] == "+") == (counts != nil) {
			continue
		}
		key := fields[0] + " " + fields[1]
		delete(stale, key)
		if examplesOtherwise[key] == "" {
			t.Errorf("%s: %q became %q", key, text, out)
		}
	}
	for key := range stale {
		t.Errorf("%s: no example is judged otherwise: delete its entry", key)
	}
	t.Logf("%d examples", n)
}

// TestEachRule checks that each rule of gitleaks finds values that its expression describes, behind a name if it
// needs one, and that the replacement shows what they were.
func TestEachRule(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range redact.Rules() {
		before := ""
		if len(r.Starts) == 0 {
			before = r.Names[0] + "_key="
		}
		found := false
		for range 20 { // few of the values resemble a word or an example
			out, _ := redact.Text(before + valueOf(t, random, r) + "\n")
			found = found || out == before+redact.Opening+r.Kind+"]\n"
		}
		if !found && r.Family != "twitter-bearer-token" { // it begins with 22 times the same letter, unlike a secret
			t.Errorf("no value of %s is found as %s", r.Family, r.Kind)
		}
	}
}
