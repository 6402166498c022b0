package cmd

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"condense/transcript/transcripttest"
)

// flagLines has values of the flags of condense run that need one, and of those that say how it goes on.
const flagLines = `
--target 900 --target 20% --target 0 --strategy dedupe,mask --strategy nonsense --strategy-for messages<20=>dedupe --keep-first 2 --keep-last 1 --freeze-prefix 3
--keep-rounds 1 --window 2000 --window 1 --reserve 100 --threshold 20 --threshold 0 --profile p --profile-threshold p=20 --always --min-messages 99 --min-gap 1 --min-tokens 5k
--min-gain 90% --min-stage-gain 50% --l1 0.1 --l2 0.2 --l3 2 --aggression 0.9 --fraction 0.3 --fraction 3 --layout fresh --layout fork --pin tide --pin ( --protect .
--protect-tool Bash --protect-tool {a --protect-path **/*.py --only tool:Read --only Read --messages 2..5 --messages 5..2 --unpin user --unpin last --thinking drop
--target-model gpt-5 --images placeholder --images many --drop-hidden --preset aggressive --preset none --cap Bash=20 --cap Bash --tags typed --for training --for fun
--drop-rows --tag --min-retention 0.9 --min-retention last=2 --max-bytes 2000 --max-bytes x --select 1 --select 7 --strict --session-id b6a2f1c0-0000-4000-8000-000000000000
--tokenizer chars --tokenizer none --calibrate 2 --calibrate auto --calibrate 0 --model gpt-5 --model claude-opus-4-5 --model none --models none.json --explain --verbose --verbose=2
--diff --dry-run --json --quiet --report - --report r.html --report-format=markdown --report-format=text --events e.jsonl --output o.jsonl --output taken --in-place --in-place=.old --force
--format claude-code --format openai --format none --column x.y --color always --stash s --no-stash --verify-restore --max-memory 1 --max-memory 4g --config none.yaml --config c.yaml --last
--tool claude --project . --project=nowhere --llm --llm-model x --max-cost 1 --max-cost -1 --focus tides --prompt-file none --fallback truncate --timeout 0s --retries -1 --rpm 0 --tpm -1
--before exec:none --after exec:none --validator exec:none --exec-timeout -1s --exec-env X --exec-failure skip --exec-failure x --base-url x --api-key-file none --no-redact
`

