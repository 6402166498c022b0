package config

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"condense/transcript/transcripttest"
)

// Names as the program has them, for tests of suggestions.
var (
	runFlags = strings.Fields("--after --aggression --always --api-key-env --api-key-file --base-url --before --calibrate --cap --color --config --diff " +
		"--drop-hidden --drop-rows --dry-run --events --exec-env --exec-failure --exec-timeout --explain --fallback --focus --for --force --format --fraction " +
		"--freeze-prefix --help --images --in-place --json --keep-first --keep-last --keep-rounds --l1 --l2 --l3 --layout --llm --llm-cache --llm-fallback-model " +
		"--llm-max-tokens --llm-model --llm-stream --llm-temperature --max-cost --max-memory --messages --min-gain --min-gap --min-messages --min-retention " +
		"--min-stage-gain --min-tokens --model --models --no-redact --only --output --pin --preset --prices --profile --profile-threshold --prompt-file --protect " +
		"--protect-path --protect-tool --quiet --report --report-format --reserve --retries --rpm --select --session-id --stash --strategy --strategy-for --strict " +
		"--tag --tags --target --target-model --thinking --threshold --timeout --tokenizer --tpm --unpin --validator --verbose --verify-restore --window")
	batchFlags = append(strings.Fields("--out-dir --jobs --include --exclude --resume --manifest --no-progress --fail-fast --summary --shard"), slices.DeleteFunc(slices.Clone(runFlags), func(f string) bool {
		return slices.Contains([]string{"--output", "--diff", "--json", "--select", "--session-id", "--explain"}, f)
	})...)
	commands = strings.Fields("batch check compare completion config diff explain filter formats grep help man models repair restore run show stash stats " +
		"strategies tokens validate version")
	strategies = strings.Fields("hybrid dedupe mask smart-compress progressive summarize truncate")
	formats    = strings.Fields("claude-code qwen-code codex chatgpt claude-ai continue openwebui librechat chatbot-ui grok langchain vscode-copilot ai-sdk copilot-cli " +
		"managed-agents pi cursor opencode gemini-cli gemini-stream adk aistudio gemini cline responses openai-ft swe-agent mini-swe-agent openhands atif inspect " +
		"sharegpt anthropic openai")
	models = strings.Fields("gpt-5 gpt-5-mini gpt-5.2 gpt-4.1 gpt-4o gpt-4o-mini o1 o3 o4-mini claude claude-haiku-4 claude-sonnet-4 claude-sonnet-4-5 " +
		"claude-opus-4 claude-opus-4-5 claude-opus-5 opus sonnet haiku gemini gemini-2.5 llama mistral mixtral qwen deepseek grok kimi")
	units   = strings.Fields("o200k_base cl100k_base bytes4 chars")
	presets = strings.Fields("conservative balanced aggressive")
)

var update = flag.Bool("update", false, "rewrite testdata/suggestions.txt")

// mistakesIn returns ways to write a name wrongly.
func mistakesIn(name string) []string {
	typed := strings.TrimPrefix(name, "--")
	n := len(typed)
	list := []string{
		typed[1:], typed[:n-1], typed[:n/2] + typed[n/2+1:], typed[:n/2] + "x" + typed[n/2:], typed[:n/2] + "x" + typed[n/2+1:],
		typed[:n-2] + typed[n-1:] + typed[n-2:n-1], typed + "s", typed + "-1", "x" + typed, typed + "-for-me",
		"no-" + typed, "not-" + typed, "non-" + typed, "un" + typed, "without-" + typed, "disable-" + typed, "never-" + typed, "drop-" + typed,
	}
	if words := strings.Split(typed, "-"); len(words) > 1 {
		list = append(list, words[0], words[len(words)-1], words[len(words)-1]+"-"+words[0], strings.Join(words, ""), strings.Join(words, "_"))
	}
	for _, pair := range opposites {
		for k, w := range pair {
			if strings.Contains(typed, w) {
				list = append(list, strings.Replace(typed, w, pair[1-k], 1))
			}
		}
	}
	return list
}

