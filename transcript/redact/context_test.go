package redact

import (
	"slices"
	"strings"
	"testing"
)

// TestEscapeBefore checks which escapes end a text, and what they stand for. Without their first
// byte they are no escapes.
func TestEscapeBefore(t *testing.T) {
	for _, tt := range []struct {
		escape string
		want   byte
	}{
		{"%3D", '='}, {"%3d", '='}, {"%3A", ':'}, {"%20", ' '}, {"%26", '&'}, {"%0a", '\n'}, {"%fF", 0xff},
		{`\u003d`, '='}, {`\u003E`, '>'}, {`\u0022`, '"'}, {`\x3d`, '='}, {`\x3A`, ':'},
		{`\n`, '\n'}, {`\r`, '\n'}, {`\t`, ' '},
		{"&quot;", '"'}, {"&apos;", '\''}, {"&gt;", '>'}, {"&lt;", '<'}, {"&#34;", '"'}, {"&#39;", '\''}, {"&#x3D;", '='}, {"&#61;", '='},
		{"\x1b[0m", 0}, {"\x1b[m", 0}, {"\x1b[1;36m", 0}, {`\x1b[32m`, 0}, {`\x1B[32m`, 0}, {`\u001b[32m`, 0}, {`\u001B[32m`, 0},
		{`\033[32m`, 0}, {`\e[32m`, 0}, {"\u241b[32m", 0}, {"^[[32m", 0},
	} {
		for _, before := range []string{"", "a", "NAME ", "="} {
			s := before + tt.escape + "value"
			end := len(before) + len(tt.escape)
			if n, c := escapeBefore(s, end, 0); n != len(tt.escape) || c != tt.want {
				t.Errorf("%q ends in an escape of %d bytes for %q, want %d for %q", s[:end], n, c, len(tt.escape), tt.want)
			}
			if n, c := escapeBefore(s, end, len(before)); n != len(tt.escape) || c != tt.want {
				t.Errorf("%q, read from the escape on, ends in one of %d bytes for %q", s[:end], n, c)
			}
			if n, _ := escapeBefore(s, end, len(before)+1); n != 0 {
				t.Errorf("%q, read without the start of the escape, ends in one of %d bytes", s[:end], n)
			}
		}
	}
	for _, s := range []string{
		"", "a", "3D", "=3D", "%3", "%3G", "%G3", "%", `\u013d`, `\u103d`, `\u03d`, `\v003d`, `\x3g`, `\y3d`, "&amp;", "&nosuch;", "quot;", "a;", ";",
		`\a`, `\d`, "m", "0m", "[0m", "x[0m", "\x1b[0", "\x1b0m", "\x1b[0 m", "\n", "%3D ", `\n"`, `\n,`, "bn", "dr", "at",
	} {
		if n, c := escapeBefore(s, len(s), 0); n != 0 {
			t.Errorf("%q ends in an escape of %d bytes for %q", s, n, c)
		}
	}
}

// TestEscapeInto checks how much of a word belongs to an escape that begins before the word.
func TestEscapeInto(t *testing.T) {
	for _, tt := range []struct {
		before, word string
		want         int
	}{
		{"", "nToken", 0}, {"a", "nToken", 0}, {"a ", "3Dvalue", 0}, {"=", "3Dvalue", 0},
		{`\`, "nToken", 1}, {`a\`, "tToken", 1}, {`\`, "rToken", 1}, {`\`, "u003dvalue", 5}, {`\`, "x3dvalue", 3}, {`\`, "Token", 0},
		{"%", "3Dvalue", 2}, {"a%", "2Fvalue", 2}, {"%", "value", 0}, {"%", "3D", 0}, // nothing would be left of it
		{"\x1b[", "0mTOKEN", 2}, {"\x1b[", "36mTOKEN", 3}, {"\x1b[1;", "36mTOKEN", 3}, {"[", "36mTOKEN", 0}, {"\x1b[", "TOKEN", 0},
	} {
		s := tt.before + tt.word
		if n := escapeInto(s, len(tt.before), len(s), 0); n != tt.want {
			t.Errorf("of %q after %q %d bytes belong to an escape, want %d", tt.word, tt.before, n, tt.want)
		}
		if n := escapeInto(s, len(tt.before), len(s), len(tt.before)); n != 0 {
			t.Errorf("of %q %d bytes belong to an escape before what is read", tt.word, n)
		}
	}
}

// TestBefore checks which words name the value that stands at the end of a line, the nearest first,
// and whether the nearest is assigned to it.
func TestBefore(t *testing.T) {
	for _, tt := range []struct {
		before   string
		words    string
		assigned bool
	}{
		{"", "", false},
		{"api_key=", "api_key", true},
		{"export API_KEY=", "API_KEY export", true},
		{"apiKey : '", "apiKey", true},
		{`"x-api-key": "`, "x-api-key", true},
		{`\"token\":\"`, "token", true},
		{"token ", "token", false},
		{"the access token is `", "token access the", true},
		{"the token was ", "token the", false},
		{"<apiKey>", "apiKey", true},
		{`<add key="token" value="`, "token add", true},
		{"| API_SECRET | ", "API_SECRET", true},
		{"name: TOKEN\n  value: ", "TOKEN", true},
		{"token:\n  ", "token", true},
		{"token\n", "", false},           // the line before has no operator at its end
		{"token:\n\n", "token", true},    // two line breaks
		{"token:\n\n\n", "", false},      // not three
		{"a: b\ntoken ", "token", false}, // only the first word may be in the line before
		{"one two three four five six seven ", "seven six five four three two", false},
		{"token%3D", "token", true},
		{`token\u003d`, "token", true},
		{"&lt;token&gt;", "token", true}, // an ampersand ends the text that is read
		{"\x1b[1mTOKEN\x1b[0m=\x1b[32m", "TOKEN", true},
		{`first\nTOKEN=`, "TOKEN", true},
		{"token; ", "", false},
		{"a-b.c=", "a-b.c", true},
		{"token=\x00", "", false},
		{"a&token=", "token", true},
		{".token.=", "token", true},
		{"- ", "", false},
		{"é=", "", false},
		{strings.Repeat("x", 200) + "=", strings.Repeat("x", maxBefore-1), true},
	} {
		c := cursor{table: known(), s: tt.before + "0123456789abcdef"}
		x := c.before(len(tt.before))
		if got := strings.Join(x.words, " "); got != tt.words || x.assigned != tt.assigned {
			t.Errorf("before the value after %q: %q, assigned %v, want %q, %v", tt.before, got, x.assigned, tt.words, tt.assigned)
		}
	}
}

// TestBeforeJoined checks which words follow one another with only spaces and quotes between.
func TestBeforeJoined(t *testing.T) {
	c := cursor{table: known(), s: "one (two) `three` \"four\" five=six* seven="}
	x := c.before(len(c.s))
	want := []bool{false, true, false, true, true, false}
	if !slices.Equal(x.words, []string{"seven", "six", "five", "four", "three", "two"}) || !slices.Equal(x.joined[:], want) {
		t.Errorf("%q are joined to the next: %v, want %v", x.words, x.joined, want)
	}
	if x.from != strings.Index(c.s, "two") {
		t.Errorf("they start at %d", x.from)
	}
}

func TestFirstLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", "a\nb": "a", "\nb": "", `a\nb`: "a", `\nb`: "", "a\\nb\nc": "a", "a\nb\\nc": "a", `a\tb`: `a\tb`,
	} {
		if got := firstLine(in); got != want {
			t.Errorf("the first line of %q is %q, want %q", in, got, want)
		}
	}
}

