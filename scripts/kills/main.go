// Kills attacks the program while it replaces files, and prints what is left of them.
//
//	go run ./scripts/kills [-kills 1000] [-races 200] [-seed N]
//
// A kill sends SIGKILL to condense run -w or condense batch -w at a random moment. Every file must then
// hold the original or the complete output, and every backup the original. A race appends typed
// messages to a session while condense run -w replaces it. Every message must then be in the session or
// in a backup. The exit code is 1 if a file is damaged.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	kills := flag.Int("kills", 1000, "number of kills")
	races := flag.Int("races", 200, "number of races with a writer")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the moments")
	flag.Parse()
	if err := attack(*kills, *races, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "kills:", err)
		os.Exit(1)
	}
}

// attacker runs the program on copies of fixtures.
type attacker struct {
	*rand.Rand
	bin, tmp string
	damaged  int
}

func attack(kills, races int, seed uint64) error {
	tmp, err := os.MkdirTemp("", "kills")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	a := &attacker{Rand: rand.New(rand.NewPCG(seed, 0)), bin: filepath.Join(tmp, "condense"), tmp: tmp}
	build := exec.Command("go", "build", "-o", a.bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := a.kills(kills); err != nil {
		return err
	}
	if err := a.races(races); err != nil {
		return err
	}
	fmt.Printf("seed %d: %d files damaged\n", seed, a.damaged)
	if a.damaged > 0 {
		return errors.New("files were damaged")
	}
	return nil
}

// command returns a run of the program without settings of the user.
func (a *attacker) command(args ...string) *exec.Cmd {
	c := exec.Command(a.bin, args...)
	c.Env = []string{"HOME=" + a.tmp, "CONDENSE_TOKENIZER=bytes4"}
	return c
}

// A subject is a folder with fixtures, and what may be in it.
type subject struct {
	args      []string          // the command
	originals map[string][]byte // by path
	outputs   map[string][]byte
	whole     time.Duration // the duration of an undisturbed run
}

// subjects returns one command that replaces a single file for each of some formats, and a batch.
func (a *attacker) subjects() (list []*subject, err error) {
	paths, err := filepath.Glob("testdata/sessions/*/*")
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no fixtures: %w", err)
	}
	all := &subject{args: []string{"batch", "-q", "-j", "2", "-w", "--target", "30%"}, originals: map[string][]byte{}}
	format := ""
	for _, path := range paths {
		if filepath.Dir(path) == format {
			continue
		}
		format = filepath.Dir(path)
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		copied := filepath.Join(a.tmp, filepath.Base(format)+filepath.Ext(path))
		alone := &subject{originals: map[string][]byte{copied: src}}
		alone.args = []string{"run", "-q", "-w", "--target", "30%", copied}
		list = append(list, alone)
		all.originals[copied], all.args = src, append(all.args, copied)
	}
	for _, s := range append(list, all) {
		if err := a.undisturbed(s); err != nil {
			return nil, err
		}
	}
	for range len(list) { // half of the kills are of batches
		list = append(list, all)
	}
	return list, nil
}