// TestSuggestionsOfAll checks what is suggested for the names of other programs, and for many ways to
// write the names of flags and commands wrongly. After a change, read the differences of
// go test ./cmd/config -run TestSuggestionsOfAll -update.
func TestSuggestionsOfAll(t *testing.T) {
	typed := slices.Collect(maps.Keys(synonyms))
	for letter := range shortSynonyms {
		typed = append(typed, "-"+letter)
	}
	for _, name := range slices.Concat(batchFlags, commands) {
		typed = append(typed, mistakesIn(name)...)
	}
	for _, pair := range opposites {
		typed = append(typed, pair[0]+"-end", pair[1]+"-end")
	}
	slices.Sort(typed)
	known := slices.Concat(batchFlags, runFlags, commands, strategies, []string{"--include-end", "--head-end", "--tail-end", "--in-end", "--off-end"})
	slices.Sort(known)
	known = slices.Compact(known)
	var b strings.Builder
	for _, name := range slices.Compact(typed) {
		if meant := strings.Join(suggestions(name, known), ", "); meant != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, meant)
		}
	}
	transcripttest.FrozenText(t, "testdata/suggestions.txt", *update, b.String())
}

// mistake is a name that does not exist, with the names that a user meant.
type mistake struct{ typed, want string }

// TestSuggestions checks what is suggested for names that users type, and that nothing is suggested
// where no name has that meaning, or where a similar name means the opposite.
func TestSuggestions(t *testing.T) {
	for _, kind := range []struct {
		name     string
		known    []string
		mistakes []mistake
	}{
		{"flag of run", runFlags, []mistake{
			{"--budget", "--target"}, {"--max-tokens", "--target"}, {"--tokens", "--target"}, {"--token-limit", "--target"}, {"--ratio", "--target"}, {"--MAX_TOKENS", "--target"},
			{"--context-window", "--window"}, {"--context", "--window"}, {"--num-ctx", "--window"}, {"--method", "--strategy"}, {"--algo", "--strategy"},
			{"--out", "--output"}, {"--out-file", "--output"}, {"--outfile", "--output"}, {"--output-file", "--output"}, {"--dest", "--output"}, {"--output-dir", "--output"},
			{"--inplace", "--in-place"}, {"--in_place", "--in-place"}, {"--write", "--in-place"}, {"--overwrite", "--force or --in-place"}, {"--no-backup", "--in-place="}, {"-i", "--in-place"},
			{"--dry", "--dry-run"}, {"--dryrun", "--dry-run"}, {"--dry_run", "--dry-run"}, {"--what-if", "--dry-run"}, {"--simulate", "--dry-run"},
			{"--keep", "--keep-last or --keep-first or --pin"}, {"--keep-recent", "--keep-last"}, {"--last", "--keep-last"}, {"--recent", "--keep-last"}, {"--tail", "--keep-last"},
			{"--first", "--keep-first"}, {"--head", "--keep-first"}, {"--rounds", "--keep-rounds"}, {"--keep-tools", "--protect-tool"}, {"--exclude-tool", "--protect-tool"},
			{"--keep-path", "--protect-path"}, {"--no-thinking", "--thinking drop"}, {"--keep-thinking", "--thinking keep"}, {"--reasoning", "--thinking"}, {"--image", "--images"},
			{"--strip-images", "--images placeholder"}, {"--input-format", "--format"}, {"--type", "--format"}, {"--silent", "--quiet"}, {"--debug", "--verbose"}, {"--log", "--events"},
			{"--no-color", "--color never"}, {"--colour", "--color"}, {"--markdown", "--report-format markdown"}, {"--encoding", "--tokenizer"}, {"--tokeniser", "--tokenizer"},
			{"--no-config", "--config none"}, {"--config-file", "--config"}, {"--api-key", "--api-key-env or --api-key-file"}, {"--endpoint", "--base-url"},
			{"--temperature", "--llm-temperature"}, {"--stream", "--llm-stream"}, {"--cost", "--max-cost"}, {"--max-spend", "--max-cost"}, {"--memory", "--max-memory"},
			{"--truncate", "--strategy truncate"}, {"--summarize", "--strategy summarize"}, {"--aggressive", "--preset aggressive"}, {"--overwrit", ""},
			// beginnings and ends
			{"--targ", "--target or --target-model"}, {"--strat", "--strategy or --strategy-for"}, {"--protect-t", "--protect-tool"}, {"--model-name", "--model"}, {"--stash-dir", "--stash"},
			{"--retention", "--min-retention"}, {"--gap", ""}, {"--url", ""},
			// spelling
			{"--taget", "--target"}, {"--tragte", "--target"}, {"--stratgey", "--strategy"}, {"--startegy", "--strategy"}, {"--mdoel", "--model"}, {"--wndow", "--window"},
			{"--ouput", "--output"}, {"--quite", "--quiet"}, {"--verbos", "--verbose"}, {"--keep-lats", "--keep-last"}, {"--treshold", "--threshold"}, {"--min-gian", "--min-gain"},
			{"--min-mesages", "--min-messages"}, {"--targets", "--target"}, {"--no-redcat", "--no-redact"},
			// the opposite of what exists, and names that resemble others only by chance
			{"--no-llm", ""}, {"--redact", ""}, {"--no-diff", ""}, {"--no-stash", ""}, {"--no-dry-run", ""}, {"--max-messages", ""}, {"--max-gap", ""}, {"--drop-last", ""}, {"--drop-first", ""},
			{"--unprotect", ""}, {"--keep-hidden", ""}, {"--unforce", ""}, {"--without-tags", ""}, {"--progress", ""}, {"--file", ""}, {"--path", ""}, {"--output-format", ""}, {"--l4", ""},
			{"--foo", ""}, {"--x", ""}, {"--", ""}, {"--lang", ""}, {"--port", ""}, {"--user", ""}, {"--watch", ""}, {"--recursive", ""}, {"--width", ""}, {"--list", ""}, {"--time", "--timeout"},
			{"-z", ""}, {"-T", "--target"}, {"--log-level", ""}, {"--tar", "--target or --target-model"},
		}},
		{"flag of batch", batchFlags, []mistake{
			{"--output", "--out-dir"}, {"--output-dir", "--out-dir"}, {"--outdir", "--out-dir"}, {"--parallel", "--jobs"}, {"--workers", "--jobs"}, {"--concurrency", "--jobs"}, {"--glob", "--include"},
			{"--ignore", "--exclude"}, {"--progress", ""}, {"--continue", "--resume"}, {"--noprogress", "--no-progress"}, {"--no-sumary", ""},
		}},
		{"flag to include", []string{"--include"}, []mistake{{"--exclude", ""}, {"--inclde", "--include"}}},
		{"flag to exclude", []string{"--exclude"}, []mistake{{"--include", ""}, {"--exclde", "--exclude"}}},
		{"key", []string{"target", "strategy", "keep-last", "min-tokens", "no-progress"}, []mistake{
			{"budget", "target"}, {"keep_last", "keep-last"}, {"startegy", "strategy"}, {"max-tokens", "target"}, {"progress", ""},
		}},
		{"command", commands, []mistake{
			{"rnu", "run"}, {"compress", "run"}, {"compact", "run"}, {"shrink", "run"}, {"summarize", "run"}, {"undo", "restore"}, {"revert", "restore"}, {"fix", "repair"},
			{"verify", "validate or check"}, {"valid", "validate"}, {"count", "tokens or stats"}, {"info", "stats"}, {"search", "grep"}, {"cmp", "diff or compare"}, {"comp", "compare or completion"},
			{"init", "config init"}, {"status", "stats"}, {"stat", "stats"}, {"stas", "stash"}, {"format", "formats"}, {"model", "models"}, {"strategy", "strategies"}, {"gc", "stash gc"},
			{"manual", "man"}, {"list", "stash list"}, {"cat", ""}, {"start", ""}, {"push", ""}, {"delete", ""}, {"xyzzy", ""}, {"convert", ""}, {"upgrade", ""}, {"chat", ""}, {"unstash", ""}, {"BATCH", "batch"},
		}},
		{"strategy", strategies, []mistake{
			{"compact", "summarize"}, {"summarise", "summarize"}, {"summary", "summarize"}, {"compress", "smart-compress"}, {"smart", "smart-compress"}, {"smart_compress", "smart-compress"},
			{"smartcompress", "smart-compress"}, {"dedup", "dedupe"}, {"sliding-window", "truncate"}, {"drop-oldest", "truncate"}, {"observation-masking", "mask"}, {"auto", "hybrid"},
			{"hybird", "hybrid"}, {"progresive", "progressive"}, {"prog", "progressive"}, {"best", "hybrid"}, {"none", ""}, {"rag", ""}, {"task", "mask"}, {"unmask", ""}, {"map-reduce", ""},
		}},
		{"format", formats, []mistake{
			{"clade", "claude-ai or claude-code"}, {"claude", "claude-code or claude-ai or anthropic"}, {"claudecode", "claude-code"}, {"Claude_Code", "claude-code"}, {"claud-code", "claude-code"}, {"roo", "cline"}, {"copilot", "copilot-cli or vscode-copilot"},
			{"gemni", "gemini"}, {"openia", "openai"}, {"chat-gpt", "chatgpt"}, {"open-ai", "openai"}, {"json", ""}, {"xml", ""}, {"csv", ""}, {"text", ""}, {"swe", "swe-agent"}, {"vscode", "vscode-copilot"},
			{"claude-web", "claude-ai"}, {"codex-cli", "codex"}, {"gpt", "chatgpt"}, {"openai-chat", "openai"}, {"chat-completions", "openai"}, {"messages", "anthropic"}, {"roo-code", "cline"},
			{"kilo", "cline"}, {"kilo-code", "cline"}, {"fine-tuning", "openai-ft"}, {"finetune", "openai-ft"}, {"open-webui", "openwebui"}, {"vercel", "ai-sdk"}, {"oh-my-pi", "pi"},
			{"qwen", "qwen-code"}, {"qwen-cli", "qwen-code"}, {"harbor", "atif"}, {"bedrock", ""}, {"jsonl", ""},
		}},
		{"model", models, []mistake{
			{"gtp-4o", "gpt-4o"}, {"gpt4o", "gpt-4o"}, {"sonett", "sonnet"}, {"cluade-opus-4", "claude-opus-4"}, {"claud-opus-5", "claude-opus-5"}, {"mixral", "mixtral"}, {"o5", ""}, {"gpt-9", ""}, {"bert", ""}, {"palm", ""},
		}},
		{"tokenizer", units, []mistake{{"o200k", "o200k_base"}, {"CL100K-base", "cl100k_base"}, {"cl100k", "cl100k_base"}, {"bytes", "bytes4"}, {"words", ""}, {"", ""}, {"p50k_base", ""}, {"char", "chars"}}},
		{"preset", presets, []mistake{{"agressive", "aggressive"}, {"high", "aggressive"}, {"default", "balanced"}, {"safe", "conservative"}, {"extreme", ""}, {"cons", "conservative"}}},
	} {
		for _, m := range kind.mistakes {
			if got := strings.Join(suggestions(m.typed, kind.known), " or "); got != m.want {
				t.Errorf("%s %q: suggested %q, want %q", kind.name, m.typed, got, m.want)
			}
		}
	}
}

