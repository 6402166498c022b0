package strategy

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"condense/transcript"
)

// TestCompactCases tests the TC cases of .github/CONFORMANCE.md, with the markers of this
// package. The number in a marker is exact. A marker counts as part of the text that stays.
func TestCompactCases(t *testing.T) {
	const savedNotice = "Error: result (123,456 characters) exceeds maximum allowed tokens. Output has been saved to /srv/out/result 7.txt.\n" +
		"Format: JSON array with schema: [{id: string}]\nUse offset and limit to read parts of the file, search it with grep, or process it with jq; read it to the end before you answer.\n"
	snapshot := "Page Snapshot: " + strings.Repeat("ref=abc ", 10_000)
	tests := []struct {
		name string
		text string
		max  int
		want func(string) bool
	}{
		{"TC1", strings.Repeat("a", 300_000), 200_000, func(s string) bool {
			return len(s) <= 200_000 && strings.HasSuffix(s, "\n[100,040 characters omitted]") && strings.HasPrefix(s, strings.Repeat("a", 199_960))
		}},
		{"TC2", "short", 200_000, func(s string) bool { return s == "short" }},
		{"TC3", snapshot, 16_000, func(s string) bool {
			head, tail, found := strings.Cut(s, "\n[middle of the page snapshot: 67,015 characters omitted]\n")
			return found && len(s) <= 16_500 && head == snapshot[:10_000] && tail == snapshot[len(snapshot)-3_000:]
		}},
		{"TC3, by references alone", strings.Repeat("[ref=e1] button\n", 2_000), 200_000, func(s string) bool {
			return strings.Contains(s, "[middle of the page snapshot: 19,002 characters omitted]")
		}},
		{"TC3, too short for a snapshot", snapshot[:20_000], 200_000, func(s string) bool { return s == snapshot[:20_000] }},
		// There, the rule never fires on a text that is shorter than the limit.
		{"TC4", savedNotice, 500, func(s string) bool {
			return s == savedNotice[:strings.Index(savedNotice, "Use offset")]+"[rest of the notice of /srv/out/result 7.txt omitted]"
		}},
		{"TC4, in the middle of something else", strings.Repeat("a line\n", 10) + savedNotice, 500, func(s string) bool {
			return s == strings.Repeat("a line\n", 10)+savedNotice
		}},
		{"a cut does not end in a tag", strings.Repeat("x", 900) + "<a href='" + strings.Repeat("y", 500) + "'>", 1_000, func(s string) bool {
			return s == strings.Repeat("x", 900)+"\n[511 characters omitted]"
		}},
		{"an open bracket far before the cut", "1 < 2 " + strings.Repeat("x", 9_000), 5_000, func(s string) bool {
			return strings.HasPrefix(s, "1 < 2 "+strings.Repeat("x", 4_900))
		}},
		{"a cut does not begin an object", strings.Repeat("x", 940) + `{"a": "` + strings.Repeat("y", 500), 1_000, func(s string) bool {
			return s == strings.Repeat("x", 940)+"\n[507 characters omitted]"
		}},
		{"characters, not bytes", strings.Repeat("界", 1_000), 1_000, func(s string) bool { return s == strings.Repeat("界", 1_000) }},
		{"characters stay whole", strings.Repeat("👩‍👩‍👧‍👦", 300), 1_000, func(s string) bool {
			text, _, _ := strings.Cut(s, "\n[")
			return text == strings.Repeat("👩‍👩‍👧‍👦", 960/7)
		}},
		{"no room", "some text", 3, func(s string) bool { return s == "[9 characters omitted]" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := compact(tt.text, page, tt.max)
			if !tt.want(got) {
				t.Errorf("%d characters: %.200q … %q", utf8.RuneCountInString(got), got, got[max(0, len(got)-200):])
			}
			if again := compact(got, page, tt.max); tt.max > 100 && again != got {
				t.Errorf("a second call changes the text: %.200q", again)
			}
		})
	}
}

