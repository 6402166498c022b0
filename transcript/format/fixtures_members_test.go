package format

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/transcripttest"
)

// An oddity is a kind of changes of a member: each returns the new key and value. A result of "" stays as it is;
// without both, there is no change.
type oddity struct {
	name    string // of the column
	changes []func(key, value string) (newKey, newValue string)
}

// oddMembers are the columns of testdata/members.txt.
var oddMembers = []oddity{
	{"name", []func(string, string) (string, string){
		func(string, string) (string, string) { return "x", "" },
		func(key, _ string) (string, string) { return respelled(key), "" },
	}},
	{"plain", values("null", "true", "7", `""`, `"odd"`)},
	{"nested", append(values(`["odd"]`, `{"odd":1}`), func(_, value string) (string, string) { return "", "[" + value + "," + value + "]" })},
}

// nearMembers are the columns of testdata/near.txt. The new texts are like the old ones.
var nearMembers = []oddity{
	{"number", values("0", "-1")},
	{"text", []func(string, string) (string, string){
		func(_, value string) (string, string) {
			return "", nearText(value, func(s string) string { return s[:len(s)/2] })
		},
		func(_, value string) (string, string) {
			return "", nearText(value, func(s string) string { return s + "x" })
		},
		func(_, value string) (string, string) {
			return "", nearText(value, func(s string) string { return " \n" + s + "\n\n" + s })
		},
	}},
	{"case", []func(string, string) (string, string){
		func(_, value string) (string, string) { return "", nearText(value, strings.ToUpper) },
	}},
}

// nearText returns a string after a change, and "" for other values.
func nearText(value string, change func(string) string) string {
	s, err := strconv.Unquote(value)
	if err != nil || s == "" {
		return ""
	}
	return string(rawjson.Style{}.Quote(strings.ToValidUTF8(change(s), "")))
}

// values returns changes that replace the value of a member.
func values(list ...string) (changes []func(key, value string) (string, string)) {
	for _, v := range list {
		changes = append(changes, func(string, string) (string, string) { return "", v })
	}
	return changes
}

// respelled returns a name in camel case for one in snake case, and the reverse.
func respelled(key string) (name string) {
	for i, word := range strings.Split(key, "_") {
		if i > 0 && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		name += word
	}
	if name != key {
		return name
	}
	return strings.ToLower(capital.ReplaceAllString(key, "_$0"))
}

var capital = regexp.MustCompile("[A-Z]")

// TestFixturesMembers checks what is read and written of sources in which one member has another name, or a value
// of another kind, for each member that a format has in a fixture or in an archive. A row of testdata/members.txt
// has the format and the member, and checksums for each kind of change. -update rewrites it.
func TestFixturesMembers(t *testing.T) { checkMembers(t, "testdata/members.txt", oddMembers) }

// TestFixturesNear does the same with values that differ little from those of the member.
func TestFixturesNear(t *testing.T) { checkMembers(t, "testdata/near.txt", nearMembers) }

// smallSources returns the sources that are read, and are not large, the smallest first.
func smallSources(t *testing.T) (all []source) {
	for name, src := range sources(t) {
		if f, err := Decode(src, ""); err == nil && len(src) < 16_000 {
			all = append(all, source{name, src, f.Dialect.Name})
		}
	}
	slices.SortStableFunc(all, func(a, b source) int { return cmp.Compare(len(a.src), len(b.src)) })
	return all
}

func checkMembers(t *testing.T, file string, oddities []oddity) {
	t.Parallel()
	seen := map[string]bool{}
	sums := map[string][]checksum{}
	var names []string
	for _, s := range smallSources(t) {
		for _, m := range s.members() {
			path := s.dialect + " " + m.path
			if seen[path] {
				continue
			}
			seen[path] = true
			name := s.dialect + path[strings.LastIndexByte(path, '/'):]
			if sums[name] == nil {
				sums[name] = make([]checksum, len(oddities))
				names = append(names, name)
			}
			for i, odd := range oddities {
				for _, change := range odd.changes {
					key, value := change(m.key.Str(), string(m.value.Raw()))
					if key != "" || value != "" {
						sums[name][i].addOdd(t, s, m, key, value)
					}
				}
			}
		}
	}
	rows := [][]string{{"member"}}
	for _, odd := range oddities {
		rows[0] = append(rows[0], odd.name)
	}
	slices.Sort(names)
	for _, name := range names {
		row := []string{name}
		for _, c := range sums[name] {
			row = append(row, fmt.Sprintf("%04x", c.sum>>16))
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, file, *update, rows)
}

// addOdd adds what is read and written of a source with another key or value in the place of a member.
func (c *checksum) addOdd(t *testing.T, s source, m placed, key, value string) {
	e := rawjson.Edit{Span: m.value.Span(), New: []byte(value)}
	if key != "" {
		e = rawjson.Edit{Span: m.key.Span(), New: strconv.AppendQuote(nil, key)}
	}
	out, err := rawjson.Apply(s.src, []rawjson.Edit{e})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Decode(out, "")
	if err != nil || f.Dialect.Name != s.dialect {
		c.add("read as another format", err)
		f, err = Decode(out, s.dialect)
	}
	if c.add(err); err == nil {
		c.addFile(f)
		c.writeTwo(t, fmt.Sprintf("%s with %s%s in the place of %s", s.name, key, value, m.path), f)
	}
}

// writeTwo adds the outputs without the unit in the middle of the first conversation, and with a new message there.
func (c *checksum) writeTwo(t *testing.T, name string, f *File) {
	if len(f.Convs) == 0 {
		return
	}
	units := f.Convs[0].Units()
	if len(units) == 0 {
		return
	}
	var drops []transcript.Edit
	for _, id := range units[len(units)/2].Msgs {
		drops = append(drops, transcript.Edit{At: transcript.At(id), Op: transcript.Drop})
	}
	c.write(t, name, f, 0, drops)
	c.write(t, name, f, 0, []transcript.Edit{insert(units[len(units)/2].Msgs[0], transcript.User, "a note")})
}

// A source is a source of a test, and the format that it is recognised as.
type source struct {
	name    string
	src     []byte
	dialect string
}

// placed is a member of an object. Its path has the kinds of objects, and no places in lists.
type placed struct {
	path       string
	key, value rawjson.Value
}

// members returns the members of a source.
func (s *source) members() (list []placed) {
	var walk func(path string, v rawjson.Value)
	walk = func(path string, v rawjson.Value) {
		if kind := cmp.Or(v.Get("type").Str(), v.Get("role").Str(), v.Get("kind").Str()); kind != "" {
			path += "<" + kind + ">"
		}
		for key, value := range v.Members() {
			at := path + "/" + key.Str()
			list = append(list, placed{at, key, value})
			walk(at, value)
		}
		for e := range v.Elems() {
			walk(path, e)
		}
	}
	for at := rawjson.SkipBOM(s.src); len(bytes.TrimSpace(s.src[at:])) > 0; {
		doc := new(rawjson.Doc)
		end, err := doc.Scan(s.src, at, len(s.src))
		if err != nil {
			break
		}
		walk("", doc.Root())
		at = end
	}
	return list
}
