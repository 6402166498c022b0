package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"condense/cmd/stash"
)

// put adds a run to a store that turned in into out.
func put(t *testing.T, s *stash.Store, file, in, out string, texts ...stash.Text) {
	t.Helper()
	if _, err := s.Put(t.Context(), stash.Run{File: file, Format: "f", How: "h", In: []byte(in), Out: []byte(out), Texts: texts}); err != nil {
		t.Fatal(err)
	}
}

// shown returns a text whose id a marker shows.
func shown(id, text string) stash.Text {
	return stash.Text{ID: id, Number: id + "000", Conversation: 1, Message: 3, Block: 1, What: "tool result Read a.go", Text: text, Shown: true}
}

// answers checks the texts of a result, or the beginning of the error after a "!" in want.
func answers(t *testing.T, r *sdk.CallToolResult, err error, want string) {
	t.Helper()
	if fault, refused := strings.CutPrefix(want, "!"); refused {
		if err == nil || !strings.HasPrefix(err.Error(), fault) {
			t.Errorf("got %v, want %s", err, fault)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := joined(r); got != want {
		t.Errorf("got  %.300q\nwant %.300q", got, want)
	}
}

// joined returns the texts of a result.
func joined(r *sdk.CallToolResult) string {
	var parts []string
	for _, c := range r.Content {
		parts = append(parts, c.(*sdk.TextContent).Text)
	}
	return strings.Join(parts, "\n")
}

func TestExpand(t *testing.T) {
	store := &stash.Store{Dir: t.TempDir()}
	long := strings.Repeat("é", mostText) // two bytes each
	put(t, store, "a", "input of a", "output of a", shown("111111", "one\n\ttwo \n"), shown("222222", "  three"), shown("333333", long),
		stash.Text{ID: "444444", Number: "444444000", Of: []string{"111111", "222222"}, Shown: true},
		stash.Text{ID: "555555", Number: "555555000", Of: []string{"222222", "333333"}, Shown: true},
		stash.Text{ID: "121212", Number: "121212000", Of: []string{"131313"}, Shown: true})
	put(t, store, "a", "output of a", "second output of a",
		stash.Text{ID: "666666", Number: "666666000", Of: []string{"777777", "111111"}, Shown: true}, stash.Text{ID: "777777", Number: "777777000", Text: "four", Message: 1})
	put(t, store, "b", "input of b", "output of b", shown("888888", "of b"))
	s := &Session{Store: store, File: func(context.Context) ([]byte, error) { return []byte("second output of a"), nil }}
	const name = "message 3, tool result Read a.go, "
	tests := []struct {
		id   string
		from int
		want string // an error begins with "!"; a long text is cut
	}{
		{"111111", 0, name + "10 bytes:\none\n\ttwo \n"},
		{"#111111", 0, name + "10 bytes:\none\n\ttwo \n"},
		{"111111", 4, name + "10 bytes:\n\ttwo \n"},
		{"111111", 10, name + "10 bytes:\n"},
		{"121212", 0, "!the texts of 121212 are no longer in the stash"},
		{"444444", 0, name + "10 bytes:\none\n\ttwo \n\n" + name + "7 bytes:\n  three"},
		{"555555", 0, name + "7 bytes:\n  three\nLeft out: 1 text. Call expand with the id of each:\n333333 " + name + "80,000 bytes\n"},
		{"666666", 0, "message 1, 4 bytes:\nfour\n" + name + "10 bytes:\none\n\ttwo \n"},
		{"333333", 0, name + "80,000 bytes:\n" + long[:mostText] + "\nLeft out: bytes 40000 to 80000 of 80000. Call expand with id 333333 and from 40000 for the rest."},
		{"333333", 40_000, name + "80,000 bytes:\n" + long[:mostText]},
		{"333333", 1, name + "80,000 bytes:\n" + long[:mostText] + "\nLeft out: bytes 40000 to 80000 of 80000. Call expand with id 333333 and from 40000 for the rest."},
		{"333333", 90_000, "!from is 90000, and the text has 80000 bytes"},
		{"444444", 3, "!from goes with the id of one text"},
		{"888888", 0, "!the id 888888 belongs to another session"},
		{"999999", 0, "!no removed text of this session has the id 999999"},
		{"../../etc/passwd", 0, `!"../../etc/passwd" is no id`},
		{"/etc/passwd", 0, `!"/etc/passwd" is no id`},
		{"111111/../888888", 0, `!"111111/../888888" is no id`},
		{"111111*", 0, `!"111111*" is no id`},
		{"1111", 0, `!"1111" is no id`},
		{"", 0, `!"" is no id`},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.id, "+", tt.from), func(t *testing.T) {
			r, _, err := s.expand(t.Context(), nil, expandInput{tt.id, tt.from})
			answers(t, r, err, tt.want)
		})
	}
}

