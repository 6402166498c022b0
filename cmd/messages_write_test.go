package cmd

import "testing"

// The tests of this file are like those of messages_files_test.go, for the commands that write conversations, and for
// those that find what others removed.

// TestOutcomesOfRuns is about condense run, filter, rescue and repair.
func TestOutcomesOfRuns(t *testing.T) { checkMessages(t, "outcomes-runs.txt", runsLines) }

const runsLines = `
run
run c.json
run - < c.json
run -q c.json
run -n c.json
run c.json other.json
run -w -o x c.json
run -w - < c.json
run -w
run --json c.json
run --json -q -n c.json | "(input|output|strategy|target|changed|unchanged|dry_run)"
run -d c.json
run -n -d --json c.json
run -n -d c.json
run -n -q -d --tags typed tagged.json
run -q -o c.json c.json
run -q -f -o c.json c.json
run -q -o taken c.json
run -q -o none/x c.json
run -q -o sub c.json
run -n --report none/r c.json
run -n --report in/a.json c.json
run -n --report in c.json
run -n -q --report r.md --report-format markdown c.json
run -n -q --report r.json --report-format json --tags typed tagged.json
cat r.json | "(input|output|strategy|target|undo|backup|dry_run|changed|resume)"
run --report-format nothing c.json
run --verify-restore c.json
run --exec-timeout 0s c.json
run --exec-timeout -1s c.json
run --exec-failure never c.json
run --before none c.json
run --before exec:none c.json
run --after exec:none c.json
run --validator exec:none c.json
run --strategy-for exec:none c.json
run --strategy-for messages>1=>exec:none c.json
run --strategy-for messages>1 c.json
run --strategy-for nothing>1=>dedupe c.json
run --strategy-for messages>1=>nothing c.json
run -n --strategy-for messages>1=>mask c.json | note|unchanged|nothing
run -n --strategy-for messages>5=>mask c.json | note|unchanged|nothing
run -n --strategy-for messages>5=>mask --strategy-for messages>1=>mask,dedupe rows.jsonl | note|unchanged|nothing
run -n --strategy-for exec:true c.json | note|unchanged|nothing
run -n --strategy-for exec:false c.json
run -n --strategy-for exec:false --exec-failure skip c.json | note|unchanged|nothing
run -n --strategy-for exec:echo␣mask c.json | note|unchanged|nothing
run -n --strategy-for exec:echo␣nothing c.json
run -n --strategy-for exec:echo␣nothing --exec-failure skip c.json | note|unchanged|nothing
run -s exec:none c.json
run -s exec: c.json
run -s exec:false c.json
run -n -s exec:false --exec-failure skip c.json | note|unchanged|failed
run -n --before exec:false c.json | unchanged|false
run --before exec:false c.json
run -q --before exec:true -o b.json c.json
run --after exec:false -o b2.json c.json | after
run -n --after exec:false c.json | after
run --before exec:echo␣hello -o b3.json c.json | echo
run -q --before exec:echo␣hello -o b4.json c.json | echo
run -q --validator exec:false -o v.json c.json
run -q --validator exec:false --tags typed -o v2.json tagged.json
run -q --validator exec:true --tags typed -o v2.json tagged.json
run --session-id x c.json
run -n --session-id new c.json
run --select 2 c.json
run --select x rows.jsonl
run -n --select 2 rows.jsonl | unchanged|nothing
run -n -t 0 c.json
run -n -t 100k --strict c.json | unchanged|target
run -n -t 1 --strict c.json
run -n -t 1 c.json | target|unchanged
run -n --max-bytes 10 --strict c.json
run -n --max-bytes 10 c.json | bytes
run -n --max-bytes 10k --strict c.json | unchanged
run -n --max-bytes x c.json
run -q -w -t 40 --tags typed tagged.json
undo -q tagged.json
run -q -w -t 2 --tags typed tagged.json
run -q -w -t 1 --tags typed tagged.json
undo -q tagged.json
run -q -w -f -t 2 --tags typed tagged.json
undo -q tagged.json
run -q -n -w -t 2 --tags typed tagged.json
run -n --min-retention 1 --tags typed tagged.json
run -n --min-retention user=0.5 --tags typed tagged.json
run -n --min-retention last=1 --tags typed tagged.json | refused
run -n --min-retention x c.json
run -n --min-retention last=2 c.json
run -n --pin ( c.json
run -n --protect ( c.json
run -n --protect-tool {a c.json
run -n --only Read c.json
run -n --only tool:Read c.json | note
run -n --unpin nobody c.json
run -n --unpin user c.json | note
run -n --messages 5..2 c.json
run -n --messages 9..12 c.json | note|message
run -n --thinking some c.json
run -n --images some c.json
run -n --cap Bash c.json
run -n --cap Bash=10 c.json | note
run -n --tags some c.json
run -n --tags typed marked.json | note
run -n --for fun c.json
run -n --drop-rows c.json
run -n --for training rows.jsonl | note
run -n --for training -t 1 rows.jsonl | note|row
run -n --for training -t 50% rows.jsonl | note|row
run -n --for training --drop-rows -t 1 rows.jsonl
run -n --window x c.json
run -n --window 0 c.json
run -n --reserve x c.json
run -n --reserve 0 --threshold 50 c.json | note
run -n --threshold 4 c.json
run -n --threshold 101 c.json
run -n --threshold x c.json
run -n --threshold 5 --window 100k c.json | unchanged|note
run -n --threshold 100% --window 100k c.json | unchanged|note
run -n --profile p --window 100k c.json | unchanged|note
run -n --profile p --profile-threshold p=101 --window 100k c.json | unchanged|note
run -n --profile-threshold p c.json
run -n --min-messages 3 c.json | unchanged
run -n --min-messages 2 c.json | unchanged
run -n --min-tokens x c.json
run -n --min-tokens 5 c.json | unchanged
run -n --min-gain x c.json
run -n --min-gain 90% --tags typed tagged.json | unchanged
run -n --fraction 2 c.json
run -n -s truncate --fraction 0.5 c.json | note
run -n --fraction 0.5 c.json | note
run -n --l1 0.1 --l2 0.2 c.json | note
run -n --l1 0.1 --l2 0.2 --l3 0.3 c.json | note
run -n --layout fresh c.json | note
run -n --layout none c.json
run -n --llm-model x c.json | note
run -n --llm-model x --focus y --max-cost 1 c.json | note
CONDENSE_LLM_MODEL=x run -n c.json | note
CONDENSE_LMM_MODEL=x run -n c.json | note
run -n --tool claude c.json
run -n --project . c.json
run -n --last c.json
run -n --strategy-for messages>1=>truncate --fraction 0.5 c.json | note
run -n --strategy-for messages>5=>truncate --fraction 0.5 c.json | note
run -n --strategy-for messages>2=>mask lengths.jsonl | several|note
run -n --strategy-for messages<3=>mask --strategy-for messages>3=>mask lengths.jsonl | mask
run -n --tag c.json
run -n --tag -s truncate c.json
run -n --tag -s truncate --cap Bash=1 c.json
run -n --keep-last 1 --keep-last 2 c.json | note
run -n -t 50% -t 40% c.json | note
run -n -t 50% -t 50% c.json | note
run -n --protect-tool Nothing c.json | note
run -n --protect-path none/** c.json | note
run -n --pin nothing c.json | note
run -n --preset none c.json
run -n --preset aggressive c.json | target|note
run -n --tokenizer bytes4 --model gpt-4o c.json
run -n --model none c.json
CONDENSE_TOKENIZER= run -n --model none c.json
CONDENSE_TOKENIZER= run -n --model claude-sonnet-4 c.json | claude
run -n --models none c.json
run -n --models c.json c.json
run -n --models models.json c.json
run -n --tokenizer none.json c.json
run -n --tokenizer c.json c.json
run -n --tokenizer o200k c.json
CONDENSE_TOKENIZER= run -n --calibrate auto c.json | note|factor
run -n --calibrate 5 c.json
run -n --calibrate x c.json
run -n --format nothing c.json
run -n --format codex c.json
run -n --column x c.json
run -n --column x[ c.json
run -n --column messages rows.jsonl | note|unchanged
run -n rows.jsonl | note|unchanged
run -n --max-memory x c.json
run -n --max-memory 1 c.json
run -n --events c.json c.json
run -o x.json --events x.json c.json
run -n --report x.md --events ./x.md c.json
run -n --events none/e c.json
run -n -q --events e.jsonl --tags typed tagged.json
run -n -q --events e.jsonl nothere
run -n -q --events e.jsonl -s exec:false --exec-failure skip c.json
cat e.jsonl
run -n -q --events e2.jsonl --tags typed rows2.jsonl
cat e2.jsonl
run -n -q --events /dev/full c.json
run -n -q -d --tags typed rows2.jsonl
run -q --tags typed rows2.jsonl
run -q --select 1 --tags typed rows2.jsonl
run -q --select 2 --tags typed rows2.jsonl
run -n --tags typed rows2.jsonl | note|conversation
run -n -v --tags typed rows2.jsonl | drop|tags
run -q --for training --drop-rows -t 6 lengths.jsonl
run -q --for training -t 6 lengths.jsonl
run -n --for training --drop-rows -t 6 lengths.jsonl | row|note
run -q --report rows.json --report-format json --for training --drop-rows -t 6 -o l.jsonl lengths.jsonl
cat rows.json | "(fit|left|dropped)"
run -q -t 100% none.json
CONDENSE_TOKENIZER= run -n m1.json
CONDENSE_TOKENIZER= run -n m2.json
CONDENSE_TOKENIZER= run -n --calibrate auto m1.json
CONDENSE_TOKENIZER= run -n --calibrate 2 m1.json
CONDENSE_TOKENIZER= run -n --calibrate 2 --model gpt-4o c.json
CONDENSE_TOKENIZER= run -n -t 50% --window 4 m1.json
CONDENSE_TOKENIZER= rescue -n m1.json
CONDENSE_TOKENIZER= rescue -n m2.json
CONDENSE_TOKENIZER= rescue -n --model gpt-4o c.json
CONDENSE_TOKENIZER= rescue -n --window 10k m1.json
run -n t.parquet
run -q -o r.parquet t.parquet
run -o r.json t.parquet | parquet|Parquet
run -n log.eval
run -q -o r.eval log.eval
run -o r2.json log.eval | eval|Eval|note
run -n -o r3.json.gz c.json | compress
run -o r3.json.gz c.json | compress
run -n r3.json.gz | compress
run -o r4.json.zst r3.json.gz | compress
run -o r5.json r3.json.gz | compress
repair -n --pair-by-position wrongid.json
repair -n wrongid.json
repair -q --pair-by-position wrongid.json
repair -n --json --pair-by-position --api anthropic wrongid.json | done|rule|text
run --llm c.json
run --llm --llm-model m --api-key-env A --api-key-file b c.json
run --llm --llm-model m --llm-fallback-model m c.json
run --llm --llm-model m --llm-max-tokens -1 c.json
run --llm --llm-model m --timeout 0s c.json
run --llm --llm-model m --timeout -1s c.json
run --llm --llm-model m --timeout x c.json
run --llm --llm-model m --prices none c.json
run --llm --llm-model m --prices c.json c.json
run --llm --llm-model m --api-key-env NONE c.json
run --llm --llm-model m --api-key-file none c.json
run --llm --llm-model m --prompt-file none c.json
run --llm --llm-model m --max-cost 1 c.json
run --llm --llm-model m --base-url http://example.org/v1 c.json
run --llm --llm-model m --base-url :x c.json
run --llm --llm-model m --retries -1 c.json
run --llm --llm-model m --rpm -1 c.json
run --llm --llm-model m --llm-temperature 3 c.json
run --llm --llm-model m --llm-fallback-model own --max-cost 1 --prices prices.json c.json
run --llm --llm-model own --llm-fallback-model m --max-cost 1 --prices prices.json c.json
OPENAI_API_KEY=k run -n --llm --llm-model own --prices prices.json c.json | note
OPENAI_API_KEY=k run -n -s mask --llm --llm-model own --llm-fallback-model gpt-5-mini --prices prices.json c.json | note
run odd.json
run torn.json
run empty.json
run nothere
run in
run -n twice.json | line
run -n --tags typed twice.json | line
run --tags typed -o t.json tagged.json | note|undo
run -w --tags typed tagged.json | note|undo|mv|stash
undo -q tagged.json
run -w --no-stash --tags typed tagged.json | note|undo|mv|stash
run -q --in-place= --no-stash --tags typed twice.json
HOME= run -w --tags typed marked.json | undo
repair c.json
repair orphan.json
repair -q orphan.json
repair -n orphan.json
repair -n --json orphan.json
repair --json orphan.json
repair -w -o x orphan.json
repair -w - < orphan.json
repair --verify-restore orphan.json
repair -q --api nobody orphan.json
repair -n --api anthropic orphan.json
repair -n --api anthropic -v orphan.json
repair -n --strict orphan.json
repair -n --strict --api anthropic orphan.json
repair -n --pair-by-position orphan.json call.json
repair -n --pair-by-position call.json
repair -o taken orphan.json
repair -o none/x orphan.json
repair odd.json
repair nothere
repair --format codex c.json
repair -o fixed.json orphan.json
cat fixed.json
repair -w call.json
undo call.json
repair -w --no-stash call.json
HOME= repair -w orphan.json
repair -w c.json
rescue
rescue -
rescue nothere
rescue odd.json
rescue -n c.json
rescue -n --window 100k c.json
rescue -n --window 100k -t 50% c.json
rescue -n --window 3 c.json
rescue -n --window 3 --strict c.json
rescue -n --window x c.json
rescue -n --max-bytes 10 c.json
rescue -n --max-bytes 10 --strict c.json
rescue -n --max-bytes 10k --strict c.json
rescue -q -n --window 3 c.json
rescue --backup= -o x.json c.json
rescue -o taken c.json
rescue -n --tokenizer none c.json
rescue -n --format codex c.json
rescue -n --models none c.json
rescue -n --verify-restore c.json
CONDENSE_TOKENIZER= rescue -n --model none c.json
rescue --window 100k c.json
filter --tags typed rows2.jsonl
filter --tags typed --min-retention 1 rows2.jsonl
filter --tags typed --min-retention 1 --on-error envelope rows2.jsonl
filter --tags typed --validator exec:false rows2.jsonl
filter --tags typed --validator exec:false --on-error fail rows2.jsonl
filter --for training -t 6 --drop-rows lengths.jsonl
filter -q --for training -t 6 lengths.jsonl
filter --model own --models models.json rows.jsonl
filter -q -o rows3.gz rows.jsonl
filter rows3.gz
filter --compress none rows3.gz
filter --compress none -o rows4.gz rows3.gz
cat rows4.gz
filter -0 t.parquet
filter --compress gzip t.parquet
filter --compress none t.parquet
filter --on-error envelope t.parquet
filter -q -o o.parquet t.parquet
filter -o o.parquet t.parquet
filter -f -o o.parquet t.parquet
diff --stat o.parquet t.parquet
filter -o none/x t.parquet
filter -f --on-error skip --validator exec:false -t 1 -o o2.parquet t.parquet
filter -f --on-error fail --max-memory 1 -o o3.parquet t.parquet
filter -f --on-error skip --max-memory 1 -o o4.parquet t.parquet
stats o4.parquet | tokens,|no conversation
cat o3.parquet
filter -q log.eval
filter < rows.jsonl
filter rows.jsonl
filter -q rows.jsonl
filter mixed.jsonl
filter --on-error skip mixed.jsonl
filter --on-error fail mixed.jsonl
filter --on-error envelope mixed.jsonl
filter --on-error nothing mixed.jsonl
filter -q --on-error fail mixed.jsonl
filter -q --on-error skip mixed.jsonl
filter -0 c.json
filter -0 rows.jsonl
filter c.json
filter -j 0 rows.jsonl
filter -j 2 rows.jsonl
filter --before exec:true rows.jsonl
filter --after exec:true rows.jsonl
filter -o taken rows.jsonl
filter -o none/x rows.jsonl
filter -o rows.jsonl rows.jsonl
filter -f -o rows.jsonl rows.jsonl
filter -q -o rows.out rows.jsonl
filter -q -f -o rows.out.gz rows.jsonl
filter --compress nothing rows.jsonl
filter nothere
filter in
filter rows.jsonl mixed.jsonl
filter --keep-last -1 rows.jsonl
filter --tokenizer none rows.jsonl
filter --max-memory 1 rows.jsonl
filter --max-memory 1 --on-error envelope rows.jsonl
filter --for training -t 1 rows.jsonl
filter --for training -t 1 --drop-rows rows.jsonl
filter --min-retention 1 --tags typed rows.jsonl
filter --validator exec:false rows.jsonl
filter --llm rows.jsonl
filter --strategy nothing rows.jsonl
CONDENSE_MAX_MEMORY= filter rows.jsonl
`

