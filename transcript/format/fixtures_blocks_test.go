package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/transcripttest"
)

// TestFixturesBlocks checks the outputs of edits of few blocks, for each fixture and each case of the archives.
// A row of testdata/blocks.txt has checksums of the outputs without single blocks, without all blocks of a kind,
// without all messages of a role, with single blocks rewritten, and with few new messages in the place of most.
// -update rewrites it.
func TestFixturesBlocks(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"source", "single", "kinds", "roles", "rewritten", "replaced"}}
	for name, src := range sources(t) {
		f, err := Decode(src, "")
		if err != nil || len(f.Convs) == 0 {
			continue
		}
		c := f.Convs[0]
		var single, kinds, roles, texts checksum
		all := refsOf(c)
		for i := 0; i < len(all); i += 1 + len(all)/12 {
			single.writeRead(f, dropsOf(c, all[i:i+1]))
			texts.writeRead(f, []transcript.Edit{{At: all[i], Op: transcript.Rewrite, Text: "a \"short\" text"}})
		}
		for kind := transcript.Text; kind <= transcript.Opaque; kind++ {
			kinds.writeRead(f, dropsOf(c, slices.DeleteFunc(slices.Clone(all), func(r transcript.Ref) bool { return c.Block(r).Kind != kind })))
		}
		for _, role := range []transcript.Role{transcript.System, transcript.User, transcript.Assistant, transcript.Tool} {
			roles.writeRead(f, dropsOf(c, slices.DeleteFunc(slices.Clone(all), func(r transcript.Ref) bool { return c.Message(r.Msg).Role != role })))
		}
		replaced := replacedSum(f)
		row := []string{strings.Join(strings.Fields(name), "_")}
		for _, sum := range []checksum{single, kinds, roles, texts, replaced} {
			row = append(row, fmt.Sprintf("%04x", sum.sum>>16))
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, "testdata/blocks.txt", *update, rows)
}

// replacedSum returns a checksum of the outputs with one to three new messages in the place of all messages, of
// the older half, and of the newer half, where the new ones stand at the end.
func replacedSum(f *File) (sum checksum) {
	units := f.Convs[0].Units()
	for _, some := range [][]transcript.Unit{units, units[:len(units)/2], units[len(units)/2:]} {
		var edits []transcript.Edit
		for _, u := range some {
			for _, id := range u.Msgs {
				edits = append(edits, transcript.Edit{At: transcript.At(id), Op: transcript.Drop})
			}
		}
		for _, role := range []transcript.Role{transcript.User, transcript.Assistant, transcript.User} {
			at := transcript.End
			if len(some) > 0 && len(some) < len(units) {
				at = some[0].Msgs[0]
			}
			edits = append(edits, insert(at, role, "what was before"))
			sum.writeRead(f, edits)
		}
	}
	return sum
}

// refsOf returns the blocks of the visible messages.
func refsOf(c *transcript.Conversation) (list []transcript.Ref) {
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			list = append(list, transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})
		}
	}
	return list
}

// dropsOf returns the edits that remove blocks, with the calls and results that belong to them.
func dropsOf(c *transcript.Conversation, refs []transcript.Ref) (edits []transcript.Edit) {
	seen := map[transcript.Ref]bool{}
	add := func(r transcript.Ref) {
		if r.Part = transcript.Whole; !seen[r] {
			seen[r] = true
			edits = append(edits, transcript.Edit{At: r, Op: transcript.Drop})
		}
	}
	for _, r := range refs {
		add(r)
		if partner, ok := c.Partner(r); ok {
			add(partner)
		}
	}
	return edits
}

// writeRead adds the output of edits of the first conversation, and whether it is read as what was meant.
func (c *checksum) writeRead(f *File, edits []transcript.Edit) {
	next, err := f.Convs[0].Apply(edits)
	if err != nil {
		c.add("not allowed", err)
		return
	}
	final := slices.Clone(f.Convs)
	final[0] = next
	out, err := f.Bytes(final)
	c.add(out, err)
	_, err = f.Verify(final, out)
	c.add(err)
}

// TestFixturesLists checks what is read of small sources whose lists have other elements: without one, with one
// twice, alone, in another order, and none. The records of a file of lines are such a list, too. A row of
// testdata/lists.txt has the format and the name of the list. -update rewrites it.
func TestFixturesLists(t *testing.T) {
	t.Parallel()
	sums := map[string]*checksum{}
	seen := map[string]bool{}
	for _, s := range smallSources(t) {
		for _, l := range s.lists() {
			if path := s.dialect + " " + l.path; seen[path] && l.path != "" {
				continue
			} else {
				seen[path] = true
			}
			name := s.dialect + "/" + l.path[strings.LastIndexByte(l.path, '/')+1:]
			if sums[name] == nil {
				sums[name] = &checksum{}
			}
			s.eachOrder(l, func(src []byte) { sums[name].addList(t, s.name, src, s.dialect) })
		}
	}
	rows := [][]string{{"list", "sum"}}
	for name, sum := range sums {
		rows = append(rows, []string{name, fmt.Sprintf("%06x", sum.sum>>8)})
	}
	slices.SortFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	transcripttest.Frozen(t, "testdata/lists.txt", *update, rows)
}

