package transcript

import (
	"fmt"
	"slices"
	"testing"
)

func TestWithoutRecords(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"[condensed: Read a.go (3 lines)]": "",
		"[condensed: Read a.go (3 lines)]\n\nDone.": "\nDone.",
		"[condensed: ]": "",
		"[condensed: 2 calls]\n[condensed: 3 calls]\nDone.":         "Done.",
		"[condensed: Edit a.go ok:\n +x := []int{}\n]\nDone.\n":     "Done.\n",
		"[condensed: Edit a.go ok:\n +x\n`make`: ok]\nDone.\n":      "Done.\n",
		"[condensed: Edit a.go ok:\n +x\nEdit b.go:\n +y\n]\nDone.": "Done.",
		"Before.\n[condensed: 3 calls]\nBehind.":                    "Before.\nBehind.",
		"Before.\n[condensed: 3 calls]":                             "Before.\n",
		// A bracket, or the opening, in a quoted line ends nothing and begins nothing.
		"[condensed: Read a.go:\n [condensed: 3 calls]\n x[0]\n ]\n]\nDone.": "Done.",
	} {
		if got := WithoutRecords(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestWithoutRecordsKeepsText lists texts that hold the opening and no record.
func TestWithoutRecordsKeepsText(t *testing.T) {
	for _, text := range []string{
		"It is written as [condensed: 3 calls] within a sentence",
		" [condensed: 3 calls]",
		"[condensed: 3 calls] and more on the line",
		"[condensed: ",
		"[condensed: Read a.go (3 lines)",
		"[condensed: Edit a.go ok:",
		"[condensed: Edit a.go ok:\n +x\n",
		"[condensed: Edit a.go ok:\n +x\n ]",
		"[condensed: Edit a.go ok:\n +x\nwithout an end",
		"[condensed: Edit a.go ok:\n +x\nA text without an end.\nIt cites [1]\n]\n",
		"[condensed: Read a.go\nThe list:\n]\n",
		"[condensed 3 calls]",
	} {
		if got := WithoutRecords(text); got != text {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func TestRecordsStops(t *testing.T) {
	var starts []int
	for from := range Records("[condensed: 1 call]\na\n[condensed: 2 calls]\n") {
		starts = append(starts, from)
		break
	}
	if !slices.Equal(starts, []int{0}) {
		t.Errorf("got %v, want the first record alone", starts)
	}
}

func ExampleRecords() {
	text := "I looked first.\n\n[condensed: Read a.go (214 lines)]\n\nThe cause is the sink."
	for from, to := range Records(text) {
		fmt.Printf("%q\n", text[from:to])
	}
	// Output: "[condensed: Read a.go (214 lines)]\n"
}

func ExampleWithoutRecords() {
	fmt.Println(WithoutRecords("The cause is the sink.\n[condensed: Edit a.go ok:\n +close(sink)\n]\nFixed."))
	// Output:
	// The cause is the sink.
	// Fixed.
}
