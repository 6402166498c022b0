//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// lab runs clients in their homes, beside the fake server.
type lab struct {
	condense string // the program
	cache    string // folder of the clients
	work     string // folder of the project, the homes and the results
	versions map[string]pinned
	latest   bool
	server   *server
	url      string
	limit    time.Duration // for one run of a client
}

// A trial is one way to condense the session of a client.
type trial struct {
	name string
	args []string // of condense run; nil for the unchanged session
	copy bool     // the result is a session of its own
	then string   // what the client does after it, by the name of a member of client.then
}

// trials lists the strategies and layouts. The unchanged session comes first.
var trials = []trial{
	{name: "unchanged"},
	{name: "dedupe", args: []string{"--strategy", "dedupe"}},
	{name: "mask", args: []string{"--strategy", "mask", "-t", "50%"}},
	{name: "smart-compress", args: []string{"--strategy", "smart-compress", "-t", "50%"}},
	{name: "progressive", args: []string{"--strategy", "progressive", "-t", "50%"}},
	{name: "truncate", args: []string{"--strategy", "truncate", "-t", "50%"}},
	{name: "hybrid 50 %", args: []string{"-t", "50%"}},
	{name: "hybrid 10 %", args: []string{"-t", "10%"}},
	{name: "summarize keep", args: []string{"--strategy", "summarize", "--layout", "keep", "-t", "50%"}},
	{name: "summarize fresh", args: []string{"--strategy", "summarize", "--layout", "fresh", "-t", "50%"}},
	{name: "summarize fork", args: []string{"--strategy", "summarize", "--layout", "fork", "-t", "50%"}},
	{name: "hybrid new id", args: []string{"-t", "50%", "--session-id", "new"}, copy: true},
	{name: "hybrid then fork", args: []string{"-t", "50%"}, then: "fork"},
	{name: "hybrid then compaction", args: []string{"-t", "50%"}, then: "compaction"},
}

// A result is what a client did with a session.
type result struct {
	Trial    string
	Faults   []string // what is wrong; none if all is well
	Rounds   int      // how often the session was condensed and resumed
	File     *counted
	Sent     *counted
	Habits   []string // what the client changes, of the unchanged session
	Findings []string // that the client causes, of the unchanged session
}

func (r *result) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}

// subject is a client with a session that it can resume.
type subject struct {
	*lab
	c       *client
	base    string // the home with the unchanged session
	home    string
	version string
	session string // path of the session below the home
	orig    *result
	unknown []string // kinds of records that condense does not know
}

func (l *lab) project() string { return filepath.Join(l.work, "project") }

func (l *lab) condenseEnv() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(l.work, "condense-home"), "LANG=C.UTF-8"}
}

// expand puts values in the place of the words in braces.
func (s *subject) expand(text, session, prompt string) string {
	id := ""
	if session != "" && strings.Contains(text, "{ID}") {
		if content, err := os.ReadFile(session); err == nil {
			id = s.c.id(session, string(content))
		}
	}
	return strings.NewReplacer("{HOME}", s.home, "{PROJECT}", s.project(), "{URL}", s.url, "{PROMPT}", prompt, "{ID}", id, "{FILE}", session).Replace(text)
}

// program returns the command of the client, without arguments.
func (s *subject) program() ([]string, error) {
	hits, err := filepath.Glob(filepath.Join(s.cache, s.folder(s.c.name), "node_modules", s.c.bin))
	if err != nil || len(hits) == 0 {
		return nil, fmt.Errorf("%s has no program %s", s.c.name, s.c.bin)
	}
	if s.c.node {
		return []string{filepath.Join(s.cache, s.folder("node"), "node_modules/node/bin/node"), hits[0]}, nil
	}
	return hits[:1], nil
}

