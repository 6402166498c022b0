// Package external lets other programs take part in a run: as strategies, as
// validators of the output, and as hooks before and after.
//
// A [Program] is started without a shell, in a process group of its own. It has only the few
// variables of [Environment], so that no key or token reaches it by accident. After
// Options.Timeout, or when the context is done, the whole group is killed, and where there is a
// /proc also the children that left it. The amount of its output is limited. A program that fails is an *[Error].
//
// # Protocol
//
// A program that is a strategy (see [Strategy]) is started once for each conversation.
// It reads one JSON document, a request, from standard input: the visible messages
// with their tokens and pins, and the number of tokens that are too many. It writes
// one JSON document, an answer, to standard output: the edits that it proposes, each
// with its reason, or the reason why it proposes none. [Schema] returns the JSON
// Schema of both. Output on standard error is for people.
//
// Its edits are treated like those of a built-in strategy: edits that save nothing are
// left out, pinned blocks stay, and a result that breaks a rule stops the run. The
// report names the edits that were refused. Typed text is pinned; where an option
// lifts that pin, only lines of the text and markers may replace it. The package does
// not check that other new texts are truthful: the program answers for them.
package external
