package transcript

import "testing"

func TestRecordLen(t *testing.T) {
	for text, want := range map[string]string{
		"[condensed: Read a.go (3 lines)]":                        "",
		"[condensed: Read a.go (3 lines)]\n\nDone.":               "\nDone.",
		"[condensed: Edit a.go ok:\n +x := []int{}\n]\nDone.\n":   "Done.\n",
		"[condensed: Edit a.go ok:\n +x\n`make`: ok]\nDone.\n":    "Done.\n",
		"[condensed: Edit a.go ok:\n +x\nwithout an end":          "[condensed: Edit a.go ok:\n +x\nwithout an end",
		"Before.\n[condensed: 3 calls]\nBehind.":                  "Before.\nBehind.",
		"It is written as [condensed: 3 calls] within a sentence": "It is written as [condensed: 3 calls] within a sentence",
	} {
		if got := WithoutRecords(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