// run runs the client, and returns what it printed. A client that hangs after its answer is ended.
func (s *subject) run(args []string, session, prompt string) (string, error) {
	command, err := s.program()
	if err != nil {
		return "", err
	}
	for _, a := range args {
		command = append(command, s.expand(a, session, prompt))
	}
	limit := s.limit
	if s.c.hangs {
		limit = min(limit, 150*time.Second)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = s.project()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "HOME=" + s.home}
	for k, v := range s.c.env {
		cmd.Env = append(cmd.Env, k+"="+s.expand(v, "", ""))
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	err = cmd.Run()
	if s.c.hangs && errors.Is(ctx.Err(), context.DeadlineExceeded) && strings.Contains(out.String(), answer) {
		err = nil
	}
	return out.String(), err
}

// sessions lists the files of the client's sessions in its home, the largest first.
func (s *subject) sessions() []string {
	hits, err := filepath.Glob(filepath.Join(s.home, s.c.sessions))
	if err != nil {
		return nil
	}
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	slices.SortStableFunc(hits, func(a, b string) int { return int(size(b) - size(a)) })
	return hits
}

// prepare makes a home with the configuration of the client.
func (s *subject) prepare() error {
	if err := os.RemoveAll(s.home); err != nil {
		return err
	}
	if err := os.MkdirAll(s.home, 0o755); err != nil {
		return err
	}
	for name, text := range s.c.files {
		path := filepath.Join(s.home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(s.expand(text, "", "")), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// begin lets the client make a session of two prompts, or puts one of testdata into its place. Its
// home is kept for all trials.
func (s *subject) begin() error {
	if err := s.prepare(); err != nil {
		return err
	}
	prompts := []string{marker + "1 Please find the limit of alpha_38. Never touch beta.py.", marker + "2 Look once more, and say what gamma does."}
	args, session := s.c.first, ""
	for _, p := range prompts {
		s.server.begin(s.c.script(s.project()))
		out, err := s.run(args, session, p)
		if err == nil {
			err = s.export(out)
		}
		if err != nil {
			return fmt.Errorf("it made no session: %w: %s", err, tail(out))
		}
		all := s.sessions()
		if len(all) == 0 {
			return errors.New("it made no session")
		}
		args, session = s.c.resume, all[0]
	}
	s.session = strings.TrimPrefix(s.sessions()[0], s.home)
	_, unknown, err := s.findings(s.home+s.session, "")
	s.unknown = unknown
	if err != nil {
		return err
	}
	return copyTree(s.home, s.base)
}

// export writes the session that the client keeps in a database into its file. said is what the
// client printed, which names the session.
func (s *subject) export(said string) error {
	if s.c.exporting == nil {
		return nil
	}
	path := filepath.Join(s.home, s.c.sessions)
	if _, err := os.Stat(path); err != nil {
		if err := os.WriteFile(path, []byte(said), 0o644); err != nil { // for the id
			return err
		}
	}
	out, err := s.run(s.c.exporting, path, "")
	if at := strings.IndexByte(out, '{'); at >= 0 && err == nil {
		return os.WriteFile(path, []byte(out[at:strings.LastIndexByte(out, '}')+1]+"\n"), 0o644)
	}
	return fmt.Errorf("exporting: %w: %s", err, tail(out))
}

// load puts a session into the database of the client, in the place of all others.
func (s *subject) load(session string) error {
	if s.c.importing == nil {
		return nil
	}
	old, err := filepath.Glob(filepath.Join(s.home, s.c.database))
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	if out, err := s.run(s.c.importing, session, ""); err != nil {
		return fmt.Errorf("importing: %w: %s", err, tail(out))
	}
	return nil
}

// copyTree replaces a folder by a copy of another one.
func copyTree(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return exec.Command("cp", "-a", from, to).Run()
}

// tail returns the end of a text in one line.
func tail(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return text[max(0, len(text)-200):]
}

// try condenses the session, resumes it, and does both again.
func (s *subject) try(t trial) *result {
	r := &result{Trial: t.name}
	if err := copyTree(s.base, s.home); err != nil {
		r.fault("%v", err)
		return r
	}
	session := s.home + s.session
	for round := range 2 {
		before := filepath.Join(s.work, "before"+filepath.Ext(session))
		if err := exec.Command("cp", session, before).Run(); err != nil {
			r.fault("%v", err)
			return r
		}
		if t.args != nil {
			condensed, err := s.shrink(session, t, round)
			if err != nil {
				r.fault("round %d: %v", round+1, err)
				return r
			}
			session = condensed
		}
		s.resume(r, session, before, round)
		if len(r.Faults) > 0 {
			return r
		}
		if t.then != "" {
			s.follow(r, s.c.then[t.then], session)
			return r
		}
	}
	return r
}

// follow lets the client do something with a session, and checks that it asks the model, ends well,
// and can resume the session once more.
func (s *subject) follow(r *result, args []string, session string) {
	for _, a := range [][]string{args, s.c.resume} {
		s.server.begin(nil)
		out, err := s.run(a, session, marker+"THEN What is the limit?")
		s.server.mu.Lock()
		asked := len(s.server.requests)
		s.server.mu.Unlock()
		if err != nil || asked == 0 {
			r.fault("%s: %v, %d requests: %s", strings.Join(a, " "), err, asked, tail(out))
			return
		}
	}
}

// shrink condenses a session in place, or into a session of its own. It returns the file.
func (s *subject) shrink(session string, t trial, round int) (string, error) {
	args := append([]string{"run", "-q"}, t.args...)
	separate := t.copy && round == 0
	if !separate {
		args = slices.DeleteFunc(args, func(a string) bool { return a == "--session-id" || a == "new" })
		args = append(args, "--in-place=", "--no-stash")
	}
	known := s.sessions()
	cmd := exec.Command(s.condense, append(args, session)...)
	cmd.Env = s.condenseEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("condense: %w: %s", err, tail(string(out)))
	}
	if !separate {
		return session, nil
	}
	if made := without(s.sessions(), known); len(made) == 1 {
		return made[0], nil
	}
	return "", errors.New("condense made no session of its own")
}

// resume continues a session with a prompt, and checks what the client sent.
func (s *subject) resume(r *result, session, before string, round int) {
	r.Rounds = round + 1
	at := func(format string, args ...any) { r.fault("round %d: "+format, append([]any{round + 1}, args...)...) }
	// the client writes to the session
	condensed := filepath.Join(s.work, "condensed"+filepath.Ext(session))
	if err := exec.Command("cp", session, condensed).Run(); err != nil {
		at("%v", err)
		return
	}
	if err := s.load(session); err != nil {
		at("%v", err)
		return
	}
	s.server.begin(nil)
	prompt := fmt.Sprintf("%sNEXT-%d What was the limit before?", marker, round+1)
	out, err := s.run(s.c.resume, session, prompt)
	body := s.server.first(s.c.path)
	if err != nil || body == nil {
		at("refused: %v: %s", err, tail(out))
		return
	}
	if err := s.export(out); err != nil {
		at("%v", err)
	} else if !s.saved(prompt) {
		at("the turn is not in the session")
	}
	request := filepath.Join(s.work, "request.json")
	if err := os.WriteFile(request, body, 0o644); err != nil {
		at("%v", err)
		return
	}
	if err := s.compare(r, condensed, before, request, at, round); err != nil {
		at("%v", err)
	}
}

// saved reports whether a session holds the prompt and the answer to it.
func (s *subject) saved(prompt string) bool {
	for _, path := range s.sessions() {
		src, err := os.ReadFile(path)
		_, after, found := bytes.Cut(src, []byte(prompt))
		if err == nil && found && bytes.Contains(after, []byte(answer)) {
			return true
		}
	}
	return false
}

// compare checks a request against the condensed session and the one before it.
func (s *subject) compare(r *result, condensed, before, request string, at func(string, ...any), round int) error {
	known := s.orig
	if known == nil {
		known = &result{}
	}
	inFile, _, err := s.findings(condensed, "")
	if err != nil {
		return err
	}
	inRequest, _, err := s.findings(request, s.c.api)
	if err != nil {
		return err
	}
	var d difference
	if err := s.ask(&d, "diff", "--json", condensed, request); err != nil {
		return err
	}
	var lists [3][]string
	for i, path := range []string{before, condensed, request} {
		if lists[i], err = s.texts(path, i > 0); err != nil { // a client may send its own texts again
			return err
		}
	}
	habits, findings := additions(&d, known.Habits, excessOf(lists[2], lists[1])), without(append(inFile, inRequest...), known.Findings)
	if s.orig == nil {
		r.Habits = append(r.Habits, without(habits, r.Habits)...)
		r.Findings = append(r.Findings, without(findings, r.Findings)...)
	} else {
		if len(habits) > 0 {
			at("differs from the session: %s", strings.Join(habits, ", "))
		}
		if len(findings) > 0 {
			at("breaks %s", strings.Join(findings, ", "))
		}
	}
	if back := returned(lists[0], lists[1], lists[2]); len(back) > 0 {
		at("%d removed lines are sent: %.60s", len(back), back[0])
	}
	if round == 0 {
		if r.File, err = s.tokens(condensed); err == nil {
			r.Sent, err = s.tokens(request)
		}
	}
	return err
}
