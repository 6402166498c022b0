package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

const recipes = "../.github/docs/recipes.md"

// saved lists the fixtures of the recipes, by the places in the home folder where the tools save
// such files.
var saved = map[string]string{
	".claude/projects/-home-lena-tidewatch/cb8c670b-8787-451e-b35f-93b46456f252.jsonl":                             "claude-code/session.jsonl",
	".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-019c0aaa-1111-7000-8000-00000000c0de.jsonl":            "codex/session.jsonl",
	".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1767600000000/api_conversation_history.json":     "anthropic/cline-hybrid.json",
	".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1767700000000/api_conversation_history.json": "anthropic/roo-condensed.json",
	".gemini/tmp/tides/chats/session-2026-02-11T09-00-7d1f0a4e.json":                                               "gemini-cli/session.json",
	".pi/agent/sessions/--home-ada-tides--/2026-03-01T08-00-11-100Z_01a2056e-b782-70e7-8cc1-74a231aeb9e0.jsonl":    "pi/ferry.jsonl",
	".cursor/projects/home-ada-tides/agent-transcripts/5b0f8a52-0c7e-4a9a-9d0e-2f6f5d9ab002.jsonl":                 "cursor/session.jsonl",
	".copilot/session-state/d0f631ca-1ddb-48db-abcf-cb9e057cdc98/events.jsonl":                                     "copilot-cli/session.jsonl",
	".opencode-database/ses_7692c3ad3540bb803c02.json":                                                             "opencode/session.json",
	"copilot-chat.json":            "vscode-copilot/chat.json",
	"chatgpt/conversations.json":   "chatgpt/conversations.json",
	"claude-ai/conversations.json": "claude-ai/conversations.json",
	"request.json":                 "anthropic/request.json",
	"requests.jsonl":               "openai-ft/library.jsonl",
}

// clients stand for the programs that the recipes call. Each writes its command line to the file
// calls. That of OpenCode keeps its sessions in a folder, and does not replace one by an import.
var clients = map[string]string{
	"claude": `ls ~/.claude/projects/*/"$2".jsonl`, "codex": `ls ~/.codex/sessions/*/*/*/rollout-*-"$2".jsonl`,
	"gemini": `grep -l "\"sessionId\": *\"$2\"" ~/.gemini/tmp/*/chats/session-*`, "pi": `ls "$2"`, "copilot": `ls ~/.copilot/session-state/"$2"/events.jsonl`,
	"curl": `for file; do :; done; ls "${file#@}"`,
	"opencode": `db=~/.opencode-database; case "$1" in
export) cat $db/$2.json ;;
import) id=$(grep -o 'ses_[0-9a-f]*' "$2" | head -n 1); test -e $db/$id.json || cp "$2" $db/$id.json ;;
session) rm $db/$3.json ;;
--session) ls $db/$2.json ;;
*) exit 2 ;;
esac`,
}

// makesSmaller matches a command that condenses a file.
var makesSmaller = regexp.MustCompile(`(?m)^condense (?:run|filter|rescue) `)

// TestRecipes runs the blocks of each section of the recipes, one after the other, in a home folder
// with a session of each tool. The first block that condenses makes a session smaller, or writes a new
// file. The section ends with the sessions as they were.
func TestRecipes(t *testing.T) {
	page, err := os.ReadFile(recipes)
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(page), "\n## ")[1:]
	for _, section := range sections {
		name, text, _ := strings.Cut(section, "\n")
		blocks := fence.FindAllStringSubmatch(text, -1)
		if len(blocks) == 0 {
			t.Errorf("the section %s has no commands", name)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := recipeHome(t)
			before := contents(t, home)
			checked := false
			for _, block := range blocks {
				runRecipe(t, home, block[1])
				if !checked && makesSmaller.MatchString(block[1]) {
					checkSmaller(t, before, contents(t, home))
					checked = true
				}
			}
			after := contents(t, home)
			for path := range saved {
				if before[path] != after[path] {
					t.Errorf("%s is not as it was", path)
				}
			}
		})
	}
}

// recipeHome returns a home folder with the fixtures, the examples' files and the clients.
func recipeHome(t *testing.T) string {
	home := exampleDir(t)
	if err := os.RemoveAll(filepath.Join(home, ".claude")); err != nil {
		t.Fatal(err)
	}
	write := func(path string, data []byte, mode os.FileMode) {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		syscall.ForkLock.RLock() // a program that another test starts meanwhile would hold the script open for writing
		err := os.WriteFile(path, data, mode)
		syscall.ForkLock.RUnlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, fixture := range saved {
		data, err := os.ReadFile(filepath.Join("../testdata/sessions", fixture))
		if err != nil {
			t.Fatal(err)
		}
		write(path, data, 0o644)
	}
	write("tidewatch/go.mod", nil, 0o644)
	for name, script := range clients {
		write("bin/"+name, []byte("#!/bin/sh\nset -e\necho "+name+` "$@" >> ~/calls`+"\n"+script+"\n"), 0o755)
	}
	return home
}

// runRecipe runs a block of commands in a home folder, and checks that all calls of clients were
// made.
func runRecipe(t *testing.T, home, block string) {
	if strings.Contains(block, "| jq") {
		if _, err := exec.LookPath("jq"); err != nil {
			t.Skip("no jq here")
		}
	}
	c := command(t, home, "set -eu\n"+block)
	c.Env = append(c.Env, "PATH="+filepath.Join(home, "bin")+":"+home+":"+os.Getenv("PATH"), "ANTHROPIC_API_KEY=none", "XDG_CONFIG_HOME="+filepath.Join(home, ".config"))
	if err := os.RemoveAll(filepath.Join(home, "calls")); err != nil {
		t.Fatal(err)
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s\n%v\n%s", block, err, out)
	}
	var want int
	for line := range strings.Lines(block) {
		if name, _, _ := strings.Cut(line, " "); clients[name] != "" {
			want++
		}
	}
	calls, err := os.ReadFile(filepath.Join(home, "calls"))
	if err != nil && want > 0 || bytes.Count(calls, []byte("\n")) != want {
		t.Errorf("%s\nmade these calls: %s", block, calls)
	}
}

// checkSmaller checks that a session is smaller than before, or that a new file is.
func checkSmaller(t *testing.T, before, after map[string]string) {
	for path, text := range after {
		if old, known := before[path]; known && len(text) < len(old) || !known && !strings.HasPrefix(path, ".local/") {
			return
		}
	}
	t.Error("nothing is smaller")
}

// contents returns the texts of the files below a folder, by their paths.
func contents(t *testing.T, dir string) map[string]string {
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, "/calls") {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		texts[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