// write puts the originals in their places.
func (s *subject) write() error {
	for path, src := range s.originals {
		if err := os.WriteFile(path, src, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// undisturbed runs the command three times, and sets the outputs and the duration.
func (a *attacker) undisturbed(s *subject) error {
	s.whole, s.outputs = time.Hour, map[string][]byte{}
	for range 3 {
		if err := s.write(); err != nil {
			return err
		}
		start := time.Now()
		if out, err := a.command(s.args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", s.args, err, out)
		}
		s.whole = min(s.whole, time.Since(start))
	}
	for path := range s.originals {
		out, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s.outputs[path] = out
	}
	return s.clean()
}

// clean removes the backups.
func (s *subject) clean() error {
	for path := range s.originals {
		for _, backup := range backups(path) {
			if err := os.Remove(backup); err != nil {
				return err
			}
		}
	}
	return nil
}

func backups(path string) []string {
	list, err := filepath.Glob(path + "?*")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	return list
}

// kills kills runs at random moments, and prints how often that was before their ends.
func (a *attacker) kills(n int) error {
	if n == 0 {
		return nil
	}
	subjects, err := a.subjects()
	if err != nil {
		return err
	}
	killed, replaced, kept := 0, 0, 0
	for range n {
		s := subjects[a.IntN(len(subjects))]
		if err := errors.Join(s.clean(), s.write()); err != nil {
			return err
		}
		c := a.command(s.args...)
		if err := c.Start(); err != nil {
			return err
		}
		time.Sleep(time.Duration(a.Int64N(int64(s.whole + s.whole/10))))
		_ = c.Process.Kill() // it may have ended
		if c.Wait() != nil {
			killed++
		}
		for path, original := range s.originals {
			got, err := os.ReadFile(path)
			switch {
			case err == nil && bytes.Equal(got, original):
				kept++
			case err == nil && bytes.Equal(got, s.outputs[path]):
				replaced++
			default:
				a.damage("%s has %d bytes, neither the original nor the output (%v)", path, len(got), err)
			}
			for _, backup := range backups(path) {
				if saved, err := os.ReadFile(backup); err != nil || !bytes.Equal(saved, original) {
					a.damage("%s has %d bytes and is not the original (%v)", backup, len(saved), err)
				}
			}
		}
	}
	fmt.Printf("%d kills, %d of them before the end: %d originals and %d complete outputs\n", n, killed, kept, replaced)
	return nil
}

func (a *attacker) damage(format string, args ...any) {
	a.damaged++
	fmt.Fprintf(os.Stderr, "kills: "+format+"\n", args...)
}

// races appends messages while the program runs.
func (a *attacker) races(n int) error {
	src, err := os.ReadFile("testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		return err
	}
	path := filepath.Join(a.tmp, "live.jsonl")
	alone := &subject{originals: map[string][]byte{path: src}}
	appended, codes := 0, map[int]int{}
	for range n {
		if err := errors.Join(alone.clean(), alone.write()); err != nil {
			return err
		}
		keepOpen := []int{1, 20}[a.IntN(2)]
		every := []time.Duration{300 * time.Microsecond, 5 * time.Millisecond, 50 * time.Millisecond}[a.IntN(3)]
		stop, lines := make(chan struct{}), make(chan int)
		go func() { lines <- appendMessages(path, keepOpen, every, stop) }()
		c := a.command("run", "-q", "-w", "--target", "30%", path)
		if err := c.Run(); err != nil && c.ProcessState == nil {
			return err
		}
		codes[c.ProcessState.ExitCode()]++
		close(stop)
		wrote := <-lines
		appended += wrote
		var all []byte
		for _, file := range append(backups(path), path) {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			all = append(all, text...)
		}
		for i := range wrote {
			if !bytes.Contains(all, []byte(words(i))) {
				a.damage("message %d of %d is lost", i, wrote)
			}
		}
	}
	if n > 0 {
		fmt.Printf("%d races, %d messages appended; runs by exit code: %v\n", n, appended, codes)
	}
	return nil
}

// words returns the text of message i.
func words(i int) string { return fmt.Sprintf("This is typed message number %d.", i) }

// appendMessages appends typed messages until stop is closed, and returns their number. It opens the
// file for each message, or keeps it open for several.
func appendMessages(path string, keepOpen int, every time.Duration, stop <-chan struct{}) (n int) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return n
		}
		for range keepOpen {
			select {
			case <-stop:
				f.Close()
				return n
			case <-tick.C:
				line := fmt.Sprintf(`{"type":"user","uuid":"typed-%d","message":{"role":"user","content":"%s"}}`, n, words(n))
				if _, err := f.WriteString(strings.TrimSpace(line) + "\n"); err != nil {
					f.Close()
					return n
				}
				n++
			}
		}
		f.Close()
	}
}
