package cmd_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		tty := terminaltest.New(t, 100, 24)
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