// otherLines are runs of the other commands, alone and one after the other, some of them with a variable in front.
const otherLines = `
batch --out-dir to .
batch --out-dir to --jobs 1 --report r.json --html r.html --summary s.md .
batch -n .
batch --in-place --manifest m.jsonl a.jsonl b.json
batch --in-place=.bak --shard 1/1 .
batch --out-dir to --include *.jsonl --exclude a* .
batch --out-dir to --fail-fast broken.json a.jsonl
batch --out-dir to --resume .
batch a.jsonl
batch --out-dir to nowhere
check --max-tokens 10 a.jsonl b.json
check --max-tokens 10k --json a.jsonl
check --max-tokens 10 --output-format github a.jsonl
check --max-tokens 10 --output-format gitlab --report r.json a.jsonl
check --max-tokens 10 --output-format markdown a.jsonl
check --max-tokens 10 --output-format tap a.jsonl broken.json
check --max-tokens 10 --report r.xml --report-format junit a.jsonl
check --max-bytes 10 -v a.jsonl b.json
check --min-savings 90% --target 50% a.jsonl
check --min-savings 1% --target 50% -vv a.jsonl
check --min-retention 1 --target 10% a.jsonl
check --valid a.jsonl b.json torn.json
check --valid=openai --strict a.jsonl
check --expect want --update a.jsonl
check --expect want a.jsonl
check --baseline base.json --update-baseline a.jsonl
check --baseline base.json a.jsonl
check --max-growth 0.1 a.jsonl
check --max-growth 0.1 --baseline c.yaml a.jsonl
check --max-growth 0.1 --baseline base.json --update-baseline --max-tokens 10k a.jsonl b.json
check --select 1 --max-tokens 10 b.json
check --skip-others --max-tokens 10k .
check a.jsonl
check --select 1 a.jsonl
compare --json --recall=false --target 20%,900 --strategy truncate,dedupe a.jsonl
compare --json --recall=false --strategy mask a.jsonl
compare --json --price 3 --recall=false --strategy mask,truncate a.jsonl
compare --html --report r.html --recall=false --strategy mask a.jsonl
compare --target x a.jsonl
compare --recall=false --strategy mask broken.json
completion bash
completion tcsh
config check
config check c.yaml
config check wrong.yaml none.yaml
config init c.yaml
config init --user
config path
config show
config show --all
config show --json a.jsonl
config show --command check
config show --command none
diff a.jsonl a.jsonl
diff a.jsonl b.json
diff --stat a.jsonl smaller.jsonl
diff --json a.jsonl smaller.jsonl
diff --typed a.jsonl smaller.jsonl
diff a.jsonl
exec
explain a.jsonl
explain --message 3 a.jsonl
explain --message 99 a.jsonl
explain --messages 2..4 --target 10% a.jsonl
filter rows.jsonl
filter --null rows.jsonl
filter --on-error envelope --target 10% odd.jsonl
filter --on-error skip odd.jsonl
filter --on-error fail odd.jsonl
filter --on-error pass odd.jsonl
filter --jobs 1 --output o.jsonl rows.jsonl
filter --output o.jsonl.gz --target 10% rows.jsonl
filter --compress zstd --output taken --force rows.jsonl
filter --column messages rows.jsonl
filter --for training --drop-rows --target 10 rows.jsonl
filter --min-messages 9 rows.jsonl
filter none.jsonl
formats
formats --json
grep --stash s tide
grep --stash s --ignore-case TIDE
grep --stash s --fixed-strings (
grep --stash s (
grep tide
help
help nonsense
llm
ls
ls --json
ls --color never
ls --tokens -v
ls --tool codex
ls --within 1h --limit 1
ls --older 1d --min-size 1 --max-size 9g
ls --project nowhere
ls --limit -1
man --markdown batch check
man none
mcp
mcp none.jsonl --stash s
repair a.jsonl
repair torn.json
repair --json -n torn.json
repair --strict torn.json
repair --api anthropic torn.json
repair -w torn.json
repair --pair-by-position -o o.json torn.json
repair broken.json
report
rescue -n a.jsonl
rescue --target 20% -o o.jsonl a.jsonl
rescue --drop-snapshots --drop-hidden --max-bytes 2k -o o.jsonl a.jsonl
rescue --window 900 -n -v a.jsonl
rescue b.json
restore --stash s smaller.jsonl
restore --stash s --json -n smaller.jsonl
restore --stash s -w smaller.jsonl
restore --stash s --via zzz smaller.jsonl
restore --stash s b.json
restore --stash none smaller.jsonl
show --stash s 12345678
show --stash s --message 3 12345678
stash
stash list --stash s
stash list --stash s --quiet
stash list --stash none
stash gc --stash s -n
stash gc --stash s --force --keep 0s
stash gc --stash s --keep x
stash purge --stash s -n smaller.jsonl
stash purge --stash s smaller.jsonl
stats a.jsonl
stats --json a.jsonl
stats --merge .
stats --top 2 a.jsonl b.json
stats -v --report r.html --report-format html .
stats --select 2 a.jsonl
stats broken.json
strategies
strategies --json
tokens a.jsonl b.json
tokens --json a.jsonl
tokens --raw c.yaml
tokens --ids --raw --tokenizer cl100k_base c.yaml
tokens --ids a.jsonl
tokens none
undo a.jsonl
undo --json -n a.jsonl
undo none
validate a.jsonl torn.json
validate --json torn.json
validate --strict --api openai a.jsonl
validate -v torn.json broken.json
validate --api none a.jsonl
version --json=x
view a.jsonl
view --messages 1..2,4 a.jsonl
view --messages 9..1 a.jsonl
view --full --no-thinking --hidden a.jsonl
view --json a.jsonl
view --markdown a.jsonl
view --html a.jsonl
view --before a.jsonl smaller.jsonl
view --side-by-side --before a.jsonl smaller.jsonl
view --after smaller.jsonl a.jsonl
view --stash s smaller.jsonl
view --report v.md --report-format markdown a.jsonl
view --select 3 b.json
view broken.json
nonsense
rnu a.jsonl
run
run --diff -n a.jsonl
run --json -n a.jsonl
run --json -w a.jsonl
run --diff --report r.md --report-format markdown -o o.jsonl a.jsonl
run --explain -v -n a.jsonl
run --for training --drop-rows --target 10 rows.jsonl
run --verify-restore --stash t -o o.jsonl a.jsonl
run --verify-restore --stash s smaller.jsonl
run --last -n
run --last --project . -n
run --last --tool codex -n
run --max-bytes 2k --explain -n a.jsonl
run --model claude-opus-4-5 --json -n a.jsonl
run --window 4k --json -n a.jsonl
run --window 100k --threshold 10 -n a.jsonl
run --session-id new --stash t --report r.txt --report-format text -q a.jsonl
run --select 1 --drop-hidden --thinking drop --strategy mask,dedupe,truncate -n --explain a.jsonl
run --unpin user --unpin last --target 1% -n a.jsonl
run --config wrong.yaml -n a.jsonl
run --config c.yaml --preset conservative -n a.jsonl
run --llm --llm-model gpt-5 -n a.jsonl
run --llm --llm-model none --base-url http://127.0.0.1:1 --retries 0 --fallback fail a.jsonl
run --llm --llm-model none --base-url http://127.0.0.1:1 --retries 0 --timeout 1s -v a.jsonl
run --before exec:true --after exec:true --validator exec:true -n a.jsonl
run --before exec:false a.jsonl
run --before exec:false --exec-failure skip a.jsonl
run --after exec:false -o o.jsonl a.jsonl
run --validator exec:false a.jsonl
run --tag --strategy truncate b.json
run -q -o o.json b.json
run -
run a.jsonl b.json
run a.jsonl.gz
filter rows.jsonl.gz
batch --max-memory 100k --out-dir to .
stats a.jsonl.gz rows.jsonl
stats --top -1 a.jsonl
stats --top 0 --json a.jsonl
undo --color always none
undo -
undo --last
compare --target 900,30% --strategy truncate --json --price 3 --recall b.json
check --valid --strict --json torn.json broken.json none
check --max-tokens 10 --min-savings 5% --output-format jsonl a.jsonl b.json
check --max-tokens 10 --output-format sarif --report r.sarif -q a.jsonl
check --max-tokens 10 --output-format=text --report r.md --report-format markdown .
run -w a.jsonl && undo a.jsonl && undo a.jsonl
run -w a.jsonl && undo -n --json a.jsonl && undo --last -q
run -w a.jsonl && run -w --target 30% a.jsonl && undo a.jsonl && undo --force a.jsonl
run -w a.jsonl && restore a.jsonl && show 1 && grep tide
run -w a.jsonl && view --before a.jsonl && diff --stat smaller.jsonl a.jsonl
run -w --no-stash a.jsonl && undo a.jsonl
run -w a.jsonl && stash purge -n a.jsonl && stash purge a.jsonl && undo a.jsonl
run -q -w=.old a.jsonl && undo a.jsonl
run -w a.jsonl && run -w a.jsonl
repair -w torn.json && undo torn.json && repair --stash t -o o.json torn.json && restore --stash t o.json
rescue --target 20% -w a.jsonl && undo a.jsonl
rescue --target 20% --backup .old a.jsonl
check --max-tokens 10k --baseline base.json --update-baseline a.jsonl && check --max-growth 0.1 --baseline base.json a.jsonl b.json
check --max-tokens 10k --baseline base.json --update-baseline smaller.jsonl && check --max-growth 0 --baseline base.json --json smaller.jsonl
check --expect want --update a.jsonl && check --expect want a.jsonl && check --expect want --target 10% a.jsonl && check --expect want b.json
batch --out-dir to --manifest m.jsonl a.jsonl b.json && batch --out-dir to --manifest m.jsonl --resume a.jsonl b.json torn.json
batch --out-dir to a.jsonl && batch --out-dir to a.jsonl && batch --out-dir to --force -q a.jsonl
batch --in-place --stash t a.jsonl b.json && restore --stash t a.jsonl && undo a.jsonl b.json
run --stash t -o o.jsonl a.jsonl && run --stash t --target 20% -o p.jsonl o.jsonl && restore --stash t p.jsonl && stash list --stash t && restore --stash t -o q.jsonl -n p.jsonl
run --stash t -o o.jsonl a.jsonl && grep --stash t gauge && view --stash t o.jsonl && view --stash t --json o.jsonl
config init new.yaml --force && config check new.yaml && config init new.yaml
filter -o o.jsonl rows.jsonl && filter -o o.jsonl rows.jsonl && filter -f -o o.jsonl rows.jsonl
GITHUB_WORKSPACE=DIR/p check --max-tokens 10 --output-format sarif a.jsonl
GITHUB_WORKSPACE=DIR/ check --max-tokens 10 --output-format sarif DIR/a.jsonl
CI_PROJECT_DIR=/ check --max-tokens 10 --output-format gitlab a.jsonl
GITHUB_STEP_SUMMARY=sum.md check --max-tokens 10 --output-format github a.jsonl
GITHUB_STEP_SUMMARY=none/sum.md check --max-tokens 10 a.jsonl
CONDENSE_TARGET=x run a.jsonl
CONDENSE_TARGET=x config show
CONDENSE_KEEP_LAST=3 config show
CONDENSE_NONSENSE=1 run -n a.jsonl
CONDENSE_CONFIG=none.yaml config path
CONDENSE_STASH=s stash list
NO_COLOR=1 run --color auto -n a.jsonl
HOME= run -w a.jsonl
HOME= ls
HOME= undo a.jsonl
run broken.json
run none.jsonl
run .
`

