package squeeze

import "testing"

func TestWordy(t *testing.T) {
	for text, want := range map[string]bool{
		"":                         false,
		"one two three":            false,
		"one two three four":       true,
		"one, two, three, four":    true,
		"über é ñ 世界":              true,
		"1 2 3 four five":          false,
		"one  two  three  four":    true,
		" one two three":           false,
		"one two three (4567890)":  false,
		"a.b c.d e.f g.h i.j k.l.": false,
	} {
		if got := wordy(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestSurveyNumbered checks that line numbers hide no form of a line.
func TestSurveyNumbered(t *testing.T) {
	listing := "1\tdef tide(level):\n2\t    \"\"\"Height of the tide in metres, corrected for the pressure.\"\"\"\n3\t    return level * 4\n"
	for _, source := range []string{listing, "The text was replaced. Please review the changes:\n" + listing, "[3 lines omitted]\n" + listing} {
		if v := survey(source); v.declares != 1 || v.strong() != Code {
			t.Errorf("%q: %d declarations, %v", source, v.declares, v.strong())
		}
	}
}

// TestSurveyNumberedDiff checks that a file that quotes a diff is no diff.
func TestSurveyNumberedDiff(t *testing.T) {
	quoted := "1\tHere is what he changed, in words and in lines.\n2\t@@ -1,2 +1,2 @@\n3\t-old\n4\t+new\n5\t@@ -8,2 +8,2 @@\n6\t-old\n7\t+new\n8\tIt works now, and the tests pass.\n"
	if v := survey(quoted); v.strong() == Diff {
		t.Errorf("%+v", v)
	}
}
