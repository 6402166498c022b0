package plugins_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testOpenCode(t *testing.T, programs string) {
	plugin, err := filepath.Abs("opencode/condense.js")
	if err != nil {
		t.Fatal(err)
	}
	program := installed(t, "opencode/node_modules/opencode-*/bin/opencode")
	for _, tt := range []struct {
		name     string
		condense bool
	}{{"with condense", true}, {"without condense", false}} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, programs)
			if !tt.condense {
				b.programs = b.home
			}
			server := b.startOpenCode(program, plugin)
			var session struct{ ID string }
			server.post("/session", map[string]any{}, &session)
			var typed []string
			var last []request
			for turn := range 12 {
				prompt := fmt.Sprintf("PROMPT-%d RUN-TOOL, and never touch turn-%d.txt", turn, turn)
				server.post("/session/"+session.ID+"/message", map[string]any{
					"model": map[string]string{"providerID": "fake", "modelID": "fake-model"},
					"parts": []map[string]string{{"type": "text", "text": prompt}},
				}, nil)
				typed = append(typed, prompt)
				last, _ = b.model.taken()
				if len(last) == 0 || !last[len(last)-1].says(prompt) {
					t.Fatalf("turn %d: the conversation does not continue", turn)
				}
				for _, r := range last {
					t.Logf("turn %d: %d messages, %d bytes of results", turn, len(r.Messages), r.size())
					if ids := r.orphans(); len(ids) > 0 {
						t.Errorf("turn %d: orphans %v", turn, ids)
					}
				}
			}
			r := last[len(last)-1]
			for _, text := range typed {
				if tt.condense && !r.says(text) {
					t.Errorf("a typed text is missing: %q", text)
				}
			}
			if small := r.size() < 60_000; small != tt.condense {
				t.Errorf("%d bytes of results in the last request", r.size())
			}
		})
	}
}

// An openCode is a running server of OpenCode.
type openCode struct {
	*bench
	url string
}

func (b *bench) startOpenCode(program, plugin string) *openCode {
	b.Helper()
	config, err := json.Marshal(map[string]any{
		"autoupdate": false, "share": "disabled", "model": "fake/fake-model", "small_model": "fake/fake-model",
		"permission": map[string]string{"bash": "allow", "webfetch": "deny"},
		"plugin":     []string{"file://" + plugin},
		"provider": map[string]any{"fake": map[string]any{
			"npm": "@ai-sdk/anthropic", "name": "fake", "options": map[string]string{"baseURL": b.model.URL + "/v1", "apiKey": "dummy"},
			"models": map[string]any{"fake-model": map[string]any{"name": "fake", "tool_call": true, "limit": map[string]int{"context": 60_000, "output": 4_000}}},
		}},
	})
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(b.home, ".config/opencode")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "opencode.json"), config, 0o644); err != nil {
		b.Fatal(err)
	}
	c := exec.Command(program, "serve", "--print-logs", "--log-level", "WARN")
	c.Dir = b.project
	c.Env = []string{"PATH=" + b.programs + ":" + os.Getenv("PATH"), "HOME=" + b.home}
	for _, name := range []string{"AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE"} {
		c.Env = append(c.Env, "OPENCODE_DISABLE_"+name+"=1")
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return &openCode{b, strings.TrimSpace(url)}
		}
	}
	b.Fatal("the server does not listen")
	return nil
}

// post sends a request to the server, and decodes the answer into result unless that is nil.
func (o *openCode) post(path string, body, result any) {
	o.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		o.Fatal(err)
	}
	client := http.Client{Timeout: 2 * time.Minute}
	resp, err := client.Post(o.url+path, "application/json", bytes.NewReader(data))
	if err != nil {
		o.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		o.Fatalf("%s: %s, %v: %s", path, resp.Status, err, answer)
	}
	if result != nil {
		if err := json.Unmarshal(answer, result); err != nil {
			o.Fatal(err)
		}
	}
}
