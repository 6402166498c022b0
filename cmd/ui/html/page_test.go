package html

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
)

// colours returns the colours of a theme in the style.
func colours(t *testing.T, theme string) map[string][3]float64 {
	t.Helper()
	_, block, ok := strings.Cut(pageStyle, theme)
	block, _, ok2 := strings.Cut(block, "}")
	if !ok || !ok2 {
		t.Fatalf("no theme %q", theme)
	}
	found := map[string][3]float64{}
	for _, m := range regexp.MustCompile(`--(\w+):#([0-9a-f]{6})`).FindAllStringSubmatch(block, -1) {
		rgb, err := strconv.ParseUint(m[2], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		found[m[1]] = [3]float64{float64(rgb >> 16), float64(rgb >> 8 & 255), float64(rgb & 255)}
	}
	return found
}

// contrast returns the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b [3]float64) float64 {
	luminance := func(c [3]float64) (sum float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v := c[i] / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast checks both themes for a contrast of at least 4.5 for text and 3 for graphics
// (WCAG 2.2, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	for theme, head := range map[string]string{"light": ":root{", "dark": "prefers-color-scheme:dark){:root{"} {
		c := colours(t, head)
		least := func(ratio float64, on string, names ...string) {
			for _, name := range names {
				if _, known := c[name]; !known {
					t.Errorf("%s: no colour %s", theme, name)
				} else if got := contrast(c[name], c[on]); got < ratio {
					t.Errorf("%s: %s on %s has %.2f, want %.1f", theme, name, on, got, ratio)
				}
			}
		}
		least(4.5, "paper", "ink", "soft", "accent", "good", "bad", "warn")
		least(4.5, "raised", "ink", "soft")
		least(4.5, "del", "ink")
		least(4.5, "ins", "ink")
		drawn := []string{"is"}
		for _, k := range kindClasses {
			drawn = append(drawn, strings.TrimPrefix(k.Class, "k-"))
		}
		least(3, "paper", drawn...)
		least(3, "raised", drawn...)
	}
}

// TestEveryKindHasAColour checks that the style has a rule for each class.
func TestEveryKindHasAColour(t *testing.T) {
	for _, k := range kindClasses {
		if !strings.Contains(pageStyle, "."+k.Class+"{fill:var(--") {
			t.Errorf("%s has no colour", k.Class)
		}
	}
}

// TestDistribution checks that each file is counted in one row, by the share of tokens saved.
func TestDistribution(t *testing.T) {
	for _, tt := range []struct {
		tokens report.Change
		row    string // "" if the file is not counted
	}{
		{report.Change{Before: 100, After: 100}, "nothing"}, {report.Change{Before: 100, After: 120}, "nothing"}, {report.Change{Before: 1000, After: 999}, "up to 10 %"}, {report.Change{Before: 100, After: 90}, "up to 10 %"},
		{report.Change{Before: 1000, After: 899}, "up to 20 %"}, {report.Change{Before: 100, After: 50}, "up to 50 %"}, {report.Change{Before: 100, After: 0}, "up to 100 %"}, {report.Change{Before: 0, After: 0}, ""},
	} {
		for _, row := range distribution([]survey.BatchFile{{Tokens: tt.tokens}}).Rows {
			want := "0"
			if row.Cells[0].Text == tt.row {
				want = "1"
			}
			if got := row.Cells[1].Text; got != want {
				t.Errorf("%v: %s files in %q, want %s", tt.tokens, got, row.Cells[0].Text, want)
			}
		}
	}
}

// TestNamed checks the title of a page and the folder above it.
func TestNamed(t *testing.T) {
	for name, want := range map[string][2]string{
		"": {"condense", "report"}, "a.json": {"a.json", "report"}, "x/a.json": {"a.json", "x · report"}, "/x/y/a.json": {"a.json", "/x/y · report"}, "x/y/": {"x/y/", "report"},
	} {
		p := htmlPage{Kicker: "report"}
		if p.named(name); p.Title != want[0] || p.Kicker != want[1] {
			t.Errorf("%q: %q below %q, want %q", name, p.Title, p.Kicker, want)
		}
	}
}

// TestNewBar checks that bars have the scale of the largest one.
func TestNewBar(t *testing.T) {
	for _, tt := range []struct {
		c       report.Change
		largest int
		was, is string
	}{
		{report.Change{Before: 1, After: 1}, 1, "100.00", "100.00"}, {report.Change{Before: 50, After: 25}, 100, "50.00", "25.00"},
		{report.Change{}, 0, "0.00", "0.00"}, {report.Change{Before: 10, After: -5}, 10, "100.00", "0.00"},
	} {
		if got := newBar(tt.c, tt.largest, "is"); got.Was != tt.was || got.Is != tt.is || got.Class != "is" {
			t.Errorf("%v of %d: %+v", tt.c, tt.largest, got)
		}
	}
}

// TestKindClass checks that each kind has a colour of its own, and an unknown one that of the others.
func TestKindClass(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range kindClasses {
		class := kindClass(k.Name)
		if class != k.Class || seen[class] || k.Name == "" {
			t.Errorf("%q has the class %q", k.Name, class)
		}
		seen[class] = true
	}
	if a, b := kindClass("system"), kindClass("smells"); a != "k-system" || b != "k-other" {
		t.Errorf("system has the class %q, an unknown kind %q", a, b)
	}
}

// TestSavedClass checks that more tokens are shown as bad.
func TestSavedClass(t *testing.T) {
	for c, want := range map[report.Change][2]string{
		{Before: 9, After: 10}: {"+11.1 %", "bad"}, {Before: 10, After: 9}: {"−10.0 %", "good"}, {Before: 9, After: 9}: {"", "good"},
	} {
		if got := [2]string{saved(c), savedClass(c)}; got != want {
			t.Errorf("%v: %q, want %q", c, got, want)
		}
	}
}

