package cmd

import "testing"

// TestOutcomesOfSettings is like the tests of messages_files_test.go, for the commands that read no conversation, and for
// command lines that name none.
func TestOutcomesOfSettings(t *testing.T) { checkMessages(t, "outcomes-settings.txt", settingsLines) }

const settingsLines = `
nothing
rnu c.json
hel
exce
lllm
c.json
in
run -output x c.json
run -json c.json
run -target 5 c.json
run -target=5 c.json
run -t -target c.json
run --target -strategy c.json
run -- -json
run -nq --nothing c.json
run -Z c.json
run --strict=x c.json
run --keep-last x c.json
run --keep-last 99999999999999999999 c.json
run --max-cost x c.json
run --fraction x c.json
run --color x c.json
run --config none c.json | unchanged
run --config nothere c.json
run --config notes.txt c.json
CONDENSE_CONFIG=nothere run -n c.json
CONDENSE_KEEP_LAST=x run -n c.json
CONDENSE_KEEP_LAST=-1 run -n c.json
CONDENSE_KEEP_LATS=1 run -n c.json | note
CONDENSE_STRATEGY=hybird run -n c.json
CONDENSE_PRESET=none run -n c.json
CONDENSE_JSON=x run -n c.json
filter a b
help nothing
help run nothing
help config inti
help __complete run --output ∅
__complete run --strategy ∅
__complete run --strategy dedupe,
__complete run --strategy-for ∅
__complete run --model gpt-5
__complete run --thinking ∅
__complete run --unpin ∅
__complete run --for ∅
__complete run --format open
__complete run --column ∅
__complete run --tokenizer ∅
__complete run --images ∅
__complete run --preset ∅
__complete run --layout ∅
__complete run --color ∅
__complete run --report-format ∅
__complete run --calibrate ∅
__complete run --tool ∅
__complete run c.json --select ∅
__complete run rows.jsonl --select ∅
__complete run nothere --select ∅
__complete explain c.json --message ∅
__complete explain lengths.jsonl --message ∅
__complete explain lengths.jsonl --select 2 --message ∅
__complete explain lengths.jsonl --select 9 --message ∅
__complete explain --message ∅
__complete explain nothere --message ∅
__complete explain odd.json --message ∅
__complete explain tagged.json --message ∅
__complete compare rows.jsonl --select ∅
__complete ls --tool ∅
__complete batch --tool ∅
__complete batch --report-format ∅
__complete filter --on-error ∅
__complete filter --compress ∅
__complete check --valid ∅
__complete validate --api ∅
__complete show ∅
__complete restore --via ∅
__complete completion ∅
__complete grep ∅
__complete run ∅
__complete run c.json ∅
__complete diff ∅
__complete diff c.json c.json ∅
__complete stats c.json ∅
__complete stash ∅
__complete stash purge ∅
__complete con
config nothing
version
version --json | "(version|from)"
version x
--version | ^x
formats x
formats --json | "name": "(openai|codex|anthropic)"
models x
models --models none
models --models c.json
models --models models.json
strategies x
completion
completion nothing
completion bsh
completion bash zsh
completion bash | ^__start_condense
completion zsh | ^compdef
completion fish | ^complete.-c
completion powershell | Register
config nothing
config show x y
config show --command nothing
config show --command run␣nothing
config show --command config
config show --command stash
config show --command stash␣gc --all
config show --command validate --all
config show --command validate --all --json
config show
config show --config nothere
config show --command run --all
config show --command batch --all
config show --command filter --all
config show --command check --all
config show --command compare --all
config show --command stats --all
config show --command tokens --all
config show --command validate --all
config show --command repair --all
config show --command rescue --all
config show --command explain --all
config show --command diff --all
config show --command view --all
config show --command undo --all
config show --command restore --all
config show --command show --all
config show --command grep --all
config show --command stash␣list --all
config show --command stash␣gc --all
config show --command stash␣purge --all
config show --command mcp --all
config show --command ls --all
config show --command formats --all
config show --command models --all
CONDENSE_KEEP_LAST=2 CONDENSE_STRATEGY=mask config show
CONDENSE_KEEP_LAST=2 config show --json | key|value|from
CONDENSE_KEEP_LAST=x config show
CONDENSE_PRESET=aggressive config show
config path
config path x
config path --config none
config path --config nothere
config check
config check nothere
config check notes.txt
config check --config nothere
config check --config wrong.yaml
CONDENSE_CONFIG=nothere config check
config check --user nothere
CONDENSE_KEEP_LATS=1 config check
CONDENSE_KEEP_LATS=1 config check c.json
config init x y
config init taken
config init -f taken
config check taken
config check wrong.yaml
config check --user wrong.yaml
config init none/deep/x.yaml
config check none/deep/x.yaml
config init taken/x.yaml
config init - | (strategy|keep-last|target):
config init --user - | (llm|validator|stash):
config init --user
config init --user
config path
config init
config init
config path
config check
rm condense.yaml
man nothing
man run nothing
man config nothing
man run --dir pages
man --dir taken
man --dir pages
man --dir pages
man --dir pages -f
man --markdown --dir pages
man | ^.SH
man run | ^.SH|^.TH|keep>|GLOB
man batch | include|[*]
man --markdown run | ^#
man --markdown stash gc | ^#|keep
ls
ls x
ls --limit -1
ls --limit 0
ls --tool nothing
ls --tool c
ls --tool claude --json
ls --within x
ls --within -1h
ls --min-size x
ls --models none
ls --models c.json
mcp x y --stash s
grep a b
show a b
stash nothing
stash list x
stash gc x
stash purge a b
rescue a b
view a b
explain a b
compare a b
repair a b
restore a b
diff a b c
exec
llm | flags
report | pinned
`
