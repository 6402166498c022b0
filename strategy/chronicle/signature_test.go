package chronicle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/transcripttest"
)

// TestInnerFunctions checks that a function within another one is no declaration, since no other file can call it.
func TestInnerFunctions(t *testing.T) {
	for source, want := range map[string]bool{
		"function open(gate) {\n": true, "export function open(gate) {\n": true, "async function open(gate) {\n": true,
		"  function open(gate) {\n": false, "\tfunction open(gate) {\n": false, "  async function open(gate) {\n": false,
	} {
		x := text{form: hunks, file: true, cut: squeeze.Cut(source+strings.Repeat("\tconst tide = levels.at(gate);\n", 3), squeeze.Hint{Path: "gates.js", Arg: "content"})}
		if got := x.declares(0); got != want {
			t.Errorf("%q declares a function for others: %v", source, got)
		}
	}
}

// TestRewrittenDeclarations checks that the declarations of a file that is written again and again keep their value.
func TestRewrittenDeclarations(t *testing.T) {
	var msgs []*transcript.Message
	for i := range leastShared {
		msgs = append(msgs, round(fmt.Sprint(i), "ok", "Write", "file_path=/lock/gate.go", fmt.Sprintf("content=package lock\n\nfunc Open() {\n\tturn(%d)\n}\n", i))...)
	}
	c := choiceOf(1000, transcripttest.Conversation(msgs...))
	c.findDeclared()
	x := &c.texts[len(c.texts)-1]
	for i := range x.cut.Pieces {
		if x.declares(i) && c.signatureValue(x, i) == 0 {
			t.Errorf("%q is of no value", x.source(i, i+1))
		}
	}
}

// TestLocalVariables checks that a variable declares something for other files only where its cue says so.
func TestLocalVariables(t *testing.T) {
	for _, keyword := range []string{"const", "let", "var", "val", "local", "final", "auto"} {
		for cue, want := range map[float32]bool{leastDeclared: false, leastExported: true} {
			line := keyword + " depth = 4\n"
			x := text{form: hunks, file: true, cut: &squeeze.Text{Kind: squeeze.Code, Source: line, Pieces: []squeeze.Piece{{End: int32(len(line)), Cue: cue}}}}
			if got := x.declares(0); got != want {
				t.Errorf("%q with a cue of %v: %t", line, cue, got)
			}
		}
	}
}

