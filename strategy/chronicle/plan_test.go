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

// winch is a file as a tool prints it.
const winch = `     1→package winch
     2→
     3→import "fmt"
     4→
     5→// Haul hauls the rope in.
     6→// It needs two hands.
     7→func Haul(rope int) error {
     8→	if rope == 0 {
     9→		return fmt.Errorf("no rope")
    10→	}
    11→	return nil
    12→}
    13→
    14→func (w *Winch) getRopeByLength(
    15→	length int,
    16→) int {
    17→	return w.ropes[length]
    18→}
    19→
    20→func idle() {
    21→	Haul(0)
    22→}
`

// TestOpenPlan checks which lines of a file the open plan names: the declaration of a function with its comment, and
// that of a function whose name differs only in its verb.
func TestOpenPlan(t *testing.T) {
	read := round("1", winch, "Read", "file_path=/ship/winch.go")
	thinks := transcripttest.Model(transcripttest.Thinking("Now I mend `Haul()` in winch.go."))
	says := transcripttest.Model("I look on.")
	for name, tt := range map[string]struct {
		asked string
		more  []*transcript.Message
		want  []int // lines
	}{
		"a function":         {"Mend `Haul` in winch.go.", nil, []int{5, 6, 7, 8, 9, 10, 11, 12}},
		"of a package":       {"Mend `winch.Haul(rope)` of winch.go.", nil, []int{5, 6, 7, 8, 9, 10, 11, 12}},
		"parentheses":        {"Haul() of winch.go is slow.", nil, []int{5, 6, 7, 8, 9, 10, 11, 12}},
		"a pattern":          {"Add `removeRopeByLength(length int)` to winch.go.", nil, []int{14, 15, 16, 17, 18}},
		"a phrase":           {"In winch.go, write `return w.ropes[length+1]` instead.", nil, []int{17}},
		"fewer words":        {"In winch.go, write `return w.ropes` instead.", nil, nil},
		"another name":       {"Add `removeRope` to winch.go.", nil, nil},
		"a word":             {"Haul the rope of winch.go in.", nil, nil},
		"another file":       {"Mend `Haul` in mast.go.", nil, nil},
		"a thought":          {"Mend it.", []*transcript.Message{thinks}, []int{5, 6, 7, 8, 9, 10, 11, 12}},
		"the third newest":   {"Mend it.", []*transcript.Message{thinks, says, says}, []int{5, 6, 7, 8, 9, 10, 11, 12}},
		"the fourth newest":  {"Mend it.", []*transcript.Message{thinks, says, says, says}, nil},
		"an agreed plan":     {"What is slow?", []*transcript.Message{transcripttest.Model("It is `Haul` in winch.go. Shall I mend it?"), transcripttest.User("Yes")}, []int{5, 6, 7, 8, 9, 10, 11, 12}},
		"a plan left behind": {"What is slow?", []*transcript.Message{transcripttest.Model("It is `Haul` in winch.go. Shall I mend it?"), transcripttest.User("Count the sails in mast.go, and write their number into the log of the ship, with the date of today.")}, nil},
		"changed already":    {"Mend `Haul` in winch.go.", round("2", "ok", "Edit", "file_path=/ship/winch.go", "old_string=a", "new_string=b"), nil},
	} {
		msgs := slices.Concat([]*transcript.Message{transcripttest.User(tt.asked)}, read, tt.more)
		c := choiceOf(1000, transcripttest.Conversation(msgs...))
		var got []int
		for i := range c.texts {
			for k := range c.texts[i].cut.Pieces {
				if c.texts[i].namedValue(k) > 0 {
					got = append(got, k+1)
				}
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: lines %v, want %v", name, got, tt.want)
		}
	}
}

// TestPhrases checks which lines of code have a phrase of the open plan.
func TestPhrases(t *testing.T) {
	const asked = "In keel.go, write `gate.open(tide, rope)` of keel.go with another tide, after `a.b(cd, e)`."
	for name, tt := range map[string]struct {
		source string
		want   int // number of lines
	}{
		"as many as may be alike": {strings.Repeat("\tgate.open(tide, rope)\n", mostAlike), mostAlike},
		"more":                    {strings.Repeat("\tgate.open(tide, rope)\n", mostAlike+1), 0},
		"other signs":             {"\tif gate.open[tide] == rope {\n", 1},
		"another word":            {"\tgate.open(tide, ropes)\n", 0},
		"short words":             {"\ta.b(cd, e)\n", 0},
		"an import":               {"import gate.open.tide.rope\n", 0},
	} {
		source := "func keel() {\n" + tt.source + strings.Repeat("\tswim()\n", 20) + "}\n"
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User(asked)}, round("1", source, "Read", "file_path=/ship/keel.go"))...))
		got := 0
		for i := range c.texts {
			for k := range c.texts[i].cut.Pieces {
				if c.texts[i].namedValue(k) > 0 {
					got++
				}
			}
		}
		if got != tt.want {
			t.Errorf("%s: %d lines, want %d", name, got, tt.want)
		}
	}
}

