// Package source reads sources and writes outputs without endangering a file that may be
// the only copy of its content.
//
// [Open] and [ReadStream] read a source whole into an [Input], which keeps its bytes and
// its identity, to notice a later change. They unpack gzip and zstd, recognised by the
// first bytes of the source; [Input.Pack] compresses an output in the same way. Unpacking
// stops at the limit for reading, and earlier for a source that expands like no transcript.
//
// [Input.Replace] replaces the file that was read; [Create] writes a new file. Both take a
// function that writes the content, and follow one plan of named steps:
//
//	open    Replace only: find, lock and examine the original
//	temp    create and lock .NAME.condense.tmp beside the target
//	write   let the caller write it, through a buffer
//	mode    set the mode and the owner of the file that it replaces
//	sync    flush it to the disk
//	verify  read it back and compare it with the written bytes; call Verify of the caller
//	backup  Replace only: keep the old file under another name
//	check   Replace only: compare the original with the bytes that were read at first
//	rename  put the temporary file in the target's place, in one atomic step
//
// The target has its old content before the last step and its new content after it. An
// error, a full disk, a cancelled context or a kill before it leaves the target unchanged.
// All except the kill remove the temporary file; after a kill the next run does.
//
// The temporary file excludes another run of condense: it has one fixed name for each target
// and is locked while its writer lives. The original is locked, too. For programs that lock
// nothing, a change before the check refuses the replacement with [ErrChanged]. A line written
// between check and rename goes to the old file, which is still open; Replace ensures that a
// backup has it, and reports it. Later lines of a program that keeps the old file open are only
// in a backup, which is a hard link. To replace a live session without a backup is not safe.
//
// # Links
//
// A symbolic link stays, and the file that it leads to is replaced. A file with several
// names (hard links) is refused without Force. All names are resolved in one open
// directory, so that an exchanged directory cannot redirect a write.
//
// Errors are an [*Error], or those of the caller's functions and of the context, unchanged.
package source