// TestDiffLines checks the lines of a diff: equal texts have none, and only long lines are cut.
func TestDiffLines(t *testing.T) {
	long := strings.Repeat("x", htmlLine+1)
	got, err := diffLines("same\nold\n"+long, "same\nnew\n"+long)
	if err != nil || len(got) != 4 {
		t.Fatalf("%v, %v", got, err)
	}
	for i, want := range []htmlDiffLine{{" ", "same"}, {"-", "old"}, {"+", "new"}, {" ", long[:htmlLine-1] + "…"}} {
		if got[i] != want {
			t.Errorf("line %d is %q, want %q", i, got[i], want)
		}
	}
	if got, err := diffLines("same\n", "same\n"); err != nil || len(got) > 0 {
		t.Errorf("equal texts: %v, %v", got, err)
	}
}

// TestGrowthTimeline checks that a message without tokens of its own has no segment, but its place in
// the chart.
func TestGrowthTimeline(t *testing.T) {
	c := &survey.ConversationStats{Growth: []survey.Point{
		{Message: 1, Kind: "user", Tokens: 10}, {Message: 2, Kind: "assistant", Tokens: 10}, {Message: 3, Kind: "assistant", Tokens: 40, Measured: 50},
	}}
	got := growthTimeline(c, "x")
	var messages []string
	for _, s := range got.Strips[0].Segments {
		messages = append(messages, s.Message+" "+s.X+"+"+s.Width)
	}
	if strings.Join(messages, ", ") != "m1 0.00+250.00, m3 250.00+750.00" || len(got.Strips[1].Segments) != 3 {
		t.Errorf("%q beside %d places in the chart", messages, len(got.Strips[1].Segments))
	}
}

// TestScale checks that the only message has the whole width of the timeline.
func TestScale(t *testing.T) {
	for _, tokens := range []int{1, 2, 3, 1000} {
		got := growthTimeline(&survey.ConversationStats{Growth: []survey.Point{{Message: 1, Kind: "user", Tokens: tokens}}}, "x").Strips[0].Segments
		if len(got) != 1 || got[0].X != "0.00" || got[0].Width != "1000.00" {
			t.Errorf("%d tokens: %+v", tokens, got)
		}
	}
}

// TestShortened checks that the middle of a long run of lines is left out, if it has more than one line.
func TestShortened(t *testing.T) {
	for n, want := range map[int]string{1: "", 20: "", 21: "", 22: "… 2 more lines", 1200: "… 1,180 more lines"} {
		lines := slices.Repeat([]htmlDiffLine{{"+", "x"}}, n)
		got := shortened(append(lines, htmlDiffLine{"-", "last"}))
		omitted := ""
		for _, l := range got {
			if l.Mark == "" {
				omitted += l.Text
			}
		}
		if omitted != want || want == "" && len(got) != n+1 || want != "" && len(got) != 22 || got[len(got)-1].Text != "last" {
			t.Errorf("%d lines: %d are left, %q", n, len(got), omitted)
		}
	}
}

// TestLongHeads checks that the head of a changed message is cut, however many blocks it names.
func TestLongHeads(t *testing.T) {
	var edits []report.Edit
	var whats []string
	for _, s := range []string{"a", "b", "c"} {
		whats = append(whats, "tool result "+strings.Repeat(s, 80))
		edits = append(edits, report.Edit{Message: 1, Block: len(whats), Op: "drop", What: whats[len(whats)-1], Before: "x"})
	}
	for n := 1; n <= len(edits); n++ {
		var b strings.Builder
		if err := Report(&b, &report.Report{Changed: true, Conversations: []report.Conversation{{Edits: edits[:n]}}}, content.Options{}); err != nil {
			t.Fatal(err)
		}
		whole := strings.Join(whats[:n], ", ")
		if head := content.Clip(whole); !strings.Contains(b.String(), head) || n > 1 && strings.Contains(b.String(), whole) {
			t.Errorf("%d blocks: no %s in\n%s", n, head, b.String()[strings.Index(b.String(), "<body"):])
		}
	}
}

// TestStatsTables checks that a table without rows is left out, and the ones behind it are not.
func TestStatsTables(t *testing.T) {
	var p htmlPage
	p.statsTables(&survey.Stats{Tokens: 5, Tools: []survey.Group{{Name: "Read", Tokens: 5, Blocks: 1}}, Stale: []survey.Group{{Name: "a.go", Tokens: 5, Blocks: 1}}})
	var ids []string
	for _, x := range p.Tables {
		ids = append(ids, x.ID)
	}
	if strings.Join(ids, " ") != "tools stale" {
		t.Errorf("the tables are %q", ids)
	}
}

// TestComparisonNamesTheVersion checks that the head and the foot of a comparison name the program.
func TestComparisonNamesTheVersion(t *testing.T) {
	var b strings.Builder
	if err := Comparison(&b, &survey.Comparison{Condense: "v7.8", Format: "openai"}, content.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"condense v7.8 · strategies compared", "condense v7.8, format openai. All numbers"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String()[strings.Index(b.String(), "<body"):])
		}
	}
}

// TestTimelineOfOneMessage checks that a conversation of one message has a timeline.
func TestTimelineOfOneMessage(t *testing.T) {
	turn := report.Turn{Message: 1, Role: "user", Kind: "user", Tokens: report.Change{Before: 5, After: 5}}
	for n, want := range []bool{false, true, true} {
		var b strings.Builder
		r := &report.Report{Conversations: []report.Conversation{{Turns: []report.Turn{turn, turn}[:n]}}}
		if err := Report(&b, r, content.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "<svg"); got != want {
			t.Errorf("%d messages have a timeline: %t", n, got)
		}
	}
}
