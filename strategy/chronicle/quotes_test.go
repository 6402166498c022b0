package chronicle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestRecordPaths checks by which words records name paths, one after the other.
func TestRecordPaths(t *testing.T) {
	for name, test := range map[string]struct {
		folder, root, paths, want string
	}{
		"relative to the folder": {"/w/app/", "/w/app/src/", "/w/app/src/a.go /w/app/doc/b.md /w/app/src/c.go /w/app/src/a.go", "/w/app/src/a.go doc/b.md src/c.go a.go"},
		"outside the folder":     {"/w/app/", "", "/etc/hosts /w/app/a.go /w/app2/a.go /x/w/app/a.go", "/etc/hosts /w/app/a.go /w/app2/a.go /x/w/app/a.go"},
		"the folder itself":      {"/w/app/", "", "/w/app/a.go /w/app/", "/w/app/a.go /w/app/"},
		"no folder is known":     {"", "/w/", "/w/a.go /w/b.go /w/a.go", "/w/a.go /w/b.go a.go"},
		"relative already":       {"/w/", "", "a.go /w/b.go", "a.go /w/b.go"},
	} {
		names := (&pathNames{folder: test.folder, root: test.root}).unnamed()
		var got []string
		for path := range strings.FieldsSeq(test.paths) {
			got = append(got, names.short(path))
		}
		if want := strings.Fields(test.want); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	names := (&pathNames{folder: "/w/"}).unnamed()
	if first, then := names.short(`"x" in /w/a`), names.short(`"y" in /w/b`); first != `"x" in /w/a` || then != `"y" in b` {
		t.Errorf("searches: %q, %q", first, then)
	}
	if got := names.short(`"z" in /w`); got != `"z"` {
		t.Errorf("a search in the folder itself: %q", got)
	}
	names = (&pathNames{folder: "/w/"}).unnamed()
	if first, then := names.short(`"x" in /w`), names.short("/w/a"); first != `"x" in /w` || then != "a" {
		t.Errorf("a search in the folder itself comes first: %q, %q", first, then)
	}
	if got := names.short(`"see /w/a" in /w/c`); got != `"see /w/a" in c` {
		t.Errorf("a path in the pattern: %q", got)
	}
}

// TestFolderOfPaths checks which folder stands for that of a client that states none.
func TestFolderOfPaths(t *testing.T) {
	for name, test := range map[string]struct{ folder, paths, said, want string }{
		"common":                {"", "/home/a/app/src/x.go /home/a/app/src/y.go /home/a/app/doc.md", "", "/home/a/app/"},
		"stated":                {"/home/a", "/home/a/app/src/x.go /home/a/app/doc.md", "", "/home/a/"},
		"one path elsewhere":    {"", strings.Repeat("/home/a/app/src/x.go /home/a/app/y.go ", 5) + "/etc/hosts", "", "/home/a/app/"},
		"deeper for many":       {"", strings.Repeat("/home/a/app/src/x.go ", 19) + "/home/a/app/y.go", "", "/home/a/app/src/"},
		"too many elsewhere":    {"", "/home/a/app/src/x.go /home/a/app/y.go /etc/hosts", "", ""},
		"relative paths, too":   {"", "/home/a/app/src/x.go src/y.go", "", ""},
		"condensed before":      {"", "/home/a/app/src/x.go /home/a/app/doc.md", "[condensed: Read src/z.go]", ""},
		"no folder of anything": {"", "/a/x.go /a/y.go", "", ""},
		"no path":               {"", "", "", ""},
	} {
		var messages []*transcript.Message
		for i, path := range strings.Fields(test.paths) {
			messages = append(messages, transcripttest.Model(transcripttest.Call(fmt.Sprint(i), "Read", "file_path="+path)), transcripttest.Tool(fmt.Sprint(i), "text"))
		}
		c := transcripttest.Conversation(append(messages, transcripttest.Model(transcripttest.Text(test.said)))...)
		c.Folder = test.folder
		if got := namePaths(c).folder; got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestLeavesOpen checks between which lines of code a reader sees a gap without a mark.
func TestLeavesOpen(t *testing.T) {
	for _, tt := range []struct {
		line, next string
		want       bool
	}{
		{"func a() {", "func b() {", true},
		{"func a() {", "// b does more.", true},
		{"func a() {", "	return 1", false},
		{"func a() {", "}", false}, // would read as a function without a body
		{"func a() {", "", false},
		{"	case a: {", "	case b: {", true},
		{"	case a: {", "func b() {", true},
		{"a := 1", "b := 2", false},
		{"def a(self):", "def b(self):", true},
		{"class A:", "class B:", true},
		{"class A:", "    x = 1", false},
		{"a:", "b:", false}, // of YAML: a has no value
		{"pub fn a(", "pub fn b(", false},
	} {
		for _, sign := range []string{"", "+"} {
			if got := leavesOpen(" "+sign+tt.line, tt.next, sign); got != tt.want {
				t.Errorf("%q, %q: %v", sign+tt.line, tt.next, got)
			}
		}
	}
}

// TestIgnores checks which texts are patterns of files to ignore, in a result and in what a call wrote.
func TestIgnores(t *testing.T) {
	for source, want := range map[string]bool{
		"# Logs\nlogs\n*.log\nnpm-debug.log*\n": true,
		"# Build\nbuild/\n":                     true,
		"     1→# Build\n     2→build/\n":       true,
		"# Environment\n.env\n!.env.example\n":  true,
		"build/\n*.log\n":                       false, // a listing
		"# Packages\nflask\nrequests\n":         false,
		"# Build\nbuild: make\n":                false,
		"# Build\n":                             false,
		"#!/bin/sh\n./build --all\n":            false,
		"":                                      false,
	} {
		if got := ignores(source); got != want {
			t.Errorf("%q: %t", source, got)
		}
	}
	for form, want := range map[form]bool{result: true, hunks: true, prose: false} {
		source := "# Build\nbuild/\n"
		x := &text{form: form, cut: &squeeze.Text{Source: source, Pieces: []squeeze.Piece{{End: int32(len(source))}}}}
		if got := x.isMinor(0, 1); got != want {
			t.Errorf("form %d: %t", form, got)
		}
	}
}

// TestListsSkills checks which texts are lists of skills.
func TestListsSkills(t *testing.T) {
	items := "- hoist: Use this to hoist sails. You must be on deck.\n- sail:reef: Reefs.\nIt cannot reef twice.\n- moor: Moors.\n- tack.wide: Tacks.\n"
	for source, want := range map[string]bool{
		items + "- anchor: Anchors.\n":                     true,
		"\n" + items + "- anchor: Anchors.\n":              true,
		items:                                              false,
		"# Rules\n" + items + "- anchor: Anchors.\n":       false,
		"The following skills are available:\n- a: Aft.\n": true,
		"": false,
	} {
		if got := listsSkills(source); got != want {
			t.Errorf("%q: %t", source, got)
		}
	}
}

// TestIsMinor checks which lines of results are of little use.
func TestIsMinor(t *testing.T) {
	const code = "package harbour\n\nfunc level() int {\n\treturn tide(7)\n}\n\n"
	for line, want := range map[string]bool{
		"\tcamera.rotation.z = math.Sin(t*1.3) * 0.004": true,
		"const calm = color(0x2a2350)":                  true,
		"border: 1px solid #ff8800;":                    true,
		"import { tide } from \"./tide\"":               false,
		"    12→\tring.position.y = 3.4":                true,
		"DEBUG the gauge answers":                       true,
		"  1173→\t\tslog.String(\"gate\", name),":       true,
		"logger.info(\"gate %s\", name)":                true,
		"\tDebug.Log(\"gate\");":                        true,
		"\t// gate.open(3);":                            true,
		"\t//     if (gate) {":                          true,
		"\t// The gate opens at 3.":                     false,
		"//":                                            false,
		"login(\"keeper\")":                             false,
		"dialog.open(gate)":                             false,
		"const most = 25":                               false,
		"const version = \"v1.2.3\"":                    false,
		"return level(0xff)":                            false,
		"func level() int {":                            false,
	} {
		x := text{form: result, cut: squeeze.Cut(code+line+"\n", squeeze.Hint{Path: "a.go"})}
		if got := x.isMinor(len(x.cut.Pieces)-1, len(x.cut.Pieces)); got != want {
			t.Errorf("%q: %v", line, got)
		}
		if x.form = hunks; x.isMinor(len(x.cut.Pieces)-1, len(x.cut.Pieces)) {
			t.Errorf("%q: what a call wrote is no result", line)
		}
	}
	x := text{form: result, cut: squeeze.Cut(code+"a = 0.5\nb = c\nd = e\n", squeeze.Hint{Path: "a.go"})}
	if n := len(x.cut.Pieces); x.isMinor(n-3, n) || !x.isMinor(n-3, n-1) {
		t.Error("at least half the lines must be minor")
	}
}

// TestCommitsOfALog checks that no quoted line of one commit seems to belong to another.
func TestCommitsOfALog(t *testing.T) {
	const log = "commit a1b2c3d4\nAuthor: Ann\n\n    Tar the hull\n\n    Trailer: 17\n\ncommit b2c3d4e5\nAuthor: Bob\n\n    Hoist the sails\n\n    Trailer: 23\n"
	for kept, want := range map[string]string{
		"commit a1b2|Trailer: 23": " commit a1b2c3d4\n" + gapLine + "\n     Trailer: 23",
		"commit a1b2|Trailer: 17": " commit a1b2c3d4\n     Trailer: 17",
		"Trailer: 17|commit b2c3": "     Trailer: 17\n commit b2c3d4e5",
		"Trailer: 23":             "     Trailer: 23",
	} {
		x := text{form: result, cut: squeeze.Cut(log, squeeze.Hint{})}
		x.kept = make([]bool, len(x.cut.Pieces))
		for i := range x.cut.Pieces {
			for part := range strings.SplitSeq(kept, "|") {
				x.kept[i] = x.kept[i] || strings.Contains(x.source(i, i+1), part)
			}
		}
		w := &writer{choice: &choice{draft: &draft{Source: &Source{}}}}
		if got := strings.Join(w.keptLines(nil, &x, ""), "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", kept, got, want)
		}
	}
}

// TestWordy checks which lines that a call wrote are words for a reader.
func TestWordy(t *testing.T) {
	for line, want := range map[string]bool{
		"	// The clock ran out, so only R does anything.":    true,
		"- Cap the cast at two or three skills in the level": true,
		"	return the first of them, as Get does":             true,
		"# Lower = more sensitive":                           false,
		"for i := range list { sum += list[i] }":             false,
		`	fmt.Println("a", "b", "c", "d", "e", "f")`:         false,
		"": false,
	} {
		if got := wordy(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestNewestResultsKeepLines checks that a result of a recent round keeps some lines where none of its
// regions fits the room.
func TestNewestResultsKeepLines(t *testing.T) {
	var hits, old strings.Builder
	for i := range 80 {
		fmt.Fprintf(&old, "func handle%dRequest(r%d *requestOf%d) errorOf%d\n", i, i, i, i)
	}
	for _, line := range []string{"59", "343", "627", "758", "869", "999", "1062", "1173", "1235", "1518", "1546", "1712", "1740", "1767"} {
		hits.WriteString("handlers.go:" + line + ":	agent, err := GetAgent(ctx, registry, fallback)\n")
	}
	text := left(t, 500,
		transcripttest.User("Replace GetAgent everywhere."),
		transcripttest.Model(transcripttest.Text("First I read."), transcripttest.Call("r", "Read", "file_path=/w/old.go")),
		transcripttest.Tool("r", old.String()),
		transcripttest.Model(transcripttest.Call("g", "Grep", "pattern=GetAgent")),
		transcripttest.Tool("g", hits.String()),
		transcripttest.Model(transcripttest.Call("e", "Edit", "file_path=/w/handlers.go", "new_string=x")),
		transcripttest.Tool("e", "ok"),
	)
	if !strings.Contains(text, "handlers.go:343:") && !strings.Contains(text, "handlers.go:1767:") {
		t.Errorf("no hit is left:\n%s", text)
	}
}

// TestQuotedShare checks the factor of lines that records quote by themselves.
func TestQuotedShare(t *testing.T) {
	before := 0.0
	for budget, want := range map[int]float64{0: 0.5, 50: 0.5, 100: 0.5, 250: 1, 500: 1} {
		if got := quotedShare(budget, 1000); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%d of 1000: %v, want %v", budget, got, want)
		}
	}
	for budget := range 1000 {
		got := quotedShare(budget, 1000)
		if got < before {
			t.Fatalf("%d of 1000: %v, below %v", budget, got, before)
		}
		before = got
	}
}

// TestEcho checks that a result does not repeat what its call wrote, where the call stays, and that it keeps what
// else the client says.
func TestEcho(t *testing.T) {
	var written, numbered strings.Builder
	for i := range 30 {
		fmt.Fprintf(&written, "func Hoist%dSails(rope%d int) error {\n\n", i, i)
		fmt.Fprintf(&numbered, "%6d→func Hoist%dSails(rope%d int) error {\n%6d→\n", 2*i+1, i, i, 2*i+2)
	}
	for name, echo := range map[string]string{"plain": written.String(), "numbered": numbered.String()} {
		result := "The content was saved. The file is now:\n" + echo + "New problems: sails.go:7: rope7 is not used\n"
		for budget := 500; budget < 1000; budget += 50 {
			text := left(t, budget,
				transcripttest.User("Write the sails."),
				transcripttest.Model("First I read.", transcripttest.Call("r", "Read", "file_path=/w/old.go")),
				transcripttest.Tool("r", strings.Repeat("an old line that says little\n", 100)),
				transcripttest.Model(transcripttest.Call("w", "Write", "file_path=/w/sails.go", "content="+written.String())),
				transcripttest.Tool("w", result),
				transcripttest.Model("The sails are written."), transcripttest.User("Go on."),
			)
			if n := strings.Count(text, "func Hoist7Sails("); n > 1 {
				t.Errorf("%s, %d tokens: a written line is left %d times:\n%s", name, budget, n, text)
			}
			if strings.Contains(text, "func Hoist7Sails(") && !strings.Contains(text, "rope7 is not used") {
				t.Errorf("%s, %d tokens: the problem that the client found is not left:\n%s", name, budget, text)
			}
		}
	}
}

// TestQuotedUnderDeclaration checks that a quoted line of code has the declaration that it stands under in front
// of it, once, and only if the file still has the declaration.
func TestQuotedUnderDeclaration(t *testing.T) {
	code := "   225→\n   226→function fillHull(\n   227→\tship: Ship,\n   228→): string {\n   229→\tconst water = pump(ship);\n   230→\tconst level = measure(water);\n   231→\treturn level;\n   232→}\n   233→const keel = 3;\n"
	for name, tt := range map[string]struct {
		edit string
		kept []string
		want []string
	}{
		"a line":          {"", []string{"229"}, []string{"226→function fillHull(", "229→\tconst water = pump(ship);"}},
		"two lines":       {"", []string{"229", "231"}, []string{"226→function fillHull(", "229→\tconst water = pump(ship);", "231→\treturn level;"}},
		"the declaration": {"", []string{"226", "229"}, []string{"226→function fillHull(", "229→\tconst water = pump(ship);"}},
		"outside":         {"", []string{"233"}, []string{"233→const keel = 3;"}},
		"changed later":   {"function fillHull(", []string{"230"}, []string{"230→\tconst level = measure(water);"}},
	} {
		messages := append([]*transcript.Message{transcripttest.User("go")}, round("1", code, "Read", "file_path=/ship/hull.ts")...)
		if tt.edit != "" {
			messages = append(messages, round("2", "ok", "Edit", "file_path=/ship/hull.ts", "old_string="+tt.edit, "new_string=function fill(")...)
		}
		c := choiceOf(1000, transcripttest.Conversation(messages...))
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
		for i := range x.kept {
			x.kept[i] = slices.ContainsFunc(tt.kept, func(number string) bool { return strings.HasPrefix(strings.TrimSpace(x.source(i, i+1)), number) })
		}
		w := &writer{choice: c, names: c.paths.unnamed(), last: c.lastChanges()}
		var got []string
		for _, line := range w.keptLines(nil, x, "") {
			got = append(got, strings.TrimSpace(line))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestPartOfLongLine checks that a quoted part of a long line shows where the rest of the line was, and is not joined to
// another line.
func TestPartOfLongLine(t *testing.T) {
	long := func(name string) string {
		return name + strings.Repeat(" the level of the basin fell again", 40) + " at the end of " + name
	}
	x := text{form: result, step: -1, cut: squeeze.Cut("first\n"+long("alpha")+"\n"+long("omega")+"\nlast\n", squeeze.Hint{Path: "lock.log", Tool: "Read"})}
	piece := func(words string) int {
		return slices.IndexFunc(x.cut.Pieces, func(p squeeze.Piece) bool { return strings.Contains(x.cut.Source[p.Start:p.End], words) })
	}
	x.kept = make([]bool, len(x.cut.Pieces))
	x.kept[piece("alpha")], x.kept[piece("end of omega")] = true, true
	w := writer{choice: &choice{draft: &draft{Source: &Source{}}}}
	got := w.keptLines(nil, &x, "")
	if len(got) < 2 || !strings.HasPrefix(got[0], " alpha") || !strings.HasSuffix(got[0], " …") {
		t.Errorf("the first part does not end with an ellipsis: %q", got)
	}
	if end := got[len(got)-1]; !strings.HasPrefix(end, " … ") || !strings.HasSuffix(end, "end of omega") || strings.Contains(end, "alpha") {
		t.Errorf("the last part does not begin with an ellipsis: %q", got)
	}
}

// TestScriptIsNoOutput checks that a record marks the lines of a script, which are no output.
func TestScriptIsNoOutput(t *testing.T) {
	script := "import harbour\n" + strings.Repeat("harbour.gate(\"south\").report(level=4.2)\n", 12)
	msgs := slices.Concat([]*transcript.Message{transcripttest.User("start"), transcripttest.Model("", transcripttest.Call("s", "run", "script="+script)), transcripttest.Tool("s", "the level is 4.1\nthe gate is open\nthe wall is sound\nthe mud is high\nthe tide is low")},
		work("a"), []*transcript.Message{transcripttest.Model("It is done."), transcripttest.User("go on")}, work("b"), []*transcript.Message{transcripttest.Model("I do.")})
	got := left(t, 150, msgs...)
	if !strings.Contains(got, "\n > harbour.gate(") || strings.Contains(got, "\n harbour.gate(") || strings.Contains(got, " > the level") {
		t.Errorf("the script is not marked:\n%s", got)
	}
}

// TestEnclosing checks that a record quotes the line around a line of code where another one would seem to enclose it, and
// the declaration where none does, and the heading of a section behind that of another. It quotes no line twice, none
// that is no longer in its file, and no heading without a line under it.
func TestEnclosing(t *testing.T) {
	views := "const gate = makeGate(sea, {\n  onExit: leave,\n  onOpen: () => { opened = true; },\n});\nconst dock = makeDock(sea, {\n  onExit: leave,\n  onOpen: () => { docked = true; },\n});\n"
	memory := "class Memory:\n    def read(self):\n        return self.level\n    def write(self):\n        self.level = 1\n    def wipe(self):\n        self.level = 0\n```\n    def last(self):\n        return 1\n"
	report := "# The harbour\n\n---\n\n### Save\n```go\nfunc Save() {\n\treturn save(all)\n}\n```\nIt saves to the whole file.\n\n### SaveLocal\n```go\nfunc SaveLocal() {\n\tif local {\n\t\treturn\n\t}\n}\n```\nIt saves to the local file.\n\n# The end\n"
	branches := "func serve() {\n\ttry {\n\t\tparse(request)\n\t} catch (err) {\n\t\treturn answer({ status: 400 })\n\t}\n}\n"
	nested := "export interface File {\n\tscore: number\n\tcoChange: number\n}\n\nexport interface Context {\n\tid: string\n\tcheckpoint: {\n\t\tbranch: string\n\t}\n}\n"
	shell := "# The harbour\n\n## Build\n\nTo build it:\n```bash\n# install\ninstall\n# build all\nbuild --all\n# push it\npush\n```\nThat is all of it.\n"
	for name, tt := range map[string]struct {
		source string
		keep   []string
		dead   string
		want   string
	}{
		"another block":  {views, []string{"const gate", "docked"}, "", " const gate = makeGate(sea, {\n …\n const dock = makeDock(sea, {\n …\n   onOpen: () => { docked = true; },"},
		"same block":     {views, []string{"const dock", "docked"}, "", " const dock = makeDock(sea, {\n …\n   onOpen: () => { docked = true; },"},
		"dead":           {views, []string{"const gate", "docked"}, "const dock", " const gate = makeGate(sea, {\n …\n   onOpen: () => { docked = true; },"},
		"declaration":    {memory, []string{"self.level = 1"}, "", "     def write(self):\n         self.level = 1"},
		"siblings":       {memory, []string{"def read", "self.level =", "def wipe", "```", "return 1"}, "", "     def read(self):\n …\n     def write(self):\n         self.level = 1\n     def wipe(self):\n         self.level = 0\n     def last(self):\n         return 1"},
		"other branch":   {branches, []string{"parse", "status: 400"}, "", " func serve() {\n \t\tparse(request)\n \t} catch (err) {\n \t\treturn answer({ status: 400 })"},
		"parameters":     {"function run(\n\tenv,\n\tid\n): string {\n\tstart(env)\n\treturn id\n}\n", []string{"function run", "env,", "): string", "return"}, "", " function run(\n \tenv,\n …\n ): string {\n …\n \treturn id"},
		"nested":         {nested, []string{"coChange", "branch"}, "", " export interface File {\n \tcoChange: number\n …\n export interface Context {\n …\n \tcheckpoint: {\n \t\tbranch: string"},
		"nothing":        {memory, nil, "", ""},
		"section":        {report, []string{"### Save", "local file"}, "", " ### SaveLocal\n It saves to the local file."},
		"subsection":     {report, []string{"# The harbour", "local file"}, "", " # The harbour\n It saves to the local file."},
		"block in prose": {report, []string{"### Save", "return save(all)", "if local {"}, "", " ### Save\n func Save() {\n \treturn save(all)\n ### SaveLocal\n func SaveLocal() {\n \tif local {"},
		"rule":           {report, []string{"---", "whole file", "### SaveLocal", "```go", "# The end"}, "", " It saves to the whole file."},
	} {
		path := "a.py"
		if tt.source == report || tt.source == shell {
			path = "a.md"
		}
		x := text{form: result, step: -1, cut: squeeze.Cut(tt.source, squeeze.Hint{Path: path, Tool: "Read"})}
		if x.isProse() {
			x.putUnderHeadings()
		}
		x.kept, x.seldoms().dead = make([]bool, len(x.cut.Pieces)), make([]bool, len(x.cut.Pieces))
		for i, p := range x.cut.Pieces {
			piece := x.cut.Source[p.Start:p.End]
			x.kept[i] = slices.ContainsFunc(tt.keep, func(part string) bool { return strings.Contains(piece, part) })
			x.seldom.dead[i] = tt.dead != "" && strings.Contains(piece, tt.dead)
		}
		w := writer{choice: &choice{draft: &draft{Source: &Source{}}}}
		if got := strings.Join(w.keptLines(nil, &x, ""), "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}
