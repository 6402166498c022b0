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
	"condense/transcript/internal/splice"
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
from cr.sessions import CHAT_ROLES, RESULT, Block, Unreadable, content_leaves, load, user_blocks

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
        if dialect == "codex" and isinstance(o.get("payload"), dict) and o["payload"].get("type") == "web_search_call":
            out[i] = "web searches"
    for i in taken_back(records) if dialect == "codex" else ():
        out[i] = "turns taken back"
    return out

def taken_back(records):
    out, live = set(), []
    for i, (o, _, _) in enumerate(records):
        p = o.get("payload") if isinstance(o, dict) else None
        if o.get("type") == "response_item":
            typed = p.get("role") == "user" and any(b.kind == "user" for e in p["content"] for b in user_blocks(e.get("text", "")))
            live.append((i, typed))
        elif o.get("type") == "compacted":
            live = []
        elif isinstance(p, dict) and p.get("type") == "thread_rolled_back":
            for _ in range(p["num_turns"]):
                while live and live[-1][0] not in out:
                    i, typed = live.pop()
                    out.add(i)
                    if typed:
                        break
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
        left_out = skipped(source.records, t.dialect)
        back = {i for i, why in left_out.items() if why == "turns taken back"}
        t.messages = [m for m in t.messages if m.first not in back]
        faults, shown = pair_faults(t.visible()), set(map(id, t.visible()))
        print(json.dumps({
            "file": name, "faults": faults, "skipped": left_out,
            "messages": [
                message(m, source.records[m.first][0] if m.first >= 0 else {}, id(m) not in shown) for m in t.messages
            ],
        }))
