package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/token"
)

// evalReader dumps what eval/cr/sessions.py, a reader that shares nothing with
// this package but the formats, sees in the files named on its input: one JSON
// object per conversation. It adds three things that sessions.py leaves out:
// the conversations of containers, the message.id of Claude Code, and answers
// whose text is a list of texts.
const evalReader = `
import hashlib, json, sys
from cr.metric import pair_faults
from cr.sessions import CHAT_ROLES, RESULT, Block, Unreadable, content_leaves, load

def conversations(data):
    try:
        return [load(data)]
    except Unreadable:
        root = json.loads(data)
    if isinstance(root, dict):
        return [load("\n".join(map(json.dumps, root["loglines"])).encode(), "claude-code")]
    rows = [{"messages": e["traj"]} if isinstance(e, dict) and "traj" in e else e for e in root]
    return [load(json.dumps(e).encode()) for e in rows]

def skipped(records, dialect):
    out, seen = {}, set()
    for i, (o, _, _) in enumerate(records):
        if not isinstance(o, dict):
            continue
        if dialect == "chat" and o.get("role") not in CHAT_ROLES:
            out[i] = "other roles"
        if dialect == "claude-code" and isinstance(o.get("message"), dict):
            if o.get("isSidechain"):
                out[i] = "sidechain"
            elif o.get("uuid") and o["uuid"] in seen:
                out[i] = "repeated uuid"
            seen.add(o.get("uuid"))
    return out

def message(m, record, hidden):
    parts = record.get("content") if m.role == "tool" else None
    nested = isinstance(parts, list) and any(isinstance(p, dict) and isinstance(p.get("text"), list) for p in parts)
    before = m.tokens
    if nested:
        m.blocks = [Block(RESULT, content_leaves(parts), record.get("tool_call_id"))]
    body = record.get("message") if m.role == "assistant" else None
    return {
        "role": m.role, "hidden": hidden, "id": body.get("id") or "" if isinstance(body, dict) else "",
        "nested": m.tokens - before,
        "blocks": [{
            "kind": b.kind, "call": b.call or "", "tokens": b.tokens,
            "sum": hashlib.sha256(b.text.encode("utf-8", "surrogatepass")).hexdigest(),
        } for b in m.blocks],
    }

for name in sys.stdin.read().splitlines():
    with open(name, "rb") as f:
        found = conversations(f.read())
    for source, t in found:
        faults, shown = pair_faults(t.visible()), set(map(id, t.visible()))
        print(json.dumps({
            "file": name, "faults": faults, "skipped": skipped(source.records, t.dialect),
            "messages": [
                message(m, source.records[m.first][0] if m.first >= 0 else {}, id(m) not in shown) for m in t.messages
            ],
        }))
`

// said is a conversation in the terms of sessions.py.
type said struct {
	File     string
	Messages []saidMessage
	Faults   map[string]string // by call id, of the visible messages
	Skipped  map[int]string    // records that are left out, and why
}

type saidMessage struct {
	Role   string
	Hidden bool
	ID     string // of the API message
	Nested int    // tokens that sessions.py alone would have missed
	Blocks []saidBlock
}

type saidBlock struct {
	Kind, Call string
	Tokens     int
	Sum        string // SHA-256 of the text
}

// The faults that sessions.py finds in pairs.
const (
	noAnswer = "call without result"
	noCall   = "result without call"
	twice    = "repeated id"
)

// TestEval compares what this package decodes with what sessions.py reads:
// every message in order, its role, whether it is seen, its blocks with kind,
// pair and text, the counts of bytes4, and the faults in the pairs. The
// differences that are meant are undone on one of the sides, counted and logged
// (go test -v); any other is an error.
func TestEval(t *testing.T) {
	files := corpusFiles(t)
	slices.Sort(files)
	theirs := readEval(t, files)
	for _, path := range files {
		f := decodeFile(t, path)
		if len(theirs[path]) != len(f.Convs) {
			t.Errorf("%s: %d conversations, sessions.py has %d", path, len(f.Convs), len(theirs[path]))
			continue
		}
		c := comparison{t: t, path: filepath.Base(path), explained: map[string]int{}}
		for i := range f.Convs {
			c.conversation(f.Convs[i], f.layouts[i], theirs[path][i])
		}
		c.log()
	}
}

