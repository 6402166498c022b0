package squeeze

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// rendered returns the pieces of a text with at least the given cue, one a line.
func rendered(text *Text, cue float32) string {
	keep := make([]bool, len(text.Pieces))
	for i, p := range text.Pieces {
		keep[i] = p.Cue >= cue
	}
	return text.Render(keep)
}

func TestCutTable(t *testing.T) {
	for _, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			text := &Text{Source: tt.source}
			if !cutTable(text) {
				t.Fatal("no table")
			}
			checkMasks(t, text, 1, func(string) {})
			if got := rendered(text, oddCue); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

var tables = []struct{ name, source, want string }{
	{
		name:   "CSV",
		source: "id,city,status,note\n" + rowsOf(1, 12, "#,Turin,sent,\"first, second\"\n") + "13,Turin,failed,\"no such\nstreet\"\n" + rowsOf(14, 20, "#,Turin,sent,\n"),
		want:   "id,city,status,note\n[12 lines omitted]\n13,Turin,failed,\"no such\nstreet\"\n[7 lines omitted]\n",
	},
	{
		name:   "TSV",
		source: "name\tsize\tok\n" + rowsOf(1, 15, "part-#\t100#\ttrue\n") + "part-16\t9\tfalse\n",
		want:   "name\tsize\tok\n[15 lines omitted]\npart-16\t9\tfalse\n",
	},
	{
		name:   "Markdown",
		source: "| case | result |\n|---|---|\n" + rowsOf(1, 12, "| open the store # | pass |\n") + "| close it | FAIL |\n",
		want:   "| case | result |\n|---|---|\n[12 lines omitted]\n| close it | FAIL |\n",
	},
	{
		name:   "psql",
		source: " id |  owner  \n----+---------\n" + rowsOf(1, 14, "  # | harbour\n") + "(14 rows)\n\n",
		want:   " id |  owner  \n----+---------\n[14 lines omitted]\n(14 rows)\n\n",
	},
	{
		name: "box",
		source: "┌──────┬───────┐\n│ port │ state │\n├──────┼───────┤\n" + rowsOf(10, 25, "│ 80#  │ open  │\n") +
			"│ 8099 │ dead  │\n└──────┴───────┘\n",
		want: "┌──────┬───────┐\n│ port │ state │\n├──────┼───────┤\n[16 lines omitted]\n│ 8099 │ dead  │\n[1 line omitted]\n",
	},
	{
		name: "docker ps",
		source: "CONTAINER ID   IMAGE        STATUS                    NAMES\n" +
			rowsOf(1, 12, "0a1b2c3d4e5f   mill:#.0     Up 3 hours                web-#\n") +
			"9f8e7d6c5b4a   mill:2.0     Exited (1) 2 hours ago    importer\n",
		want: "CONTAINER ID   IMAGE        STATUS                    NAMES\n[12 lines omitted]\n9f8e7d6c5b4a   mill:2.0     Exited (1) 2 hours ago    importer\n",
	},
	{
		name: "kubectl get pods",
		source: "NAME        READY   STATUS             RESTARTS   AGE\n" +
			rowsOf(10, 21, "mill-0#    1/1     Running            0          3d\n") +
			"mill-022    0/1     CrashLoopBackOff   17         3d\n",
		want: "NAME        READY   STATUS             RESTARTS   AGE\n[12 lines omitted]\nmill-022    0/1     CrashLoopBackOff   17         3d\n",
	},
	{
		name:   "pip list",
		source: "Package    Version\n---------- -------\n" + rowsOf(10, 20, "library#  1.#\n"),
		want:   "Package    Version\n---------- -------\n[11 lines omitted]\n",
	},
}

// rowsOf repeats a line with the numbers from..to in the place of #.
func rowsOf(from, to int, line string) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		b.WriteString(strings.ReplaceAll(line, "#", strconv.Itoa(i)))
	}
	return b.String()
}

