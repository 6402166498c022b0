package cmd

import "github.com/spf13/cobra"

// newExecHelp returns the help topic about other programs: condense help exec.
func newExecHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "exec",
		Short: "How other programs take part in a run",
		Long:  execHelp,
	}
}

const execHelp = `Other programs take part in condense run if a flag names them as exec:PROGRAM:

  --strategy exec:PROGRAM    proposes edits, alone or in a pipeline: dedupe,exec:./tidy.py
  --validator exec:PROGRAM   gets the output, not compressed, on standard input before it
                             is written; if it does not exit with 0, nothing is written
                             and the exit code is 1
  --before exec:PROGRAM      runs before the input is read; if it fails, nothing is done
  --after exec:PROGRAM       runs after the output is written, even if nothing changed,
                             with the report as JSON on standard input

PROGRAM is a command line of words separated by spaces. '…' and "…" keep spaces and
commas in a word; no other character is special. No shell is started; to start one, write
exec:sh -c 'tidy "$1" | check' sh. A dry run runs strategies and validators, which must
not change anything, but no hooks. An output that did not change is not validated.

A program gets few variables: PATH, HOME, USER, LANG, TMPDIR and the like. Keys and
tokens are not passed on; --exec-env NAME passes one. Validators and hooks also get
CONDENSE_EXEC_EVENT (validate, before, after), CONDENSE_EXEC_FILE (the input),
CONDENSE_EXEC_FORMAT and CONDENSE_EXEC_OUTPUT. After --exec-timeout, or when condense is
interrupted, the program and all programs that it started are killed. The last 8 KiB of
its standard error are shown, escaped; of validators and hooks also its standard output.

A strategy is started once for each conversation. It reads one JSON object:

  {"protocol": 1, "budget": 5000, "need": 1200, "tokens": 6200,
   "conversation": {"id": "…", "model": "…", "messages": [
     {"id": 4, "role": "assistant", "blocks": [
       {"id": 0, "kind": "tool_call", "origin": "model", "pin": "none", "fixed": false,
        "call": "c1", "tool": "Read", "tokens": 9,
        "parts": [{"name": "path", "text": "a.go"}]}]}, …]}}

and writes one:

  {"protocol": 1, "edits": [
     {"message": 5, "block": 0, "op": "rewrite", "text": "[80 lines omitted]", "why": "old"},
     {"message": 9, "op": "drop", "group": 1, "why": "small talk"}]}

or {"protocol": 1, "skip": "why there is nothing to do"}. need is the number of tokens
over the budget; without --target and --window, the budget is half of the tokens. Messages
and blocks are addressed by their id, and part is the position in parts. Without block,
an edit is for the whole message. op is drop or rewrite. Edits with the same group above 0 are made
together or not at all.

  kind    text, thinking, tool_call, tool_result, media, opaque
  origin  user, client, model, tool, condenser: the author of the block
  pin     present: never removed whole; verbatim: never changed

The edits follow the same rules as those of every strategy. Edits that save no tokens,
that change a pinned block, or that keep only a call or only its result are refused, and
the report names them. So is a result that would be invalid. Typed text is pinned. If a
flag unpins it (--unpin user), only whole lines of it, in order, and markers may be left.
In all other texts, condense does not check that a program invents nothing.

A program that fails, answers anything else or takes too long ends the run with exit
code 1, and nothing is written; with --exec-failure skip, the next strategy runs. The
schema of both objects is strategy/external/protocol.schema.json, an example is
scripts/exec-example.`
