package squeeze

import "strings"

// cutSnapshot cuts the accessibility tree of a page, as tools that drive a browser
// print it, and reports whether the text is one. A piece is a node. It stands under
// the nearest node around it that has a name or is a list, a dialog or the like;
// wrappers without a name carry no meaning.
func cutSnapshot(t *Text) bool {
	if !isSnapshot(t.Source) {
		return false
	}
	t.Kind = Snapshot
	shapes := shapes{t: t, first: map[uint64]int32{}}
	var open []declared
	t.each(func(start, end int) {
		line := t.Source[start:end]
		n, ok := readNode(line)
		if !ok {
			t.add(start, end, wordCue(line), None)
			return
		}
		for len(open) > 0 && open[len(open)-1].indent >= n.indent {
			open = open[:len(open)-1]
		}
		under := int32(None)
		if len(open) > 0 {
			under = open[len(open)-1].piece
		}
		marks := len(t.marks())
		i := t.add(start, end, n.cue(), under)
		if len(t.marks()) > marks {
			return
		}
		shapes.line(i, line)
		if n.named || nodeRoles[n.role] == region {
			open = append(open, declared{i, n.indent})
		}
	})
	return true
}

// node is a line of a snapshot: - button "Save" [ref=e12].
type node struct {
	indent int
	role   string
	named  bool // it has a name, or text of its own
	ref    bool // it has a handle by which a tool can address it
	rest   string
}

// roleKind is the use of a node with some role.
type roleKind uint8

const (
	_        roleKind = iota
	wrapper           // arranges others
	region            // a part of the page that its content belongs to
	reading           // is read
	titling           // is read before the rest
	acting            // can be used
	alerting          // reports an event
)

// nodeRoles are roles of WAI-ARIA 1.2 and of Chromium's accessibility tree.
var nodeRoles = map[string]roleKind{
	"generic": wrapper, "group": wrapper, "none": wrapper, "presentation": wrapper, "separator": wrapper, "rowgroup": wrapper, "img": wrapper,
	"image": wrapper, "ignored": wrapper, "GenericContainer": wrapper, "InlineTextBox": wrapper,
	"document": region, "RootWebArea": region, "WebArea": region, "main": region, "navigation": region, "banner": region, "contentinfo": region,
	"complementary": region, "region": region, "form": region, "search": region, "dialog": region, "table": region, "grid": region,
	"row": region, "list": region, "listitem": region, "listbox": region, "menu": region, "menubar": region, "tablist": region,
	"tabpanel": region, "toolbar": region, "tree": region, "article": region, "iframe": region, "figure": region, "radiogroup": region,
	"text": reading, "StaticText": reading, "paragraph": reading, "cell": reading, "gridcell": reading, "code": reading, "blockquote": reading,
	"term": reading, "definition": reading, "strong": reading, "emphasis": reading, "time": reading, "note": reading, "caption": reading,
	"heading": titling, "columnheader": titling, "rowheader": titling,
	"button": acting, "link": acting, "textbox": acting, "searchbox": acting, "checkbox": acting, "radio": acting, "combobox": acting,
	"option": acting, "menuitem": acting, "menuitemcheckbox": acting, "menuitemradio": acting, "tab": acting, "switch": acting,
	"slider": acting, "spinbutton": acting, "treeitem": acting,
	"alert": alerting, "alertdialog": alerting, "status": alerting, "log": alerting, "progressbar": alerting,
}

// cue returns the cue of a node: events have the highest, then headings and nodes that
// can be used, then text.
func (n node) cue() float32 {
	switch nodeRoles[n.role] {
	case alerting:
		return message
	case acting, titling:
		return outline
	case reading:
		return max(context, wordCue(n.rest))
	}
	if n.named {
		return max(context, wordCue(n.rest))
	}
	return none
}

// readNode reads a line; ok is false when it is not a node.
func readNode(line string) (n node, ok bool) {
	text := strings.TrimLeft(line, " \t")
	n.indent = len(line) - len(text)
	text = strings.TrimRight(text, " \t\r\n")
	for _, sign := range [...]string{"- ", "* "} {
		text = strings.TrimPrefix(text, sign)
	}
	text = strings.TrimPrefix(text, "'") // YAML quotes a node whose name has a colon
	if handle, rest, _ := strings.Cut(text, " "); strings.HasPrefix(handle, "uid=") || strings.HasPrefix(handle, "[") && strings.HasSuffix(handle, "]") && len(handle) > 2 && digit(handle[1]) {
		n.ref, text = true, rest
	}
	n.role, n.rest = text, ""
	if i := strings.IndexAny(text, " :"); i >= 0 {
		n.role, n.rest = text[:i], text[i:]
	}
	if nodeRoles[n.role] == 0 {
		return n, false
	}
	n.ref = n.ref || strings.Contains(n.rest, "[ref=")
	rest := strings.TrimSuffix(n.rest, ":")
	for rest != "" {
		if rest = strings.TrimLeft(rest, " "); !strings.HasPrefix(rest, "[") {
			break
		}
		_, rest, _ = strings.Cut(rest, "]")
	}
	n.named = strings.Trim(rest, ` :"'`) != ""
	return n, true
}

// isSnapshot reports whether most lines of a text are nodes, and some of them have a
// handle or a name in quotes.
func isSnapshot(s string) bool {
	lines, nodes, sure := 0, 0, 0
	sample := s[:min(len(s), 8192)]
	for line := range strings.Lines(sample) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		n, ok := readNode(line)
		if !ok {
			continue
		}
		nodes++
		if n.ref || strings.HasPrefix(n.rest, ` "`) {
			sure++
		}
	}
	return nodes >= 5 && nodes*10 >= lines*6 && sure*4 >= nodes
}
