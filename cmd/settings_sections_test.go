package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inFolder runs the program in a new folder with a copy of a session, a.json and b.json, and a file of
// settings. It returns what the program prints.
func inFolder(t *testing.T, settings, in string, args ...string) (folder, out, printed string, code int) {
	t.Helper()
	data, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	for name, text := range map[string]string{"a.json": string(data), "b.json": string(data), "condense.yaml": settings} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	var stdout, stderr bytes.Buffer
	code = Main(args, strings.NewReader(in), &stdout, &stderr, func(string) string { return "" })
	return folder, stdout.String(), stderr.String(), code
}

// TestSectionsOfBatch checks that a section of settings changes the options of its files alone: they are
// still replaced, and a wrong section is found before anything is written.
func TestSectionsOfBatch(t *testing.T) {
	size := func(folder, name string) int64 {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	t.Run("replaced", func(t *testing.T) {
		folder, _, printed, code := inFolder(t, "target: 60%\nfiles:\n  b.json: {target: 20%}\n", "", "batch", "-w", "a.json", "b.json")
		if a, b, was := size(folder, "a.json"), size(folder, "b.json"), size(folder, "b.json.bak"); code != exitOK || a >= was || b >= a {
			t.Errorf("exit code %d: %d became %d and %d bytes:\n%s", code, was, a, b, printed)
		}
	})
	t.Run("wrong", func(t *testing.T) {
		folder, _, printed, code := inFolder(t, "files:\n  b.json: {tokenizer: none}\n", "", "batch", "--target=20%", "-w", "a.json", "b.json")
		if _, err := os.Stat(filepath.Join(folder, "a.json.bak")); code != exitUsage || err == nil || !strings.Contains(printed, `b.json: unknown tokenizer "none"`) {
			t.Errorf("exit code %d, %v:\n%s", code, err, printed)
		}
	})
}

// TestTokensOfSection checks that the total of files with the same settings of their own has their
// tokenizer.
func TestTokensOfSection(t *testing.T) {
	_, out, printed, code := inFolder(t, "files:\n  '*.json': {tokenizer: chars}\n", "", "tokens", "--json", "a.json", "b.json")
	var counts struct{ Tokenizer struct{ Name string } }
	if err := json.Unmarshal([]byte(out), &counts); err != nil || code != exitOK || counts.Tokenizer.Name != "chars" {
		t.Errorf("exit code %d, %v, tokenizer %q:\n%s", code, err, counts.Tokenizer.Name, printed)
	}
}

// TestFilterSkipsProgram checks that filter passes a record on if a program fails, and reports it unless such failures
// are skipped.
func TestFilterSkipsProgram(t *testing.T) {
	data, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		t.Fatal(err)
	}
	line := `{"messages":` + compact.String() + "}\n"
	for onFailure, want := range map[string]bool{failureSkips: false, failureStops: true} {
		t.Run(onFailure, func(t *testing.T) {
			_, out, printed, code := inFolder(t, "tokenizer: bytes4\n", line, "filter", "--target=50%", "--strategy=exec:false", "--exec-failure="+onFailure)
			if failed := strings.Contains(printed, "1 not condensed"); code != exitOK || failed != want || out != line {
				t.Errorf("exit code %d, %.100q:\n%s", code, out, printed)
			}
		})
	}
}

// TestTrialsHaveTimes checks that compare says how long each trial took.
func TestTrialsHaveTimes(t *testing.T) {
	_, out, printed, code := inFolder(t, "tokenizer: bytes4\n", "", "compare", "--json", "--target=50%", "a.json")
	var c struct {
		Trials []struct {
			Strategy string
			Millis   float64 `json:"milliseconds"`
		}
	}
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitOK || len(c.Trials) == 0 {
		t.Fatalf("exit code %d, %v:\n%s", code, err, printed)
	}
	for _, trial := range c.Trials {
		if trial.Millis <= 0 {
			t.Errorf("%s took no time", trial.Strategy)
		}
	}
}

// TestOutcomeWithoutLoss checks that a check names no worst measure if nothing would be lost.
func TestOutcomeWithoutLoss(t *testing.T) {
	_, out, printed, code := inFolder(t, "tokenizer: bytes4\n", "", "check", "--json", "--target=100%", "--min-retention=.5", "a.json")
	var c struct {
		Files []struct {
			Outcome struct {
				Measure string
				Worst   float64
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitOK || len(c.Files) != 1 {
		t.Fatalf("exit code %d, %v:\n%s", code, err, printed)
	}
	if got := c.Files[0].Outcome; got.Worst != 1 || got.Measure != "" {
		t.Errorf("the worst measure is %q with %v:\n%s", got.Measure, got.Worst, out)
	}
}
