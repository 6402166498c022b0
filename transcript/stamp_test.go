package transcript

import (
	"testing"
	"time"
)

// TestStamp checks that a message has what was set, and that a copy of it keeps its own.
func TestStamp(t *testing.T) {
	at, later := time.Unix(5, 0), time.Unix(6, 0)
	counts := &Usage{Input: 1}
	m := &Message{}
	m.SetTime(time.Time{})
	m.SetUsage(nil)
	m.SetModel("")
	if m.stamp != nil {
		t.Error("nothing is recorded, and takes memory")
	}
	if m.Time() != (time.Time{}) || m.Usage() != nil || m.Model() != "" {
		t.Errorf("new message: %v, %v, %q", m.Time(), m.Usage(), m.Model())
	}
	m.SetTime(at)
	was := *m
	m.SetModel("a")
	m.SetUsage(counts)
	if m.Time() != at || m.Usage() != counts || m.Model() != "a" {
		t.Errorf("set: %v, %v, %q", m.Time(), m.Usage(), m.Model())
	}
	if was.Time() != at || was.Usage() != nil || was.Model() != "" {
		t.Errorf("the copy has changed: %v, %v, %q", was.Time(), was.Usage(), was.Model())
	}
	m.SetTime(later)
	m.SetModel("")
	m.SetUsage(nil)
	if m.Time() != later || m.Usage() != nil || m.Model() != "" || was.Time() != at {
		t.Errorf("set again: %v, %v, %q; the copy: %v", m.Time(), m.Usage(), m.Model(), was.Time())
	}
}