// TestOpensType checks which lines are the heads of types.
func TestOpensType(t *testing.T) {
	for line, want := range map[string]bool{
		"type Gate = {\n": true, "type Gate struct {\n": true, "interface Gate {\n": true, "enum Gate {\n": true, "public class Gate : Part {\n": true, "impl Gate {\n": true,
		"trait Gate {\n": true, "public record Gate {\n": true, "object Gate {\n": true, "namespace gates {\n": true, "mod gates {\n": true, "module Gates {\n": true,
		"protocol Gate {\n": true, "extension Gate {\n": true, "struct Gate {\n": true,
		"class Gate\n": false, "func open() {\n": false, "class Gate(size: Int) {\n": false, "gates {\n": false,
	} {
		x := text{cut: &squeeze.Text{Source: line, Pieces: []squeeze.Piece{{End: int32(len(line))}}}}
		if got := x.opensType(0); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

// TestIsValue checks that a line with a literal may be quoted alone if it is not too long.
func TestIsValue(t *testing.T) {
	for line, want := range map[string]bool{
		`depth = "four fathoms"`: true,
		"depth = 42":             true,
		"depth = fathoms":        false,
		`{"}`:                    false,
		`depth = "` + strings.Repeat("f", longestQuote-len(`depth = ""`)) + `"`:   true,
		`depth = "` + strings.Repeat("f", longestQuote-len(`depth = ""`)+1) + `"`: false,
	} {
		x := text{form: hunks, cut: &squeeze.Text{Source: line, Pieces: []squeeze.Piece{{End: int32(len(line))}}}}
		if got := x.isValue(0); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

// TestSharedDeclarations checks that a declaration is of no value if at least leastShared files that calls wrote
// have it.
func TestSharedDeclarations(t *testing.T) {
	for files, want := range map[int]bool{leastShared - 1: true, leastShared: false} {
		var msgs []*transcript.Message
		for i := range files {
			source := fmt.Sprintf("public class Gate%d : Part\n{\n\tprivate void OnEnable()\n\t{\n\t\tOpen(%d);\n\t}\n}\n", i, i)
			msgs = append(msgs, round(fmt.Sprint(i), "ok", "Write", fmt.Sprintf("file_path=/lock/Gate%d.cs", i), "content="+source)...)
		}
		c := choiceOf(1000, transcripttest.Conversation(msgs...))
		c.findDeclared()
		seen := 0
		for k := range c.texts {
			x := &c.texts[k]
			for i := range x.cut.Pieces {
				line := strings.TrimSpace(x.source(i, i+1))
				if !x.declares(i) {
					continue
				}
				seen++
				if got := c.signatureValue(x, i) > 0; got != (want || line != "private void OnEnable()") {
					t.Errorf("%d files: %q is of value: %t", files, line, got)
				}
			}
		}
		if seen != 2*files {
			t.Errorf("%d files: %d declarations", files, seen)
		}
	}
}

// TestRewrittenFile checks that lines of a file that a later call wrote again are not offered by themselves.
func TestRewrittenFile(t *testing.T) {
	write := func(id, height string) []*transcript.Message {
		return round(id, "ok", "Write", "file_path=/ship/plan.go", "content=package plan\n\nfunc Hoist() {\n\tset(\"sail\", "+height+")\n\tset(\"mast\", 9"+height+")\n}\n\nfunc Reef() {\n\tset(\"jib\", 8"+height+")\n}\n")
	}
	c := choiceOf(1000, transcripttest.Conversation(slices.Concat(write("1", "41"), write("2", "57"))...))
	var got []string
	for i := range c.items.count {
		if x := c.items.at(i); x.kind == pieceItem {
			got = append(got, strings.TrimSpace(c.texts[x.at].source(int(x.n), int(x.n)+1)))
		}
	}
	if all := strings.Join(got, " "); !strings.Contains(all, "957") || strings.Contains(all, "41)") {
		t.Errorf("offered are %q", got)
	}
}

// TestSignaturesAreGroups checks that the functions and types of a written file are groups of
// their own, and that tests, comments and variables are not.
func TestSignaturesAreGroups(t *testing.T) {
	source := strings.Join([]string{
		`import { join } from "node:path";`,
		`import { find } from "./find";`,
		``,
		`// Pairs are files of the same folder.`,
		`export interface Pair {`,
		`	left: string;`,
		`}`,
		``,
		`export function pairsOf(`,
		`	files: string[],`,
		`	base: string,`,
		`): Pair[] {`,
		`	const found = files.find(`,
		`		(f) => f.startsWith(base),`,
		`	);`,
		`	return found ? [{ left: found }] : [];`,
		`}`,
		``,
	}, "\n")
	x := text{form: hunks, file: true, cut: squeeze.Cut(source, squeeze.Hint{Path: "pairs.ts", Arg: "content"})}
	x.starts = x.cut.Regions()
	x.splitSignatures()
	var groups []string
	for g, first := range x.starts {
		if x.declares(first) {
			groups = append(groups, x.source(first, x.groupEnd(g)))
		}
	}
	want := []string{"export interface Pair {\n\tleft: string;\n}\n\n", "export function pairsOf(\n\tfiles: string[],\n\tbase: string,\n): Pair[] {\n"}
	if !slices.Equal(groups, want) {
		t.Errorf("signatures are %q, want %q", groups, want)
	}
	if !x.lists(0, 2) || x.lists(8, 12) {
		t.Error("the imports must count as a list, and the signature must not")
	}
}

// TestFieldsOfTypes checks which types are signatures with their fields. Of others, the name is worth little.
func TestFieldsOfTypes(t *testing.T) {
	short := "\tleft  string\n\tright string\n"
	for _, tt := range []struct {
		name, path, source string
		lines              int
	}{
		{"a struct", "a.go", "type Pair struct {\n" + short + "}\n", 4},
		{"an indented one", "a.ts", "\texport interface Pair {\n\t" + short + "\t}\n}\n", 4},
		{"an enumeration", "a.rs", "pub enum Role {\n    Admin,\n    Reader,\n}\n", 4},
		{"many fields", "a.go", "type Pair struct {\n" + strings.Repeat(short, 5) + "}\n", 1},
		{"functions", "a.ts", "export class Pair {\n\tswap() {\n\t}\n}\n", 1},
		{"cut off", "a.go", "type Pair struct {\n" + short, 1},
		{"a function", "a.go", "func pair(s struct {\n\tleft string\n}) {\n}\n", 3},
		{"in one line", "a.go", "type Name string\n", 1},
	} {
		x := text{form: hunks, file: true, cut: squeeze.Cut(tt.source, squeeze.Hint{Path: tt.path, Arg: "content"})}
		if got := x.signatureEnd(0); got != tt.lines {
			t.Errorf("%s: %d lines, want %d", tt.name, got, tt.lines)
		}
		if bare := x.opensType(0) && x.typeEnd(0) == 0; bare != (tt.lines == 1 && tt.name != "in one line") {
			t.Errorf("%s: only a head: %v", tt.name, bare)
		}
	}
}

// TestValueOfHeads checks that the name of a type without its fields has less value than a type with them.
func TestValueOfHeads(t *testing.T) {
	source := "package lock\n\ntype Sluice struct {\n\tleft  string\n\tright string\n}\n\ntype Anchor struct {\n" + strings.Repeat("\tleft  string\n\tright string\n", 6) + "}\n"
	c := choiceOf(100, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Write it.")}, round("1", "ok", "Write", "file_path=lock.go", "content="+source))...))
	x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == hunks })]
	values := extrasOf(c, x)
	if with, without := values["type Sluice struct {"], values["type Anchor struct {"]; without <= 0 || without > with/2 {
		t.Errorf("with its fields, a type has the value %v, without them %v", with, without)
	}
}

func TestDeclaresNoTest(t *testing.T) {
	source := "func TestGauge(t *testing.T) {\n\tgauge()\n}\n\nfunc gauge() int {\n\treturn 1\n}\n"
	x := text{form: hunks, file: true, cut: squeeze.Cut(source, squeeze.Hint{Path: "gauge_test.go", Arg: "content"})}
	var got []string
	for i := range x.cut.Pieces {
		if x.declares(i) {
			got = append(got, x.source(i, i+1))
		}
	}
	if !slices.Equal(got, []string{"func gauge() int {\n"}) {
		t.Errorf("declared: %q", got)
	}
}

func TestMarkRepeats(t *testing.T) {
	x := text{form: result, cut: squeeze.Cut("one entry\n---END---\n12: two\n---END---\n\n\n13: two\n", squeeze.Hint{})}
	x.markRepeats(&scratch{seen: map[string]bool{}})
	var got []string
	for i := range x.cut.Pieces {
		if x.repeated(i) {
			got = append(got, strings.TrimSpace(x.source(i, i+1)))
		}
	}
	if !slices.Equal(got, []string{"---END---", "13: two"}) {
		t.Errorf("repeated: %q", got)
	}
}

func TestSpeaks(t *testing.T) {
	for line, want := range map[string]bool{
		"  668→": false, "2080: }": false, "83yy|": false, "---": false, "= 12345678": false,
		`d="M9 19v-6a2 2 0 00-2-2H5a2 2 0 00-2 2v6"`: false,
		"  27|    </div>": false, "</header>": false, "</a> is closed": true,
		"97fb2a99 97fb2a9 1": true, "  12→return 1": true, "완료": true, "exit 1": true,
	} {
		if got := speaks(line); got != want {
			t.Errorf("speaks(%q) = %v", line, got)
		}
	}
}

func TestRefersBack(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Returns the level.": true, "That is why it fails.": true, " - It's closed.": true, "The gate is closed.": false, "Item 3 stays.": false, "Thoseby is here.": false,
	} {
		if got := refersBack(sentence); got != want {
			t.Errorf("refersBack(%q) = %v", sentence, got)
		}
	}
}

// TestOffers checks that an offer at the end of an answer counts for less once the user has replied at
// length, and that a short reply leaves it its value: it says what the user agreed to.
func TestOffers(t *testing.T) {
	for sentence, want := range map[string]bool{
		"If you want, we can add the upper gate later.": true, "- Let me know which one you prefer.": true, "Want me to fix all four?": true, "If the gate is closed, wait.": false, "You want the gate open.": false,
	} {
		if got := offers(sentence); got != want {
			t.Errorf("offers(%q) = %v", sentence, got)
		}
	}
	answer := "The gate is open. If you want, we can add the upper gate later."
	for reply, want := range map[string]float64{"Yes.": 1, strings.Repeat("Now look at the level of the basin, which fell. ", 5): announcing} {
		c := transcripttest.Conversation(transcripttest.User("start"), transcripttest.Model(answer), transcripttest.User(reply), transcripttest.Model("Done."))
		d := newDraft(&Source{Conv: c, Budget: 100, Tokens: quarters, Survey: fact.Of(c), Hint: func(transcript.Ref, *transcript.Block, int) squeeze.Hint { return squeeze.Hint{} }})
		d.layOut()
		for i := range d.texts {
			if x := &d.texts[i]; strings.HasPrefix(x.cut.Source, "The gate") {
				if got := d.toneOf(x, "If you want, we can add the upper gate later."); got != want {
					t.Errorf("%.20q: %v, want %v", reply, got, want)
				}
			}
		}
	}
}

func TestContinues(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Now update the caller.": true, "Step 5: Create the module.": true, "The cause is the cache.": false,
	} {
		if got := continues(sentence); got != want {
			t.Errorf("continues(%q) = %v", sentence, got)
		}
	}
}

