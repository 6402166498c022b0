package fact

import (
	"strings"
	"testing"
)

func TestKindOf(t *testing.T) {
	tests := []struct {
		kind  Kind
		words string
	}{
		{Path, "src/a.go /home/u/p/src/a.go ./cmd/x.go main.go ~/.bashrc package.json src/a.go:12:3 C:\\Users\\x\\y.txt /etc node_modules/@scope/pkg"},
		{URL, "https://example.org/a/b http://localhost:8080/x file:///etc/hosts git+ssh://host/repo"},
		{Error, "TypeError LookupException TS2345 E0308 ENOENT EACCES DeprecationWarning"},
		{Number, "8080 v1.2.3 #123 0x1f3 2026-11-21 12.5 250ms 127.0.0.1 +12345"},
		{Identifier, "getUser http_client self.assertEqual os.Exit MAX_SIZE --flag-name a::b 3f2a9c1b4 EXIT_CODE HTTP2 e2e4x"},
	}
	for _, tt := range tests {
		for _, word := range strings.Fields(tt.words) {
			got := "no fact"
			Each(word, func(at int, key string) {
				if got == "no fact" {
					got = KindOf(word, at, key).String()
				}
			})
			if got != tt.kind.String() {
				t.Errorf("%s: %s, want %s", word, got, tt.kind)
			}
		}
	}
}

func TestKindsAreAll(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds {
		seen[k.String()] = true
	}
	if len(seen) != int(Constraint)+1 {
		t.Errorf("%d different names for %d kinds", len(seen), Constraint+1)
	}
}

// TestIsNumber checks which facts are numbers.
func TestIsNumber(t *testing.T) {
	for key, want := range map[string]bool{
		"1": true, "#1": true, "v1": true, "+1": true, "-1": true, "#v1": true, "1.2.3": true, "1,000": true, "10:30": true, "2026-11-21": true, "1_000": true, "250ms": true, "1kHz": true, "5%": false, "0x1f": true, "1+2": true, "1#2": true,
		"": false, "#": false, "v": false, "a1": false, "va": false, "250mins": false, "1a2": false, "1/2": false, "x": false, "1MB": true,
	} {
		if got := isNumber(key); got != want {
			t.Errorf("%q is a number: %v", key, got)
		}
	}
}
