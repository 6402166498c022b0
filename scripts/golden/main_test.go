package main

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompare checks that compare finds every kind of difference.
func TestCompare(t *testing.T) {
	right := map[string]result{
		"a.json hybrid@50%":      {0, "0123456789ab", "ba9876543210"},
		"a.json mask@-":          {0, "0123456789ab", "ba9876543210"},
		"a b.json unreadable@-":  {3, "-", "ba9876543210"},
		"b.json balanced@preset": {1, "-", "ba9876543210"},
	}
	record := filepath.Join(t.TempDir(), "lines.txt")
	if err := writeLines(record, right); err != nil {
		t.Fatal(err)
	}
	want, err := readLines(record)
	if err != nil {
		t.Fatal(err)
	}
	if list := compare(want, right); len(list) > 0 {
		t.Errorf("lines differ after they were written and read: %v", list)
	}
	for _, c := range []struct {
		change func(lines map[string]result)
		key    string
		want   string
	}{
		{func(l map[string]result) { l["a.json mask@-"] = result{0, "0123456789ac", "ba9876543210"} }, "a.json mask@-", "output"},
		{func(l map[string]result) { l["a.json mask@-"] = result{0, "0123456789ab", "-"} }, "a.json mask@-", "report"},
		{func(l map[string]result) { l["a.json mask@-"] = result{5, "-", "-"} }, "a.json mask@-", "exit code 5 instead of 0, output, report"},
		{func(l map[string]result) { delete(l, "a b.json unreadable@-") }, "a b.json unreadable@-", "recorded, but there is no such run"},
		{func(l map[string]result) { l["c.json mask@-"] = result{} }, "c.json mask@-", "not recorded"},
	} {
		got := maps.Clone(right)
		c.change(got)
		list := compare(want, got)
		if len(list) != 1 || list[0].key != c.key || list[0].String() != c.want {
			t.Errorf("compare returned %v, want %s: %s", list, c.key, c.want)
			continue
		}
		var text strings.Builder
		describe(&text, list)
		if line := "  " + c.key + ": " + c.want + "\n"; !strings.HasSuffix(text.String(), line) {
			t.Errorf("describe does not end with %q:\n%s", line, &text)
		}
	}
}

// TestNormalise checks that the version and times do not change a hash, and that texts do.
func TestNormalise(t *testing.T) {
	const report = "{\n  \"condense\": \"v1.2\",\n  \"milliseconds\": 0.35,\n  \"why\": \"x \\\"milliseconds\\\": 7\"\n}\n"
	same := strings.NewReplacer("v1.2", "(devel)", "0.35", "1e+03").Replace(report)
	if hash(normalise([]byte(report))) != hash(normalise([]byte(same))) {
		t.Errorf("the version or a time changes the hash: %s", normalise([]byte(same)))
	}
	other := strings.Replace(report, ": 7", ": 8", 1)
	if hash(normalise([]byte(report))) == hash(normalise([]byte(other))) {
		t.Error("a text of the report does not change the hash")
	}
}

// TestSound checks that wrong flags and crashes are not recorded.
func TestSound(t *testing.T) {
	for exit, want := range map[int]bool{-1: false, 0: true, 1: true, 2: false, 3: true} {
		if err := sound(map[string]result{"a.json mask@-": {exit: exit}}); (err == nil) != want {
			t.Errorf("exit code %d: %v", exit, err)
		}
	}
}
