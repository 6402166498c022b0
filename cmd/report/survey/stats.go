// Package survey holds the results of commands that only read, as data: stats, tokens, diff, view,
// compare and explain. It also holds the sums of a batch over many files. Package report defines the types
// for tokenizers and for counts before and after.
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

// StatsVersion is the version of the JSON of stats. It rises when a member changes its meaning or is
// removed.
const StatsVersion = 1

// Stats holds the distribution of the tokens of conversations.
type Stats struct {
	Version   int              `json:"version"`           // version of this format
	Condense  string           `json:"condense"`          // version of the program
	Tokenizer report.Tokenizer `json:"tokenizer"`         // how tokens were counted; that of the first file when files differ in it
	Files     []FileStats      `json:"files"`             // in the order of the arguments, those of a folder by name
	Skipped   []report.Skipped `json:"skipped"`           // files in the folders that hold no conversation
	Tokens    int              `json:"tokens"`            // tokens of the effective views of all conversations
	Framing   int              `json:"framing"`           // estimated tokens that an API adds around messages and calls; not part of tokens
	Messages  int              `json:"messages"`          // messages of the effective views
	Bytes     Bytes            `json:"bytes"`             // sizes of all files
	Bloat     report.Bloat     `json:"bloat"`             // what makes the files large, and takes few or no tokens
	Unknown   []report.Unknown `json:"unknown,omitempty"` // kinds of records that condense does not know, file by file
	Kinds     []Group          `json:"kinds"`             // tokens by kind of content, for the kinds that occur
	Roles     []Group          `json:"roles"`             // tokens by role of the sender
	Ages      []Group          `json:"ages"`              // tokens by the number of units (prompts, answers, tool rounds) that follow
	Tools     []Group          `json:"tools"`             // tokens by tool, calls and results; most first
	Paths     []Group          `json:"paths"`             // tokens by the first path that a call names, calls and results; most first
	Stale     []Group          `json:"stale"`             // tokens of results that a later read or change of the same file makes outdated, by file; most first
	Repeated  Group            `json:"repeated"`          // tokens that dedupe would save, and the number of places
	Largest   []Large          `json:"largest"`           // largest blocks, most tokens first, up to the requested number
}

// A Group counts the tokens of blocks that have something in common.
type Group struct {
	Name   string `json:"name"`   // what they have in common
	Tokens int    `json:"tokens"` // tokens of all of them
	Blocks int    `json:"blocks"` // number of blocks
}

// Bytes divides the bytes of files by their content.
type Bytes struct {
	File   int `json:"file"`   // all bytes, after decompression
	Text   int `json:"text"`   // decoded texts that the model sees
	Hidden int `json:"hidden"` // decoded texts that it does not see: abandoned branches, messages that a compaction replaced
	Media  int `json:"media"`  // images, documents and recordings, as encoded in the file
	Sealed int `json:"sealed"` // signatures and ciphertext
	Rest   int `json:"rest"`   // all else: keys, ids, escapes, second copies of texts
}

// FileStats holds the statistics of one file.
type FileStats struct {
	Input         string              `json:"input"`               // as the user wrote it, or below a folder; "-" for standard input
	Format        string              `json:"format"`              // dialect of the file
	Bytes         Bytes               `json:"bytes"`               // sizes of the file
	Tokens        int                 `json:"tokens"`              // tokens of its conversations
	Messages      int                 `json:"messages"`            // messages of its conversations
	Conversations []ConversationStats `json:"conversations"`       // in the order of the file
	Tokenizer     *report.Tokenizer   `json:"tokenizer,omitempty"` // how its tokens were counted, when files differ in it
}

// ConversationStats holds the statistics of one conversation.
type ConversationStats struct {
	ID       string       `json:"id"`       // as the file names it; may be ""
	Tokens   int          `json:"tokens"`   // tokens of its effective view
	Framing  int          `json:"framing"`  // estimated tokens that an API adds around messages and calls; not part of tokens
	Messages int          `json:"messages"` // messages of its effective view
	Hidden   int          `json:"hidden"`   // messages outside its effective view
	Usage    report.Usage `json:"usage"`    // what the file records of its last request
	Growth   []Point      `json:"growth"`   // growth of the context, a point for each message of the effective view
}

// A Point is the size of the context up to one message.
type Point struct {
	Message  int `json:"message"`            // number in the conversation, from 1
	Tokens   int `json:"tokens"`             // tokens of the messages up to it
	Measured int `json:"measured,omitempty"` // tokens of the request that it answers, as the provider counted them; absent when the file has no such count

	Kind string `json:"-"` // kind of content with most of its tokens
}

// A Large is one large block.
type Large struct {
	Input        string `json:"input"`        // the file
	Conversation int    `json:"conversation"` // number in the file, from 1
	Message      int    `json:"message"`      // number in the conversation, from 1
	Block        int    `json:"block"`        // number in the message, from 1
	What         string `json:"what"`         // kind, tool and subject
	Tokens       int    `json:"tokens"`       // tokens of the block
}

