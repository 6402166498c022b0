/*
Package format reads and writes the files that conversations are saved in.

[Decode] finds the [Dialect] of a source, scans its JSON once and builds one
[transcript.Conversation] for every conversation in it, remembering where in
the source each text lies (its [layout]). [File.Encode] compares the final
state with what was decoded, by identity, and lowers the difference to byte
edits of the source:

	output = source bytes + byte edits

So a file that nobody changed comes out byte for byte, and so does every part
of a changed file that no edit touches: unknown members, number spelling,
escapes, indentation, broken lines. What only the bytes know stays here:
commas, escape style, lines that are not messages, texts that are stored
twice (mirrors), and the chain of parents that some formats keep.

# Adding a dialect

A dialect is one file that defines one [Dialect]: how to recognise a source from
its first records (sniff), how to build conversations from it (decode), how a
new message is written (render), and what else must change when records go
(relink). It is listed in [Dialects], and has two or more fixtures under
testdata/sessions. Decoding means walking the JSON values, beginning a message
with [builder.message] and adding blocks with the methods of [message] (text,
addCall, addResult, thinking, media, opaque), each with the slot that goes when
the block goes. Rules that keep the promises:

  - Every text a model would see is a block, and knows its literal. What is
    typed counts as typed when in doubt.
  - What repeats a block (for a user interface, a cache) is a mirror.
  - What the model does not see (abandoned branches, history before a
    compaction, sub-agents) is a hidden message. A message of which it sees a
    part is two, in one record.
  - What only the bytes show of the rules (see package rules) is found by lint,
    each flaw with the edits that mend it; target names who reads such files, and
    answers whether render can write the result of a call.
  - Whether a tool failed is what the file records beside its answer; fails reads
    the words of the answer where the file may record nothing.
  - Spans are offsets into the source; a [rawjson.Value] lives only until the
    next scan of its Doc.
*/
package format

import (
	"crypto/sha256"
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

// Dialect is one way of saving conversations.
type Dialect struct {
	Name    string // as the user names it
	Doc     string // the program that writes such files, in a few words
	Where   string // where such files are found
	Hidden  bool   // files can hold messages that the model does not see
	Mirrors bool   // files can repeat texts beside the messages

	// sniff reports whether a source is of this dialect, by its first few records.
	sniff func(p *probe) bool
	// decode fills f.Convs and f.layouts.
	decode func(f *File, p *probe) error
	// render returns new message i as a record of the file, in compact JSON.
	render func(c *splice.Change, i int) []byte
	// relink returns the edits that remaining records need because others are removed or
	// inserted; nil when records do not refer to each other.
	relink func(c *splice.Change) []rawjson.Edit
	// tags hides messages by tags instead of removing them; nil when the client knows no
	// such tags.
	tags *tagging
	// prepare returns the flaws that must be mended before a file is condensed; may be
	// nil.
	prepare func(f *File) []flaw
	// rename returns the edits that give the session another id; nil when it has none.
	rename func(c *splice.Change, id string) []rawjson.Edit

	// fails reports whether the words of a tool's result state a failure; nil when the
	// file records that beside every result.
	fails func(answer *transcript.Block) bool

	// target is the profile of the program that reads such files; nil stands for
	// rules.Any.
	target *rules.Profile
	// lint returns the flaws that only the bytes show, with their mends; may be nil.
	lint func(f *File) []flaw
	// answers is the role of a message in which render can write a tool's result; System
	// when it cannot.
	answers transcript.Role
}

// tagging is how the client of a dialect hides messages that stay in the file.
type tagging struct {
	// hide returns the edits that hide dropped messages, each by the next new message
	// behind it, and the edits that insert the new messages.
	hide func(c *splice.Change, dropped []*transcript.Message) []rawjson.Edit
	// lacks returns what a file does not have for tags, or "".
	lacks func(f *File) string
}

// Dialects lists every dialect in the order of detection, most specific first.
var Dialects = []*Dialect{
	&claudeCode,
	&codex,
	&chatGPT,
	&claudeAI,
	&continueDev,
	&openWebUI,
	&libreChat,
	&chatbotUI,
	&grok,
	&langChain,
	&vscodeCopilot,
	&aiSDK,
	&copilotCLI,
	&managedAgents,
	&pi,
	&cursor,
	&openCode,
	&geminiCLI,
	&geminiStream,
	&adk,
	&aiStudio,
	&gemini,
	&cline,
	&responses,
	&openaiFT,
	&sweAgent,
	&miniSWE,
	&openHands,
	&inspect,
	&shareGPT,
	&anthropic,
	&openai,
}

// File is a decoded source. Only its conversations can change; the rest is copied.
type File struct {
	Dialect *Dialect
	Convs   []*transcript.Conversation
	// Faults are what is wrong with the bytes and was copied, such as broken lines, in the
	// order of the source.
	Faults []Fault

	src     []byte
	texts   *rawjson.Texts   // decoded so far: most of them are in the output, too
	layouts []*splice.Layout // one for each conversation
	options Options
	sample  *rawjson.Sample // how the source writes strings
	starts  []int           // offsets of the lines; nil until needed
	owners  []ownership     // of the bytes, in order; nil until needed
}

// Sessions reports whether sessions of the dialect have an id that With can change.
func (d *Dialect) Sessions() bool { return d.rename != nil }

// DerivedID returns a session id made from a seed. Equal seeds make equal ids.
func DerivedID(seed ...string) string {
	h := sha256.New()
	for _, s := range seed {
		fmt.Fprintf(h, "%s\x00", s)
	}
	return splice.UUID(h.Sum(nil))
}

// Fault is something wrong with a source that can be decoded nevertheless.
type Fault struct {
	Line   int // 1-based; 0 when the source has no lines of its own
	Offset int // in bytes from the start
	Text   string
}

// Len returns the size of the source in bytes.
func (f *File) Len() int { return len(f.src) }
