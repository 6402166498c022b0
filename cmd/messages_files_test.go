package cmd

import "testing"

// The tests of this file compare all that commands print about small files with files in testdata: each combination of
// flags that is refused, each form of a report, each note.

// TestOutcomesOfCheck is about condense check.
func TestOutcomesOfCheck(t *testing.T) { checkMessages(t, "outcomes-check.txt", checkLines) }

const checkLines = `
check
check c.json
check --max-tokens 0 c.json
check --max-tokens x c.json
check --max-tokens 50% c.json
check --max-tokens 5 c.json
check --max-tokens 4 c.json
check --max-tokens 4 -v c.json
check --max-tokens 4 -q c.json
check --max-tokens 4 -v -
check --max-tokens 4 -v < c.json
check --max-tokens 4 -v rows.jsonl
check --max-tokens 4 -v orphan.json tagged.json
check --max-tokens 4k in
check --max-tokens 4k -v in
check --max-tokens 4 in
check --max-tokens 4k in/package.json
check --max-tokens 4k --skip-others in/package.json
check --max-tokens 4k --skip-others -v in/package.json
check --max-tokens 4k --skip-others --json in/package.json
check --max-tokens 4k odd.json torn.json empty.json nothere
check --max-tokens 4k -v odd.json torn.json empty.json nothere
check --max-tokens 4k --skip-others odd.json torn.json empty.json nothere
check --max-tokens 4k in/*.none
check --max-tokens 4k [
check --max-growth 5% c.json
check --max-growth x --baseline b c.json
check --max-growth -1 --baseline b c.json
check --max-growth inf --baseline b c.json
check --max-growth nan --baseline b c.json
check --max-growth x% --baseline b c.json
check --update-baseline c.json
check --update-baseline --max-tokens 1k c.json
check --max-growth 5% --baseline b c.json
check --baseline b c.json
check --baseline b --max-tokens 1k c.json
check --baseline b --update-baseline --tokenizer o200k_base --calibrate auto c.json
check --baseline b --max-growth 1 --tokenizer o200k_base --calibrate auto c.json
check --max-tokens 1k --calibrate auto c.json
check --max-tokens 1k --tokenizer o200k_base --calibrate 2 c.json
check --max-tokens 5 --tokenizer o200k_base --calibrate 2 c.json
check --baseline b --update-baseline c.json in
cat b
check --baseline b --max-growth 0 c.json in
check --baseline b --max-growth 0 c.json in/sub/b.json other.json
check --baseline b --max-growth 0 --strict c.json other.json
check --baseline b --max-growth 0 -v c.json other.json
check --baseline b --max-growth 0 --json other.json | Demand|demands|max-growth|text|fix|severity
check --baseline b --max-growth 0 --tokenizer o200k_base --calibrate 2 c.json
check --baseline b --max-growth 0 --tokenizer o200k_base --calibrate 2 --update-baseline c.json
cat b
check --baseline b --max-growth 100% c.json
check --baseline b --max-growth 100% --tokenizer o200k_base --calibrate 2 c.json
check --baseline b --update-baseline c.json
check --tokenizer chars --baseline b --max-growth 5% c.json
check --baseline c.json --max-growth 5% in/a.json
check --baseline c.json --update-baseline in/a.json
check --baseline none/b --update-baseline c.json
check --baseline sub/b --update-baseline c.json < c.json
check --baseline sub/b --update-baseline - < c.json
cat sub/b
check --baseline sub/b --max-growth 0 - < c.json
check --baseline sub/b --max-growth 0 - < orphan.json
check --baseline sub/b --max-growth 9.995% - < orphan.json
check --baseline sub/b --max-growth 20% - < orphan.json
check --baseline sub/b --max-growth 19.99% - < orphan.json
check --max-tokens 1k sub
check --valid c.json
check --valid orphan.json
check --valid -v orphan.json call.json
check --valid=openai orphan.json
check --valid=anthropic orphan.json
check --valid=nobody c.json
check --valid --strict -v call.json
check --min-savings 10% c.json
check --min-savings 100% c.json
check --min-savings 101% c.json
check --min-savings 1.01 c.json
check --min-savings 0 c.json
check --min-savings 5% --tags typed tagged.json
check --min-savings 52.3% --tags typed tagged.json
check --min-savings 52.4% --tags typed tagged.json
check --min-savings 0.9 --tags typed -v tagged.json
check --min-savings 0.9 --tags typed --json tagged.json | demand|outcome|tokens|why|text
check --min-retention 1 --tags typed tagged.json
check --min-retention 0.9 c.json
check --min-retention 7 c.json
check --min-retention last=1 --tags typed -v tagged.json
check -u c.json
check -u --max-tokens 1k c.json
check --expect want c.json
check --expect want -v c.json
check --expect want -u c.json in
cat want/c.json
check --expect want c.json in
check --expect want --tags typed -u tagged.json
cat want/tagged.json
check --expect want tagged.json
check --expect want -v tagged.json
check --expect want --json tagged.json | demand|rule|path|line|text|fix
check --expect want want/c.json
check --expect want -u want
check --expect want ../c.json
check --expect want -
check --expect want DIR/c.json
check --expect want --max-tokens 1k .
check --expect taken c.json
check --expect taken -u c.json
check --expect want -u orphan.json --valid
check --expect want -u tagged.json
cat want/tagged.json
check --expect want tagged.json
run -q -o c2.json.gz c.json
run -q -o c3.json.zst c.json
check --expect want -u c2.json.gz c3.json.zst
cat want/c2.json
cat want/c3.json
check --expect want c2.json.gz c3.json.zst
cp c.json c2.json
check --expect want c2.json.gz c2.json
check --max-tokens 1 c.json
check --baseline b3 --update-baseline a&b.json
cat b3
check --baseline b4 --update-baseline - < none.json
check --baseline b4 --max-growth 5% - < c.json
check --min-retention 1 --tags typed -v rows2.jsonl
check --min-retention 1 --tags typed --json rows2.jsonl | outcome|bound|worst|measure|"message"|"conversation"
check --valid --max-tokens 1k none.json
CONDENSE_TOKENIZER= check --max-tokens 4 m1.json m2.json
CONDENSE_TOKENIZER= check --max-tokens 4 --json m1.json | "name"|model|window
CONDENSE_TOKENIZER= check --baseline b5 --update-baseline m1.json
cat b5
CONDENSE_TOKENIZER= check --baseline b5 --max-growth 0 m1.json
check --baseline b5 --max-growth 0 m1.json
check --max-tokens 4 --valid --min-savings 1% --min-retention 1 --expect want --json c.json | demands|max-tokens"|valid"|min-|expect"
check --baseline b --max-growth 0 --max-tokens 4 --valid --min-savings 1% --min-retention 1 --expect want --json c.json | "(max-|valid|min-|expect)
check --max-tokens 4 --json c.json
check --max-tokens 4k --json c.json orphan.json
check --max-tokens 4 --report-format github c.json
GITHUB_ACTIONS=true check --max-tokens 4 c.json
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum.md check --max-tokens 4 c.json
cat sum.md
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum.md check --max-tokens 4k c.json
cat sum.md
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum2.md check --max-tokens 4 --json c.json | over
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sum2.md check --max-tokens 4 --report-format text c.json
GITHUB_ACTIONS=false GITHUB_STEP_SUMMARY=sum2.md check --max-tokens 4 c.json
cat sum2.md
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=none/sum.md check --max-tokens 4 c.json
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=sub check --max-tokens 4 c.json
GITHUB_WORKSPACE=DIR/in check --max-tokens 4 --report-format github in/a.json c.json
CI_PROJECT_DIR=DIR/in check --max-tokens 4 --report-format github in/a.json c.json
GITHUB_WORKSPACE=DIR/in CI_PROJECT_DIR=DIR/ check --max-tokens 4 --report-format github in/a.json c.json
GITHUB_WORKSPACE=DIR/ check --max-tokens 4 --report-format github - < c.json
check --max-tokens 4 --report r --report-format tap c.json
cat r
check --max-tokens 4 --report r --report-format tap --json c.json | over
check --max-tokens 4 --report c.json c.json
check --max-tokens 4 --report none/r c.json
check --max-tokens 4 --json --report-format tap c.json
check --max-tokens 4 --exec-timeout 0s c.json
check --max-tokens 4 --tokenizer none c.json
check --max-tokens 4 --models none c.json
check --max-tokens 4 -s exec:none --min-savings 1% c.json
check --min-savings 1% -s exec:false c.json
check --expect want -s exec:false c.json
check --min-retention 0.5 -s exec:false -v c.json
check --min-savings 1% --strategy-for x c.json
`

