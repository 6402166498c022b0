package report

import (
	"cmp"
	"context"
	"slices"

	"condense/cmd/source"
	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// StatsFilling adds up where the tokens of files are.
type StatsFilling struct {
	Stats *Stats
	sum   strategy.Stock
	top   int // largest blocks that are kept

	Inputs []*source.Input // every file that was read, without its content
}

func NewStatsFilling(top int) *StatsFilling {
	return &StatsFilling{Stats: &Stats{Version: StatsVersion, Condense: CondenseVersion()}, top: top}
}

// File adds the picked conversations of a file.
func (t *StatsFilling) File(ctx context.Context, in *source.Input, file *format.File, picked []bool, counter *token.Counter) error {
	how := TokenizerOf(counter)
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
		stock := strategy.TakeStock(conv, r.Tokens)
		for _, b := range stock.Blocks[:min(t.top, len(stock.Blocks))] {
			at := conv.Position(b.At.Msg)
			t.Stats.Largest = append(t.Stats.Largest, Large{
				Input: in.Name, Conversation: i + 1, Message: at + 1,
				Block:  slices.Index(conv.Messages[at].Blocks, conv.Block(b.At)) + 1,
				What:   what(conv, b.At, conv.Block(b.At)),
				Tokens: b.Tokens,
			})
		}
		t.sum.Add(stock)
		measured, counted := counter.Last(conv, stock.Tokens)
		f.Conversations = append(f.Conversations, ConversationStats{
			ID: conv.ID, Tokens: stock.Tokens, Framing: counter.Framing(conv), Messages: stock.Messages,
			Hidden: len(conv.Messages) - stock.Messages, Usage: Usage{Measured: measured, Counted: counted},
			Growth: growth(conv, r.Tokens),
		})
		f.Tokens += stock.Tokens
		f.Messages += stock.Messages
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
	s.Tokenizer = TokenizerOf(counter)
	if len(s.Files) > 0 {
		s.Tokenizer = *s.Files[0].Tokenizer
	}
	// Settings, and --calibrate auto, can count each file in a way of its own.
	alike := !slices.ContainsFunc(s.Files, func(f FileStats) bool { return *f.Tokenizer != s.Tokenizer })
	s.Tokens, s.Messages = t.sum.Tokens, t.sum.Messages
	s.Repeated.Name = strategy.Dedupe.Name
	s.Kinds, s.Roles, s.Ages = piles(t.sum.Kinds), piles(t.sum.Roles), piles(t.sum.Ages)
	s.Tools, s.Paths, s.Stale = piles(t.sum.Tools), piles(t.sum.Paths), piles(t.sum.Stale)
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

// piles are those that are not empty.
func piles(from []strategy.Pile) (to []Pile) {
	for _, p := range from {
		if p.Blocks > 0 {
			to = append(to, Pile{Name: p.Name, Tokens: p.Tokens, Blocks: p.Blocks})
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
		p := Point{Message: i + 1, Kind: strategy.KindOf(m, tokens)}
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

// bytesOf tells what the bytes of a file are. Texts and media count as often as
// messages have them: what is repeated beside the messages is the rest.
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
