package format

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
	"condense/transcript/transcripttest"
	"condense/transcript/transcripttest/mutate"
)

// TestFixtures compares what is read of each fixture and of each case of the archives, and what some edits
// write, with testdata/fixtures.txt. A line has the facts that people can check, and checksums of the rest: of
// all that is read, and of the outputs without each unit, with texts cut in half, and with new messages.
// A change of one of them shows in the lines of the fixtures that it concerns. -update rewrites the file.
func TestFixtures(t *testing.T) {
	if !*update {
		checkLines(t, 0, func(name string, src []byte, line string) string {
			_, sum, _ := strings.Cut(line, ", damaged ")
			return described(t, name, src) + ", damaged " + sum
		})
		return
	}
	var lines []string
	for name, src := range sources(t) {
		lines = append(lines, fmt.Sprintf("%s: %s, damaged %08x\n", name, described(t, name, src), damaged(t, name, src)))
	}
	if err := os.WriteFile(fixtureLines, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFixturesDamagedFirst compares the checksums of sources with damage, for a third of them. Three tests share
// this work, because scripts/mutate leaves out a test that takes more than 5 seconds of processor time.
func TestFixturesDamagedFirst(t *testing.T) { checkDamaged(t, 1) }

// TestFixturesDamagedSecond does the same with the second third.
func TestFixturesDamagedSecond(t *testing.T) { checkDamaged(t, 2) }

// TestFixturesDamagedThird does the same with the rest.
func TestFixturesDamagedThird(t *testing.T) { checkDamaged(t, 3) }

// fixtureLines is the file with what is known of each source.
const fixtureLines = "testdata/fixtures.txt"

func checkDamaged(t *testing.T, third int) {
	t.Parallel()
	if *update {
		t.Skip("TestFixtures writes the file")
	}
	checkLines(t, third, func(name string, src []byte, line string) string {
		known, _, _ := strings.Cut(line, ", damaged ")
		return fmt.Sprintf("%s, damaged %08x", known, damaged(t, name, src))
	})
}

// checkLines compares what is known of each source, or of those of one third, with its line of the file.
// describe is called with that line, without the name.
func checkLines(t *testing.T, third int, describe func(name string, src []byte, line string) string) {
	t.Helper()
	data, err := os.ReadFile(fixtureLines)
	if err != nil {
		t.Fatal(err)
	}
	lines, n := strings.SplitAfter(string(data), "\n"), 0
	for name, src := range sources(t) {
		if n++; third > 0 && n%3 != third-1 {
			continue
		}
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, name+": ") })
		if i < 0 {
			t.Errorf("no line for %s: run go test -run TestFixtures -update", name)
			continue
		}
		want := strings.TrimSuffix(strings.TrimPrefix(lines[i], name+": "), "\n")
		if got := describe(name, src, want); got != want {
			t.Errorf("%s: got\n\t%s\nwant\n\t%s", name, got, want)
		}
	}
	if n != len(lines)-1 {
		t.Errorf("%d sources, and %d lines: run go test -run TestFixtures -update", n, len(lines)-1)
	}
}

// sources returns the fixtures and the inputs of the archives by their names.
func sources(t testing.TB) iter.Seq2[string, []byte] {
	t.Helper()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	return func(yield func(string, []byte) bool) {
		for name, src := range transcripttest.Fixtures(t, "../../testdata") {
			if !yield(name, src) {
				return
			}
		}
		for _, path := range archives {
			archive, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, files := parseArchive(archive)
			for _, f := range files {
				if strings.HasSuffix(f.name, "/input") && !yield(filepath.Base(path)+" "+f.caseName(), []byte(strings.TrimSuffix(f.text, "\n"))) {
					return
				}
			}
		}
	}
}

// described returns the line of a source.
func described(t *testing.T, name string, src []byte) string {
	f, err := Decode(src, "")
	if err != nil {
		return "refused: " + err.Error()
	}
	visible, hidden, read := 0, 0, checksum{}
	kinds := map[transcript.Kind]int{}
	models := map[string]bool{}
	for _, c := range f.Convs {
		for _, m := range c.Messages {
			if visible++; m.Hidden {
				visible, hidden = visible-1, hidden+1
			}
			if m.Model() != "" {
				models[m.Model()] = true
			}
			for _, b := range m.Blocks {
				kinds[b.Kind]++
			}
		}
	}
	read.addFile(f)
	line := fmt.Sprintf("%s, %d conversations, %d+%d messages, %v", f.Dialect.Name, len(f.Convs), visible, hidden, kinds)
	for _, s := range []struct{ what, is string }{{"models", strings.Join(sorted(models), " ")}, {"folder", f.Folder()}, {"column", f.Column}} {
		if s.is != "" {
			line += ", " + s.what + " " + s.is
		}
	}
	return line + fmt.Sprintf("; read %08x, ", read.sum) + outputs(t, name, f)
}