// TestOutcomesOfLooks is about the commands that only read.
func TestOutcomesOfLooks(t *testing.T) { checkMessages(t, "outcomes-looks.txt", looksLines) }

const looksLines = `
validate
validate c.json
validate -q c.json
validate -v c.json orphan.json call.json
validate --strict c.json
validate --strict call.json
validate orphan.json
validate -q orphan.json
validate --api anthropic orphan.json
validate --api nobody c.json
validate --api openai --strict orphan.json c.json
validate --json orphan.json nothere odd.json
validate --json --api openai nothere
validate odd.json torn.json empty.json nothere
validate --report r c.json
cat r
validate --report c.json orphan.json
validate --json --report-format sarif c.json
validate --report-format sarif orphan.json | ruleId|level|text|uri|startLine
diff
diff c.json
diff c.json c.json
diff c.json other.json
diff --stat c.json other.json
diff -q c.json other.json
diff -q --stat c.json other.json
diff --json c.json other.json
diff --json --stat c.json other.json
diff --typed c.json other.json
diff --typed c.json typed.json
diff --typed -q c.json typed.json
diff --typed --json c.json typed.json | missing|typed|text|different
diff --typed --stat c.json typed.json
diff --stat typed.json c.json
diff c.json sub/c.json
diff c.json orphan.json
diff --tokenizer o200k_base --calibrate auto c.json c.json
diff - -
diff c.json - < other.json
diff - c.json < other.json
diff c.json nothere
diff nothere c.json
diff odd.json c.json
diff c.json odd.json
diff --format codex c.json other.json
diff --tokenizer none c.json other.json
diff --tokenizer bytes4 --model gpt-4o c.json other.json
CONDENSE_TOKENIZER= diff --model auto c.json other.json
diff --report r --report-format html c.json other.json
diff --report c.json c.json other.json
stats
stats --top -1 c.json
stats --top 0 c.json
stats --top 1 orphan.json
stats -v c.json
stats --json c.json | "(tokens|input|format|conversations|files|bytes|messages)"
stats c.json orphan.json
stats in
stats -v in
stats in/package.json
stats in/package.json c.json
stats odd.json torn.json empty.json nothere
stats nothere c.json
stats in/*.none
stats --select 2 rows.jsonl
stats --select 3 rows.jsonl
stats --select x c.json
stats --format codex c.json
stats --tokenizer none c.json
stats --tokenizer bytes4 --model gpt-4o c.json
stats --tokenizer o200k_base --calibrate auto c.json
stats --json --report-format html c.json
stats --report c.json --report-format html c.json
stats --report c.json --report-format html -f c.json
stats --report none/r --report-format html c.json
stats --report in/a.json --report-format html c.json
stats --report r.html --report-format html c.json
stats --report r.json --report-format json c.json
stats --report r.json --report-format json --json c.json | "tokens":
stats --merge c.json
stats --merge nothere
stats --merge notes.txt
stats --merge --report-format html c.json
stats --merge --report-format html --report x.html s.json
batch -q -n --summary s.json in
stats --merge s.json s.json
stats --merge --json --report-format text s.json
stats --merge --tokenizer bytes4 --model gpt-4o s.json
stats --merge --top -1 s.json
stats --merge --json s.json s.json
stats --merge --report x.txt --report-format text s.json
cat x.txt
batch -q -o o --manifest m in
stats --merge m s.json
batch -q -o o --manifest m2 orphan.json odd.json nothere
stats --merge m2
stats --merge --json m2
tokens
tokens c.json
tokens c.json orphan.json notes.txt
tokens notes.txt
tokens --raw c.json
tokens --raw --tokenizer o200k_base --calibrate auto c.json
tokens --ids --tokenizer o200k_base --calibrate auto c.json
tokens --tokenizer o200k_base --calibrate auto notes.txt
tokens --tokenizer o200k_base --calibrate auto c.json
tokens --tokenizer o200k_base --calibrate 2 notes.txt
tokens --ids notes.txt
tokens --tokenizer o200k_base --ids notes.txt
tokens --tokenizer o200k_base --ids c.json notes.txt
CONDENSE_TOKENIZER= tokens --model claude-sonnet-4-5 --ids notes.txt
CONDENSE_TOKENIZER= tokens --model claude-sonnet-4-5 notes.txt c.json
CONDENSE_TOKENIZER= tokens c.json
tokens --json c.json
tokens --json c.json notes.txt
tokens --json --raw c.json
tokens --json --tokenizer o200k_base --ids notes.txt
tokens --json nothere
tokens nothere c.json
tokens c.json nothere notes.txt
tokens odd.json
tokens --format openai odd.json
tokens --format codex c.json
tokens --column x c.json
tokens --column messages rows.jsonl
tokens --column x[ rows.jsonl
tokens empty.json
tokens none.json
CONDENSE_TOKENIZER= tokens m1.json c.json
CONDENSE_TOKENIZER= tokens m1.json m1.json
CONDENSE_TOKENIZER= tokens m2.json
CONDENSE_TOKENIZER= tokens --json m1.json c.json
CONDENSE_TOKENIZER= tokens --json m1.json
CONDENSE_TOKENIZER= tokens --calibrate auto m1.json notes.txt
CONDENSE_TOKENIZER= tokens --calibrate 2 m1.json
CONDENSE_TOKENIZER= stats m1.json c.json | unit|count|tokens,
CONDENSE_TOKENIZER= stats m2.json | tokens,|names
CONDENSE_TOKENIZER= stats --calibrate auto m1.json | tokens,|factor
CONDENSE_TOKENIZER= diff m1.json c.json
CONDENSE_TOKENIZER= diff -q m2.json c.json
CONDENSE_TOKENIZER= diff m2.json c.json
CONDENSE_TOKENIZER= diff c.json m2.json
CONDENSE_TOKENIZER= compare -q -s dedupe -t 50% --json m2.json | names|"name"|model
CONDENSE_TOKENIZER= compare -q -s dedupe -t 50% --json m1.json | names|"name"|model|price
CONDENSE_TOKENIZER= explain --json m1.json | names|"name"|model
CONDENSE_TOKENIZER= explain m2.json
stats t.parquet | tokens,
view --json t.parquet | input|format
diff --stat t.parquet t.parquet
diff --stat log.eval log.eval
tokens log.eval
stats none.json
view none.json
validate none.json
explain none.json
explain --message 1 none.json
explain --message 2 rows.jsonl
explain --message 2 --select 1 lengths.jsonl
explain --message 4 --select 2 lengths.jsonl | line|message
explain --message 5 --select 2 lengths.jsonl
tokens < notes.txt
tokens --tokenizer none notes.txt
tokens --tokenizer none.json notes.txt
tokens --tokenizer c.json notes.txt
tokens --tokenizer bytes4 --model gpt-4o notes.txt
tokens --models none notes.txt
tokens --models c.json notes.txt
tokens --json --report-format text c.json
explain
explain --message 0 c.json
explain --message -1 c.json
explain --message 3 c.json
explain --message 1 c.json
explain --message 2 c.json
explain --message 1 rows.jsonl
explain --message 1 --select 2 rows.jsonl
explain --select 3 rows.jsonl
explain c.json
explain --tags typed tagged.json | drop|tags|left|removed
explain --json --message 2 c.json | "(message|of|line|role|hidden)"
explain --keep-last -1 c.json
explain --tokenizer none c.json
explain nothere
explain odd.json
explain -s exec:none c.json
explain -s exec:false c.json
explain --report r --report-format json c.json
compare --price -1 c.json
compare --fraction 0.5 c.json
compare -s nothing c.json
compare -t x c.json
compare -t 50%,x c.json
compare --keep-last -1 c.json
compare --tokenizer none c.json
compare -s dedupe nothere
compare -s dedupe odd.json
compare -s dedupe --select 9 c.json
compare -s dedupe --report c.json c.json
compare -s dedupe --report none/r c.json
compare -s dedupe --json --report-format markdown c.json
compare -s dedupe -t 100% --recall --json c.json | why|cuts|needed|"strategy"|"target"|tokens|valid|reached|cost|price|"met"
compare -s dedupe -t 100% --price 1000000 --json c.json | cost|price
compare -s dedupe -s mask,dedupe -t 100%,1 --json c.json | "strategy"|"target"|reached|"met"|%
compare -s dedupe --markdown c.json | ^#
compare -s dedupe --markdown=x c.json
compare -s dedupe --markdown=false c.json | ^#
compare -s dedupe --calibrate auto --json c.json | note|factor
compare -s dedupe --format codex c.json
view
view c.json
view --json c.json | "(role|text|number|input|format)"
view --markdown c.json
view --markdown --html c.json
view --markdown --json c.json
view --html --json c.json
view --before c.json --after c.json other.json
view --before c.json --stash s other.json
view --before c.json other.json
view --after other.json c.json
view --before - -
view --after - -
view --before - c.json < other.json
view --before nothere c.json
view --before odd.json c.json
view -y c.json
view -y --before c.json other.json
view --stash none c.json
view -m 2 c.json
view -m x c.json
view -m 3 c.json
view --select 2 rows.jsonl
view --select 3 rows.jsonl
view --no-thinking --hidden --full --no-pager c.json
view nothere
view odd.json
view --format codex c.json
view --report c.json --report-format html c.json
view --report other.json --report-format html --before other.json c.json
view --report other.json --report-format html -f --before other.json c.json
view --report c.json --report-format html -f --before other.json c.json
view --report c.json --report-format html -f --after other.json c.json
stats --report in/a.json --report-format html -f c.json in/a.json
view --report none/r --report-format html c.json
view --report r.txt --report-format text c.json
cat r.txt
`
