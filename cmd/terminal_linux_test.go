package cmd_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"condense/cmd"
	"condense/cmd/terminaltest"
)

// TestTerminalInput checks what commands without a file do if standard input is a terminal, where nobody can pick a session:
// they say what is missing.
func TestTerminalInput(t *testing.T) {
	home := t.TempDir()
	for line, want := range map[string]string{
		"run": "no FILE is named, and standard input is a terminal", "repair": "no FILE is named", "validate": "no FILE is named", "tokens": "no FILE is named", "view": "no FILE is named",
		"stats": "no PATH is named, and standard input is a terminal", "check --max-tokens 1k": "no PATH is named", "compare": "no FILE is named", "explain": "no FILE is named", "restore": "no FILE is named", "rescue": "no FILE is named",
		"filter": "filter reads conversations from standard input, which is a terminal", "filter -": "filter reads conversations from standard input, which is a terminal",
		"undo": "undo takes [FILE…], and was given nothing", "diff": "diff takes A B, and was given nothing", "run --project x": "--project and --tool select the session of --last: add --last",
	} {
		for _, env := range []map[string]string{{"CI": "true", "TERM": "xterm"}, {"TERM": "dumb"}, {"TERM": "xterm"}} {
			if strings.Contains(line, "--project") && env["CI"] == "" && env["TERM"] != "dumb" {
				continue // the session would be picked
			}
			tty := terminaltest.New(t, 100, 24)
			var out, printed bytes.Buffer
			code := cmd.Main(strings.Fields(line), tty.Program, &out, &printed, func(name string) string {
				if name == "HOME" {
					return home
				}
				return env[name]
			})
			name, _, _ := strings.Cut(line, " ")
			if code != 2 || out.Len() > 0 || printed.String() != "condense: "+strings.TrimPrefix(firstLine(printed.String()), "condense: ")+"\n  hint: see condense "+name+" --help\n" || !strings.Contains(printed.String(), want) {
				t.Errorf("condense %s: exit code %d: %s%s", line, code, out.String(), printed.String())
			}
		}
	}
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// TestTerminalOutput checks that a terminal shows the output of a run, two line ends, and the report; and that nothing is
// between them where one of the two goes elsewhere, or there is no report.
func TestTerminalOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	const chat = `[{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}]`
	if err := os.WriteFile(path, []byte(chat), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string {
		return map[string]string{"TERM": "xterm", "CONDENSE_TOKENIZER": "bytes4", "NO_COLOR": "1", "CONDENSE_STRATEGY": "dedupe"}[name]
	}
	for _, tt := range []struct {
		line             string
		outTerm, errTerm bool
		want             string // on the terminal
	}{
		{"run", true, true, chat + "\r\n\r\n" + path + ": unchanged"},
		{"run -q", true, true, chat + "(end)"},
		{"run", true, false, chat + "(end)"},
		{"run", false, true, path + ": unchanged"},
		{"run -n", true, true, path + ": unchanged"},
		{"repair", true, true, chat + "\r\n\r\n" + path + ": nothing to mend"},
		{"repair -q", true, true, chat + "(end)"},
	} {
		tty := terminaltest.New(t, 300, 24) // the path of the file may be long
		var out, printed bytes.Buffer
		stdout, stderr := io.Writer(&out), io.Writer(&printed)
		if tt.outTerm {
			stdout = tty.Program
		}
		if tt.errTerm {
			stderr = tty.Program
		}
		code := cmd.Main(append(strings.Fields(tt.line), path), strings.NewReader(""), stdout, stderr, env)
		if _, err := io.WriteString(tty.Program, "(end)"); err != nil {
			t.Fatal(err)
		}
		if code != 0 {
			t.Errorf("condense %s, %v, %v: exit code %d", tt.line, tt.outTerm, tt.errTerm, code)
		}
		tty.Await(t, tt.want)
	}
}

// TestRootOnTerminal checks that condense without a command prints its help, unless a pipe or a file brings a conversation
// and something else than a terminal waits for the result.
func TestRootOnTerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"TERM": "xterm"}[name] }
	for _, tt := range []struct {
		in      string // file, pipe, terminal, null, or a reader
		outTerm bool
		help    bool
	}{
		{"file", false, false}, {"pipe", false, false}, {"file", true, true}, {"pipe", true, true}, {"terminal", false, true}, {"terminal", true, true},
		{"null", false, true}, {"reader", false, true},
	} {
		tty := terminaltest.New(t, 100, 24)
		var in io.Reader
		switch tt.in {
		case "reader":
			in = strings.NewReader("")
		case "terminal":
			in = tty.Program
		case "pipe":
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			in = r
		case "file", "null":
			name := map[string]string{"file": path, "null": os.DevNull}[tt.in]
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			in = f
		}
		var out, printed bytes.Buffer
		stdout := io.Writer(&out)
		if tt.outTerm {
			stdout = tty.Program
		}
		code := cmd.Main([]string{}, in, stdout, &printed, env)
		if _, err := io.WriteString(tty.Program, "(end)"); err != nil {
			t.Fatal(err)
		}
		if tt.help && tt.outTerm {
			tty.Await(t, "Usage:")
		}
		tty.Await(t, "(end)")
		const refused = "condense: no command is named\n  hint: condense run condenses a conversation from standard input; see condense --help\n"
		if tt.help && (code != 0 || !tt.outTerm && !strings.Contains(out.String(), "Usage:") || printed.Len() > 0) || !tt.help && (code != 2 || printed.String() != refused) {
			t.Errorf("%s, %v: exit code %d: %s%s", tt.in, tt.outTerm, code, out.String(), printed.String())
		}
	}
}

