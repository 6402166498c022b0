// Package external lets other programs take part in a run: as strategies, as
// validators of the output, and as hooks before and after.
//
// A [Program] is started without a shell, in a process group of its own, with the
// few variables of [Environment] and no others, so that no key or token reaches it
// unasked. It ends within Options.Timeout, or the whole group is killed; so it is
// when the run is interrupted. What it writes is limited.
//
// # Protocol
//
// A program that is a strategy (see [Strategy]) is started once for each
// conversation. It reads one JSON document from standard input, a [Request]: the
// messages that the model sees, with their tokens and pins, and how many tokens
// are too many. It writes one JSON document to standard output, an [Answer]: the
// edits it proposes, each with its reason, or why there is nothing to do. Schema
// is the JSON Schema of both. Anything it writes to standard error is for people.
//
// Its edits are treated as those of a built-in strategy: what saves nothing is
// left out, what is pinned stays, and a result that breaks a rule stops the run.
// Edits that are refused are named in the report. What a person typed is pinned, and
// where an option gives it up, only lines of it and markers may take its place. What a
// program writes in place of any other text is its own word: that it invents nothing is
// not checked.
package external