func TestSearch(t *testing.T) {
	store := &stash.Store{Dir: t.TempDir()}
	put(t, store, "a", "input of a", "output of a", shown("111111", "one\nTwo, two"), shown("222222", strings.Repeat("row\n", 60)+strings.Repeat("x", 500)+"needle"+strings.Repeat("y", 500)))
	put(t, store, "a", "output of a", "less of a", shown("111111", "one\nTwo, two")) // the text was put back, and removed again
	put(t, store, "b", "input of b", "output of b", shown("888888", "secret of b"))
	s := &Session{Store: store, File: func(context.Context) ([]byte, error) { return []byte("less of a"), nil }}
	const one, two = "111111 message 3, tool result Read a.go, 12 bytes: ", "222222 message 3, tool result Read a.go, 1,246 bytes: "
	tests := []struct {
		pattern string
		ignore  bool
		want    string // an error begins with "!"
	}{
		{"^o", false, "1 line matches in 2 removed texts of this session:\n" + one + "one"},
		{"TWO", true, "1 line matches in 2 removed texts of this session:\n" + one + "Two, two"},
		{"two", false, "1 line matches in 2 removed texts of this session:\n" + one + "Two, two"},
		{"TWO", false, "No line matches in 2 removed texts of this session.\n"},
		{"secret", false, "No line matches in 2 removed texts of this session.\n"},
		{"../../etc/passwd", false, "No line matches in 2 removed texts of this session.\n"},
		{"/etc/pass", false, "No line matches in 2 removed texts of this session.\n"},
		{"needle", false, "1 line matches in 2 removed texts of this session:\n" + two + "…" + strings.Repeat("x", 100) + "needle" + strings.Repeat("y", 194) + "… (1006 bytes in all)"},
		{"row", false, "60 lines match in 2 removed texts of this session. The first 50 follow, the others are left out: use a narrower pattern.\n" + strings.TrimSuffix(strings.Repeat(two+"row\n", 50), "\n")},
		{"", false, "!the pattern is empty"},
		{`(a)\1`, false, "!the pattern is not RE2 syntax"},
		{`(?=a)`, false, "!the pattern is not RE2 syntax"},
		{`(a{1000}){1000}`, false, "!the pattern is not RE2 syntax"},
		{"a\nb", false, "!the pattern has a line break"},
		{"a\x00b", false, "!the pattern has a line break or a NUL"},
		{strings.Repeat("a", 1001), false, "!the pattern has 1001 bytes"},
		{strings.Repeat("a", 1000), false, "No line matches in 2 removed texts of this session.\n"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.20q", tt.pattern), func(t *testing.T) {
			r, _, err := s.search(t.Context(), nil, searchInput{tt.pattern, tt.ignore})
			answers(t, r, err, tt.want)
		})
	}
}

