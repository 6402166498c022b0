package ui

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/ui/html"
)

func asPage(r *report.Report) func(io.Writer) error {
	return func(w io.Writer) error { return html.Report(w, r, Options{}) }
}

// contents are kinds of content.
var contents = []string{"system", "user", "injected", "summaries", "markers", "assistant", "thinking", "tool calls", "tool results", "images", "other"}

// named is how a policy names a text.
func named(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// withTurns is a report with a message for each edit and some between.
func withTurns(r *report.Report) *report.Report {
	for i := range r.Conversations {
		c := &r.Conversations[i]
		for n := 1; n <= 75; n++ {
			kind := contents[n%len(contents)]
			c.Turns = append(c.Turns, report.Turn{Message: n, Role: "user", Kind: kind, Tokens: report.Change{Before: 100 * n, After: 60 * (n % 3)}})
		}
		c.Turns = append(c.Turns, report.Turn{Message: 0, Role: "user", Kind: "summaries", Tokens: report.Change{Before: 0, After: 41}})
	}
	return r
}

// longSession is n messages, every one of which was cut down from kilobytes.
func longSession(n int) *report.Report {
	r := session()
	c := &r.Conversations[0]
	c.Edits = nil
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "line %d of an output that <b>somebody</b> & something printed\n", i)
	}
	for i := range n {
		c.Turns = append(c.Turns, report.Turn{Message: i + 1, Role: "assistant", Kind: "tool results", Tokens: report.Change{Before: 5000, After: 50}})
		c.Edits = append(c.Edits, report.Edit{
			Message: i + 1, Block: 1, Stage: "smart-compress", Op: "rewrite", What: "tool result Bash " + strings.Repeat("x", 80),
			Tokens: report.Change{Before: 5000, After: 50}, Why: "the most valuable lines stay", Before: text.String(), After: "line 7 of an output\n[399 lines omitted]",
		})
	}
	return r
}

// everyPage is pages of each kind and shape.
func everyPage() map[string]func(io.Writer) error {
	pages := map[string]func(io.Writer) error{}
	for name, r := range everyReport() {
		pages["report of "+name] = asPage(withTurns(r))
	}
	pages["report of a long session"] = asPage(longSession(20))
	for name, s := range everyStats() {
		pages["stats of "+name] = func(w io.Writer) error { return html.Stats(w, s, Options{}) }
	}
	for name, c := range everyComparison() {
		pages["comparison: "+name] = func(w io.Writer) error { return html.Comparison(w, c, Options{}) }
	}
	for name, b := range everyBatch() {
		pages["batch of "+name] = batchHTML(b)
	}
	return pages
}

// element is an element of a page, with the text in it.
type element struct {
	name     string
	attrs    map[string]string
	parent   *element
	children []*element
	text     string
}

func (e *element) all(yield func(*element)) {
	yield(e)
	for _, c := range e.children {
		c.all(yield)
	}
}

// parsedPage reads a page, which is written so that it is XML, too.
func parsedPage(t *testing.T, page []byte) *element {
	t.Helper()
	// Style and script are raw text in HTML.
	body := regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAll(page, []byte("<$1></$1>"))
	dec := xml.NewDecoder(bytes.NewReader(body))
	top := &element{}
	at := top
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the page does not parse: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := &element{name: x.Name.Local, attrs: map[string]string{}, parent: at}
			for _, a := range x.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			at.children = append(at.children, e)
			at = e
		case xml.EndElement:
			at = at.parent
		case xml.CharData:
			for e := at; e != nil; e = e.parent {
				e.text += string(x)
				if e.name != "" && e.name != "summary" && e.name != "p" { // enough for names
					break
				}
			}
		}
	}
	return top
}

// TestPagesAreSound holds the structure of every page against what browsers and screen readers
// need: language and title, headings in order, ids once, references that lead somewhere, a name for
// whatever takes the focus, heads of tables, pictures hidden or named.
func TestPagesAreSound(t *testing.T) {
	for name, render := range everyPage() {
		t.Run(name, func(t *testing.T) {
			page := rendered(t, render)
			ids, level := map[string]bool{}, 0
			var refs []string
			titles := 0
			top := parsedPage(t, page)
			top.all(func(e *element) {
				if id := e.attrs["id"]; id != "" {
					if ids[id] {
						t.Errorf("id %s twice", id)
					}
					ids[id] = true
				}
				if ref := e.attrs["aria-labelledby"]; ref != "" {
					refs = append(refs, ref)
				}
				label := strings.TrimSpace(e.attrs["aria-label"] + e.text)
				switch e.name {
				case "html":
					if e.attrs["lang"] != "en" {
						t.Errorf("the language is %q", e.attrs["lang"])
					}
				case "title":
					if e.parent.name == "head" {
						titles++
					}
					if label == "" {
						t.Error("an empty title")
					}
				case "h1", "h2", "h3":
					n := int(e.name[1] - '0')
					if n > level+1 || label == "" {
						t.Errorf("heading %s %q comes after level %d", e.name, label, level)
					}
					level = n
				case "th":
					if e.attrs["scope"] == "" || label == "" {
						t.Errorf("a table head without scope or name: %v", e.attrs)
					}
				case "summary":
					if !strings.Contains(e.children[0].text, "message") {
						t.Error("a summary without a name")
					}
				case "svg":
					if e.attrs["aria-hidden"] != "true" {
						t.Error("a drawing that is read aloud")
					}
				}
				if _, focus := e.attrs["tabindex"]; (focus || e.attrs["role"] == "img") && e.attrs["aria-label"] == "" {
					t.Errorf("%s takes the focus without a name", e.name)
				}
			})
			for _, ref := range refs {
				if !ids[ref] {
					t.Errorf("aria-labelledby=%s leads nowhere", ref)
				}
			}
			if titles != 1 || level == 0 {
				t.Errorf("%d titles, last heading of level %d", titles, level)
			}
		})
	}
}

