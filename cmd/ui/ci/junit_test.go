package ci

import "testing"

// TestXMLText checks that runes that XML does not allow are replaced.
func TestXMLText(t *testing.T) {
	for text, want := range map[string]string{"a\ufffeb": "a\ufffdb", "a\uffffb": "a\ufffdb", "a\ufffdb": "a\ufffdb", "a<b": "a<b"} {
		if got := xmlText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