// outputs returns checksums of what some edits of the first conversations write.
func outputs(t *testing.T, name string, f *File) string {
	var without, halved, more, other checksum
	for i, c := range f.Convs[:min(len(f.Convs), 3)] {
		units := c.Units()
		for k := 0; k < len(units); k += 1 + len(units)/8 {
			var drops []transcript.Edit
			for _, id := range units[k].Msgs {
				drops = append(drops, transcript.Edit{At: transcript.At(id), Op: transcript.Drop})
			}
			without.write(t, name, f, i, drops)
		}
		var cuts []transcript.Edit
		for ref, b := range c.Blocks() {
			for n, p := range b.Parts {
				if ref.Part = n; !b.Fixed && b.Kind != transcript.Thinking && p.Media == nil && !p.Number && p.Head == 0 && len(p.Text) > 8 {
					cuts = append(cuts, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: half(p.Text)})
				}
			}
		}
		halved.write(t, name, f, i, cuts)
		if len(units) > 0 {
			first := units[len(units)/2].Msgs[0]
			var several []transcript.Edit
			for _, role := range []transcript.Role{transcript.User, transcript.Assistant, transcript.System} {
				two := []transcript.Edit{insert(first, role, "a \"note\""), insert(transcript.End, role, "another")}
				several = append(several, two...)
				more.write(t, name, f, i, two)
			}
			more.write(t, name, f, i, several)
		}
	}
	out, err := f.Rename("b6a2f1c0-0000-4000-8000-000000000000")
	other.add(out, err, f.NewSessionID())
	out, ok := f.WithoutRows(func(i int) bool { return i%2 == 1 })
	other.add(out, ok)
	if repaired, err := f.Repair(f.Dialect.Target()); err == nil {
		other.add(repaired.File.Source(), repaired.Mended)
	}
	for _, snapshots := range []bool{false, true} {
		if trimmed, left, err := f.Trim(snapshots); err == nil {
			other.add(trimmed.Source(), left)
		}
	}
	other.addUses(t, name, f)
	return fmt.Sprintf("without %08x, halved %08x, more %08x, other %08x", without.sum, halved.sum, more.sum, other.sum)
}

// A checksum is a checksum of values.
type checksum struct{ sum uint32 }

func (c *checksum) add(values ...any) {
	for _, v := range values {
		if b, ok := v.([]byte); ok {
			c.sum = crc32.Update(c.sum, crc32.IEEETable, b)
		} else {
			c.sum = crc32.Update(c.sum, crc32.IEEETable, fmt.Appendf(nil, "%v\n", v))
		}
	}
}

// addFile adds all that is read of a file.
func (c *checksum) addFile(f *File) {
	for _, conv := range f.Convs {
		c.add(strings.Join(show(conv), "\n"), strings.Join(flags(conv), "\n"))
		for _, m := range conv.Messages {
			c.add(m.Model())
			for _, b := range m.Blocks {
				for _, p := range b.Parts {
					if c.add(p.Name, b.Origin); p.Media != nil {
						c.add(p.Media.Type, p.Media.Data)
					}
				}
			}
		}
	}
	c.add(f.Faults, f.Check(f.Dialect.Target()), f.Check(&rules.Any), f.Unknown(), f.RepeatedKeys(), f.Bloat(), f.Started())
}

// addUses adds what commands other than run ask of a file.
func (c *checksum) addUses(t *testing.T, name string, f *File) {
	all := slices.Repeat([]bool{true}, len(f.Convs))
	if prepared, mended, err := f.Prepare(all); err == nil {
		c.add(prepared.Source(), mended)
	}
	if paired, mended, err := f.PairByPosition(f.Dialect.Target()); err == nil {
		c.add(paired.Source(), mended)
	}
	for i, conv := range f.Convs[:min(len(f.Convs), 3)] {
		if f.layouts[i].Chain != nil {
			c.add(f.Unlinked(i))
		}
		for _, m := range conv.Messages {
			c.add(f.Line(i, transcript.At(m.ID)))
		}
		units := conv.Units()
		if tagged, err := f.With(Options{Tag: true}); err == nil && len(units) > 1 {
			edits := []transcript.Edit{insert(units[len(units)/2].Msgs[0], transcript.Assistant, "what was before")}
			for _, u := range units[len(units)/4 : len(units)/2] {
				for _, id := range u.Msgs {
					edits = append(edits, transcript.Edit{At: transcript.At(id), Op: transcript.Drop})
				}
			}
			c.write(t, name, tagged, i, edits)
		}
	}
	src, middle := f.Source(), f.Len()/2
	for _, ends := range [][2][]byte{{src, nil}, {src[:middle:middle], src[middle:]}} {
		if g, err := Glance(ends[0], ends[1], f.Dialect.Name); err == nil {
			c.add(g.ID, g.Model, g.Folder, g.First, g.Usage != nil, g.Answers, g.Last)
			if g.Usage != nil {
				c.add(*g.Usage)
			}
		}
	}
	if chunks, whole, err := Split(src, "", f.Len()/3); chunks == nil {
		c.add("whole", whole != nil, err)
	} else {
		c.add(chunks.Len(), chunks.Dialect().Name, chunks.Tail(), chunks.Conversations(func(conv *transcript.Conversation) { c.add(show(conv)) }))
	}
}

// half returns every other line of a text, or half of one line.
func half(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) == 1 {
		return strings.ToValidUTF8(text[:len(text)/2], "") + "…"
	}
	out := ""
	for i := 0; i < len(lines); i += 2 {
		out += lines[i]
	}
	return out
}

// damaged returns a checksum of what is read of a source with random damage, and of what the same edits write.
func damaged(t *testing.T, name string, src []byte) uint32 {
	var all checksum
	for seed := range uint64(20) {
		src, _ := mutate.Source(rand.New(rand.NewPCG(seed, 0)), src)
		all.add(described(t, name+", damaged", src))
	}
	return all.sum
}

// write adds the output of edits of conversation i. Edits that a conversation does not allow add only that
// fact.
func (c *checksum) write(t *testing.T, name string, f *File, i int, edits []transcript.Edit) {
	next, err := f.Convs[i].Apply(edits)
	if err != nil {
		c.add("not allowed")
		return
	}
	final := slices.Clone(f.Convs)
	final[i] = next
	out, err := f.Bytes(final)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if c.add(out); len(edits) == 0 && !bytes.Equal(out, f.Source()) {
		t.Errorf("%s: changed without edits", name)
	}
}

func sorted(set map[string]bool) (list []string) {
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