// readEval gives the conversations of each file as sessions.py reads them.
func readEval(t *testing.T, files []string) map[string][]said {
	eval := filepath.Join("..", "..", "..", "shared", "eval")
	if _, err := os.Stat(filepath.Join(eval, "cr", "sessions.py")); err != nil {
		t.Skip("no shared/eval beside the checkout")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	cmd := exec.Command(python, "-c", evalReader)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+eval, "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("sessions.py: %v\n%s", err, stderr.String())
	}
	found := map[string][]said{}
	for line := range bytes.Lines(out) {
		var s said
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		found[s.File] = append(found[s.File], s)
	}
	return found
}

func decodeFile(t *testing.T, path string) *File {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Decode(src, "")
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

// comparison is what was compared in a file, and found.
type comparison struct {
	t         *testing.T
	path      string
	explained map[string]int // differences that are meant, by reason
	messages  int
	blocks    int
	tokens    [2]int // ours and theirs, of visible messages
	meant     int    // tokens of ours that sessions.py is known not to count
}

// Reasons for differences. In all of them the decoder is right, or says more.
const (
	merged     = "lines of one API message merged across others" // DESIGN §3; sessions.py merges neighbours only
	noText     = "media"                                         // sessions.py drops blocks without text
	noThinking = "thinking without text"                         // only its signature is saved
	blank      = "blank texts"                                   // they are sent and counted; sessions.py drops them
	bareCall   = "calls without arguments"                       // sessions.py loses them when it merges lines
	early      = "results on a line before their call's"         // no fault once the lines are merged
	joined     = "texts of one answer in prose joined"           // Cline: header and bodies are one result
	named      = "answers in text to native calls"               // Cline: the answer gets the id of the call
	paired     = "answers in prose paired"                       // Cline: neither half has an id in the file
	nested     = "results whose text is a list"                  // sessions.py reads no text there
	empty      = "messages without blocks"                       // a broken record; sessions.py drops it
)

func (c *comparison) log() {
	var reasons []string
	for _, r := range slices.Sorted(maps.Keys(c.explained)) {
		reasons = append(reasons, fmt.Sprintf("%s: %d", r, c.explained[r]))
	}
	c.t.Logf("%-75s messages %4d  blocks %4d  tokens %6d (sessions.py %6d)  %s",
		c.path, c.messages, c.blocks, c.tokens[0], c.tokens[1], strings.Join(reasons, "; "))
	if c.tokens[0]-c.meant != c.tokens[1] {
		c.t.Errorf("%s: %d tokens, sessions.py has %d, %d of the difference are meant", c.path, c.tokens[0], c.tokens[1], c.meant)
	}
}

func (c *comparison) conversation(conv *transcript.Conversation, l *layout, theirs said) {
	faults := c.faults(conv)
	before := theirs.Faults
	c.merge(&theirs)
	for id := range before {
		if _, still := theirs.Faults[id]; !still {
			c.explained[early]++
		}
	}
	for id := range c.bareCalls(conv, &theirs) {
		delete(theirs.Faults, id)
	}
	ours := c.inTheirTerms(conv, l, &theirs)
	if !maps.Equal(faults, theirs.Faults) {
		c.t.Errorf("%s: faults in pairs %v, sessions.py has %v", c.path, faults, theirs.Faults)
	}
	for i := range max(len(ours), len(theirs.Messages)) {
		var a, b saidMessage
		if i < len(ours) {
			a = ours[i]
		}
		if i < len(theirs.Messages) {
			b = theirs.Messages[i]
		}
		if a.Role != b.Role || a.Hidden != b.Hidden || !slices.Equal(a.Blocks, b.Blocks) {
			c.t.Errorf("%s: message %d of %d is\n%+v, message of %d in sessions.py is\n%+v", c.path, i, len(ours), a, len(theirs.Messages), b)
			return // what follows is shifted
		}
	}
}

// merge does to their messages what sessions.py does to neighbours only: lines
// of one API message become one, without the blocks that it has already. It
// counts their tokens before, as sessions.py does, and finds the faults after.
func (c *comparison) merge(theirs *said) {
	first := map[string]int{}
	var out []saidMessage
	for _, m := range theirs.Messages {
		if !m.Hidden {
			c.tokens[1] += sumTokens(m.Blocks) - m.Nested
			c.meant += m.Nested
		}
		if m.Nested > 0 {
			c.explained[nested]++
		}
		at, again := first[m.ID]
		if m.ID == "" || !again {
			first[m.ID] = len(out)
			out = append(out, m)
			continue
		}
		c.explained[merged]++
		for _, b := range m.Blocks {
			if !slices.Contains(out[at].Blocks, b) {
				out[at].Blocks = append(out[at].Blocks, b)
			}
		}
	}
	theirs.Messages = answersBehind(out)
	theirs.Faults = faultsOf(theirs.Messages)
}

// answersBehind puts results that stand before their call behind it. Only
// without the blocks that sessions.py drops is such a call the first of its message.
func answersBehind(messages []saidMessage) []saidMessage {
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		behind := slices.IndexFunc(messages[i+1:], func(later saidMessage) bool {
			return slices.ContainsFunc(later.Blocks, func(b saidBlock) bool {
				return b.Kind == "call" && b.Call != "" && m.Role == "user" && m.Blocks[0].Call == b.Call
			})
		})
		if behind >= 0 {
			messages = slices.Insert(slices.Delete(slices.Clone(messages), i, i+1), i+1+behind, m)
			i--
		}
	}
	return messages
}