// changing matches what differs from run to run: times, ids that depend on the folder, and the width of columns with
// its name.
var changing = regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?|"(age|milliseconds|time|modified|used)": ?[^,}\n]*|\b\d+(\.\d+)? ?m?s\b|[0-9a-f]{24,}| {2,}`)

// variable matches a variable in front of a command.
var variable = regexp.MustCompile("^[A-Z_]+=")

// TestOutcomes compares what runs of condense run print and write with testdata/outcomes.txt: the exit code, and
// checksums of the output, of the messages and of the files. A change shows by the command lines that it concerns.
// -update rewrites the file.
func TestOutcomes(t *testing.T) { checkOutcomes(t, runLines()) }

// TestOutcomesOfCommands does the same as TestOutcomes for the other commands.
func TestOutcomesOfCommands(t *testing.T) { checkOutcomes(t, commandLines()[:len(commandLines())*5/8]) }

// TestOutcomesOfOthers does the same for the rest of them. A test that takes longer would be left out by scripts/mutate.
func TestOutcomesOfOthers(t *testing.T) { checkOutcomes(t, commandLines()[len(commandLines())*5/8:]) }

// runLines returns the command lines of condense run with the flags of flagLines, one after the other.
func runLines() (lines []string) {
	for _, flag := range strings.Split(strings.Join(strings.Fields(flagLines), " "), " --") {
		lines = append(lines, "run --"+strings.TrimPrefix(flag, "--")+" a.jsonl")
	}
	return lines
}

// commandLines returns otherLines, one after the other.
func commandLines() (lines []string) {
	for line := range strings.Lines(otherLines) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// checkOutcomes compares what command lines print and write with their rows in testdata/outcomes.txt.
func checkOutcomes(t *testing.T, lines []string) {
	if runtime.GOOS != "linux" {
		t.Skip("the causes of errors have other words on this system")
	}
	golden, err := filepath.Abs("testdata/outcomes.txt")
	if err != nil {
		t.Fatal(err)
	}
	files := lineFiles(t)
	dir := t.TempDir()
	dir = filepath.Join(dir, strings.Repeat("x", max(1, 120-len(dir)))) // of a fixed length, since entries of a stash have the path
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "settings"))
	writeAll(t, files)
	place := strings.NewReplacer(dir, "DIR", dir[1:], "DIR")
	sum := func(text string) string {
		return transcripttest.Sum(changing.ReplaceAllString(place.Replace(text), "_"))
	}
	rows := [][]string{{"line", "code", "output", "messages", "files"}}
	for _, line := range lines {
		stdout, stderr, codes := runLine(line, dir, files["b.json"])
		rows = append(rows, []string{line, codes, sum(stdout), sum(stderr), sum(takenBack(t, dir, files))})
	}
	share := filepath.Join(t.TempDir(), "share")
	if err := os.WriteFile(share, []byte(rowsOf(t, golden, rows)), 0o600); err != nil {
		t.Fatal(err)
	}
	transcripttest.Frozen(t, share, *update, rows)
	if *update {
		if err := os.WriteFile(golden, []byte(merged(t, golden, share)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runLine runs the commands of a line in dir, with input. It returns both outputs and the exit codes.
func runLine(line, dir, input string) (out, messages, codes string) {
	var stdout, stderr bytes.Buffer
	debug.SetGCPercent(400) // a run with --max-memory sets it for the whole process
	debug.SetMemoryLimit(math.MaxInt64)
	for one := range strings.SplitSeq(line, " && ") {
		set := map[string]string{"HOME": dir, "CONDENSE_TOKENIZER": "bytes4", "CONDENSE_STRATEGY": "truncate", "CONDENSE_TARGET": "60%", "CONDENSE_JOBS": "1"}
		words := strings.Fields(strings.ReplaceAll(one, "DIR/", dir+"/"))
		for len(words) > 0 && variable.MatchString(words[0]) {
			name, value, _ := strings.Cut(words[0], "=")
			set[name], words = value, words[1:]
		}
		codes += fmt.Sprint(Main(words, strings.NewReader(input), &stdout, &stderr, func(name string) string { return set[name] }))
	}
	return stdout.String(), stderr.String(), codes
}

// tableRows reads a table of [transcripttest.Frozen]: its lines, by their first cells.
func tableRows(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(line, " ")
		rows[name] = line
	}
	return rows
}

// rowsOf returns the lines of a table whose first cells are those of rows.
func rowsOf(t *testing.T, file string, rows [][]string) string {
	t.Helper()
	var text strings.Builder
	have := tableRows(t, file)
	for _, row := range rows {
		text.WriteString(have[rowName(row[0])])
	}
	return text.String()
}

// merged returns the table in file with the rows of share in place of its own: of all command lines, in order.
func merged(t *testing.T, file, share string) string {
	t.Helper()
	have := tableRows(t, file)
	maps.Copy(have, tableRows(t, share))
	text := have["line"]
	for _, line := range slices.Concat(runLines(), commandLines()) {
		text += have[rowName(line)]
	}
	return text
}

// rowName returns a text as [transcripttest.Frozen] writes it in a table.
func rowName(text string) string { return strings.Join(strings.Fields(text), "_") }

// TestOutcomesCovered checks that testdata/outcomes.txt has a row for each command line, and no other.
func TestOutcomesCovered(t *testing.T) {
	have := tableRows(t, "testdata/outcomes.txt")
	for _, line := range append(slices.Concat(runLines(), commandLines()), "line") {
		if have[rowName(line)] == "" {
			t.Errorf("there is no row for %s", line)
		}
		delete(have, rowName(line))
	}
	for name := range have {
		t.Errorf("no line is %s", name)
	}
}

// lineFiles returns the files in the folder of each line.
func lineFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{
		"taken": "a file\n", "c.yaml": "keep-last: 1\n", "wrong.yaml": "kep-last: 1\ntarget: x\nstrategy: nothing\n", "broken.json": "{\"messages\": [\n{\"role\": \"user\"",
		"torn.json": `[{"role": "user", "content": "Say hello."}, {"role": "tool", "tool_call_id": "c1", "content": "x"}, {"role": "assistant", "content": "Hello."}]`,
	}
	for name, src := range transcripttest.Fixtures(t, "../testdata") {
		switch name {
		case "claude-code/session.jsonl":
			files["a.jsonl"] = string(src)
		case "openai/array.json":
			files["b.json"] = string(src)
		}
	}
	row := `{"messages": ` + strings.Join(strings.Fields(files["b.json"]), " ") + "}\n"
	files["rows.jsonl"], files["odd.jsonl"] = row+row, row+"{\"messages\": 7}\nnot JSON\n"+row
	files["a.jsonl.gz"], files["rows.jsonl.gz"] = gzipped(t, files["a.jsonl"]), gzipped(t, files["rows.jsonl"])
	files[".claude/projects/p/3f2b9a10-0000-4000-8000-000000000001.jsonl"] = files["a.jsonl"]

	dir := t.TempDir() // a stash with a run, for the commands that read it
	t.Chdir(dir)
	writeAll(t, files)
	if _, printed, code := run(nil, "run", "-q", "-s", "truncate", "--target", "50%", "--stash", "s", "-o", "smaller.jsonl", "a.jsonl"); code != exitOK {
		t.Fatal(printed)
	}
	for _, name := range []string{"smaller.jsonl", "s"} {
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				var data []byte
				data, err = os.ReadFile(path)
				files[filepath.ToSlash(path)] = string(data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// gzipped returns a text as gzip compresses it.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// takenBack returns the names and the contents of files in a folder that are new or differ from those before, and
// makes the folder as it was.
func takenBack(t *testing.T, dir string, before map[string]string) string {
	t.Helper()
	var left []string
	again := maps.Clone(before)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		text, known := before[name]
		if known && text == string(data) {
			delete(again, name)
			return err
		}
		if strings.HasSuffix(name, ".stash") { // it has a time
			data = nil
		}
		left = append(left, changing.ReplaceAllString(name, "_")+": "+string(data))
		if !known {
			err = errors.Join(err, os.Remove(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range again {
		left = append(left, name+" is gone, or was changed")
	}
	writeAll(t, again)
	slices.Sort(left)
	return strings.Join(left, "\n")
}