// TestSynonymsSuggestThemselves checks that no name is a synonym of itself alone.
func TestSynonymsSuggestThemselves(t *testing.T) {
	for name, list := range synonyms {
		if list == name {
			t.Errorf("%q stands for itself", name)
		}
		for entry := range strings.SplitSeq(list, ",") {
			if strings.TrimSpace(entry) == "" && list != "" {
				t.Errorf("%q has an empty entry in %q", name, list)
			}
		}
	}
}

// TestDistance checks the number of changes that turn one name into another.
func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "bc", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3},
		{"target", "tragte", 2}, {"aab", "ab", 1},
	} {
		for _, got := range []int{distance(tt.a, tt.b), distance(tt.b, tt.a)} {
			if got != tt.want {
				t.Errorf("%q and %q differ by %d, want %d", tt.a, tt.b, got, tt.want)
			}
		}
	}
}

// TestDidYouMean checks that a hint names the existing name that resembles a wrong one, wherever the error is in
// the chain.
func TestDidYouMean(t *testing.T) {
	cause := errors.New("no such thing")
	for name, want := range map[string]string{"taget": "did you mean target? ", "zzz": ""} {
		err := Unknown(cause, name, []string{"pin", "target"})
		if got := DidYouMean(fmt.Errorf("c.yaml: %w", err)); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		if err.Error() != "no such thing" || !errors.Is(err, cause) {
			t.Errorf("the error is %q", err)
		}
	}
	if got := DidYouMean(cause); got != "" {
		t.Errorf("an error about no name: %q", got)
	}
	_, err := ParsePreset("agressive")
	if got := DidYouMean(err); got != "did you mean aggressive? " || err.Error() != "expected one of conservative, balanced, aggressive" {
		t.Errorf("%v: %q", err, got)
	}
}
