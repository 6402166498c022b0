// Package html writes results as HTML pages.
package html

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // for the parts of the page
	"encoding/base64"
	"html/template"
	"io"
	"path"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// A page is one self-contained file. Its content security policy names its style and its script, both
// from the folder page, by their hashes. A browser therefore runs and loads nothing else, whatever a
// transcript contains. Every string of a transcript is escaped by package escape, since bidirectional
// controls act on a page too, and then by html/template. A page is complete without JavaScript.

//go:embed page/page.tmpl
var pageTemplate string

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

// htmlPage holds the data of the template. All strings are escaped for terminals.
type htmlPage struct {
	Kicker, Title string
	Made          htmlMade
	Figures       []htmlFigure
	Remarks       []htmlRemark
	Timeline      string // heading of the timelines
	Hint          string // how to read them
	Legend        []htmlKey
	Timelines     []htmlTimeline
	Tables        []htmlTable
	ChangesNote   string
	Changes       []htmlChanges // one for each conversation
	Footer        string

	Policy string
	Style  template.CSS
	Script template.JS
}

// An htmlFigure is a number in large type. Class is the class of the note.
type htmlFigure struct{ Name, Value, Note, Class string }

// An htmlMade holds how and when a page was made. Both are "" if that is not known.
type htmlMade struct{ Command, Date, Stamp string }

// made returns how and when a page was made.
func made(o content.Options) (m htmlMade) {
	m.Command = escape.Line(o.Command)
	if !o.Date.IsZero() {
		m.Stamp, m.Date = o.Date.UTC().Format(time.RFC3339), o.Date.Format("2006-01-02 15:04 MST")
	}
	return m
}

type htmlRemark struct {
	Warn bool
	Text string
}

// An htmlKey is an entry of the legend.
type htmlKey struct{ Class, Name string }

// An htmlTable is a table with its own heading.
type htmlTable struct {
	ID, Title, Note string
	Head            []htmlCell
	Rows            []htmlRow
}

type htmlRow struct {
	Class string
	Cells []htmlCell
}

// An htmlCell is a text or a bar. Label is the head of its column, for screens on which the cells of a
// row stand below each other.
type htmlCell struct {
	Class, Label, Text string
	Bar                *htmlBar
}

// An htmlBar holds the sizes before and after, in percent of the largest.
type htmlBar struct {
	Was, Is string
	Class   string
}

// write writes the page.
func (p *htmlPage) write(w io.Writer, o content.Options) error {
	p.Made = made(o)
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return err
	}
	p.Style, p.Script = template.CSS(pageStyle), template.JS(pageScript)
	p.Policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + hashed(pageStyle) + "'; script-src '" + hashed(pageScript) + "'"
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// hashed returns the hash by which a policy names a text.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// named sets the title to the name of a file. The folder stands above it in small type.
func (p *htmlPage) named(name string) {
	folder, file := path.Split(name)
	if file == "" {
		folder, file = "", name
	}
	p.Title = cmp.Or(file, "condense")
	if folder != "" {
		p.Kicker = strings.TrimSuffix(folder, "/") + " · " + p.Kicker
	}
}

// htmlRemarks converts remarks for the template.
func htmlRemarks(all []content.Remark) (out []htmlRemark) {
	for _, r := range all {
		out = append(out, htmlRemark{r.Tone == content.Warn, r.Text})
	}
	return out
}

// htmlOf converts a table for the template. Bars, one for each row, replace a last column without a
// head; drawn describes them.
func htmlOf(id, title string, t content.Table, drawn string, bars []htmlBar) htmlTable {
	out := htmlTable{ID: id, Title: title}
	n := len(t.Columns)
	asides := false
	for _, row := range t.Rows {
		asides = asides || row[len(row)-1] != "" && (len(row) < n || t.Head[n-1] == "")
	}
	if t.Head[n-1] == "" && !asides {
		n--
	}
	for i, name := range t.Head[:n] {
		class := ""
		if t.Columns[i].AlignsRight() {
			class = "n"
		}
		if name == "" { // screen readers need a name for it
			name = map[content.ColumnKind]string{content.Words: "mark", content.Saving: "saved", content.Aside: "note"}[t.Columns[i]]
		}
		out.Head = append(out.Head, htmlCell{Class: class, Text: name})
	}
	if bars != nil {
		out.Head = append(out.Head, htmlCell{Text: drawn})
	}
	for i, row := range t.Rows {
		r := htmlRow{}
		for j := range n {
			c := htmlCell{}
			switch {
			case j < len(row)-1, len(row) == len(t.Columns):
				c.Text, c.Class = strings.TrimSpace(row[j]), htmlClass(t.Columns[j], row[j])
			case j == n-1:
				c.Text, c.Class = row[len(row)-1], "aside"
			}
			r.Cells = append(r.Cells, c)
		}
		if i < len(bars) {
			r.Cells = append(r.Cells, htmlCell{Bar: &bars[i]})
		} else if bars != nil {
			r.Cells = append(r.Cells, htmlCell{})
		}
		for j := range r.Cells {
			r.Cells[j].Label = out.Head[j].Text
		}
		if i >= len(t.Rows)-t.Sums {
			r.Class = "sum"
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// longCell limits the columns of a cell that is not broken into lines.
const longCell = 28

// htmlClass returns the class of a cell.
func htmlClass(c content.ColumnKind, text string) string {
	class := ""
	switch {
	case c.AlignsRight():
		class = "n"
	case ansi.StringWidth(text) > longCell:
		class = "long"
	}
	switch content.CellTone(c, text, false) {
	case content.Good:
		class += " good"
	case content.Bad:
		class += " bad"
	case content.Faint:
		class = "aside"
	}
	return class
}
