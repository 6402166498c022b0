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
	"strconv"
	"strings"
	"testing"
	"time"

	"condense/cmd/report"
	"condense/cmd/ui/html"
)

// asPage renders a report as a page.
func asPage(r *report.Report) func(io.Writer) error {
	return func(w io.Writer) error { return html.Report(w, r, madeBy()) }
}

// madeBy returns options with a command line and a date.
func madeBy() Options {
	return Options{Command: "condense run -t 50% 'my session.jsonl'", Date: time.Date(2026, 11, 23, 4, 50, 0, 0, time.UTC)}
}

// contents lists the kinds of content.
var contents = []string{"system", "user", "injected", "summaries", "markers", "assistant", "thinking", "tool calls", "tool results", "images", "other"}

// named returns the hash by which a content security policy names a text.
func named(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// withTurns adds to a report a turn for each edit and some between.
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

// longSession returns the report of a session in which all n messages were shortened from kilobytes.
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

// everyPage returns a page of each kind and shape.
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

// An element is an element of a page with its text.
type element struct {
	name     string
	attrs    map[string]string
	parent   *element
	children []*element
	text     string
}

// all yields the element and its descendants.
func (e *element) all(yield func(*element)) {
	yield(e)
	for _, c := range e.children {
		c.all(yield)
	}
}

// parsedPage parses a page. Pages are also valid XML.
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
				if e.name != "" && e.name != "summary" && e.name != "p" { // other elements need no text for their names
					break
				}
			}
		}
	}
	return top
}

// TestPagesAreSound checks what browsers and screen readers need of every page: language and title,
// headings in order, unique ids, valid references, and table heads. Focusable elements need a name;
// images need a name or must be hidden.
func TestPagesAreSound(t *testing.T) {
	for name, render := range everyPage() {
		t.Run(name, func(t *testing.T) {
			ids, level := map[string]bool{}, 0
			var refs []string
			titles := 0
			parsedPage(t, rendered(t, render)).all(func(e *element) {
				if id := e.attrs["id"]; id != "" {
					if ids[id] {
						t.Errorf("id %s twice", id)
					}
					ids[id] = true
				}
				if ref := e.attrs["aria-labelledby"]; ref != "" {
					refs = append(refs, ref)
				}
				switch e.name {
				case "title":
					if e.parent.name == "head" {
						titles++
					}
				case "h1", "h2", "h3":
					n := int(e.name[1] - '0')
					if n > level+1 {
						t.Errorf("heading %s %q comes after level %d", e.name, e.label(), level)
					}
					level = n
				}
				checkElement(t, e)
			})
			for _, ref := range refs {
				if !ids[ref] {
					t.Errorf("aria-labelledby=%s refers to no element", ref)
				}
			}
			if titles != 1 || level == 0 {
				t.Errorf("%d titles, last heading of level %d", titles, level)
			}
		})
	}
}

// label returns the name of an element for screen readers.
func (e *element) label() string { return strings.TrimSpace(e.attrs["aria-label"] + e.text) }

// checkElement checks what an element needs regardless of the others.
func checkElement(t *testing.T, e *element) {
	t.Helper()
	switch e.name {
	case "html":
		if e.attrs["lang"] != "en" {
			t.Errorf("the language is %q", e.attrs["lang"])
		}
	case "title", "h1", "h2", "h3":
		if e.label() == "" {
			t.Errorf("an empty %s", e.name)
		}
	case "th":
		if e.attrs["scope"] == "" || e.label() == "" {
			t.Errorf("a table head without scope or name: %v", e.attrs)
		}
	case "summary":
		if !strings.Contains(e.children[0].text, "message") {
			t.Error("a summary without a name")
		}
	case "svg":
		if e.attrs["aria-hidden"] != "true" {
			t.Error("an image without a name is not hidden from screen readers")
		}
	}
	if _, focus := e.attrs["tabindex"]; (focus || e.attrs["role"] == "img") && e.attrs["aria-label"] == "" {
		t.Errorf("%s is focusable and has no name", e.name)
	}
}

// TestPagesAreHarmless checks pages with any strings: they have only the script and the style of
// their policy, load nothing, and contain no character that reorders text.
func TestPagesAreHarmless(t *testing.T) {
	allowed := []string{
		"html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "h1", "h2", "h3", "p", "dl", "dt", "dd",
		"div", "small", "ul", "li", "svg", "rect", "path", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "b", "span",
		"em", "pre", "del", "ins", "output", "script", "code", "time",
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

// inside returns the text of the only element with a name.
func inside(page []byte, name string) string {
	_, rest, _ := strings.Cut(string(page), "<"+name+">")
	text, _, _ := strings.Cut(rest, "</"+name+">")
	return text
}

// TestPageSize checks that a page of 1,000 changed messages stays below 2 MB and names what it omits,
// and that a page of usual size shows everything.
func TestPageSize(t *testing.T) {
	page := string(rendered(t, asPage(longSession(1000))))
	if len(page) > 2<<20 {
		t.Errorf("%d bytes", len(page))
	}
	if !strings.Contains(page, "further changes are omitted") {
		t.Error("the page does not name what it omits")
	}
	usual := string(rendered(t, asPage(longSession(100))))
	if strings.Contains(usual, "are omitted") || strings.Count(usual, "<details") != 100 {
		t.Errorf("of 100 changes %d are shown", strings.Count(usual, "<details"))
	}
}

// TestReportPage checks that all numbers and changes are on the page without its script.
func TestReportPage(t *testing.T) {
	page := string(rendered(t, asPage(withTurns(session()))))
	for _, want := range []string{
		"98,120 → 41,007", "condense run -t 50% &#39;my session.jsonl&#39;", `<time datetime="2026-11-23T04:50:00Z">2026-11-23 04:50 UTC</time>`, "−58.2 %", "tool results", "smart-compress", "retained", "message 14", "read again later",
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
		t.Error("the page of a report without changes shows changes")
	}
}

// TestBarsAreWhole checks that no bar is wider than its picture, which would crop it so that it looks
// full, also where an output has more of a kind than the input.
func TestBarsAreWhole(t *testing.T) {
	pages := everyPage()
	grown := session()
	for i := range grown.Conversations {
		grown.Conversations[i].Kinds = append(grown.Conversations[i].Kinds, report.Kind{Name: "summaries", Tokens: report.Change{Before: 0, After: 1 << 20}})
	}
	pages["report with a kind that grew"] = asPage(grown)
	for name, render := range pages {
		parsedPage(t, rendered(t, render)).all(func(e *element) {
			if e.name != "rect" || e.parent.parent.attrs["class"] != "bar" {
				return
			}
			if width, err := strconv.ParseFloat(e.attrs["width"], 64); err != nil || width < 0 || width > 100 {
				t.Errorf("%s: a bar of width %q", name, e.attrs["width"])
			}
		})
	}
}

// TestPagesWithoutOrigin checks that a page has no empty line for a command line and a date that are
// not known.
func TestPagesWithoutOrigin(t *testing.T) {
	page := string(rendered(t, func(w io.Writer) error { return html.Report(w, session(), Options{}) }))
	if strings.Contains(page, `class="made"`) {
		t.Error("the page has a place for its origin")
	}
}

func TestHTMLReturnsWriteErrors(t *testing.T) {
	for name, render := range everyPage() {
		if err := render(fullDisk{}); err != errFull {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzPages checks that the page of a report with any strings parses, and has only elements and
// attributes of the template.
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
			t.Errorf("with %q the page has the elements %v, want %v", s, got, want)
		}
	})
}

// elements returns the kinds of elements of a page with their attributes. It omits those that only
// some texts need.
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