`

// A said is a conversation as sessions.py reads it.
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
	twice    = "id used twice"
)

// TestEval compares what this package decodes with what sessions.py reads:
// every message in order, its role, whether it is visible, its blocks with kind,
// pair and text, the counts of bytes4, and the faults in the pairs. Intended
// differences are undone on one of the sides, counted and logged (go test -v);
// any other difference is an error.
func TestEval(t *testing.T) {
	files := corpusFiles(t, "anthropic-messages", "openai-chat", "claude-code-jsonl", "codex-rollout")
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
		c.report()
	}
}

// readEval returns the conversations of each file as sessions.py reads them.
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

// comparison is the comparison of one file.
type comparison struct {
	t         *testing.T
	path      string
	explained map[string]int // intended differences, by reason

	messages, hidden, blocks int // ours
	tokens, theirTokens      int // of visible messages
	meantTokens              int // of ours that sessions.py is known to miss
}

// Reasons for intended differences. In all of them sessions.py is the simpler
// reader.
const (
	merged = "lines of one API message merged across others" // the evaluation merges neighbours only
	early  = "results on a line before that of their call"   // moved after the call, where the model saw them
	noArgs = "calls without arguments"                       // sessions.py loses them when it merges lines
	media  = "media"                                         // sessions.py drops blocks without text
	sealed = "thinking without text"                         // only its signature is saved
	blank  = "blank texts"                                   // they are sent and counted; sessions.py drops them
	empty  = "messages without blocks"                       // broken records; sessions.py drops them
	nested = "results whose text is a list"                  // sessions.py reads no text there
	joined = "texts joined to one answer"                    // Cline: the header and what follows it
	paired = "answers in prose paired"                       // Cline: neither half has an id in the file
	// searches are calls that have no answer in the file; sessions.py drops them.
	searches    = "web searches"
	attachments = "attachments"                    // Claude Code sends them with the user message before
	commands    = "typed commands"                 // sessions.py takes them for texts of the client, with what a person typed behind them
	functions   = "functions called in prose"      // sessions.py reads no calls in text
	byText      = "native calls answered in prose" // Cline: the answer gets the id of its call
)

// report logs the file and compares the counts.
func (c *comparison) report() {
	var reasons []string
	for _, r := range slices.Sorted(maps.Keys(c.explained)) {
		reasons = append(reasons, fmt.Sprintf("%s: %d", r, c.explained[r]))
	}
	c.t.Logf("%-70.70s messages %4d + %3d hidden  blocks %4d  tokens %6d, sessions.py %6d  %s",
		c.path, c.messages, c.hidden, c.blocks, c.tokens, c.theirTokens, strings.Join(reasons, "; "))
	if c.tokens-c.meantTokens != c.theirTokens {
		c.t.Errorf("%s: %d tokens, %d of them known to be missing from sessions.py, which has %d",
			c.path, c.tokens, c.meantTokens, c.theirTokens)
	}
}

// conversation compares one conversation.
func (c *comparison) conversation(conv *transcript.Conversation, l *splice.Layout, theirs said) {
	for _, m := range theirs.Messages {
		if !m.Hidden {
			c.theirTokens += sumTokens(m.Blocks) - m.Nested
			c.meantTokens += m.Nested
		}
		if m.Nested > 0 {
			c.explained[nested]++
		}
	}
	theirMessages := c.inOrder(c.merge(theirs.Messages))
	bareCalls := bareCalls(conv, theirMessages)
	named := map[string]bool{} // native calls that are answered in prose
	var ours []saidMessage
	for _, m := range conv.Messages {
		if c.leftOut(m, l, theirs.Skipped) {
			continue
		}
		s := saidMessage{Role: m.Role.String(), Hidden: m.Hidden}
		for _, b := range c.withFunction(m) {
			s.Blocks = append(s.Blocks, c.block(conv, m, b, bareCalls, named)...)
		}
		if len(s.Blocks) > 0 {
			ours = append(ours, s)
		}
	}
	c.same(ours, theirMessages)
	c.samePairs(conv, theirs.Faults, theirMessages, func(id string) bool { return bareCalls[id] || named[id] })
}

// withFunction returns the blocks of a message, with a call at the end of its text as a part of that.
func (c *comparison) withFunction(m *transcript.Message) []*transcript.Block {
	n := len(m.Blocks) - 1
	if m.Role != transcript.Assistant || n < 0 || m.Blocks[n].Kind != transcript.ToolCall || !strings.HasPrefix(m.Blocks[n].Body(), functionBegins) {
		return m.Blocks
	}
	c.explained[functions]++
	text := ""
	for _, b := range m.Blocks {
		text += b.Body()
	}
	return []*transcript.Block{transcript.NewText(transcript.Block{Kind: transcript.Text, Origin: transcript.ByModel}, text)}
}

// same compares messages, one by one.
func (c *comparison) same(ours, theirs []saidMessage) {
	for i := range max(len(ours), len(theirs)) {
		var a, b saidMessage
		if i < len(ours) {
			a = ours[i]
		}
		if i < len(theirs) {
			b = theirs[i]
		}
		if a.Role != b.Role || a.Hidden != b.Hidden || !slices.Equal(a.Blocks, b.Blocks) {
			c.t.Errorf("%s: message %d of %d is\n%+v\nand of %d in sessions.py\n%+v", c.path, i, len(ours), a, len(theirs), b)
			return // what follows is shifted
		}
	}
}

// samePairs compares the faults of the pairs. After lines are merged, there may
// be fewer of them.
func (c *comparison) samePairs(conv *transcript.Conversation, raw map[string]string, theirs []saidMessage, mended func(id string) bool) {
	want := faultsOf(theirs)
	for id := range raw {
		if want[id] == "" && c.explained[early] == 0 && c.explained[merged] == 0 {
			c.t.Errorf("%s: %s is %q in sessions.py, and not once its lines are merged", c.path, id, raw[id])
		}
	}
	maps.DeleteFunc(want, func(id, _ string) bool { return mended(id) })
	if got := pairFaults(conv); !maps.Equal(got, want) {
		c.t.Errorf("%s: faults in pairs %v, sessions.py has %v", c.path, got, want)
	}
}

// merge merges all lines of one API message, as sessions.py does with adjacent
// lines. It leaves out blocks that the message already has.
func (c *comparison) merge(messages []saidMessage) (out []saidMessage) {
	first := map[string]int{}
	for _, m := range messages {
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
	return out
}

// inOrder moves results that stand before their call after it.
func (c *comparison) inOrder(messages []saidMessage) (out []saidMessage) {
	calls, seen, waiting := callsOf(messages), map[string]bool{}, map[string][]saidMessage{}
	for _, m := range messages {
		if b := m.Blocks[0]; b.Kind == "result" && !seen[b.Call] && calls[b.Call] {
			c.explained[early]++
			waiting[b.Call] = append(waiting[b.Call], m)
			continue
		}
		out = append(out, m)
		for _, b := range m.Blocks {
			if b.Kind == "call" {
				seen[b.Call] = true
				out = append(out, waiting[b.Call]...)
				delete(waiting, b.Call)
			}
		}
	}
	return out
}

// callsOf returns the ids of the calls.
func callsOf(messages []saidMessage) map[string]bool {
	ids := map[string]bool{}
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == "call" && b.Call != "" {
				ids[b.Call] = true
			}
		}
	}
	return ids
}

func sumTokens(blocks []saidBlock) (sum int) {
	for _, b := range blocks {
		sum += b.Tokens
	}
	return sum
}

// faultsOf finds the same faults in the visible messages as pair_faults of
// sessions.py.
func faultsOf(messages []saidMessage) map[string]string {
	faults, calls, results := map[string]string{}, map[string]bool{}, map[string]bool{}
	for _, m := range messages {
		for _, b := range m.Blocks {
			switch {
			case m.Hidden || b.Call == "":
			case b.Kind == "call":
				if calls[b.Call] {
					faults[b.Call] = twice
				}
				calls[b.Call] = true
			default:
				if !calls[b.Call] {
					faults[b.Call] = noCall
				} else if results[b.Call] {
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

// pairFaults finds the same faults by the pairs of the conversation.
func pairFaults(conv *transcript.Conversation) map[string]string {
	faults, calls := map[string]string{}, map[string]bool{}
	for ref, b := range conv.Blocks() {
		_, ok := conv.Partner(ref)
		switch {
		case b.Call == "":
		case b.Kind == transcript.ToolCall && calls[b.Call], b.Kind == transcript.ToolResult && !ok && calls[b.Call]:
			faults[b.Call] = twice
		case b.Kind == transcript.ToolCall:
			calls[b.Call] = true
			if !ok {
				faults[b.Call] = noAnswer
			}
		case !ok:
			faults[b.Call] = noCall
		}
	}
	return faults
}

// bareCalls returns the calls without arguments that sessions.py lost.
func bareCalls(conv *transcript.Conversation, theirs []saidMessage) map[string]bool {
	known, bare := callsOf(theirs), map[string]bool{}
	for _, b := range conv.Blocks() {
		if b.Kind == transcript.ToolCall && b.Call != "" && b.Text() == "" && !known[b.Call] {
			bare[b.Call] = true
		}
	}
	return bare
}

// leftOut reports whether sessions.py leaves out a message that we decode as
// hidden.
func (c *comparison) leftOut(m *transcript.Message, l *splice.Layout, skipped map[int]string) bool {
	if m.Hidden {
		c.hidden++
	} else {
		c.messages++
		c.blocks += len(m.Blocks)
	}
	if len(m.Blocks) == 0 {
		c.explained[empty]++
		return true
	}
	reason := ""
	for _, slot := range l.Records(m.ID) {
		if reason = skipped[l.RecordOf(slot)]; reason == "" {
			return false
		}
	}
	if reason == "" {
		return false
	}
	c.explained[reason]++
	if !m.Hidden && reason != searches {
		c.t.Errorf("%s: message %d is seen, sessions.py leaves it out: %s", c.path, m.ID, reason)
	}
	return true
}

// block returns the blocks that sessions.py has for one of ours: none when it
// drops the block, several when we joined them. It adds native calls that are
// answered in prose to named.
func (c *comparison) block(conv *transcript.Conversation, m *transcript.Message, b *transcript.Block, bareCalls, named map[string]bool) []saidBlock {
	tokens, absent := bytes4(c.t).Block(b), ""
	switch {
	case b.Kind == transcript.Media || b.Kind == transcript.Opaque:
		absent = media
	case b.Kind == transcript.Thinking && b.Text() == "":
		absent = sealed
	case b.Kind == transcript.Text && strings.TrimSpace(b.Text()) == "":
		absent = blank
	case b.Kind == transcript.Text && b.Origin == transcript.Injected && b.Tool != "":
		absent = attachments
	case b.Kind == transcript.ToolCall && bareCalls[b.Call]:
		absent = noArgs
	}
	if !m.Hidden {
		c.tokens += tokens
	}
	if absent != "" {
		c.explained[absent]++
		if !m.Hidden {
			c.meantTokens += tokens
		}
		return nil
	}
	if m.Role == transcript.User && b.Kind == transcript.ToolResult && isProse(b) {
		c.answer(conv, m, b, named)
		if functionAnswer.MatchString(b.Text()) {
			return []saidBlock{{Kind: "user", Tokens: tokens, Sum: sum(b.Text())}}
		}
		return c.split(b)
	}
	if b.Origin == transcript.Typed && typedCommand.MatchString(b.Text()) {
		c.explained[commands]++
	}
	s := saidBlock{Kind: theirKind(m, b), Call: b.Call, Tokens: tokens, Sum: sum(b.Text())}
	if strings.HasPrefix(b.Call, proseID) {
		s.Call = ""
	}
	return []saidBlock{s}
}

func bytes4(t *testing.T) *token.Counter {
	c, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// theirKind returns the name of a block in sessions.py, which depends on its
// author.
func theirKind(m *transcript.Message, b *transcript.Block) string {
	switch {
	case b.Kind == transcript.Thinking:
		return "thinking"
	case b.Kind == transcript.ToolCall:
		return "call"
	case b.Kind == transcript.ToolResult:
		return "result"
	case m.Role == transcript.Assistant:
		return "text"
	case m.Role == transcript.System:
		return "system"
	case b.Origin == transcript.Generated:
		return "summary"
	case b.Origin == transcript.Injected, b.Origin == transcript.Typed && typedCommand.MatchString(b.Text()):
		return "injected"
	}
	return "user"
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// isProse reports whether an answer is a text of a user message.
func isProse(b *transcript.Block) bool {
	return b.Call == "" || strings.HasPrefix(b.Call, proseID) ||
		proseResult.MatchString(b.Text()) || refusedCall.MatchString(b.Text())
}

// answer checks that the call of an answer in prose, which only we know, is of
// the same tool and in the message before.
func (c *comparison) answer(conv *transcript.Conversation, m *transcript.Message, b *transcript.Block, named map[string]bool) {
	ref, ok := conv.Partner(transcript.Ref{Msg: m.ID, Block: b.ID})
	if !ok {
		return
	}
	call := conv.Block(ref)
	if ref.Msg != m.ID-1 || call.Tool != b.Tool {
		c.t.Errorf("%s: the answer of %s at message %d is paired with the call of %s at %s", c.path, b.Tool, m.ID, call.Tool, ref)
	}
	if strings.HasPrefix(b.Call, proseID) {
		c.explained[paired]++
		return
	}
	c.explained[byText]++
	named[b.Call] = true
}

// split returns every text of an answer in prose as a separate block.
func (c *comparison) split(b *transcript.Block) (out []saidBlock) {
	for _, p := range b.Parts {
		out = append(out, saidBlock{Kind: "result", Tokens: bytes4(c.t).Text(p.Text), Sum: sum(p.Text)})
	}
	if len(out) > 1 {
		c.explained[joined] += len(out)
	}
	return out
}