// A list has the places of its elements. Its path is that of the member that has it, or "" for the records.
type list struct {
	path  string
	elems []rawjson.Span
}

// lists returns the lists of a source with elements, and its records.
func (s *source) lists() (all []list) {
	if lines := bytes.SplitAfter(s.src, []byte("\n")); len(bytes.TrimSpace(lines[0])) > 1 && len(lines) > 1 && rawjsonValid(lines[0]) {
		var records list
		at := 0
		for _, line := range lines {
			if len(line) > 0 {
				records.elems = append(records.elems, rawjson.Span{Start: at, End: at + len(line)})
			}
			at += len(line)
		}
		all = append(all, records)
	}
	for _, m := range s.members() {
		if m.value.Kind() != rawjson.Array || m.value.Len() == 0 {
			continue
		}
		l := list{path: m.path}
		for e := range m.value.Elems() {
			l.elems = append(l.elems, e.Span())
		}
		all = append(all, l)
	}
	return all
}

// rawjsonValid reports whether a text is one JSON value.
func rawjsonValid(text []byte) bool { return new(rawjson.Doc).ScanAll(text, 0, len(text)) == nil }

// eachOrder calls visit with the sources whose list has other elements.
func (s *source) eachOrder(l list, visit func(src []byte)) {
	n := len(l.elems)
	write := func(order ...int) {
		separator := []byte(",")
		if l.path == "" {
			separator = nil
		}
		var parts [][]byte
		for _, i := range order {
			parts = append(parts, s.src[l.elems[i].Start:l.elems[i].End])
		}
		visit(slices.Concat(s.src[:l.elems[0].Start], bytes.Join(parts, separator), s.src[l.elems[n-1].End:]))
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for i := 0; i < n; i += 1 + n/5 {
		write(slices.Delete(slices.Clone(all), i, i+1)...)
		write(slices.Insert(slices.Clone(all), i, i)...)
		write(i)
		if i+1 < n {
			write(slices.Concat(all[:i], []int{i + 1, i}, all[i+2:])...)
			write(all[:i+1]...)
		}
	}
	slices.Reverse(all)
	write(all...)
	write()
}

// addList adds what is read of a source, how it is recognised, and what a repair and two edits write.
func (c *checksum) addList(t *testing.T, name string, src []byte, dialect string) {
	f, err := Decode(src, "")
	if err != nil || f.Dialect.Name != dialect {
		c.add("read as another format", err)
		f, err = Decode(src, dialect)
	}
	if c.add(err); err != nil {
		return
	}
	c.addFile(f)
	c.writeTwo(t, name+", with another list", f)
	repaired, err := f.Repair(f.Dialect.Target())
	if c.add(err); err == nil {
		c.add(repaired.Out, repaired.Mended)
	}
}

// TestFixturesHeads checks how files with one record are recognised, and what is read of them, as they are and when
// a member has another name or value. A row of testdata/heads.txt has the format, the kind of the record, and the number
// of its members.
func TestFixturesHeads(t *testing.T) {
	t.Parallel()
	sums := map[string]*checksum{}
	rows := [][]string{{"record", "sum"}}
	for _, s := range smallSources(t) {
		for _, line := range bytes.SplitAfter(s.src, []byte("\n")) {
			record := source{s.name, line, s.dialect}
			if len(line) > 2_000 || len(bytes.TrimSpace(line)) == 0 || !rawjsonValid(line) {
				continue
			}
			members := record.members()
			if len(members) == 0 {
				continue
			}
			path, _, _ := strings.Cut(strings.TrimPrefix(members[0].path, "<"), ">/")
			name := fmt.Sprintf("%s/%s/%d", s.dialect, strings.Trim(path, "/"), len(members))
			if sums[name] != nil {
				continue
			}
			sum := &checksum{}
			sums[name] = sum
			sum.addHead(line)
			for _, m := range members {
				for _, e := range []rawjson.Edit{
					{Span: m.key.Span(), New: []byte(`"x"`)}, {Span: m.value.Span(), New: []byte("null")},
					{Span: m.value.Span(), New: []byte("7")}, {Span: m.value.Span(), New: []byte(`"odd"`)},
				} {
					out, err := rawjson.Apply(line, []rawjson.Edit{e})
					if err != nil {
						t.Fatal(err)
					}
					sum.addHead(out)
				}
			}
			rows = append(rows, []string{name, fmt.Sprintf("%06x", sum.sum>>8)})
		}
	}
	slices.SortFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	transcripttest.Frozen(t, "testdata/heads.txt", *update, rows)
}

// addHead adds the dialects that claim a source, and what the first of them reads.
func (c *checksum) addHead(src []byte) {
	if p, err := newProbe(src, false); err == nil {
		c.add(claimants(p))
	}
	f, err := Decode(src, "")
	if c.add(err); err == nil {
		c.addFile(f)
	}
}
