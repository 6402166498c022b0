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
