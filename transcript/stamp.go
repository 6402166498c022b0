package transcript

import "time"

// stamp is what a file records about a message beside its content. Messages have no fields for it, as
// most of the messages in the largest files have none of it.
type stamp struct {
	time  time.Time
	usage *Usage
	model string
}

// Usage is the provider's count for the request that a message answers, in tokens.
type Usage struct{ Input, CacheRead, CacheWrite, Output int }

// Time returns when the message was written, or the zero time when that is not recorded.
func (m *Message) Time() time.Time {
	if m.stamp == nil {
		return time.Time{}
	}
	return m.stamp.time
}

// SetTime sets when the message was written.
func (m *Message) SetTime(at time.Time) {
	if !at.IsZero() || m.stamp != nil {
		m.newStamp().time = at
	}
}

// Usage returns the provider's count for the request that the message answers, or nil when it is not
// recorded.
func (m *Message) Usage() *Usage {
	if m.stamp == nil {
		return nil
	}
	return m.stamp.usage
}

// SetUsage sets the provider's count for the request that the message answers.
func (m *Message) SetUsage(u *Usage) {
	if u != nil || m.stamp != nil {
		m.newStamp().usage = u
	}
}

// Model returns the model that wrote an answer, as the file names it, or "" when it is not recorded.
func (m *Message) Model() string {
	if m.stamp == nil {
		return ""
	}
	return m.stamp.model
}

// SetModel sets the model that wrote an answer.
func (m *Message) SetModel(name string) {
	if name != "" || m.stamp != nil {
		m.newStamp().model = name
	}
}

// newStamp replaces the stamp of the message by a copy, so that copies of the message keep theirs.
func (m *Message) newStamp() *stamp {
	own := stamp{}
	if m.stamp != nil {
		own = *m.stamp
	}
	m.stamp = &own
	return m.stamp
}