func TestCleanPage(t *testing.T) {
	image := "data:image/png;base64," + strings.Repeat("iVBOR", 20) + "=="
	tests := []struct{ name, text, want string }{
		{"styles and scripts", "<!DOCTYPE html><style>a {}</style><p>x</p><SCRIPT src='a'>\nvar a = '<b>'\n</SCRIPT >y", "<!DOCTYPE html>[style omitted]<p>x</p>[script omitted]y"},
		{"blank lines", "<html>\n\n \t\n<p>\r\n\r\n</p>", "<html>\n<p>\r\n</p>"},
		{"base64", "<body><img src=\"" + image + "\"></body>", "<body><img src=\"[image/png base64 omitted]\"></body>"},
		{"base64 in other texts", `{"logo": "` + image + `", "n": 1}`, `{"logo": "[image/png base64 omitted]", "n": 1}`},
		{"too little to be a file", "<body>data:image/png;base64,iVBOR", "<body>data:image/png;base64,iVBOR"},
		{"no page", "<style>a {}</style>\n\n\nx", "<style>a {}</style>\n\n\nx"},
		{"never closed", "<html><script>a\nb", "<html><script>a\nb"},
	}
	for _, tt := range tests {
		if got := compact(tt.text, page, maxResults); got != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
		if got := compact(tt.text, file, maxResults); got != tt.text {
			t.Errorf("%s: a file was changed: %q", tt.name, got)
		}
	}
}

// TestCompactMessage tests TC5 and TC6 of .github/CONFORMANCE.md. It also checks that a
// result that is a string is compacted like others.
func TestCompactMessage(t *testing.T) {
	a, b := strings.Repeat("a", 100_000), strings.Repeat("b", 150_000)
	b100 := b[:100_000-40] + "\n[50,040 characters omitted]"
	tests := []struct {
		name    string
		content []any
		want    string
	}{
		// There, text after the limit is removed without a marker.
		{"TC5", []any{withText(withImage(withText(result("1", a), b)), b[:500])}, "0.0.1 " + b100 + "|0.0.3 [500 characters omitted]"},
		{"TC5-old", []any{withText(result("1", a), b)}, "0.0.1 " + b100},
		{"TC5, less than a marker", []any{withText(withText(result("1", a), b), "the end")}, "0.0.1 " + b100},
		{"TC5, a result each", []any{result("1", a), result("2", b)}, "0.1.-1 " + b100},
		// Images are for --images to remove.
		{"TC6-old", []any{withText(withImage(empty("1")), "x")}, ""},
		{"a head stays", []any{headed("1", "[fetch] Result:", a+b)}, "0.0.1 " + a + b[:100_000-40] + "\n[50,040 characters omitted]"},
		{"pinned", []any{quoting(result("1", a+b))}, ""},
		{"fixed", []any{fixed(result("1", a+b))}, ""},
		{"a marker", []any{result("1", a+b), result("2", "[x omitted]")}, "0.0.-1 " + a + b[:100_000-40] + "\n[50,040 characters omitted]"},
		{"no result", []any{a + b + b}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputFor(conv(user(tt.content...)), Options{}, 0)
			in.Tokens = bytes // by words, a text of 100,000 letters would be one token
			var got []string
			for _, e := range compactMessage(in, in.Conv.Messages[0], maxResults) {
				got = append(got, fmt.Sprintf("%d.%d.%d %s", e.At.Msg, e.At.Block, e.At.Part, e.Text))
			}
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("got %d bytes, want %d: %.60q … %q", len(s), len(tt.want), s, s[max(0, len(s)-60):])
			}
		})
	}
}

func TestPrinted(t *testing.T) {
	tests := []struct {
		tool, arg string
		want      contents
	}{
		{"Bash", "command=go test ./...", log}, {"execute_command", "command=make && ./run", log}, {"shell", "command=pip install category", log},
		{"Bash", "command=cat a.go", file}, {"Bash", "command=cd x; sed -n 1,5p a.go", file}, {"Bash", "command=git show HEAD", file},
		{"Bash", "command=make | tail -5", file}, {"exec_command", "cmd=(head -3 a)", file},
		{"Read", "path=a.html", file}, {"view_file", "path=a", file},
		{"WebFetch", "url=https://example.org", page}, {"browser_snapshot", "", page},
		{"read_many_files", "paths=a", file}, {"str_replace_editor", "command=view", file}, {"", "", file},
	}
	for _, tt := range tests {
		if got := printed(call("1", tt.tool, tt.arg), result("1", "")); got != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.tool, tt.arg, got, tt.want)
		}
	}
	if got := printed(prose("1", "execute_command", "<command>cat a.go</command>"), result("1", "")); got != file {
		t.Errorf("a command in prose: %d", got)
	}
	lost := result("1", "")
	if lost.Tool = "Bash"; printed(nil, lost) != file {
		t.Error("the output of a shell without its command does not count as a file")
	}
}

