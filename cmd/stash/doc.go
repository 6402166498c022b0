// Package stash is the undo pack, a directory of entries. An entry restores the input of a run
// from its output.
//
// # Entries
//
// An entry is one file that never changes, named after the hashes of both sides. It has the input
// as copies of runs of the output, and the bytes that are not in it, which the run removed. It also
// has a list for people, with the lines that each message lost, and why. The list refers to the
// removed bytes where it repeats them. All of it is compressed with zstd:
//
//	condense stash 1\n       type of the file
//	{"output": …}\n          a Header, as JSON
//	zstd                     ops, removed bytes and the list, in this order
//
// The name is OUTPUT-INPUT-LENGTH.stash: the first 32 digits of both SHA-256 hashes, and the length
// of the output. There is no index besides these names.
//
// # Restoring
//
// [Store.Restore] finds the entry of a file by the hash of its output, restores the input, and
// continues with that. A chain of runs ends at the first original. Each step is compared with the
// hash in its header. Lines that were appended to a known output are kept after the restored ones.
// A run that changed nothing leaves an empty entry, with equal hashes, which marks an original.
//
// # Safety
//
// source.Create writes entries: complete or not at all, verified, and on the disk before
// [Store.Put] returns. Two processes that write the same entry write the same bytes under the same
// name, so there is no lock. A kill leaves at most a temporary file, which the next writer of the
// entry or [Store.Collect] removes. Entries can hold all that the transcript held: files have mode
// 0600, and a directory that Put creates has 0700.
package stash