// TestOutcomesOfStash is about the commands that find or put back what runs removed.
func TestOutcomesOfStash(t *testing.T) { checkMessages(t, "outcomes-stash.txt", stashLines) }

const stashLines = `
undo
undo --json
undo -
undo c.json
undo nothere
undo -q nothere c.json
HOME= undo c.json
HOME= stash list
HOME= view -y c.json
restore
restore c.json
restore -w -o x c.json
restore --json c.json
restore --stash none c.json
restore --stash taken c.json
restore nothere
show
show ffff
show --message 0 ffff
show --message -1 ffff
show --conversation 0 ffff
show --conversation -1 ffff
show --stash none ffff
show --stash taken ffff
show 482193
show #482193
grep
grep x
grep (
grep -F (
grep --stash none x
stash
stash list
stash list --json
stash list -q
stash list --stash none
stash gc
stash gc --keep x
stash gc --keep -1h
stash gc --keep xd
stash gc --keep 99999999999999d
stash gc --keep 999999d
stash gc --keep 15250w
stash gc --keep 1w -n
stash gc --stash none
stash purge
stash purge nothere
stash purge c.json
mcp
mcp --stash none
mcp - --stash s
run -q -w --tags typed tagged.json
undo
undo --json
undo -n tagged.json
undo -n --json tagged.json
undo -n -q tagged.json
undo tagged.json
cat tagged.json
undo tagged.json
run -q -w --tags typed tagged.json
undo -q tagged.json nothere
run -w --tags typed tagged.json | undo|mv|stash|note
stash list
stash list -q
stash list --json
grep swordfish
grep -i SWORDFISH
grep SWORDFISH
grep -F sword.ish
grep sword.ish
grep ^$
grep --color always swordfish
view -y tagged.json
restore tagged.json
restore -n tagged.json
restore -q tagged.json
restore --json -o back.json tagged.json
restore -o back.json tagged.json
restore -v -f -o back.json tagged.json
restore -w tagged.json
cat tagged.json
restore -w tagged.json
undo tagged.json
cat tagged.json
stash purge -n tagged.json
stash purge tagged.json
stash list
run -q -w --tags typed twice.json
run -q -o tagged2.json tagged.json
run -q -f --tags typed -o twice.json tagged.json
undo twice.json
undo -f twice.json
cat twice.json
undo -f twice.json
run -q --stash s --tags typed -o tagged3.json tagged.json
run --stash s --tags typed -f -o tagged3.json tagged.json | restore|stash
run --stash s --tags typed -w tagged.json | restore|stash|undo
stash list --stash s | dedupe
stash list --stash s --json | "(file|format|how|edits|damaged)"
grep --stash s swordfish
grep --stash s nothing
restore --stash s tagged3.json
restore --stash s -q tagged3.json
restore --stash s --json -n tagged3.json | "(input|output|later|how|file|dry_run|changed)"
restore --stash s --via ffff tagged3.json
restore --stash s c.json
view --stash s tagged3.json
view --stash s c.json
view --stash s --json tagged3.json | swordfish|change
mcp tagged3.json --stash s
mcp nothere --stash s
show ID:
show ID: -m 1
show ID: -m 2
show ID: --conversation 1
show ID: --conversation 2
show --json ID:
show --stash s ID:s
show --stash s -m 1 ID:s
show --stash s -m 2 ID:s
show --stash s --conversation 2 ID:s
show --stash s --json ID:s
grep Hello.
grep Say
restore --stash s --via ID:s tagged3.json
run -q --stash s6 --tags typed -o rows3.jsonl rows2.jsonl
show --stash s6 ID:s6
show --stash s6 -m 1 ID:s6
show --stash s6 --conversation 1 ID:s6
show --stash s6 --conversation 2 ID:s6
grep --stash s6 loud
restore --stash s6 --json -n rows3.jsonl | edits|later
append rows.jsonl rows3.jsonl
restore --stash s6 rows3.jsonl
cp notes.txt rows2.jsonl.bak
run -q -w -t 100 --tags typed rows2.jsonl
undo -n rows2.jsonl
grep loud
append rows.jsonl rows2.jsonl
undo -n rows2.jsonl
undo rows2.jsonl
undo -f -n rows2.jsonl
undo -f --json rows2.jsonl
cat rows2.jsonl
cat rows2.jsonl.bak
cat rows2.jsonl.bak.1
run -q -w --tags typed rows2.jsonl
stash purge -n rows2.jsonl
stash purge rows2.jsonl
cat rows2.jsonl.bak
cat rows2.jsonl.bak.1
cat rows2.jsonl.bak.2
cp other.json linked.json
cp tagged.json linked.json
run -q -w --in-place= --tags typed linked.json
repair -q --stash taken -o m.json orphan.json
rescue -q --stash taken -o m.json c.json
run -q --stash s5 --tags typed -o t5.json twice.json
spoil s5/*.stash
stash list --stash s5
stash list --stash s5 --json | damaged|file
stash list --stash s5 -q
grep --stash s5 loud
show --stash s5 ID:s5
restore --stash s5 t5.json
view --stash s5 t5.json
stash gc --stash s5
stash gc --stash s -n --keep 0h
stash gc --stash s -n -f --keep 0h | remove|entr|kept
stash gc --stash s --keep 0h
stash gc --stash s -f --keep 0h | remove|entr|kept
stash list --stash s
run -q --stash taken --tags typed -o x.json twice.json
run -q --stash none/none --tags typed -o x.json twice.json
run -q --stash s2 --verify-restore --tags typed -f -o x.json twice.json
run -q --stash s2 --verify-restore -f -o x2.json c.json
stash list --stash s2 | c.json|twice
cp twice.json h.json
run -q -w --in-place= --tags typed h.json
ln h.json h2.json
undo -n h.json
undo h.json
cat h.json
undo -f h.json
cat h.json
repair -q --stash s3 -o mended.json orphan.json
stash list --stash s3 | repair
restore -q --stash s3 mended.json
show --json --stash s3 ffff
rescue -q --backup= --window 100k c.json
batch -q -w --tags typed twice.json
stash list | batch|dedupe|twice
run -w --tags typed --stash s4 tagged.json | tags|undo|purge
undo -q tagged.json
run --in-place= --tags typed --no-stash twice.json | tags|undo|purge
`
