package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"condense/cmd/batch"
	"condense/cmd/report"
	"condense/cmd/ui"
	"condense/cmd/ui/escape"
	"condense/strategy"
)

// events writes the log of a run, one JSON object a line, while the run proceeds. It also
// measures the durations of stages, because strategies have no clock.
type events struct {
	to     io.WriteCloser // nil for no log
	now    func() time.Time
	failed error // of the first write that failed

	millis [][]float64 // for each conversation, the durations of its stages

	steps *ui.Progress // shows the stages of a large file; nil for none
}

// event is a line of the log. Members without a value are left out.
type event struct {
	Time  string `json:"time"`  // RFC 3339, UTC
	Event string `json:"event"` // start, stage, fallback, done

	Input    string `json:"input,omitempty"`    // start
	Strategy string `json:"strategy,omitempty"` // start
	Target   string `json:"target,omitempty"`   // start

	Conversation int            `json:"conversation,omitempty"` // stage, fallback: its number, from 1
	ID           string         `json:"id,omitempty"`           // stage, fallback: of the conversation
	Stage        string         `json:"stage,omitempty"`        // stage, fallback
	Edits        *int           `json:"edits,omitempty"`        // stage
	Tokens       *report.Change `json:"tokens,omitempty"`       // stage, done
	Milliseconds *float64       `json:"milliseconds,omitempty"` // stage
	Skipped      string         `json:"skipped,omitempty"`      // stage
	Reason       string         `json:"reason,omitempty"`       // fallback

	Changed *bool  `json:"changed,omitempty"` // done
	Output  string `json:"output,omitempty"`  // done
	Exit    *int   `json:"exit,omitempty"`    // done
	Error   string `json:"error,omitempty"`   // done
}

// openEvents opens the log at path for appending. An empty path means no log. others are the
// files that the run reads and writes; the log must be none of them.
func openEvents(path string, others []string, now func() time.Time) (*events, error) {
	if path == "" {
		return &events{now: now}, nil
	}
	for _, other := range others {
		if batch.SameFile(path, other) {
			return nil, usage("--events %s is a file that the run reads or writes: name another", path)
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, &unwritable{"--events", err}
	}
	return &events{to: f, now: now}, nil
}

// noEvents returns events that only measure durations.
func noEvents() *events { return &events{now: time.Now} }

func (l *events) write(e event) {
	if l.to == nil || l.failed != nil {
		return
	}
	e.Time = l.now().UTC().Format("2006-01-02T15:04:05.000Z07:00")
	line, err := json.Marshal(e)
	if err == nil {
		_, err = fmt.Fprintf(l.to, "%s\n", escape.JSON(string(line)))
	}
	l.failed = err
}

// watch begins to time a stage of the conversation with index conv. The function that it
// returns ends that and writes the events of the stage.
func (l *events) watch(conv int, name string) func(*strategy.Stage) {
	l.timed(conv + 1)
	began := l.now()
	l.steps.Begin(name)
	return func(s *strategy.Stage) {
		l.steps.Step(name)
		millis := float64(l.now().Sub(began).Microseconds()) / 1000
		l.millis[conv] = append(l.millis[conv], millis)
		edits, id := len(s.Edits), s.From.ID
		e := event{
			Event: "stage", Conversation: conv + 1, ID: id, Stage: name, Edits: &edits,
			Tokens: &report.Change{Before: s.Before, After: s.After}, Milliseconds: &millis, Skipped: s.Skipped,
		}
		l.write(e)
		reason := s.Fallback
		if s.Failed {
			reason = s.Skipped
		}
		if reason != "" {
			l.write(event{Event: "fallback", Conversation: conv + 1, ID: id, Stage: name, Reason: reason})
		}
	}
}

// timed returns the durations of stages in milliseconds, for at least that number of
// conversations.
func (l *events) timed(conversations int) [][]float64 {
	for len(l.millis) < conversations {
		l.millis = append(l.millis, nil)
	}
	return l.millis
}

// done writes the last event. r is nil if there is no report.
func (l *events) done(r *report.Report, err error, exit int) {
	e := event{Event: "done", Exit: &exit}
	if err != nil {
		e.Error = err.Error()
	}
	if r != nil {
		e.Changed, e.Output = &r.Changed, r.Output
		e.Tokens = &r.Tokens
	}
	l.write(e)
}

// close closes the log, and returns the first error of writing it.
func (l *events) close() error {
	if l.to == nil {
		return nil
	}
	err := l.to.Close()
	if l.failed != nil {
		err = l.failed
	}
	if err != nil {
		return &unwritable{"--events", err}
	}
	return nil
}