func sumTokens(blocks []saidBlock) (sum int) {
	for _, b := range blocks {
		sum += b.Tokens
	}
	return sum
}

// faultsOf finds what pair_faults of sessions.py finds.
func faultsOf(messages []saidMessage) map[string]string {
	calls, results, faults := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, m := range messages {
		for _, b := range m.Blocks {
			switch {
			case m.Hidden || b.Call == "":
			case b.Kind == "call":
				if calls[b.Call] {
					faults[b.Call] = twice
				}
				calls[b.Call] = true
			case !calls[b.Call]:
				faults[b.Call] = noCall
				results[b.Call] = true
			case b.Kind == "result":
				if results[b.Call] {
					faults[b.Call] = twice
				}
				results[b.Call] = true
			}
		}
	}
	for id := range calls {
		if !results[id] {
			faults[id] = noAnswer
		}
	}
	return faults
}

// faults finds the same in our conversation, by the pairs it made.
func (c *comparison) faults(conv *transcript.Conversation) map[string]string {
	faults, calls := map[string]string{}, map[string]bool{}
	for ref, b := range conv.Blocks() {
		_, paired := conv.Partner(ref)
		switch {
		case b.Call == "":
		case b.Kind == transcript.ToolCall && calls[b.Call]:
			faults[b.Call] = twice
		case b.Kind == transcript.ToolCall:
			calls[b.Call] = true
			if !paired {
				faults[b.Call] = noAnswer
			}
		case !paired:
			faults[b.Call] = noCall
		}
	}
	return faults
}

// bareCalls gives the calls without arguments that sessions.py lost.
func (c *comparison) bareCalls(conv *transcript.Conversation, theirs *said) map[string]bool {
	known, bare := map[string]bool{}, map[string]bool{}
	for _, m := range theirs.Messages {
		for _, b := range m.Blocks {
			known[b.Call] = known[b.Call] || b.Kind == "call"
		}
	}
	for _, b := range conv.Blocks() {
		if b.Kind == transcript.ToolCall && b.Text() == "" && !known[b.Call] {
			bare[b.Call] = true
		}
	}
	return bare
}

// inTheirTerms gives our messages as sessions.py would have them.
func (c *comparison) inTheirTerms(conv *transcript.Conversation, l *layout, theirs *said) []saidMessage {
	bare := c.bareCalls(conv, theirs)
	counter := bytes4(c.t)
	var out []saidMessage
	for _, m := range conv.Messages {
		if reason := c.leftOut(m, l, theirs); reason != "" {
			c.explained[reason]++
			continue
		}
		s := saidMessage{Role: m.Role.String(), Hidden: m.Hidden}
		for _, b := range m.Blocks {
			if !m.Hidden {
				c.blocks++
				c.tokens[0] += counter.Block(b)
			}
			if b.Kind == transcript.ToolCall && bare[b.Call] {
				c.explained[bareCall]++
				continue
			}
			s.Blocks = append(s.Blocks, c.block(conv, m, b, theirs)...)
		}
		if !m.Hidden {
			c.messages++
		}
		if len(s.Blocks) > 0 {
			out = append(out, s)
		} else if len(m.Blocks) == 0 {
			c.explained[empty]++
		}
	}
	return out
}

