package content

import (
	"testing"

	"condense/cmd/report"
	"condense/transcript"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1204112: "1,204,112", -12345: "−12,345", -999: "−999"} {
		if got := transcript.Number(n); got != want {
			t.Errorf("number(%d) = %q, want %q", n, got, want)
		}
	}
	for c, want := range map[report.Change]string{
		{Before: 98120, After: 41007}: "−58.2 %", {Before: 100, After: 100}: "0.0 %", {Before: 0, After: 0}: "", {Before: 0, After: 5}: "", {Before: 5, After: 0}: "−100.0 %",
		{Before: 100000, After: 1}: "−99.9 %", {Before: 100000, After: 99999}: "−0.0 %", {Before: 100, After: 150}: "+50.0 %",
	} {
		if got := Percent(c); got != want {
			t.Errorf("percent(%v) = %q, want %q", c, got, want)
		}
	}
	for c, want := range map[report.Change]string{{Before: 1, After: 1}: "1 message", {Before: 3, After: 1}: "3 → 1 message", {Before: 1, After: 0}: "1 → 0 messages", {Before: 2, After: 2}: "2 messages"} {
		if got := changeOf(c, "message"); got != want {
			t.Errorf("changeOf(%v) = %q, want %q", c, got, want)
		}
	}
}