// TestSession checks which entries belong to a session.
func TestSession(t *testing.T) {
	store := &stash.Store{Dir: t.TempDir()}
	all := &Session{Store: store}
	of := func(file string) *Session {
		return &Session{Store: store, File: func(context.Context) ([]byte, error) { return []byte(file), nil }}
	}
	refused := func(s *Session, want string) {
		t.Helper()
		if _, _, err := s.search(t.Context(), nil, searchInput{Pattern: "x"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	refused(of("output of a\n"), "no run with this stash has written the session")
	put(t, store, "a", "input of a\n", "output of a\n", shown("111111", "x"))
	for _, s := range []*Session{all, of("output of a\n"), of("output of a\nmore\n")} {
		r, _, err := s.search(t.Context(), nil, searchInput{Pattern: "x"})
		if err != nil || !strings.HasPrefix(joined(r), "1 line") {
			t.Error(r, err)
		}
	}
	refused(&Session{Store: store, File: func(context.Context) ([]byte, error) { return nil, errors.New("gone") }}, "gone")
	refused(of("another"), "no run with this stash has written the session")
	put(t, store, "b", "input of b", "output of b", shown("222222", "x"))
	refused(all, "the stash has runs of 2 files")
	places, err := os.ReadDir(store.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		path := store.Dir + "/" + p.Name()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data[:len(data)-2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused(of("output of a\n"), "cannot be read")
	for _, p := range places {
		if err := os.WriteFile(store.Dir+"/"+p.Name(), []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused(&Session{Store: &stash.Store{Dir: store.Dir + "/" + places[0].Name()}}, "cannot be read")
	if _, _, err := of("output of a\n").expand(t.Context(), nil, expandInput{ID: "111111"}); err == nil {
		t.Error("a damaged entry was read")
	}
}

// TestLeft checks that a result which leaves out many texts names the first, and counts the others.
func TestLeft(t *testing.T) {
	var texts []stash.Text
	for i := range mostNamed + 2 {
		texts = append(texts, stash.Text{ID: fmt.Sprint(100_000 + i), Conversation: i + 1, Message: 3, Text: "x"})
	}
	for more, end := range []string{"", "and 1 more, which search finds\n", "and 2 more, which search finds\n"} {
		got := left(texts[:mostNamed+more])
		if !strings.HasPrefix(got, fmt.Sprintf("Left out: %d texts. Call expand with the id of each:\n100000 message 3, 1 byte\n100001 conversation 2, message 3, 1 byte\n", mostNamed+more)) ||
			!strings.HasSuffix(got, "\n100099 conversation 100, message 3, 1 byte\n"+end) {
			t.Errorf("%d more: %q", more, got)
		}
	}
}

// TestWrittenUpTo checks the limit of a result: a text that just fits stays, and the next one is named.
func TestWrittenUpTo(t *testing.T) {
	one := strings.Repeat("x", mostText-3)
	for second, want := range map[string]string{"abc": "3 bytes:\nabc", "abcd": "4 bytes\n"} {
		parts, err := written([]stash.Text{{Text: one}, {ID: "222222", Text: second}}, 0)
		if err != nil || len(parts) < 3 || !strings.HasSuffix(strings.Join(parts, "\n"), want) {
			t.Errorf("%q: %v, %.200q", second, err, parts[2:])
		}
	}
	if _, err := written([]stash.Text{{Text: "abc"}}, -1); err == nil {
		t.Error("a negative place is no error")
	}
}

// TestWrittenInParts checks that a long text is got as a whole by calls that follow the advice of the result before,
// that each part is of whole characters, and that a call which begins within a character begins with it.
func TestWrittenInParts(t *testing.T) {
	for _, char := range []string{"x", "é", "€", "🙂"} {
		for offset := range len(char) {
			whole := strings.Repeat("-", offset) + strings.Repeat(char, 2*mostText/len(char)+7)
			text := stash.Text{ID: "482193", Message: 2, Text: whole}
			var got strings.Builder
			for calls := 1; got.Len() < len(whole); calls++ {
				from := got.Len()
				for within := range min(len(char), from+1) {
					parts, err := written([]stash.Text{text}, from+within)
					if err != nil || len(parts) < 2 || !utf8.ValidString(parts[1]) || len(parts[1]) > mostText || len(parts[1]) <= mostText-len(char) && len(parts) > 2 || !strings.HasPrefix(whole[from:], parts[1]) {
						t.Fatalf("%s, from %d+%d: %v, %d parts", char, from, within, err, len(parts))
					}
					if within > 0 {
						continue
					}
					got.WriteString(parts[1])
					rest := fmt.Sprintf("Left out: bytes %d to %d of %d. Call expand with id 482193 and from %d for the rest.", got.Len(), len(whole), len(whole), got.Len())
					if more := got.Len() < len(whole); (len(parts) == 3) != more || more && parts[2] != rest {
						t.Fatalf("%s: after %d bytes: %q", char, got.Len(), parts[2:])
					}
				}
				if calls > 4 {
					t.Fatalf("%s: %d bytes of %d after %d calls", char, got.Len(), len(whole), calls)
				}
			}
			if got.String() != whole {
				t.Errorf("%s with offset %d: another text of %d bytes", char, offset, got.Len())
			}
		}
	}
}

// TestSummary checks the first line of a search.
func TestSummary(t *testing.T) {
	for found, want := range map[int]string{0: "No line matches in 1 removed", 1: "1 line matches in", 2: "2 lines match in", mostLines: "50 lines match in 1 removed text of this session:", mostLines + 1: "51 lines match in 1 removed text of this session. The first 50"} {
		if got := summary(found, 1); !strings.HasPrefix(got, want) {
			t.Errorf("%d: %q", found, got)
		}
	}
}

// TestAround checks the part of a long line: it has the match, whole characters, and marks where it is cut.
func TestAround(t *testing.T) {
	for _, tt := range []struct {
		before, behind int // bytes of two-byte characters
		want           string
	}{
		{0, 0, "needle"},
		{294, 0, strings.Repeat("é", 147) + "needle"}, // just as long as a line may be
		{146, 148, strings.Repeat("é", 73) + "needle" + strings.Repeat("é", 74)},
		{0, 400, "needle" + strings.Repeat("é", 147) + "… (406 bytes in all)"},
		{400, 0, "…" + strings.Repeat("é", 147) + "needle"},
		{200, 400, "…" + strings.Repeat("é", 50) + "needle" + strings.Repeat("é", 97) + "… (606 bytes in all)"},
	} {
		line := strings.Repeat("é", tt.before/2) + "needle" + strings.Repeat("é", tt.behind/2)
		if got := around(line, tt.before, tt.before+len("needle")); got != tt.want {
			t.Errorf("%d, %d: got %q", tt.before, tt.behind, got)
		}
	}
	for _, before := range []string{"x", "x" + strings.Repeat("é", 200), strings.Repeat("é", 50) + "x"} { // cut between the bytes of a character
		odd := before + "needle" + strings.Repeat("é", 200)
		if got := around(odd, len(before), len(before)+6); !utf8.ValidString(got) || !strings.Contains(got, "needle") {
			t.Errorf("got %q", got)
		}
	}
}

// advised is an error with advice.
type advised struct{}

func (advised) Error() string { return "it failed" }
func (advised) Hint() string  { return "try again" }

// TestRefused checks that the advice for people reaches the model.
func TestRefused(t *testing.T) {
	if got := refused(fmt.Errorf("a: %w", advised{})).Error(); got != "a: it failed (try again)" {
		t.Errorf("got %q", got)
	}
	plain := errors.New("x")
	if refused(plain) != plain {
		t.Error("an error without advice changed")
	}
}

// TestTools checks the names of the tools, by which clients call them.
func TestTools(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
	read, write := io.Pipe()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	go Serve(ctx, &Session{Store: &stash.Store{Dir: t.TempDir()}}, "v", io.MultiReader(strings.NewReader(in), &blocked{ctx}), write)
	lines := bufio.NewScanner(read)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"id":1`) && !strings.Contains(lines.Text(), `"title":"Removed text of this session"`) {
			t.Errorf("the server has no title: %s", lines.Text())
		}
		if !strings.Contains(lines.Text(), `"id":2`) {
			continue
		}
		for _, name := range []string{`"name":"expand"`, `"name":"search"`, `"title":"Get removed text"`, `"title":"Search removed text"`, `"readOnlyHint":true`} {
			if !strings.Contains(lines.Text(), name) {
				t.Errorf("no %s in %s", name, lines.Text())
			}
		}
		return
	}
	t.Error("no answer")
}

// blocked is a reader without more input until a context is done.
type blocked struct{ ctx context.Context }

func (b *blocked) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, io.EOF
}

// TestServeEnds checks that the end of the input and an interrupt are no errors, and that another fault of the
// input is one.
func TestServeEnds(t *testing.T) {
	s := &Session{Store: &stash.Store{Dir: t.TempDir()}}
	if err := Serve(t.Context(), s, "v", strings.NewReader(""), io.Discard); err != nil {
		t.Errorf("at the end: %v", err)
	}
	broken := errors.New("broken")
	if err := Serve(t.Context(), s, "v", iotest.ErrReader(broken), io.Discard); err == nil {
		t.Error("a broken input is no error")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	in, out := io.Pipe()
	defer out.Close()
	if err := Serve(ctx, s, "v", in, io.Discard); err != nil {
		t.Errorf("interrupted: %v", err)
	}
}