// TestEachPhrase checks that a phrase has at least leastPhrase bytes of words.
func TestEachPhrase(t *testing.T) {
	for line, want := range map[string]int{
		"gate open tide ropes":      1, // 17 bytes
		"gate open tide rope":       1,
		"gate open tide rop":        0,
		"gate open tide":            0,
		"gate.open(tide, rope, 12)": 1, // the second phrase has 14
		"gate open tide ropes gate": 2,
		"":                          0,
	} {
		got := 0
		eachPhrase(line, func(uint64) { got++ })
		if got != want {
			t.Errorf("%q: %d phrases, want %d", line, got, want)
		}
	}
}

// TestOpenPlanStays checks that a small budget holds the function that the plan names as a whole.
func TestOpenPlanStays(t *testing.T) {
	var file strings.Builder
	for i := range 40 {
		fmt.Fprintf(&file, "func Hoist%d(sail int) error {\n\tif sail == %d {\n\t\treturn fmt.Errorf(\"sail %d is torn\")\n\t}\n\treturn nil\n}\n\n", i, i, i)
	}
	msgs := slices.Concat([]*transcript.Message{transcripttest.User("Mend the sails.")}, round("1", file.String(), "Read", "file_path=/ship/sail.go"),
		[]*transcript.Message{transcripttest.Model("The sails are torn.")}, round("2", "ok", "Bash", "command=go vet"), round("3", "ok", "Bash", "command=go test"), round("4", "ok", "Bash", "command=go build"),
		[]*transcript.Message{transcripttest.Model(transcripttest.Thinking("What is left is `Hoist23` in sail.go."))})
	got := left(t, 250, msgs...)
	if want := "func Hoist23(sail int) error {\n \tif sail == 23 {\n \t\treturn fmt.Errorf(\"sail 23 is torn\")\n \t}\n \treturn nil\n }"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// TestDeclares checks which lines open the declaration of a planned name.
func TestDeclares(t *testing.T) {
	p := openPlan{names: map[string]bool{"haul": true}, rests: map[string]bool{"ropebylength": true}}
	for line, want := range map[string]float32{
		"func haul(rope int) error {":              valuePlanned,
		"func (w *Winch) haul(":                    valuePlanned,
		"export async function haul(rope) {":       valuePlanned,
		"const haul = useCallback(":                valuePlanned,
		"\tasync haul(rope: number) {":             valuePlanned,
		"def haul(rope):":                          valuePlanned,
		"type haul struct {":                       valuePlanned,
		"\tpublic int get_rope_by_length(int n) {": valuePattern,
		"func getRopeByLength(n int) int {":        valuePattern,
		"func GetRopeByLength(n int) int {":        valuePattern,
		"func ropeByLength(n int) int {":           0,
		"\treturn haul(":                           0,
		"if haul(rope) {":                          0,
		"\tawait haul(":                            0,
		"} else if haul(rope) {":                   0,
		"\twinch.haul(":                            0,
		"\thaul(rope)":                             0,
		"func hauling(rope int) {":                 0,
		"":                                         0,
	} {
		if got, _ := p.declares(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// TestDeclaredAtTop checks that a comment at the beginning of a file belongs to the declaration behind it.
func TestDeclaredAtTop(t *testing.T) {
	c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Mend `Haul` in winch.go.")},
		round("1", "// Haul hauls.\nfunc Haul() {\n\tpull()\n}\n\nfunc rest() {\n"+strings.Repeat("\tpull()\n", 20)+"}\n", "Read", "file_path=/ship/winch.go"))...))
	x := &c.texts[len(c.texts)-1]
	for k := range x.cut.Pieces {
		if named := x.namedValue(k) > 0; named != (k < 4) {
			t.Errorf("line %d is named: %t", k+1, named)
		}
	}
}

// TestHeadingLevel checks the levels of headings.
func TestHeadingLevel(t *testing.T) {
	for line, want := range map[string]int{"# Tides": 1, "  ###### Tides": 6, "####### Tides": 0, "#tides": 0, "Tides": 0, "": 0} {
		if got := headingLevel(line); got != want {
			t.Errorf("%q: level %d, want %d", line, got, want)
		}
	}
}

// TestBlockEnd checks where the block ends that the first line of a text opens: in front of "after".
func TestBlockEnd(t *testing.T) {
	for _, source := range []string{
		"func a() {\n\tb()\n\n\tc()\n}\n\nfunc after() {\n}\n",
		"def a():\n    b()\n\n    c()\n\ndef after():\n    pass\n",
		"async a(\n\tb,\n): Promise<void> {\n\tc()\n}\nafter() {\n}\n",
		"const a = memo(\n\t() => b,\n);\nconst after = 1\n",
		"def a\n  b\nend\nafter\n",
		"func a() {\n\tb()\n",
		"def a(\n    b,\n):\n    c()\nafter = 1\n",
		"     7→func a() {\n     8→\tb()\n     9→}\n    10→var after = 1\n",
	} {
		text := &text{cut: squeeze.Cut(source, squeeze.Hint{Path: "a.go", Tool: "Read"})}
		want := source
		if at := strings.Index(source, "after"); at >= 0 {
			want = source[:strings.LastIndexByte(source[:at], '\n')+1]
		}
		if got := text.source(0, text.blockEnd(0, 20)); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q: the block is %q", source, got)
		}
	}
}