// TestBorder checks which lines separate the header of a table from its rows.
func TestBorder(t *testing.T) {
	for line, want := range map[string]bool{
		"|---|---|": true, "| --- | --- |": true, "|:---|---:|": true, "---+---": true, "+----+----+": true, "+====+--+": true, "   12→|---|---|": true,
		`|---|---|\`: true, "|---|---|\r": true, `|---|---|\"`: true, "--|--": true,
		"": false, "---": false, "-----": false, "|-|-|": false, "| a | b |": false, "+": false, "a--b|c": false, "|===|": false,
	} {
		if got := border(line); got != want {
			t.Errorf("%q is a border: %v, want %v", line, got, want)
		}
	}
}

// TestColumn checks that the values of a column are judged by its header, up to the end of the table.
func TestColumn(t *testing.T) {
	const secret = "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3H"
	gone := "[redacted: secret value]"
	for _, tt := range []struct{ name, table, want string }{
		{"first column", "token | n\n---|---\n<V> | 1\n", "token | n\n---|---\n<R> | 1\n"},
		{"last column", "| n | api key |\n|---|---|\n| 1 | <V> |\n", "| n | api key |\n|---|---|\n| 1 | <R> |\n"},
		{"another column", "| n | api key |\n|---|---|\n| <V> | 1 |\n", "| n | api key |\n|---|---|\n| <V> | 1 |\n"},
		{"code", "| n | secret |\n|---|---|\n| 1 | `<V>` |\n", "| n | secret |\n|---|---|\n| 1 | `<R>` |\n"},
		{"after other words", "| n | secret |\n|---|---|\n| 1 | see <V> |\n", "| n | secret |\n|---|---|\n| 1 | see <V> |\n"},
		{"several rows", "| secret |\n|---|\n| <V> |\n| <V> |\n| <V> |\n", "| secret |\n|---|\n| <R> |\n| <R> |\n| <R> |\n"},
		{"after the table", "| n | secret |\n|---|---|\n| 1 | <V> |\ntext\n| 1 | <V> |\n", "| n | secret |\n|---|---|\n| 1 | <R> |\ntext\n| 1 | <V> |\n"},
		{"another table", "| n | secret |\n|---|---|\n| 1 | <V> |\n\n| n | id |\n|---|---|\n| 1 | <V> |\n", "| n | secret |\n|---|---|\n| 1 | <R> |\n\n| n | id |\n|---|---|\n| 1 | <V> |\n"},
		{"escaped lines", `| n | secret |\n|---|---|\n| 1 | <V> |\n`, `| n | secret |\n|---|---|\n| 1 | <R> |\n`},
		{"no border", "| n | secret |\n| 1 | <V> |\n", "| n | secret |\n| 1 | <V> |\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, want := strings.ReplaceAll(tt.table, "<V>", secret), strings.ReplaceAll(strings.ReplaceAll(tt.want, "<V>", secret), "<R>", gone)
			if got, _ := Text(in); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}
