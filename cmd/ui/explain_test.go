package ui

import "testing"

func TestLeft(t *testing.T) {
	tests := []struct {
		edit Edit
		want string
	}{
		{Edit{Left: LeftNothing}, "nothing"},
		{Edit{Left: LeftMarker}, "a marker"},
		{Edit{Left: LeftPart}, "a part"},
		{Edit{Left: LeftPart, Lines: &Change{1214, 12}}, "12 of 1,214 lines"},
	}
	for _, tt := range tests {
		if got := leftOf(&tt.edit); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.edit, got, tt.want)
		}
	}
}
