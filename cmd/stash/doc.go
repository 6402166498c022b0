// Package stash stores how to undo runs. A stash is a directory of entries, each of which restores
// the input of one run from its output.
//
// # Entries
//
// An entry is a file that never changes, named after the hashes of output and input. It describes
// the input as copies of parts of the output, and bytes that the run removed. It also has a list
// for people, with the lines that each message lost, and the reasons. If the list repeats removed
// bytes, it refers to them. The entry is compressed with zstd:
//
//	condense stash 1\n       type of the file
//	{"output": …}\n          a Header, as JSON
//	zstd                     ops, removed bytes and the list, in this order
//
// The name is OUTPUT-INPUT-LENGTH.stash: the first 32 digits of both SHA-256 hashes, and the length
// of the output. These names are the only index.
//
// # Restoring
//
// [Store.Restore] finds the entry of a file by the hash of its output, restores the input, and
// continues with that, up to the original of the first run. Each step is compared with the hash in
// its header. Lines that were appended to a known output are kept after the restored ones. A run
// that changed nothing leaves an empty entry with equal hashes, which marks an original.
//
// # Safety
//
// source.Create writes entries: complete or not at all, verified, and on the disk before
// [Store.Put] returns. Two processes that write the same entry write the same bytes under the same
// name, so they need no lock. A kill leaves at most a temporary file, which the next writer of the
// entry or [Store.Collect] removes. An entry can hold secrets of its transcript, so files have mode
// 0600, and a directory that Put creates has mode 0700.
package stash