// Only returns the conversation if there is exactly one, and nil otherwise.
func (s *Stats) Only() *ConversationStats {
	if len(s.Files) == 1 && len(s.Files[0].Conversations) == 1 {
		return &s.Files[0].Conversations[0]
	}
	return nil
}

// A StatsBuilder builds statistics from files.
type StatsBuilder struct {
	Stats *Stats
	sum   breakdown.Breakdown
	top   int // number of largest blocks to list

	Inputs []*source.Input // the files that were read, without their content
}

// NewStatsBuilder returns a builder without files. Its statistics list the top largest blocks.
func NewStatsBuilder(top int) *StatsBuilder {
	return &StatsBuilder{Stats: &Stats{Version: StatsVersion, Condense: report.CondenseVersion()}, top: top}
}

// Add adds the picked conversations of a file.
func (t *StatsBuilder) Add(ctx context.Context, in *source.Input, file *format.File, picked []bool, counter *token.Counter) error {
	how := report.TokenizerOf(counter)
	t.Stats.Bloat.Add(report.NewBloat(file))
	t.Stats.Unknown = append(t.Stats.Unknown, report.UnknownKinds(file)...)
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

// repeatsOptions returns the options of a run that finds all repetitions.
func repeatsOptions() *strategy.Options {
	o := strategy.Defaults()
	return &o
}

// Finish returns the statistics. Without a file, the tokenizer is that of counter.
func (t *StatsBuilder) Finish(counter *token.Counter) *Stats {
	s := t.Stats
	s.Tokenizer = report.TokenizerOf(counter)
	if len(s.Files) > 0 {
		s.Tokenizer = *s.Files[0].Tokenizer
	}
	// Files can differ in their tokenizer by settings or by --calibrate auto.
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

// groups returns the groups that are not empty.
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
		if m.Usage() != nil {
			p.Measured = m.Usage().Input + m.Usage().CacheRead + m.Usage().CacheWrite
		}
		points = append(points, p)
	}
	return points
}

// bytesOf divides the bytes of a file by their content. Texts and media count once for each message
// that has them; copies outside messages are part of the rest.
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

// Tokens holds the token counts of texts and saved conversations. The JSON names of its members are part of the interface.
type Tokens struct {
	Tokenizer *report.Tokenizer `json:"tokenizer"` // how tokens were counted; null when texts differ in it
	Files     []TextSize        `json:"files"`     // in the order of the arguments
	Total     *int              `json:"total"`     // tokens of all files; null when they differ in the tokenizer

	ShowIDs bool `json:"-"` // set if the token ids were requested
}

// A TextSize holds the size of one text, or of the conversations of one file.
type TextSize struct {
	Input  string `json:"input"` // as the user wrote it; "-" for standard input
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"`        // of the text, or of the messages that a model sees
	IDs    []int  `json:"ids,omitempty"` // token ids, when requested

	Conversations int `json:"conversations,omitempty"` // conversations whose messages were counted; absent for a text

	Tokenizer *report.Tokenizer `json:"tokenizer,omitempty"` // how it was counted, when files differ in it
}

// A TokenizerUse counts the files that one tokenizer counted.
type TokenizerUse struct {
	Tokenizer report.Tokenizer
	Files     int
}

// AddUse adds a file that t counted. Uses keep the order in which their tokenizers first occur.
func AddUse(uses []TokenizerUse, t report.Tokenizer) []TokenizerUse {
	for i := range uses {
		if uses[i].Tokenizer == t {
			uses[i].Files++
			return uses
		}
	}
	return append(uses, TokenizerUse{t, 1})
}

// Tokenizers returns the tokenizers that counted the files.
func (s *Stats) Tokenizers() (uses []TokenizerUse) {
	for _, f := range s.Files {
		if f.Tokenizer != nil {
			uses = AddUse(uses, *f.Tokenizer)
		}
	}
	if uses == nil {
		uses = []TokenizerUse{{s.Tokenizer, len(s.Files)}}
	}
	return uses
}

// Beside returns the tokens that the provider counted for the last request, and that the conversation
// does not have: system text and tools need room in the window, too. A difference that may be an error of
// the tokenizer counts as 0. So does a count of more tokens than the window of the model, or than the window
// of the user if that is larger: doubted is such a count, 0 if there is none.
func Beside(convs []*transcript.Conversation, counter *token.Counter, window int) (most, doubted int) {
	const errorShare = 0.15
	known, _ := counter.Window()
	limit := max(known, window)
	for _, c := range convs {
		total, _ := breakdown.Measure(c, counter.Block)
		measured, counted := counter.Last(c, total)
		switch more := measured - counted; {
		case float64(more) <= errorShare*float64(measured):
		case known > 0 && measured > limit:
			doubted = max(doubted, measured)
		default:
			most = max(most, more)
		}
	}
	return most, doubted
}