// shown returns all that a terminal shows, after what was written to it before.
func shown(t *testing.T, tty *terminaltest.Terminal) string {
	t.Helper()
	const end = "(this is the end)"
	if _, err := io.WriteString(tty.Program, end); err != nil {
		t.Fatal(err)
	}
	for range 4000 {
		if before, _, ended := strings.Cut(tty.Text(), end); ended {
			return before
		}
		time.Sleep(5 * time.Millisecond) // as Await waits
	}
	t.Fatalf("the end was not shown, but %q", tty.Text())
	return ""
}

// TestProgressOnTerminal checks which commands show their progress on a terminal: one line that is drawn again, and not a
// line for each file, unless -v asks for them or the terminal cannot redraw; nothing with -q.
func TestProgressOnTerminal(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	const chat = `[{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}]`
	for _, name := range []string{"a.json", "b.json"} {
		if err := os.WriteFile(name, []byte(chat), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const drawn, each, sums = "\r", "unchanged a.json", "2 files: 10 tokens"
	for _, tt := range []struct {
		line, term string
		has, lacks []string
	}{
		{"batch -n a.json b.json", "xterm", []string{sums, drawn + "\x1b[K"}, []string{each}},
		{"batch -n -v a.json b.json", "xterm", []string{sums, each, drawn + "\x1b[K"}, nil},
		{"batch -n a.json b.json", "dumb", []string{sums, each}, []string{"\x1b"}},
		{"batch -n --no-progress a.json b.json", "xterm", []string{sums}, []string{each, "\x1b[K"}},
		{"batch -n --no-progress -v a.json b.json", "xterm", []string{sums, each}, []string{"\x1b[K"}},
		{"batch -n -q a.json b.json", "xterm", nil, []string{each, sums, "\x1b"}},
		{"compare -s dedupe -t 50% a.json", "xterm", []string{"dedupe", "\x1b[K"}, nil},
		{"compare -q -s dedupe -t 50% a.json", "xterm", nil, []string{"dedupe", "\x1b"}},
		{"compare -s dedupe -t 50% a.json", "dumb", nil, []string{"dedupe", "\x1b"}},
		{"run -n a.json", "xterm", []string{"a.json: unchanged"}, []string{"reading", "\x1b[K"}},
	} {
		tty := terminaltest.New(t, 100, 24)
		var out bytes.Buffer
		code := cmd.Main(strings.Fields(tt.line), strings.NewReader(""), &out, tty.Program, func(name string) string {
			return map[string]string{"HOME": home, "TERM": tt.term, "CONDENSE_TOKENIZER": "bytes4", "CONDENSE_STRATEGY": "dedupe", "CONDENSE_JOBS": "1", "NO_COLOR": "1"}[name]
		})
		text := shown(t, tty)
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("condense %s on %s lacks %q: %q", tt.line, tt.term, want, text)
			}
		}
		for _, not := range tt.lacks {
			if strings.Contains(text, not) {
				t.Errorf("condense %s on %s has %q: %q", tt.line, tt.term, not, text)
			}
		}
		if code != 0 {
			t.Errorf("condense %s: exit code %d", tt.line, code)
		}
	}
}

// TestPagerOnTerminal checks when a view goes through the program that PAGER names: text and Markdown on a terminal, unless
// --no-pager or another output is given.
func TestPagerOnTerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(path, []byte(`[{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string {
		return map[string]string{"TERM": "xterm", "PAGER": "sed s/hello/paged/", "PATH": os.Getenv("PATH")}[name]
	}
	for _, tt := range []struct {
		flags       string
		term, paged bool
	}{
		{"", true, true}, {"--markdown", true, true}, {"--report-format markdown", true, true}, {"--full", true, true}, {"--no-pager", true, false}, {"--json", true, false}, {"--html", true, false},
		{"--report " + path + ".txt --report-format text --force", true, false}, {"", false, false},
	} {
		tty := terminaltest.New(t, 100, 24)
		var out, printed bytes.Buffer
		stdout := io.Writer(&out)
		if tt.term {
			stdout = tty.Program
		}
		code := cmd.Main(append([]string{"view", path}, strings.Fields(tt.flags)...), strings.NewReader(""), stdout, &printed, env)
		text := shown(t, tty) + out.String()
		if strings.Contains(tt.flags, "--report ") {
			data, err := os.ReadFile(path + ".txt")
			if text += string(data); err != nil {
				t.Error(err)
			}
		}
		if code != 0 || strings.Contains(text, "Say paged.") != tt.paged || strings.Contains(text, "Say hello.") == tt.paged {
			t.Errorf("condense view %s, on a terminal %v: exit code %d: %s%s", tt.flags, tt.term, code, text, printed.String())
		}
	}
}
