// Package fact finds the facts in texts: words that refer to something, such as paths, identifiers,
// numbers, names of errors, options and addresses. A later part of a conversation can know these
// only from an earlier part.
//
// [Each] finds them in one text, by their shape alone: it needs no list of names and no language.
// [Of] surveys a whole conversation, and records for each fact how rare it is and who mentioned it
// last. [KindOf] returns the kind of a fact. [Commands], [Constraints] and [OpenTodos] find facts of
// more than one word: commands that were run, sentences that demand something, open items of a plan.
//
// The package also holds two tables of words that all other packages use: the kinds of tools
// ([ToolOf]), and the words that report an error ([SeverityOf], [MentionsFailure], [IsFailedState]).
//
// All functions are pure, and linear in the length of the text.
package fact
