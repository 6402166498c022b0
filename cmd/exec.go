package cmd

import "github.com/spf13/cobra"

// newExecHelp returns the help topic about other programs: condense help exec.
func newExecHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "exec",
		Short: "How other programs take part in a run",
		Long: `Other programs take part in condense run where a flag names one as exec:PROGRAM:

  --strategy exec:PROGRAM    proposes edits, alone or in a pipeline: dedupe,exec:./tidy.py
  --validator exec:PROGRAM   gets the output, not compressed, on standard input before it
                             is written; when it does not exit with 0, nothing is written
                             and the exit code is 1
  --before exec:PROGRAM      runs before the input is read; when it fails, nothing is done
  --after exec:PROGRAM       runs when all is written, also when nothing changed, with the
                             report as JSON on standard input

PROGRAM is a command line of words between spaces. '…' and "…" keep spaces and commas
in a word; nothing else is special. No shell is started: for one, write
exec:sh -c 'tidy "$1" | check' sh. A dry run runs strategies and validators, which are
to change nothing, and no hooks. What did not change is not validated.

A program gets few variables: PATH, HOME, USER, LANG, TMPDIR and the like. Keys and
tokens are not passed on; --exec-env NAME passes one. Validators and hooks also get
CONDENSE_EXEC_EVENT (validate, before, after), CONDENSE_EXEC_FILE (the input),
CONDENSE_EXEC_FORMAT and CONDENSE_EXEC_OUTPUT. After --exec-timeout, or when condense is
interrupted, the program and all that it started are killed. What it writes for people,
that is to standard error, or with validators and hooks to both, is shown escaped,
the last 8 KiB of it.

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

or {"protocol": 1, "skip": "why there is nothing to do"}. need says how many tokens are
over the budget, which is half of them when no --target is given. Messages and blocks
are addressed by their id; part is the place in parts; without block the whole message
is meant. op is drop or rewrite. Edits with the same group above 0 stand or fall
together.

  kind    text, thinking, tool_call, tool_result, media, opaque
  origin  user, client, model, tool, condenser: who wrote it
  pin     present: not removed whole; verbatim: not touched

The edits are held to the same rules as those of every strategy: what saves no tokens,
what touches a pin, half of a call and its result are refused and named in the report,
and so is a result that would be invalid. What the user typed is pinned; where a flag
unpins it (--unpin user), whole lines of it, in order, and markers may stay, and no
other words. Elsewhere it is not checked that a program invents nothing: what it writes
in place of another text is its own word.

A program that fails, answers anything else or takes too long ends the run with exit
code 1, and nothing is written; with --exec-failure skip the next strategy goes on. The
schema of both objects is strategy/external/protocol.schema.json, an example
scripts/exec-example.`,
	}
}