func TestToFile(t *testing.T) {
	for command, want := range map[string]bool{
		"node -e '\nconsole.log(1)\n'": false, "cat > a.go <<'EOF'\npackage a\nEOF": true, "apply_patch <<'EOF'\n*** Begin Patch\n": true,
	} {
		call := &transcript.Block{Kind: transcript.ToolCall, Parts: []transcript.Part{{Name: "command", Text: command}}}
		if got := toFile(call, 0); got != want {
			t.Errorf("toFile(%q) = %v", command, got)
		}
	}
	written := "<write_to_file>\n<path>a.go</path>\n<content>package a\n</content>\n</write_to_file>"
	if !toFile(&transcript.Block{Kind: transcript.ToolCall, Tool: "write_to_file", Parts: []transcript.Part{{Text: written}}}, 0) {
		t.Error("a call in prose writes its content to a file")
	}
}

// TestMarkRetold checks that a paragraph of the model counts as repeated only if a later text of the
// model has it word for word.
func TestMarkRetold(t *testing.T) {
	paragraph := strings.Repeat("The gauge of the northern harbour is read at noon. ", 3)
	for _, tt := range []struct {
		name, later string
		form        form
		retold      bool
	}{
		{"word for word", paragraph, prose, true},
		{"with spaces around it", "  " + paragraph + "  ", prose, true},
		{"another word", strings.Replace(paragraph, "noon", "dusk", 1), prose, false},
		{"another letter", strings.Replace(paragraph, "gauge", "gauze", 1), prose, false},
		{"a letter less", paragraph[1:], prose, false},
		{"a sentence less", paragraph[:len(paragraph)/3*2], prose, false},
		{"a sentence more", paragraph + "It is wrong.", prose, false},
		{"in a result", paragraph, result, false},
	} {
		d := draft{}
		for i, source := range []string{"First.\n\n" + paragraph + "\n\nThat is all.\n", "Again.\n\n" + tt.later + "\n\nDone.\n"} {
			x := text{form: prose}
			if i == 1 {
				x.form = tt.form
			}
			x.cut, x.starts = squeeze.Paragraphs(source)
			d.texts = append(d.texts, x)
		}
		d.markRetold()
		marked := false
		for i := range d.texts[0].cut.Pieces {
			marked = marked || d.texts[0].repeated(i)
		}
		if marked != tt.retold {
			t.Errorf("%s: repeated is %t", tt.name, marked)
		}
		if s := d.texts[1].seldom; s != nil && s.repeats != nil {
			t.Errorf("%s: the later text is marked", tt.name)
		}
	}
}

