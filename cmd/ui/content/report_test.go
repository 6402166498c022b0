package content

import (
	"testing"

	"condense/cmd/report"
)

func TestLeft(t *testing.T) {
	tests := []struct {
		edit report.Edit
		want string
	}{
		{report.Edit{Left: report.LeftNothing}, "nothing"},
		{report.Edit{Left: report.LeftMarker}, "a marker"},
		{report.Edit{Left: report.LeftPart}, "a part"},
		{report.Edit{Left: report.LeftPart, Lines: &report.Change{Before: 1214, After: 12}}, "12 of 1,214 lines"},
	}
	for _, tt := range tests {
		if got := leftOf(&tt.edit); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.edit, got, tt.want)
		}
	}
}