// TestRoomFor checks that Aggression lowers the limit for older rounds, and not for the
// last ones.
func TestRoomFor(t *testing.T) {
	tests := []struct {
		before     int
		aggression float64
		want       int
	}{
		{0, 0, 200_000}, {99, 0, 200_000}, {0, 1, 200_000}, {2, 1, 200_000}, {3, 1, 100_000}, {10, 1, 25_000}, {20, 1, 2_000}, {99, 1, 2_000},
		{20, 0.5, 25_000}, {99, 0.1, 200_000}, {99, 0.2, 100_000},
	}
	for _, tt := range tests {
		if got := roomFor(tt.before, tt.aggression); got != tt.want {
			t.Errorf("%d rounds before the last, aggression %v: %d, want %d", tt.before, tt.aggression, got, tt.want)
		}
	}
}

// TestCompactResults checks that layer 1 compacts the oldest results first, and stops when
// it has saved enough.
func TestCompactResults(t *testing.T) {
	site := "<html><style>" + lines(20) + "</style>x"
	var msgs []*transcript.Message
	for i := range 3 {
		msgs = append(msgs, round(fmt.Sprint(i), "WebFetch", "url=u", site)...)
	}
	c := conv(append([]*transcript.Message{user("begin")}, append(msgs, user("end"))...)...)
	const shorter = "<html>[style omitted]x"
	in := inputFor(c, Options{ProgressiveOptions: ProgressiveOptions{L1: 0.4}}, total(c)-1)
	wantEdits(t, propose(t, Progressive.Layers[0], in), "2.0 "+shorter)
	in = inputFor(c, Options{ProgressiveOptions: ProgressiveOptions{L1: 0.4}}, 1)
	wantEdits(t, propose(t, Progressive.Layers[0], in), "2.0 "+shorter, "4.0 "+shorter, "6.0 "+shorter)
}

// TestCompactResultsOfShells checks that all names of shell tools lead to the same edits.
func TestCompactResultsOfShells(t *testing.T) {
	edits := func(tool string) []transcript.Edit {
		msgs := append([]*transcript.Message{user("begin")}, round("1", tool, "command=make deploy", progress(1, 40))...)
		c := conv(append(msgs, user("end"))...)
		return propose(t, Progressive.Layers[0], inputFor(c, Options{ProgressiveOptions: ProgressiveOptions{L1: 0.4}}, 1))
	}
	want := edits("bash")
	if len(want) != 1 {
		t.Fatalf("edits of bash: %v", want)
	}
	for _, tool := range []string{"Bash", "powershell", "run_in_terminal", "container.exec", "mcp__host__execute_command", "run"} {
		if got := edits(tool); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", tool, got, want)
		}
	}
}

// FuzzCompact checks that compacted texts are no longer than max, that they are valid
// UTF-8, and that a second call does not change them.
func FuzzCompact(f *testing.F) {
	for _, seed := range []string{
		"a\na\na\na\n", "<html>\n\n<style>x</style>", "page snapshot ref=1", "1%\n2%\n3%\n4%\n", "\x1b[31mred\x1b[0m", "👩‍👩‍👧‍👦 {<",
		"Error: result (1 characters) exceeds maximum allowed tokens. Output saved to /a.\nx", "data:a/b;base64,AAAA",
	} {
		f.Add(seed, 3, uint8(0), 100)
	}
	f.Add("\x1bA0A\x1b[", 3, uint8(1), 100)
	f.Add("<html \n <000000000000000000000", 26, uint8(0), 100)
	f.Fuzz(func(t *testing.T, seed string, times int, of uint8, room int) {
		text := strings.Repeat(seed, 1+max(0, times)%(1+40_000/(1+len(seed))))
		room = 100 + max(0, room)%5_000
		got := compact(text, contents(of%3), room)
		if n := utf8.RuneCountInString(got); n > max(room, len("[rest of the notice of  omitted]")+2*len(text)) {
			t.Errorf("%d characters in a room of %d", n, room)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("invalid: %q", got)
		}
		if again := compact(got, contents(of%3), room); again != got {
			t.Errorf("a second call returns\n%.2000q\nfor\n%.2000q", again, got)
		}
	})
}