// TestPagesAreHarmless: whatever a transcript holds, a page has the script and style that its
// policy names, no other, reaches for nothing, and holds no character that reorders text.
func TestPagesAreHarmless(t *testing.T) {
	allowed := []string{
		"html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "h1", "h2", "h3", "p", "dl", "dt", "dd",
		"div", "small", "ul", "li", "svg", "rect", "path", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "b", "span",
		"em", "pre", "del", "ins", "output", "script",
	}
	pages := everyPage()
	attack := `</script></title></pre></style><script>window.owned=1</script><img src=x onerror="owned=1">" onmouseover="owned=1" x='{{.}}javascript:owned=1`
	pages["report with an attack"] = asPage(withTurns(hostile(attack)))
	pages["stats with an attack"] = func(w io.Writer) error { return html.Stats(w, hostileStats(attack), Options{}) }
	pages["batch with an attack"] = batchHTML(hostileBatch(attack))
	for name, render := range pages {
		t.Run(name, func(t *testing.T) {
			page := rendered(t, render)
			safe(t, string(page), "\n\t")
			scripts, styles, policy := 0, 0, ""
			parsedPage(t, page).all(func(e *element) {
				switch {
				case e.name == "":
				case e.name == "script":
					scripts++
				case e.name == "style":
					styles++
				case !slices.Contains(allowed, e.name):
					t.Errorf("an element %s", e.name)
				case e.attrs["http-equiv"] == "Content-Security-Policy":
					policy = e.attrs["content"]
				}
				for a := range e.attrs {
					if strings.HasPrefix(a, "on") || slices.Contains([]string{"href", "src", "srcset", "action", "style", "srcdoc"}, a) {
						t.Errorf("%s has the attribute %s", e.name, a)
					}
				}
			})
			if scripts != 1 || styles != 1 {
				t.Errorf("%d scripts and %d styles", scripts, styles)
			}
			want := "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + named(inside(page, "style")) +
				"'; script-src '" + named(inside(page, "script")) + "'"
			if policy != want {
				t.Errorf("the policy is %s\nwant %s", policy, want)
			}
		})
	}
}

// inside is the text of the only element of a name.
func inside(page []byte, name string) string {
	_, rest, _ := strings.Cut(string(page), "<"+name+">")
	text, _, _ := strings.Cut(rest, "</"+name+">")
	return text
}

// TestPageSize: a session of 1,000 messages, all of them changed, makes a page below 2 MB that
// says what is not in it; one of usual size shows everything.
func TestPageSize(t *testing.T) {
	page := string(rendered(t, asPage(longSession(1000))))
	if len(page) > 2<<20 {
		t.Errorf("%d bytes", len(page))
	}
	if !strings.Contains(page, "further changes are not in it") {
		t.Error("it does not say that something is missing")
	}
	usual := string(rendered(t, asPage(longSession(100))))
	if strings.Contains(usual, "not in it") || strings.Count(usual, "<details") != 100 {
		t.Errorf("of 100 changes %d are shown", strings.Count(usual, "<details"))
	}
}

// TestReportPage: all numbers and changes can be read without the script.
func TestReportPage(t *testing.T) {
	page := string(rendered(t, asPage(withTurns(session()))))
	for _, want := range []string{
		"98,120 → 41,007", "−58.2 %", "tool results", "smart-compress", "retained", "message 14", "read again later",
		"<del>-line 1 of the file", "[Read src/a.go: read again later]", "1 line omitted", "orphan-result", `id="c1-m61"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	if n := strings.Count(page, `<rect class="k-`); n < 75+25 {
		t.Errorf("%d segments", n)
	}
	if strings.Contains(string(rendered(t, asPage(&report.Report{}))), "<details") {
		t.Error("a report without changes has some")
	}
}

func TestHTMLWriteErrorsComeBack(t *testing.T) {
	for name, render := range everyPage() {
		if err := render(fullDisk{}); err != errFull {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzPages: whatever the strings of a report are, its page parses, and has no element or attribute
// that is not of the template.
func FuzzPages(f *testing.F) {
	f.Add(nasty)
	f.Add(`</script><script>alert(1)</script>`)
	f.Add("\x00\xff]]>&amp;<!--{{.}}`${1}")
	var want []string
	f.Fuzz(func(t *testing.T, s string) {
		if want == nil {
			want = elements(t, rendered(t, asPage(withTurns(hostile("x")))))
		}
		page := rendered(t, asPage(withTurns(hostile(s))))
		safe(t, string(page), "\n\t")
		if got := elements(t, page); !slices.Equal(got, want) {
			t.Errorf("%q makes elements %v, others make %v", s, got, want)
		}
	})
}

// elements are the kinds of elements of a page, with their attributes. Those that only some
// texts need are left out.
func elements(t *testing.T, page []byte) []string {
	kinds := map[string]bool{}
	parsedPage(t, page).all(func(e *element) {
		switch e.name {
		case "del", "ins", "pre", "span", "td", "small":
			return
		}
		kinds[e.name+" "+strings.Join(slices.Sorted(maps.Keys(e.attrs)), " ")] = true
	})
	return slices.Sorted(maps.Keys(kinds))
}
