// Package survey is what commands report that read files and write none, as data: stats, tokens,
// diff, compare and explain, and the sums over many files of a batch. Results are built on
// package report, which has the tokenizer and the counts before and after.
package survey

import (
	"cmp"
	"context"
	"slices"

	"condense/cmd/report"
	"condense/cmd/source"
	"condense/strategy"
	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// StatsVersion is the version of the JSON of stats. It rises when a member changes
// its meaning or goes away.
const StatsVersion = 1

// Stats is where the tokens of conversations are.
type Stats struct {
	Version   int              `json:"version"`   // version of this format
	Condense  string           `json:"condense"`  // version of the program
	Tokenizer report.Tokenizer `json:"tokenizer"` // how tokens were counted; of the first file where each has its own
	Files     []FileStats      `json:"files"`     // in the order of the arguments, those of a folder by name
	Skipped   []report.Skipped `json:"skipped"`   // files in the folders that are no conversations
	Tokens    int              `json:"tokens"`    // of the effective views of all conversations
	Framing   int              `json:"framing"`   // tokens that an API adds around messages and calls, an estimate; not part of tokens
	Messages  int              `json:"messages"`  // of the effective views
	Bytes     Bytes            `json:"bytes"`     // of all files
	Kinds     []Group          `json:"kinds"`     // tokens by kind of content; those that occur
	Roles     []Group          `json:"roles"`     // tokens by who sends the message
	Ages      []Group          `json:"ages"`      // tokens by how many units (prompts, answers, tool rounds) come after; those that occur
	Tools     []Group          `json:"tools"`     // tokens by tool: calls and results; most first
	Paths     []Group          `json:"paths"`     // tokens by the first path that a call names: call and result; most first
	Stale     []Group          `json:"stale"`     // results by file that a later read or change of the same file overtook; most first
	Repeated  Group            `json:"repeated"`  // what dedupe would save, and in how many places
	Largest   []Large          `json:"largest"`   // blocks, most tokens first; as many as asked for
}

// Group is the tokens of blocks that have something in common.
type Group struct {
	Name   string `json:"name"`   // what they have in common
	Tokens int    `json:"tokens"` // of all of them
	Blocks int    `json:"blocks"` // how many there are
}

// Bytes says what the bytes of files are.
type Bytes struct {
	File   int `json:"file"`   // all of them, unpacked if they are compressed
	Text   int `json:"text"`   // of texts that the model sees, decoded
	Hidden int `json:"hidden"` // of texts that it does not see: abandoned branches, what a compaction replaced
	Media  int `json:"media"`  // of images, documents and recordings, as they are written in the file
	Sealed int `json:"sealed"` // of signatures and ciphertext
	Rest   int `json:"rest"`   // no content: keys, ids, escapes, second copies of texts
}

// FileStats is one file.
type FileStats struct {
	Input         string              `json:"input"`               // as the user wrote it, or below a folder; "-" for standard input
	Format        string              `json:"format"`              // dialect of the file
	Bytes         Bytes               `json:"bytes"`               // of the file
	Tokens        int                 `json:"tokens"`              // of its conversations
	Messages      int                 `json:"messages"`            // of its conversations
	Conversations []ConversationStats `json:"conversations"`       // in the order of the file
	Tokenizer     *report.Tokenizer   `json:"tokenizer,omitempty"` // how its tokens were counted, when not all files were counted in one way
}

// ConversationStats is one conversation.
type ConversationStats struct {
	ID       string       `json:"id"`       // as the file names it; may be ""
	Tokens   int          `json:"tokens"`   // of its effective view
	Framing  int          `json:"framing"`  // tokens that an API adds around messages and calls, an estimate; not part of tokens
	Messages int          `json:"messages"` // of its effective view
	Hidden   int          `json:"hidden"`   // messages outside of it
	Usage    report.Usage `json:"usage"`    // what the file records of its last request
	Growth   []Point      `json:"growth"`   // how the context grew, a point for each message of the effective view
}

// Point is the context up to one message.
type Point struct {
	Message  int `json:"message"`            // number in the file's conversation, from 1
	Tokens   int `json:"tokens"`             // of the messages up to it
	Measured int `json:"measured,omitempty"` // tokens of the request that it answers, by the provider; absent when the file does not tell

	Kind string `json:"-"` // that most of its tokens are of
}

// Large is one large block.
type Large struct {
	Input        string `json:"input"`        // the file
	Conversation int    `json:"conversation"` // number in the file, from 1
	Message      int    `json:"message"`      // number in the conversation, from 1
	Block        int    `json:"block"`        // number in the message, from 1
	What         string `json:"what"`         // kind, tool and subject
	Tokens       int    `json:"tokens"`       // of the block
}

// Only is the conversation, if there is one alone.
func (s *Stats) Only() *ConversationStats {
	if len(s.Files) == 1 && len(s.Files[0].Conversations) == 1 {
		return &s.Files[0].Conversations[0]
	}
	return nil
}

// StatsFilling adds up where the tokens of files are.
type StatsFilling struct {
	Stats *Stats
	sum   breakdown.Breakdown
	top   int // largest blocks that are kept

	Inputs []*source.Input // every file that was read, without its content
}

// NewStatsFilling returns statistics without a file, which keep the top largest blocks.
func NewStatsFilling(top int) *StatsFilling {
	return &StatsFilling{Stats: &Stats{Version: StatsVersion, Condense: report.CondenseVersion()}, top: top}
}

// File adds the picked conversations of a file.
func (t *StatsFilling) File(ctx context.Context, in *source.Input, file *format.File, picked []bool, counter *token.Counter) error {
	how := report.TokenizerOf(counter)
	f := FileStats{Input: in.Name, Format: file.Dialect.Name, Bytes: bytesOf(file, len(in.Data)), Tokenizer: &how}
	for i, conv := range file.Convs {
		if !picked[i] {
			continue
		}
		r, err := strategy.Run(ctx, conv, []*strategy.Strategy{&strategy.Dedupe}, repeatsOptions(), strategy.Env{Tokens: counter.Block})
		if err != nil {
			return err
		}
		t.Stats.Repeated.Tokens += r.Before - r.After
		for _, s := range r.Stages {
			t.Stats.Repeated.Blocks += len(s.Edits)
		}
		whole := breakdown.Of(conv, r.Tokens)
		for _, b := range whole.Blocks[:min(t.top, len(whole.Blocks))] {
			at := conv.Position(b.At.Msg)
			t.Stats.Largest = append(t.Stats.Largest, Large{
				Input: in.Name, Conversation: i + 1, Message: at + 1,
				Block:  slices.Index(conv.Messages[at].Blocks, conv.Block(b.At)) + 1,
				What:   report.BlockName(conv, b.At, conv.Block(b.At)),
				Tokens: b.Tokens,
			})
		}
		t.sum.Add(whole)
		measured, counted := counter.Last(conv, whole.Tokens)
		f.Conversations = append(f.Conversations, ConversationStats{
			ID: conv.ID, Tokens: whole.Tokens, Framing: counter.Framing(conv), Messages: whole.Messages,
			Hidden: len(conv.Messages) - whole.Messages, Usage: report.Usage{Measured: measured, Counted: counted},
			Growth: growth(conv, r.Tokens),
		})
		f.Tokens += whole.Tokens
		f.Messages += whole.Messages
		t.Stats.Framing += counter.Framing(conv)
	}
	t.Stats.Files = append(t.Stats.Files, f)
	slices.SortStableFunc(t.Stats.Largest, func(a, b Large) int { return cmp.Compare(b.Tokens, a.Tokens) })
	t.Stats.Largest = t.Stats.Largest[:min(t.top, len(t.Stats.Largest))]
	return nil
}

// repeatsOptions are those of a run that finds all that is repeated.
func repeatsOptions() *strategy.Options {
	o := strategy.Defaults()
	return &o
}

// Finished returns the sums. counter is how tokens were counted where there was no file.
func (t *StatsFilling) Finished(counter *token.Counter) *Stats {
	s := t.Stats
	s.Tokenizer = report.TokenizerOf(counter)
	if len(s.Files) > 0 {
		s.Tokenizer = *s.Files[0].Tokenizer
	}
	// Settings, and --calibrate auto, can count each file in a way of its own.
	alike := !slices.ContainsFunc(s.Files, func(f FileStats) bool { return *f.Tokenizer != s.Tokenizer })
	s.Tokens, s.Messages = t.sum.Tokens, t.sum.Messages
	s.Repeated.Name = strategy.Dedupe.Name
	s.Kinds, s.Roles, s.Ages = groups(t.sum.Kinds), groups(t.sum.Roles), groups(t.sum.Ages)
	s.Tools, s.Paths, s.Stale = groups(t.sum.Tools), groups(t.sum.Paths), groups(t.sum.Stale)
	for i, f := range s.Files {
		if alike {
			s.Files[i].Tokenizer = nil
		}
		b := &s.Bytes
		b.File, b.Text, b.Hidden = b.File+f.Bytes.File, b.Text+f.Bytes.Text, b.Hidden+f.Bytes.Hidden
		b.Media, b.Sealed, b.Rest = b.Media+f.Bytes.Media, b.Sealed+f.Bytes.Sealed, b.Rest+f.Bytes.Rest
	}
	return s
}

// groups are those that are not empty.
func groups(from []breakdown.Group) (to []Group) {
	for _, p := range from {
		if p.Blocks > 0 {
			to = append(to, Group{Name: p.Name, Tokens: p.Tokens, Blocks: p.Blocks})
		}
	}
	return to
}

// growth returns the tokens of the context up to each message of the effective view.
func growth(c *transcript.Conversation, tokens func(*transcript.Block) int) (points []Point) {
	total := 0
	for i, m := range c.Messages {
		if m.Hidden {
			continue
		}
		p := Point{Message: i + 1, Kind: breakdown.KindOf(m, tokens)}
		for _, b := range m.Blocks {
			total += tokens(b)
		}
		p.Tokens = total
		if m.Usage != nil {
			p.Measured = m.Usage.Input + m.Usage.CacheRead + m.Usage.CacheWrite
		}
		points = append(points, p)
	}
	return points
}

// bytesOf divides the bytes of a file by what they are. Texts and media count as often as messages
// have them; copies outside of messages are part of the rest.
func bytesOf(f *format.File, size int) Bytes {
	b := Bytes{File: size}
	for _, c := range f.Convs {
		for _, m := range c.Messages {
			text := &b.Text
			if m.Hidden {
				text = &b.Hidden
			}
			for _, block := range m.Blocks {
				b.Sealed += block.Opaque
				for _, p := range block.Parts {
					*text += len(p.Text)
					if p.Media != nil {
						b.Media += len(p.Media.Data)
					}
				}
			}
		}
	}
	b.Rest = max(0, size-b.Text-b.Hidden-b.Media-b.Sealed)
	return b
}

// Tokens holds the counts of some texts. The names of its members in JSON are
// part of the interface.
type Tokens struct {
	Tokenizer *report.Tokenizer `json:"tokenizer"` // how tokens were counted; null when each text says it for itself
	Files     []TextSize        `json:"files"`     // in the order of the arguments
	Total     *int              `json:"total"`     // tokens of all; null when they were not counted in one way

	ShowIDs bool `json:"-"` // the tokens themselves were asked for
}

// TextSize is the size of one text.
type TextSize struct {
	Input  string `json:"input"` // as the user wrote it; "-" for standard input
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"`
	IDs    []int  `json:"ids,omitempty"` // the tokens themselves, when asked for

	Tokenizer *report.Tokenizer `json:"tokenizer,omitempty"` // how it was counted, when not all texts were counted in one way
}

// Way is one way of counting tokens, and how many files were counted so.
type Way struct {
	Tokenizer report.Tokenizer
	Files     int
}

// AddWay counts a file that was counted by t. The order is that in which ways come first.
func AddWay(ways []Way, t report.Tokenizer) []Way {
	for i := range ways {
		if ways[i].Tokenizer == t {
			ways[i].Files++
			return ways
		}
	}
	return append(ways, Way{t, 1})
}

// Ways are the ways in which the files were counted.
func (s *Stats) Ways() (ways []Way) {
	for _, f := range s.Files {
		if f.Tokenizer != nil {
			ways = AddWay(ways, *f.Tokenizer)
		}
	}
	if ways == nil {
		ways = []Way{{s.Tokenizer, len(s.Files)}}
	}
	return ways
}
