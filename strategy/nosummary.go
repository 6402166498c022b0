package strategy

// NoSummary is why [Summarize] left everything as it was. In a pipeline it is the
// recorded reason of a stage that was skipped: it unwraps to a *[SkipError].
type NoSummary struct {
	Cause  Cause
	Detail string // numbers, for people
}

// Cause is one of the reasons for which there is no summary (SYSTEMS §1.4).
type Cause string

// The causes.
const (
	NotEnough         Cause = "not enough messages"
	CondensedRecently Cause = "condensed recently"
	ContextGrew       Cause = "context grew"
	EmptySummary      Cause = "empty summary"
)

func (e *NoSummary) Error() string { return string(e.Cause) + ": " + e.Detail }

// Unwrap returns the same as a reason to skip a stage.
func (e *NoSummary) Unwrap() error { return &SkipError{e.Error()} }