// TestAbout checks which lines of a document and of code belong to what a short request is about.
func TestAbout(t *testing.T) {
	const document = "# Plan\n\nThe harbour is old.\n\n## Landing stage\n\nBoats land in the north.\n\n### Depth\n\nIt has four fathoms.\n\n## Lanterns\n\nThey are green.\n"
	const code = "const LANDING_STEPS = [\n\t\"Take the rope.\",\n\t\"Make it fast.\",\n];\nlet depth = 4;\nfunction landingAt(stage) {\n\treturn depth;\n}\nfunction sink() {\n\tlandingAt(0);\n}\n"
	many := strings.Repeat("func landing() {\n}\n", 5)
	long := "func landing() {\n" + strings.Repeat("\tsink()\n", 60) + "}\n"
	for name, tt := range map[string]struct {
		asked, path, source string
		want                []string // first and last lines
	}{
		"a section":          {"The landing takes too long.", "plan.md", document, []string{"## Landing stage", "It has four fathoms."}},
		"a subsection":       {"The depths are wrong, and the depth is.", "plan.md", document, []string{"### Depth", "It has four fathoms."}},
		"declarations":       {"The landing takes too long.", "stage.js", code, []string{"const LANDING_STEPS = [", "}"}},
		"many of a name":     {"The landing takes too long.", "stage.go", many, nil},
		"a long declaration": {"The landing takes too long.", "stage.go", long, []string{"func landing() {", "sink()"}},
		"a short word":       {"The sink is full.", "stage.js", code, nil},
		"no heading":         {"The harbour is full.", "plan.md", document, nil},
		"a long request":     {strings.Repeat("Look at the boats. ", 14) + "The landing takes too long.", "plan.md", document, nil},
	} {
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User(tt.asked)}, round("1", tt.source, "Read", "file_path=/ship/"+tt.path))...))
		var got []string
		for i := range c.texts {
			x := &c.texts[i]
			for k, asked := range c.askedRegions(x) {
				if line := strings.TrimSpace(x.source(k, k+1)); asked && line != "" {
					got = append(got, line)
				}
			}
		}
		if len(got) > 2 {
			got = []string{got[0], got[len(got)-1]}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestAboutStays checks that a small budget holds the section of a document that a request is about.
func TestAboutStays(t *testing.T) {
	var document strings.Builder
	for _, topic := range []string{"Anchors", "Lanterns", "Moorings", "Tides", "Winches"} {
		fmt.Fprintf(&document, "## %s\n\n", topic)
		for i := range 6 {
			fmt.Fprintf(&document, "Of %d %s nothing may be said before the pilot has come aboard.\n\n", i, topic)
		}
	}
	msgs := slices.Concat([]*transcript.Message{transcripttest.User("What do we say there? (moorings)")}, round("1", document.String(), "Read", "file_path=/ship/plan.md"),
		round("2", "ok", "Bash", "command=go vet"), round("3", "ok", "Bash", "command=go test"), round("4", "ok", "Bash", "command=go build"))
	got := left(t, 200, msgs...)
	_, section, _ := strings.Cut(got, "## Moorings")
	section, _, _ = strings.Cut(section, "##")
	if n := strings.Count(section, "pilot"); n < 5 {
		t.Errorf("%d of 6 lines of the section are in\n%s", n, got)
	}
}

// TestAboutQuotes checks that a line of code without any fact may be quoted by itself only if a request is about it.
func TestAboutQuotes(t *testing.T) {
	const code = "const LANDING_BEATS = [\n\t\"Someone takes the rope.\",\n];\nfunction sink() {\n\treturn water;\n}\n"
	file := code + strings.Repeat("function swim() {\n\tconst depth = 1;\n\tlet sea = depth;\n}\n", 9)
	c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("The landing is too long.")}, round("1", file, "Read", "file_path=/ship/stage.js"))...))
	for i := range c.texts {
		x := &c.texts[i]
		if x.form == result && x.cut.Kind != squeeze.Code && len(x.cut.Pieces) > 9 {
			t.Fatal(x.cut.Kind)
		}
		for k := range x.cut.Pieces {
			line := x.source(k, k+1)
			if want := strings.Contains(line, "Someone"); (want || strings.Contains(line, "return")) && c.quotable(x, k, false) != want {
				t.Errorf("%q may be quoted: %t", line, !want)
			}
		}
	}
}

// TestRoleFactor checks which lines of code with a name of a request count more or less.
func TestRoleFactor(t *testing.T) {
	for line, want := range map[string]float64{
		"     7→\tconst ropes = winch.ropes ?? [];\n":        valueAssigned,
		"     7→\tropes := winch.ropes\n":                    valueAssigned,
		"     7→\tlet ropes: Rope[] = winch.ropes;\n":        valueAssigned,
		"     7→\tthis.ropes = ropes;\n":                     valueAssigned,
		"     7→\t\tropes,\n":                                valuePassed,
		"     7→\t\tropes: ropes,\n":                         valuePassed,
		"     7→\treturn haul(ropes, winch.drum, sailors)\n": 1,
		"     7→\tif ropes == nil || ropes.broken() {\n":     1,
	} {
		x := &text{due: true, cut: &squeeze.Text{Kind: squeeze.Code, Source: line, Pieces: []squeeze.Piece{{End: int32(len(line))}}}}
		if got := x.roleFactor(0); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
		x.due = false
		if got := x.roleFactor(0); got != 1 {
			t.Errorf("%q, of a file that is not due: %v, want 1", line, got)
		}
	}
}
