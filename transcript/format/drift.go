package format

import (
	"cmp"
	"slices"
	"strings"

	"condense/transcript/internal/rawjson"
)

// A vocabulary lists the kinds of records that one version of a client writes. Clients add
// kinds with every version. A kind that is not in the list is kept as it is, but may hold texts
// that the client sends and condense does not count.
type vocabulary struct {
	from string // the client and the version that the list was taken from
	// name returns the kind of a record; "" for a record without one.
	name  func(record rawjson.Value) string
	known string // the kinds, with a comma between them
}

// An UnknownKind is a kind of records that is not in the list of the dialect.
type UnknownKind struct {
	Name  string // "attachment glaze_delta"
	Count int    // records
	Bytes int    // of these records
	Line  int    // of the first one, from 1
}

// KnownFrom returns the client and the version from which the known kinds of records were taken,
// as in "Codex 0.169.0"; "" for a dialect without a list of kinds.
func (d *Dialect) KnownFrom() string {
	if d.kinds == nil {
		return ""
	}
	return d.kinds.from
}

// Unknown returns the kinds of records that are not in the list of the dialect, by name. It
// returns nil for a dialect without a list. Broken lines have no kind.
func (f *File) Unknown() []UnknownKind {
	words := f.Dialect.kinds
	if words == nil {
		return nil
	}
	known := map[string]bool{"": true}
	for name := range strings.SplitSeq(words.known, ",") {
		known[strings.TrimSpace(name)] = true
	}
	found := map[string]*UnknownKind{}
	var doc rawjson.Doc
	for _, l := range f.layouts {
		for _, span := range l.RecordSpans() {
			if isBlank(f.src, span) || doc.ScanAll(f.src, span.Start, span.End) != nil || doc.Root().Kind() != rawjson.Object {
				continue
			}
			name := words.name(doc.Root())
			if known[name] {
				continue
			}
			k := found[name]
			if k == nil {
				k = &UnknownKind{Name: name, Line: f.lineAt(span.Start)}
				found[name] = k
			}
			k.Count++
			k.Bytes += span.Len()
		}
	}
	var list []UnknownKind
	for _, k := range found {
		list = append(list, *k)
	}
	slices.SortFunc(list, func(a, b UnknownKind) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// kindOf returns the type of a record, and with it that of the object which a member holds: the
// kinds "user" and "attachment file".
func kindOf(v rawjson.Value, inner func(kind string) rawjson.Value) string {
	kind := v.Get("type").Str()
	if more := inner(kind).Str(); more != "" {
		return kind + " " + more
	}
	return kind
}

// typeOnly is the name of a vocabulary whose kinds are types.
func typeOnly(v rawjson.Value) string { return v.Get("type").Str() }
