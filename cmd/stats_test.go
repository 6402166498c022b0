package cmd

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/cmd/batch"
	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/strategy"
	"condense/transcript/format"
	"condense/transcript/token"
)

// sessions calls yield for every session of the test data that can be decoded.
func sessions(t *testing.T, yield func(name string, in *source.Input, file *format.File)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir("../testdata/sessions", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		in, err := source.Open(context.Background(), path, 0)
		if err != nil {
			return err
		}
		file, err := format.Decode(in.Data, "")
		if err != nil {
			return nil
		}
		n++
		yield(path, in, file)
		return nil
	})
	if err != nil || n < 50 {
		t.Fatalf("%d sessions, %v", n, err)
	}
}

// TestTurnsAddUp checks that the tokens in the timeline of a report add up to the tokens of the
// conversation, before and after, for every strategy and session.
func TestTurnsAddUp(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	sessions(t, func(name string, in *source.Input, _ *format.File) {
		for _, s := range []*strategy.Strategy{&strategy.Dedupe, &strategy.Smart, &strategy.Truncate, &strategy.Progressive} {
			o := newRunOptions()
			o.stages, o.strategy.Target, o.reportFormat = []*strategy.Strategy{s}, strategy.Target{Share: 0.4}, "html"
			c, err := condenseSource(context.Background(), in.Data, o, &counting{base: counter}, noEvents())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, conv := range newReport(in, o, c).Conversations {
				before, after, last := 0, 0, 0
				for _, turn := range conv.Turns {
					before += turn.Tokens.Before
					after += turn.Tokens.After
					if turn.Message > 0 && turn.Message <= last {
						t.Errorf("%s, %s: message %d comes after %d", name, s.Name, turn.Message, last)
					}
					last = max(last, turn.Message)
				}
				if before != conv.Tokens.Before || after != conv.Tokens.After {
					t.Errorf("%s, %s, conversation %d: the messages have %d → %d tokens, not %d → %d",
						name, s.Name, i+1, before, after, conv.Tokens.Before, conv.Tokens.After)
				}
			}
		}
	})
}

// TestStatsAddUp checks that the kinds, roles and ages of every session add up to all tokens. The
// bytes must add up, too, and the context must grow to the tokens of its conversation.
func TestStatsAddUp(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	all, total := survey.NewStatsBuilder(5), 0
	sessions(t, func(name string, in *source.Input, file *format.File) {
		picked, err := pick(file.Convs, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := all.Add(context.Background(), in, file, picked, counter); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f := all.Stats.Files[len(all.Stats.Files)-1]
		total += f.Tokens
		if b := f.Bytes; b.File != len(in.Data) || b.Rest > 0 && b.Text+b.Hidden+b.Media+b.Sealed+b.Rest != b.File {
			t.Errorf("%s: bytes %+v", name, b)
		}
		for _, c := range f.Conversations {
			if n := len(c.Growth); n != c.Messages || n > 0 && c.Growth[n-1].Tokens != c.Tokens {
				t.Errorf("%s: %d points for %d messages of %d tokens", name, n, c.Messages, c.Tokens)
			}
		}
	})
	s := all.Finish(counter)
	if s.Tokens != total || len(s.Largest) != 5 {
		t.Errorf("%d tokens of %d, %d blocks", s.Tokens, total, len(s.Largest))
	}
	for name, groups := range map[string][]survey.Group{"kinds": s.Kinds, "roles": s.Roles, "ages": s.Ages} {
		sum := 0
		for _, p := range groups {
			sum += p.Tokens
		}
		if sum != total {
			t.Errorf("the %s have %d tokens of %d", name, sum, total)
		}
	}
}

// TestExpandUnlisted checks that every folder that cannot be listed is reported, and that all others
// are listed.
func TestExpandUnlisted(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"one": 0, "open": 0o700, "two": 0} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "a.json"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) }) // so that it can be removed
	}
	if _, err := os.ReadDir(filepath.Join(dir, "one")); err == nil {
		t.Skip("this user can list every folder")
	}
	list, failed := batch.Expand([]string{filepath.Join(dir, "one"), filepath.Join(dir, "open"), filepath.Join(dir, "two")})
	if len(failed) != 2 || len(list) != 1 || list[0].Path != filepath.Join(dir, "open", "a.json") {
		t.Fatalf("got %v and the errors %v", list, failed)
	}
	var printed bytes.Buffer
	if code := (&app{err: &printed}).exitAll(t.Context(), failed); code != exitInput || strings.Count(printed.String(), "\n") != 2 {
		t.Errorf("exit code %d, and printed %q", code, printed.String())
	}
}