// TestHasLiteral checks which lines of code hold words or numbers that a reader cannot work out.
func TestHasLiteral(t *testing.T) {
	for line, want := range map[string]bool{
		`	const rel = relative(base, dir) || ".";`: true, "	reason: `already a reference to ${file}`,": true, "	mode: 'strict',": true, "	retries = 25": true,
		"	for i := range 3 {": false, "	return found": false, `import { join } from "node:path";`: false, `from 'x' import y`: false, "	c = 'x'": false, `	""`: false, `	"net/http",`: false, "	gate42 = open": false,
	} {
		if got := hasLiteral(line); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}

// TestLiteralsStay checks that a record under a small budget quotes the lines with literals of a file that the
// model wrote, and not their neighbours, and that all lines of such a file stay with a larger budget.
func TestLiteralsStay(t *testing.T) {
	var body strings.Builder
	for _, name := range []string{"anchor", "sail", "rudder", "winch", "keel", "mast"} {
		fmt.Fprintf(&body, "\t\tif (ship.%s.moving && ship.%[1]s.ready) {\n\t\t\tship.%[1]s.rest(ship.crew, ship.%[1]s.weight);\n", name)
	}
	source := "export function stow(ship: Ship): Report {\n" + body.String() + "\t\treason: `the ${hold} is a copy of ${cargo}`,\n" + body.String() + "}\n"
	msgs := []*transcript.Message{transcripttest.User("start"),
		transcripttest.Model("", transcripttest.Call("1", "Write", "file_path=stow.ts", "content="+source)), transcripttest.Tool("1", "File created.")}
	for i := range 6 {
		id := strconv.Itoa(i + 2)
		msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, "Read", "file_path=log"+id+".txt")), transcripttest.Tool(id, strings.Repeat("a line of the log that says little\n", 60)))
	}
	msgs = append(msgs, transcripttest.Model("Done."), transcripttest.User("go on"))
	for budget, want := range map[int][2]bool{66: {true, false}, 2000: {true, true}} {
		got := left(t, budget, msgs...)
		if has := [2]bool{strings.Contains(got, "is a copy of"), strings.Contains(got, "ship.keel.rest")}; has != want {
			t.Errorf("budget %d: the literal and its neighbours stay %v, want %v:\n%s", budget, has, want, got)
		}
	}
}
