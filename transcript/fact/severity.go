package fact

import "strings"

// A Severity is how clearly a word reports that something went wrong.
type Severity uint8

// The severities, in ascending order. The zero value is a word that reports nothing of the kind.
const (
	Harmless Severity = iota
	Warning           // something may go wrong: warning, deprecated, skipped
	Cause             // why something may have failed, or which part of a report it is: denied, missing, expected
	Failure           // something failed: error, fatal, panicked
)

// SeverityOf returns the severity of one word in lower-case ASCII letters.
func SeverityOf(word []byte) Severity {
	switch string(word) {
	case "error", "errors", "err", "erreur", "fehler", "erro", "errore", "fatal", "panic", "panicked", "exception",
		"fail", "failed", "fails", "failing", "failure", "failures", "abort", "aborted", "critical", "severe", "segfault",
		"segmentation", "killed", "crash", "crashed", "assertion", "emerg", "alert", "errno":
		return Failure
	case "cannot", "denied", "refused", "undefined", "unexpected", "invalid", "missing", "unable", "unresolved", "unknown",
		"conflict", "rejected", "timeout", "mismatch", "unreachable", "forbidden", "unauthorized", "exists", "illegal",
		"expected", "unsupported", "corrupt", "corrupted", "exceeded", "overflow", "leak", "deadlock", "nonzero",
		"found", "such", // not found, no such file
		"exit", "exited", "status":
		return Cause
	case "warning", "warnings", "warn", "deprecated", "caution", "vulnerable", "todo", "fixme", "skipped", "ignored",
		"retry", "retrying":
		return Warning
	}
	return Harmless
}

// SeverityOfSign returns the severity of the sign that s begins with: a cross, a
// warning sign, or an error word of a language that is not written in Latin letters.
func SeverityOfSign(s string) Severity {
	for _, sign := range signs {
		if s != "" && s[0] == sign.text[0] && strings.HasPrefix(s, sign.text) {
			return sign.severity
		}
	}
	return Harmless
}

var signs = []struct {
	text     string
	severity Severity
}{
	{"✗", Failure}, {"✘", Failure}, {"✖", Failure}, {"✕", Failure}, {"❌", Failure}, {"⨯", Failure}, {"×", Failure},
	{"⚠", Warning}, {"错误", Failure}, {"錯誤", Failure}, {"失败", Failure}, {"失敗", Failure}, {"エラー", Failure},
	{"오류", Failure}, {"실패", Failure}, {"ошибка", Failure}, {"Ошибка", Failure}, {"警告", Warning},
}

// MentionsFailure reports whether a line contains a stem of an error word, in any
// case of letters and inside any word: TypeError, failures, "exit code 0". It is for
// lines of an output that is known to report a failure: elsewhere a function called
// handleError would match, and [SeverityOf] judges whole words.
func MentionsFailure(line string) bool {
	line = strings.ToLower(line)
	for _, stem := range failureStems {
		if strings.Contains(line, stem) {
			return true
		}
	}
	return false
}

var failureStems = []string{"error", "fail", "panic", "fatal", "exception", "denied", "not found", "no such", "exit code"}

// errorNames lists the ends of the names of errors, as programs define them. The severity is that of
// a line with such a name: warnings, faults and panics are names of types in a program as often as
// messages.
var errorNames = []struct {
	end      string
	severity Severity
}{
	{"Error", Failure}, {"Exception", Failure}, {"Warning", Harmless}, {"Fault", Harmless}, {"Panic", Harmless},
}

// SeverityOfName returns the severity of a name such as TypeError or
// NullPointerException in a line of output; Harmless for other words.
func SeverityOfName(name string) Severity {
	if name == "" || strings.IndexByte("rngtc", name[len(name)-1]) < 0 {
		return Harmless // most names end otherwise
	}
	for _, n := range errorNames {
		if strings.HasSuffix(name, n.end) {
			return n.severity
		}
	}
	return Harmless
}

// isErrorName reports whether a name ends like that of an error (ParseError, LookupException), is an
// error of the system (ENOENT), or is the code of a compiler's message (TS2345, E0308, W605).
func isErrorName(name string) bool {
	for _, n := range errorNames {
		if strings.HasSuffix(name, n.end) {
			return true
		}
	}
	letters := len(name)
	for letters > 0 && class[name[letters-1]] == digit {
		letters--
	}
	digits := len(name) - letters
	switch name[:letters] {
	case "TS", "CS":
		return digits == 4
	case "E", "F", "W":
		return digits == 3 || digits == 4
	}
	return digits == 0 && len(name) >= 5 && name[0] == 'E' && strings.ToUpper(name) == name && !strings.ContainsAny(name, "_-.:")
}

// IsFailedState reports whether a value of a status, a level or a conclusion states a
// failure: "CrashLoopBackOff" or "timed out", written in lower case without separators.
// A state that is a message elsewhere has no severity there: a line may well be about
// something broken or offline.
func IsFailedState(state []byte) bool { return failedStates[string(state)] }

var failedStates = map[string]bool{
	"aborted": true, "broken": true, "crashed": true, "crashloopbackoff": true, "critical": true, "dead": true,
	"degraded": true, "denied": true, "err": true, "error": true, "errored": true, "evicted": true,
	"exception": true, "fail": true, "failed": true, "failing": true, "failure": true, "fatal": true,
	"forbidden": true, "imagepullbackoff": true, "invalid": true, "killed": true, "offline": true,
	"oomkilled": true, "panic": true, "refused": true, "rejected": true, "severe": true, "timedout": true,
	"timeout": true, "unauthorized": true, "unavailable": true, "unhealthy": true, "unreachable": true,
}