func bytes4(t *testing.T) *token.Counter {
	c, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// leftOut tells why sessions.py has nothing of a message, "" when it has. Such
// messages are hidden with us.
func (c *comparison) leftOut(m *transcript.Message, l *layout, theirs *said) (reason string) {
	for _, slot := range l.msgs[m.ID].records {
		if reason = theirs.Skipped[slot-l.first]; reason == "" {
			return ""
		}
	}
	if reason != "" && !m.Hidden {
		c.t.Errorf("%s: message %d is seen, sessions.py leaves it out: %s", c.path, m.ID, reason)
	}
	return reason
}

// block gives a block in their terms: none when it has no text, several when it
// is an answer in prose that we joined.
func (c *comparison) block(conv *transcript.Conversation, m *transcript.Message, b *transcript.Block, theirs *said) []saidBlock {
	s := saidBlock{Kind: theirKind(m, b), Call: strings.TrimPrefix(b.Call, proseID), Tokens: bytes4(c.t).Block(b), Sum: sum(b.Text())}
	if s.Call != b.Call {
		s.Call = ""
	}
	switch {
	case b.Kind == transcript.Media || b.Kind == transcript.Opaque:
		c.explained[noText]++
		return nil
	case b.Kind == transcript.Thinking && b.Text() == "":
		c.explained[noThinking]++
		return nil
	case b.Kind == transcript.Text && strings.TrimSpace(b.Text()) == "":
		c.explained[blank]++
		if !m.Hidden {
			c.meant += s.Tokens
		}
		return nil
	case b.Kind == transcript.ToolResult && m.Role == transcript.User && isProse(b):
		c.answer(conv, m, b, theirs)
		return c.split(b)
	}
	return []saidBlock{s}
}

// theirKind names a block as sessions.py does: by who wrote it.
func theirKind(m *transcript.Message, b *transcript.Block) string {
	switch b.Kind {
	case transcript.Thinking:
		return "thinking"
	case transcript.ToolCall:
		return "call"
	case transcript.ToolResult:
		return "result"
	}
	switch {
	case m.Role == transcript.Assistant:
		return "text"
	case m.Role == transcript.System:
		return "system"
	case b.Origin == transcript.Generated:
		return "summary"
	case b.Origin == transcript.Injected:
		return "injected"
	}
	return "user"
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// isProse tells whether an answer is a text of a user message.
func isProse(b *transcript.Block) bool {
	return b.Call == "" || strings.HasPrefix(b.Call, proseID) ||
		proseResult.MatchString(b.Text()) || refusedCall.MatchString(b.Text())
}

// answer checks what we know of an answer in prose and they do not: its call is
// of the same tool and in the message before.
func (c *comparison) answer(conv *transcript.Conversation, m *transcript.Message, b *transcript.Block, theirs *said) {
	call, ok := conv.Partner(transcript.Ref{Msg: m.ID, Block: b.ID})
	if !ok {
		return
	}
	if call.Msg != m.ID-1 || conv.Block(call).Tool != b.Tool {
		c.t.Errorf("%s: the answer at message %d of %s is paired with the call at %s of %s", c.path, m.ID, b.Tool, call, conv.Block(call).Tool)
	}
	if strings.HasPrefix(b.Call, proseID) {
		c.explained[paired]++
		return
	}
	c.explained[named]++
	if theirs.Faults[b.Call] == noAnswer {
		delete(theirs.Faults, b.Call)
	}
}

// split gives every part of an answer in prose as a block of its own.
func (c *comparison) split(b *transcript.Block) (out []saidBlock) {
	for _, p := range b.Parts {
		out = append(out, saidBlock{Kind: "result", Tokens: bytes4(c.t).Text(p.Text), Sum: sum(p.Text)})
	}
	if len(b.Parts) > 1 {
		c.explained[joined] += len(b.Parts) - 1
	}
	return out
}