func TestNoTable(t *testing.T) {
	for _, source := range []string{
		"",
		"func f(a int, b int, c int) {\n\tg(a, b, c)\n\th(b, c, a)\n\ti(c, a, b)\n}\n",
		"Well, yes, no.\nRed, green, blue.\nOne, two, three.\nFour, five, six.\n",
		"     1\tpackage a\n     2\t\n     3\tfunc f() {\n     4\t}\n",
		"a/b.go:12:x, y\na/b.go:13:y, z\na/b.go:14:z, x\na/b.go:15:z, w\n",
		"# Title\n\nSome text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
		"INFO started\nINFO stopped\nINFO started\nINFO stopped\n",
		"4.0K\t./a\n8.0K\t./b\n4.0K\t./c\n16K\t.\n",
		"-------------\nport  | state\n-------------\n8080  | open\n8081  | open\n8082  | dead\n",
		"Harbour      Tides\n------------------\nHigh water   comes late.\nLow water    comes early.\nSmall boats  should leave.\n",
	} {
		text := &Text{Source: source}
		if cutTable(text) {
			t.Errorf("taken for a table: %q", source)
		}
		if len(text.Pieces) > 0 || text.Kind != Plain {
			t.Errorf("changed, though it is no table: %q", source)
		}
	}
}

func FuzzCutTable(f *testing.F) {
	for i, tt := range tables {
		f.Add(tt.source, uint64(i))
	}
	f.Fuzz(func(t *testing.T, source string, seed uint64) {
		if text := (&Text{Source: source}); cutTable(text) {
			checkMasks(t, text, seed, func(string) {})
		}
	})
}

// TestHeaders checks which lines name the columns of a table.
func TestHeaders(t *testing.T) {
	for line, want := range map[string]bool{
		"CONTAINER ID   IMAGE": true, "NAME READY STATUS": true, "NAME READY": false, "NAME READY STATUS2": false, "NAME READY Status": false, "NAME READY a": false, "NAME READY z": false, "NAME READY É": false,
		"A: B C": false, "A.B C D": false, "A; B C": false, "A, B C": false, "A=B C D": false, "<A B C": false, "[A B C": false, "{A B C": false, "'A B C": false, "-A B C": false, "A -B %C": true, "": false,
	} {
		if got := capitals(line); got != want {
			t.Errorf("%q is a header in capitals: %v", line, got)
		}
	}
	for name, want := range map[string]bool{
		"a": true, "two words": true, "a.b": true, "": false, "9a": false, "a9": true, "{a": false, "a}": false, "<a": false, "a>": false, "a;": false, "a=b": false, "\"a": false, "'a": false, "`a": false, "a\tb": false,
		`a\b`: false, "a/b": false, "\xff": false, strings.Repeat("x", 40): true, strings.Repeat("x", 41): false,
	} {
		if got := columnName(name); got != want {
			t.Errorf("%q names a column: %v", name, got)
		}
	}
}

// TestFindTable checks which texts are tables, and of what form.
func TestFindTable(t *testing.T) {
	for text, want := range map[string]tableForm{
		"a,b,c\n1,2,3\n4,5,6\n7,8,9\n":                                     {body: 6, sep: ",", quoted: true},
		"a;b;c\n1;2;3\n4;5;6\n7;8;9\n":                                     {body: 6, sep: ";", quoted: true},
		"a\tb\n1\t2\n4\t5\n7\t8\n":                                         {body: 4, sep: "\t"},
		"a|b|c\n1|2|3\n4|5|6\n7|8|9\n":                                     {body: 6, sep: "|"},
		"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n":                     {body: 20, sep: "|"},
		"+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n":          {body: 30, sep: "|"},
		"a    b\n---  ---\n1    2\n3    4\n":                               {body: 16, offsets: []int{0, 5}},
		"ID    NAME  AGE\n1     x     2\n3     y     4\n5     z     6\n":   {body: 16, offsets: []int{0, 6, 12}},
		strings.Repeat("a,b,c\n", 700) + strings.Repeat("no cells\n", 700): {body: 6, sep: ",", quoted: true},
		strings.Repeat("a,b,c\n", 300) + strings.Repeat("no cells\n", 700): {},
		"a,b\n1,2\n4,5\n7,8\n":                                             {},
		"a,b,c\n1,2,3\n4,5,6\n":                                            {},
		"a,b,c\n1,2\n4,5\n7,8\n":                                           {},
		"a, b, c\nd, e, f\ng, h, i\nj, k, l\n":                             {},
		"1,2,3\n1,2,3\n4,5,6\n7,8,9\n":                                     {},
		"one line\ntwo lines\nthree lines\nfour lines\n":                   {},
	} {
		got, ok := findTable(text)
		if ok != (want.body > 0) || ok && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, ok, want)
		}
	}
}
