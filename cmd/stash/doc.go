// Package stash is the undo pack: a directory of entries, each of which leads from what a run
// wrote back to what it had read.
//
// # An entry
//
// An entry is one file that never changes, named after the hashes of both sides. It holds the way
// from the output to the input as copies of runs of the output and the bytes that are not in it:
// what the run removed, once, and not a copy of the file. Beside that stands, for people, which
// message lost which lines, and why; as most of these lines are among the removed bytes already,
// they are written as references to those. All of it is compressed with zstd.
//
//	condense stash 1\n       what the file is
//	{"output": …}\n          a Header, as JSON
//	zstd                     ops, removed bytes, and the list, one after the other
//
// The name is OUTPUT-INPUT-LENGTH.stash: the first 32 digits of both SHA-256 hashes, and the
// length of the output. The names of a directory are all the index there is; nothing has to be
// kept in step with the entries.
//
// # The way back
//
// [Store.Restore] takes a file, finds the entry whose output it is by its hash, and makes the
// input of it; and goes on from there until no entry leads further: chains of runs end at the
// first original. Every step is compared with the hash in its header. A file that begins with a
// known output has grown since; its lines behind that are set aside and come after what is
// restored. A run that changed nothing leaves an entry with the same hash on both sides, and
// nothing in it: it says that the file is an original.
//
// # Safety
//
// Entries are written by source.Create: complete or not at all, verified, and on the disk before
// [Store.Put] returns. Two processes that write the same entry write the same bytes under the same
// name, and one of them finds it there. So there is no lock, and a kill at any moment leaves at
// most a temporary file that the next writer of the entry, or [Store.Collect], removes. Entries can hold
// whatever the transcript held: files have mode 0600, a directory that is made here 0700.
package stash
