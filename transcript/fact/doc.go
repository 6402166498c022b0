// Package fact finds what a text refers to: paths, identifiers, numbers, names
// of errors, flags, addresses. These are the words that a later part of a
// conversation can only know from an earlier one.
//
// [Each] finds them in one text, by their shape alone: no list of names, no
// language. [Survey] finds them in a whole conversation and says of each how
// rare it is, when it was last mentioned and by whom, which is what tells how
// likely it is to be needed again.
//
// [KindOf] tells the kinds of facts apart. [Commands], [Constraints] and
// [OpenTodos] find what is more than a word: what was run, what must be, and what
// is still to be done.
//
// Everything is linear in the text, whatever it holds.
package fact
