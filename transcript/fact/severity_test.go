package fact

import "testing"

func TestSeverityOf(t *testing.T) {
	for word, want := range map[string]Severity{"error": Failure, "panicked": Failure, "denied": Cause, "deprecated": Warning, "ready": Harmless, "": Harmless} {
		if got := SeverityOf([]byte(word)); got != want {
			t.Errorf("SeverityOf(%q) = %v, want %v", word, got, want)
		}
	}
	for name, want := range map[string]Severity{"TypeError": Failure, "NullPointerException": Failure, "DeprecationWarning": Harmless, "Errors": Harmless} {
		if got := SeverityOfName(name); got != want {
			t.Errorf("SeverityOfName(%q) = %v, want %v", name, got, want)
		}
	}
	for sign, want := range map[string]Severity{"✗ one test": Failure, "⚠ old": Warning, "失败": Failure, "— none": Harmless, "": Harmless} {
		if got := SeverityOfSign(sign); got != want {
			t.Errorf("SeverityOfSign(%q) = %v, want %v", sign, got, want)
		}
	}
}

func TestMentionsFailure(t *testing.T) {
	for line, want := range map[string]bool{"java.lang.TypeError at": true, "2 Failures": true, "No such file": true, "all is well": false} {
		if got := MentionsFailure(line); got != want {
			t.Errorf("MentionsFailure(%q) = %v, want %v", line, got, want)
		}
	}
}
