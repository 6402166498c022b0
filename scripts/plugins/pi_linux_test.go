package plugins_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func testPi(t *testing.T, programs string) {
	extension, err := filepath.Abs("pi/condense.js")
	if err != nil {
		t.Fatal(err)
	}
	program := []string{installed(t, "node/node_modules/node/bin/node"), installed(t, "pi/node_modules/@mariozechner/pi-coding-agent/dist/cli.js")}
	for _, tt := range []struct {
		name      string
		condense  bool
		summaries int // requests for a summary in each compaction
	}{{"with condense", true, 0}, {"without condense", false, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, programs)
			if !tt.condense {
				b.programs = b.home
			}
			session := b.placePi("../../testdata/sessions/pi/ferry.jsonl")
			rpc := b.startPi(append(program, "--mode", "rpc", "--offline", "--provider", "anthropic", "--model", "claude-sonnet-4-5", "--extension", extension, "--session", session)...)
			typed := []string{}
			for round := range 3 {
				prompt := fmt.Sprintf("PROMPT-%d RUN-TOOL, and never touch round-%d.txt", round, round)
				rpc.send(map[string]string{"type": "prompt", "message": prompt}, `"type":"agent_end"`)
				agent, _ := b.model.taken()
				if len(agent) == 0 {
					t.Fatalf("round %d: no request", round)
				}
				r := agent[len(agent)-1]
				if ids := r.orphans(); len(ids) > 0 {
					t.Errorf("round %d: orphans %v", round, ids)
				}
				for _, text := range typed {
					if tt.condense && !r.says(text) {
						t.Errorf("round %d: a typed text is missing: %.60q", round, text)
					}
				}
				typed = append(typed, prompt)
				rpc.send(map[string]string{"type": "compact"}, `"command":"compact"`)
				if _, all := b.model.taken(); (all > 0) != (tt.summaries > 0) {
					t.Errorf("round %d: %d requests while compacting", round, all)
				}
			}
			rpc.send(map[string]string{"type": "prompt", "message": "PROMPT-last"}, `"type":"agent_end"`)
			agent, _ := b.model.taken()
			if len(agent) != 1 || !agent[0].says("PROMPT-last") {
				t.Errorf("the conversation does not continue")
			}
		})
	}
}

// placePi puts a session where pi resumes it, with settings that make it compact small ones.
func (b *bench) placePi(session string) string {
	b.Helper()
	data, err := os.ReadFile(session)
	if err != nil {
		b.Fatal(err)
	}
	data = regexp.MustCompile(`"cwd":\s*"[^"]*"`).ReplaceAll(data, []byte(`"cwd":"`+b.project+`"`))
	place := filepath.Join(b.home, ".pi/agent/sessions/project/s.jsonl")
	for name, content := range map[string]string{
		place: string(data),
		filepath.Join(b.home, ".pi/agent/models.json"):   `{"providers":{"anthropic":{"baseUrl":"` + b.model.URL + `"}}}`,
		filepath.Join(b.home, ".pi/agent/settings.json"): `{"compaction":{"keepRecentTokens":1000}}`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return place
}

// A piProcess is a running pi in its mode for programs.
type piProcess struct {
	*bench
	in  *json.Encoder
	out *bufio.Scanner
}

func (b *bench) startPi(argv ...string) *piProcess {
	b.Helper()
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir, c.Stderr = b.project, os.Stderr
	c.Env = []string{"PATH=" + b.programs + ":" + os.Getenv("PATH"), "HOME=" + b.home, "ANTHROPIC_API_KEY=dummy", "PI_OFFLINE=1", "PI_TELEMETRY=0"}
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(); _ = c.Process.Kill(); _ = c.Wait() })
	p := &piProcess{b, json.NewEncoder(in), bufio.NewScanner(out)}
	p.out.Buffer(nil, 1<<26)
	return p
}

// send sends a command, and waits for a line that holds answer.
func (p *piProcess) send(command map[string]string, answer string) {
	p.Helper()
	if err := p.in.Encode(command); err != nil {
		p.Fatal(err)
	}
	var seen []string
	for p.out.Scan() {
		line := p.out.Text()
		if strings.Contains(line, `"success":false`) {
			p.Fatalf("%v: %s", command, line)
		}
		if strings.Contains(line, answer) {
			return
		}
		if strings.Contains(line, "condense left") {
			p.Log(line)
		}
		seen = append(seen, line[:min(200, len(line))])
	}
	p.Fatalf("%v: no %s in %s", command, answer, strings.Join(slices.Clone(seen), "\n"))
}
