package marker_test

import (
	"testing"

	"condense/transcript"
	"condense/transcript/marker"
)

func TestCutID(t *testing.T) {
	for _, tt := range []struct{ line, plain, id string }{
		{"[12 lines #482193 omitted]", "[12 lines omitted]", "482193"},
		{"[Read src/a.go: ok, 214 lines #4821930 omitted]", "[Read src/a.go: ok, 214 lines omitted]", "4821930"},
		{"[condensed: 31 commands; 3 calls #482193]", "[condensed: 31 commands; 3 calls]", "482193"},
		{"31 commands; 3 calls #482193", "31 commands; 3 calls", "482193"},
		{"#482193]", "]", "482193"},
		{"[12 lines omitted]", "[12 lines omitted]", ""},
		{"[condensed: closed issue #4821]", "[condensed: closed issue #4821]", ""},
		{"[12 lines x#482193 omitted]", "[12 lines x#482193 omitted]", ""},
		{"[12 lines #48219a omitted]", "[12 lines #48219a omitted]", ""},
		{"[12 lines #4821931234 omitted]", "[12 lines #4821931234 omitted]", ""},
		{"", "", ""},
		{"]", "]", ""},
	} {
		if plain, id := marker.CutID(tt.line); plain != tt.plain || id != tt.id {
			t.Errorf("CutID(%q) = %q, %q, want %q, %q", tt.line, plain, id, tt.plain, tt.id)
		}
	}
	if !transcript.IsMarker("[12 lines #482193 omitted]") {
		t.Error("a marker with an id is no marker")
	}
}

// TestCutRecordID checks records of one line and of several, whose id stands in the last.
func TestCutRecordID(t *testing.T) {
	for _, tt := range []struct{ record, plain, id string }{
		{"[condensed: 3 calls #482193]\n", "[condensed: 3 calls]", "482193"},
		{"[condensed: Edit a.go:\n +line\n#482193]\n\n", "[condensed: Edit a.go:\n +line\n]", "482193"},
		{"[condensed: Edit a.go:\n +see #123456\n]", "[condensed: Edit a.go:\n +see #123456\n]", ""},
		{"[condensed: 3 calls]", "[condensed: 3 calls]", ""},
	} {
		if plain, id := marker.CutRecordID(tt.record); plain != tt.plain || id != tt.id {
			t.Errorf("CutRecordID(%q) = %q, %q, want %q, %q", tt.record, plain, id, tt.plain, tt.id)
		}
	}
}

// TestSign checks that an id that is written can be read again: behind a line break, and behind other text.
func TestSign(t *testing.T) {
	for text, want := range map[string]string{"[12 lines": " #482193", "[condensed: Edit a.go:\n +line\n": "#482193", "": " #482193"} {
		if got := marker.Sign("482193", text); got != want {
			t.Errorf("Sign behind %q is %q, want %q", text, got, want)
		}
	}
	for _, record := range []string{"[condensed: 3 calls]", "[condensed: Edit a.go:\n +line\n]"} {
		inside := record[:len(record)-1]
		if plain, id := marker.CutRecordID(inside + marker.Sign("482193", inside) + "]"); plain != record || id != "482193" {
			t.Errorf("%q became %q with the id %q", record, plain, id)
		}
	}
}
