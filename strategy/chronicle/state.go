package chronicle

import (
	"strconv"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// changes reports whether a call changes something, or updates the state of the work.
func changes(s *step, call *transcript.Block) bool {
	switch s.kind {
	case fact.WriteTool, fact.EditTool, fact.TaskTool, fact.TodoTool, fact.TalkTool:
		return true
	case fact.ReadTool, fact.SearchTool, fact.ListTool, fact.WebTool:
		return false
	}
	if isPlanned(call.Tool) {
		return true
	}
	command := subject.Command(call)
	return subject.Writes(call) || redirectsTo(command) != "" || s.checks != "" || hasEffectWord(command) && effects.MatchString(command)
}

// effects matches a shell command that changes, tests or builds something. The outcome of
// such a command is part of the state of the work.
var effects = lazyregexp.New(`(?:^|[;&|(\n]\s*)(?:sudo |time |env |\w+=\S+ )*(?:` + strings.Join([]string{
	`git (?:-\S+ \S+ )*(?:commit|push|merge|rebase|checkout|switch|reset|restore|revert|stash|tag|cherry-pick|rm|mv|clone|init|apply|am|pull|worktree|branch -\S)`,
	`gh api [^\n|;&]*(?:-X ?(?:POST|PUT|PATCH|DELETE)|--method|--(?:raw-)?field|--input|-[fF] )`,
	`gh \S+ (?:create|merge|edit|close|reopen|comment|review|ready|rerun|delete)`,
	`(?:` + runners + `|pip3?|uv|poetry|apt|apt-get|brew|gem|rustup) (?:-\S+ )*(?:install|i|ci|add|get|remove|uninstall|publish|update|upgrade|test|t|build|vet|run|check|clippy|mod|sync|lint|tidy|bench|restore)\b`,
	`(?:npx |uv run |poetry run |python3? -m |\./|node_modules/\.bin/)*(?:` + checkers + `)\b`,
	`(?:(?:uv|poetry) run )?(?:python3?|node|tsx|bash|sh|ruby|perl|php) (?:-[\w-]+ )*[\w./~-]+\.\w{1,4}\b`,
	`(?:docker|podman|kubectl|helm|terraform|systemctl|service|alembic|vercel|flyctl|heroku|aws|gcloud) (?:build|run|compose|rm|push|start|stop|restart|apply|delete|create|deploy|upgrade|enable|up|down)\b`,
	`(?:rm|mv|cp|mkdir|chmod|chown|ln|kill|pkill|patch|tee|sed -i\S*|perl -p?i\S*|curl (?:.*)-X ?(?:POST|PUT|DELETE|PATCH)|cat >{1,2})\s`,
}, "|") + `)`)

// effectWords are the first words of the commands that effects matches.
var effectWords = map[string]bool{
	"git": true, "gh": true, "npm": true, "pnpm": true, "yarn": true, "bun": true, "deno": true, "pip": true,
	"pip3": true, "uv": true, "poetry": true, "cargo": true, "go": true, "apt": true, "brew": true, "gem": true,
	"composer": true, "dotnet": true, "mix": true, "swift": true, "flutter": true, "rustup": true, "pytest": true,
	"jest": true, "vitest": true, "mocha": true, "tox": true, "ctest": true, "rspec": true, "phpunit": true,
	"tsc": true, "eslint": true, "ruff": true, "mypy": true, "golangci": true, "staticcheck": true,
	"playwright": true, "cypress": true, "make": true, "cmake": true, "mvn": true, "gradle": true,
	"gradlew": true, "bazel": true, "unittest": true, "docker": true, "podman": true, "kubectl": true,
	"helm": true, "terraform": true, "systemctl": true, "service": true, "alembic": true, "vercel": true,
	"flyctl": true, "heroku": true, "aws": true, "gcloud": true, "rm": true, "mv": true, "cp": true,
	"mise": true, "just": true, "task": true, "rake": true, "turbo": true, "nx": true, "moon": true, "pdm": true, "hatch": true,
	"python": true, "python3": true, "node": true, "tsx": true, "bash": true, "sh": true, "ruby": true, "php": true,
	"mkdir": true, "chmod": true, "chown": true, "ln": true, "kill": true, "pkill": true, "patch": true,
	"tee": true, "sed": true, "perl": true, "curl": true, "cat": true,
}

// hasEffectWord reports whether a command has a word of effectWords. Most commands have none, and need no
// regular expression.
func hasEffectWord(command string) bool {
	from := 0
	for i := range len(command) + 1 {
		if i < len(command) && isWordByte(command[i]) {
			continue
		}
		if i > from && effectWords[command[from:i]] {
			return true
		}
		from = i + 1
	}
	return false
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// planned matches the names of tools that maintain a list of tasks.
var planned = lazyregexp.New(`(?i)(?:task|todo|plan|goal)[_-]?(?:create|update|write|add|set|stop|complete)|(?:create|update|write|add|set|complete)[_-]?(?:task|todo|plan|goal)`)

// isPlanned reports whether a tool maintains a list of tasks.
func isPlanned(tool string) bool { return maintains(tool) && planned.MatchString(tool) }

// maintains reports whether the name of a tool may have the words of planned or adder, for which regular
// expressions are slow.
func maintains(tool string) bool {
	tool = strings.ToLower(tool)
	for _, verb := range [...]string{"create", "update", "write", "add", "set", "stop", "complete"} {
		if strings.Contains(tool, verb) {
			return true
		}
	}
	return strings.Contains(tool, "ſ") // an s for a regular expression
}

// adder matches the names of tools that add one task to a list.
var adder = lazyregexp.New(`(?i)(?:task|todo|goal)[_-]?(?:create|add)|(?:create|add)[_-]?(?:task|todo|goal)`)

// numbered matches the number of a new task in the result of the call that added it, as in
// "Task #6 created successfully" of Claude Code.
var numbered = lazyregexp.New(`(?i)\btask #(\d+)\b`)

// closedStates are the states of a task that needs no more work.
var closedStates = map[string]bool{"completed": true, "complete": true, "done": true, "cancelled": true, "canceled": true, "closed": true, "deleted": true}

// taskOf returns the number of the task that a step added to the list of tasks, or whose state it sets, and
// reports whether it added the task. It returns "" for other steps.
func (d *draft) taskOf(s *step, call *transcript.Block) (task string, adds bool) {
	switch {
	case len(s.calls) != 1:
		return "", false
	case len(s.results) == 1 && maintains(call.Tool) && adder.MatchString(call.Tool):
		if m := numbered.FindStringSubmatch(d.Conv.Block(s.results[0]).Text()); m != nil {
			return m[1], true
		}
	case isPlanned(call.Tool) && stateOf(call) != "":
		return call.Arg("taskId", "task_id", "id"), false
	}
	return "", false
}

// stateOf returns the state that a call gives to a task.
func stateOf(call *transcript.Block) string { return call.Arg("status", "state") }

// current returns the task that a list of tasks has in progress, or else the last task that it has closed, with its
// state; "" if it has none.
func current(call *transcript.Block) (task string) {
	for _, p := range call.Parts {
		item, name := cutLast(p.Name, ".")
		if name != "status" && name != "state" {
			continue
		}
		state := strings.ToLower(p.Text)
		title := call.Arg(item+".content", item+".step", item+".title", item+".task", item+".description")
		if title == "" || !closedStates[state] && !strings.HasPrefix(state, "in") {
			continue
		}
		task = strconv.Quote(clean(title, mostSubject)) + " " + clean(p.Text, mostTool)
		if !closedStates[state] {
			return task
		}
	}
	return task
}

// cutLast cuts a text around the last instance of sep.
func cutLast(text, sep string) (before, after string) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):]
	}
	return "", text
}

// closes reports whether a call sets a task to a state of closedStates.
func closes(call *transcript.Block) bool { return closedStates[strings.ToLower(stateOf(call))] }

// markSuperseded marks the steps that added a task or set its state when a later step sets its state. It
// marks the last step of each task as open, unless it closes the task.
func (d *draft) markSuperseded() {
	later := map[string]bool{} // tasks with a later state
	for i := len(d.steps) - 1; i >= 0; i-- {
		s := &d.steps[i]
		task := s.also().task
		if task == "" {
			continue
		}
		s.superseded = later[task]
		s.open = !s.superseded && (s.adds || !closes(d.Conv.Block(s.calls[0])))
		later[task] = true
	}
}

// newestChanges returns a function that reports whether a step is the newest that changes one of its files. It must be
// called for all steps, the newest first.
func (d *draft) newestChanges() func(*step) bool {
	named := map[string]bool{}
	return func(s *step) bool {
		newest := false
		for _, call := range s.calls {
			for _, file := range d.changed[call] {
				newest = newest || !named[file]
				named[file] = true
			}
		}
		return newest
	}
}
