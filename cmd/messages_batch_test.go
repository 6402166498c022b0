package cmd

import "testing"

// TestOutcomesOfBatch compares all that condense batch prints about small files with testdata/outcomes-batch.txt: each
// combination of flags that is refused, each note, the files of --summary, --report and --manifest.
func TestOutcomesOfBatch(t *testing.T) { checkMessages(t, "outcomes-batch.txt", batchLines) }

const batchLines = `
batch
batch in
batch -w -o x in
batch -n -w -o x in
batch -n -w c.json
batch -n -o x c.json
batch -o x --project p in
batch -o x --tool none in
batch -o x --tool claude-code
batch -o x --resume in
batch -n --manifest m in
batch -o x -j 0 in
batch -o x -j -1 in
batch -o x -j 1 --shard 1/1 in
batch -o x -
batch -o in in
batch -o x --shard 3/2 in
batch -o x --shard auto in
AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=1 batch -o x --shard auto in
batch -o x --shard x in
batch -o x --summary s --report s in
batch -o x --summary s --manifest s in
batch -o x --report s --manifest ./s in
batch -o x --summary c.json c.json
batch -o x --report c.json c.json
batch -o x --manifest c.json c.json
batch -o x --summary none/s in
batch -o x --report none/s in
batch -o x --manifest none/s in
batch -o x --report in/a.json --report-format html c.json
batch -o x --summary in/a.json c.json
batch -o taken in
batch -o taken/x in
batch -o x [
batch -o x nothere c.json
batch -o x --fail-fast nothere c.json
batch -o x odd.json torn.json empty.json
batch -q -o x odd.json torn.json empty.json
batch -v -o x odd.json torn.json empty.json
batch -o z in/a.json in/sub/b.json
batch -o z in/a.json in/a.json
batch -o z2 in sub
batch -o z3 in in/sub
batch -o z4 in/*.none
batch -o x --keep-last -1 in
batch -o x --project p --tool claude in
batch -o x --verify-restore in
batch -o x --json in
batch -o x --calibrate 0 in
batch -o x --models none in
batch -o x --model none in
batch -o x --tokenizer none in
batch -o x --exec-timeout 0s in
batch -o x --llm in
batch -o x -s nothing in
batch -o out --min-messages 50 in
batch -o out --min-messages 50 in
batch -o out -v --min-messages 50 in
batch -o out -q --min-messages 50 in
batch -o out --no-progress --min-messages 50 in
batch -o out --no-progress -v --min-messages 50 in
batch -o out -q -v --min-messages 50 in
batch -o out2 -q --summary - in
batch -o out2 -q --summary s.json in
cat s.json
batch -o out2 -q --summary s.json in
batch -o out3 -q --report r.json --report-format json --min-messages 50 in
cat r.json
batch -o out3 -q --report r.md --report-format markdown in nothere
batch -o out3 -q --report r.txt --report-format text --min-messages 50 --manifest m3 in nothere
batch -o out3 -q --report r.txt --report-format text --min-messages 50 --manifest m3 in
cat r.txt
batch -o out3 -q --report r.html --report-format html --min-messages 50 --manifest m3 in
cat r.html | <li class
batch -o out4 --manifest m --min-messages 50 in
cat m
batch -o out4 --manifest m --min-messages 50 --resume in
batch -o out4 --manifest m --min-messages 50 --resume -v in
batch -o out4 --manifest m --min-messages 50 --resume --report r4.json --report-format json in
cat r4.json
batch -o out4 --manifest m --min-messages 51 --resume in
batch -o out4 --manifest m --min-messages 51 --resume c.json in/a.json
batch -o out4 --manifest m --min-messages 51 --resume in/a.json
batch -n --min-messages 50 in/a.json orphan.json
batch -n --min-tokens 1m in/a.json orphan.json call.json
batch -n in/a.json orphan.json --include *.none
batch -n --include *.none in
batch -n --exclude * in
batch -n --include a* in
batch -n --exclude a* in
batch -q -o t2 tagged.json twice.json typed.json
batch -o t2 --tags typed --manifest mt tagged.json twice.json typed.json
batch -o t2 -v --tags typed tagged.json twice.json typed.json
batch -o t2 -q --tags typed --report t2.html --report-format html tagged.json twice.json
cat t2.html | "kicker"|<li class
batch -o t2 --fail-fast --tags typed tagged.json twice.json typed.json
batch -o t2 -f --fail-fast --tags typed tagged.json twice.json typed.json
batch -o nn --summary none/s c.json
cat nn/c.json
batch -o nn --report none/s c.json
cat nn/c.json
batch -o nn -q --summary sub c.json
batch -o gz -q --tags typed rows2.jsonl
cat gz/rows2.jsonl
batch -n --tags typed --min-retention 1 rows2.jsonl tagged.json
batch -n --tags typed --strict -t 1 rows2.jsonl tagged.json
batch -n --tags typed --strict --max-bytes 10 tagged.json
batch -n --for training --drop-rows -t 6 lengths.jsonl
batch -q -o rows -f --for training --drop-rows -t 6 lengths.jsonl
cat rows/lengths.jsonl
batch -n --model own --models models.json c.json in/a.json
CONDENSE_TOKENIZER= batch -n m1.json c.json
CONDENSE_TOKENIZER= batch -n m1.json m1.json
CONDENSE_TOKENIZER= batch -n m2.json c.json
CONDENSE_TOKENIZER= batch -q -o ml --report ml.html --report-format html m1.json c.json
cat ml.html | "kicker"|<li class
batch -o sf --fail-fast --summary sf.json --report sf.txt --report-format text nothere c.json
cat sf.json
cat sf.txt
batch -o cl sub c.json
batch -n sub c.json
batch -n --shard 1/2 in sub
batch -n --shard 2/2 in sub
batch -q -o in/out --manifest in/m.jsonl --summary in/sum.json --report in/r.json --report-format json in
batch -o in/out --resume --manifest in/m.jsonl --summary in/sum.json --report in/r.json --report-format json in
rm in/out
rm in/m.jsonl
rm in/sum.json
rm in/r.json
batch -q -o om --manifest mm in
cp other.json in/a.json
batch -o om --manifest mm --resume in
cat om/a.json
cp c.json in/a.json
batch -o om --manifest mm in
cat om/a.json
rm om/a.json
batch -o om --manifest mm --resume in
cat om/a.json
cat mt
batch -n t.parquet log.eval
batch -q -o pq t.parquet
batch -o pq t.parquet
batch -w --tags typed tagged.json c.json
undo tagged.json
batch -w --no-stash --tags typed tagged.json c.json
batch -o t --tags typed tagged.json c.json
batch -o t --tags typed -f tagged.json c.json
batch -o t tagged.json c.json rows.jsonl
batch -o t tagged.json
batch -o t tagged.json twice.json --report rt.json --report-format json
cat t/twice.json
batch -o t twice.json
batch -o t --tags typed twice.json tagged.json
batch -o t --report rt.json --report-format json --tags all tagged.json twice.json
cat rt.json
batch -o t -v --tags typed twice.json tagged.json
batch -o t -f --tags typed twice.json tagged.json
batch -w=.old --manifest mw --tags typed tagged.json twice.json
batch -w=.old --manifest mw --tags typed --resume tagged.json twice.json
batch -w=.old --manifest mw --tags typed --resume -v tagged.json twice.json
HOME= batch -w --tags typed marked.json
HOME= batch -w --tags typed tagged.json
batch -n --strict -t 1 c.json
batch -n --strict -t 1 -v c.json
batch -n -t 1 c.json
batch -n --min-retention 1 c.json
batch -n --before exec:none c.json
batch -n --after exec:false c.json
batch -o h --before exec:false c.json
batch -n --for training -t 1 rows.jsonl
batch -n --for training --drop-rows -t 1 rows.jsonl
batch -o rows --for training --drop-rows -t 1 --report rr.json --report-format json rows.jsonl
cat rr.json
batch -n --drop-rows rows.jsonl
batch -n --max-memory 1 c.json
CONDENSE_MAX_MEMORY= batch -n c.json
batch -n --max-memory x c.json
CONDENSE_TOKENIZER=nothing batch -n c.json
CONDENSE_TOKENIZER= batch -n --model own --models models.json c.json
CONDENSE_TOKENIZER= batch -n --model own c.json
`
