// Package source takes conversations in and puts results out without ever endangering a file
// that may be the only copy of someone's work.
//
// # Reading
//
// [Open] and [ReadStream] read a source whole into an [Input]. An Input remembers which file it
// came from and every byte of it, which is all that is needed to notice later that the file
// changed underneath.
//
// A source that is compressed with gzip or zstd is known by its first bytes. Input.Data is what is
// in it, and [Input.Pack] compresses an output in the same way. A few bytes can unpack to more than
// any memory: unpacking stops at the same limit as reading, and much earlier where a source grows
// as no transcript does.
//
// # Writing
//
// [Input.Replace] puts new content in place of the file that was read; [Create] writes a new
// file. Both take a function that produces the content and both follow one plan, a list of named
// steps that stands in the code as it stands here:
//
//	open    Replace only: find, lock and examine the original
//	temp    create and lock .NAME.condense.tmp beside the target
//	write   let the caller fill it, through a buffer
//	mode    give it the mode and the owner of the file it stands for
//	sync    push it to the disk
//	verify  read it back and compare it with what was written; ask the caller's Verify
//	backup  Replace only: keep the old file under a name of its own
//	check   Replace only: read the original again and compare it with what was read first
//	rename  put the temporary file in the target's place, in one atomic step
//
// Until the last step has happened the target has its old content, and after it its new content;
// there is no moment with neither, nor with a part. Whatever goes wrong before it, be it an
// error, a full disk, a cancelled context or a kill, leaves the target as it was. All but the
// kill also remove the temporary file, and after a kill the next run for that target does.
//
// # Who else is writing
//
// Two runs of condense cannot meet: the temporary file has one fixed name per target, is created
// exclusively and stays locked while its writer lives. A run that finds one without a lock knows
// that its writer died, and removes it. The original is locked too, for the sake of programs that
// lock what they write.
//
// Most programs lock nothing, and an agent may append to its session at any moment. A change
// before the check refuses the replacement with [ErrChanged]. A line that arrives in the instant
// between check and rename goes to the old file, which is still held open: a last look after the
// rename sees the line, makes sure that a backup has it, and says so.
//
// A program that keeps the old file open for longer writes to a file without a name, and nobody
// can see that from here. Only a backup saves its lines: as a hard link it is the old file itself.
// Replacing a live session without one is not safe.
//
// # Links
//
// A symbolic link stays and the file that it leads to is replaced. A file with several names
// (hard links) is refused without Force, because the other names would keep the old content.
// All names are resolved inside one open directory, so that a directory exchanged during a run
// cannot redirect a write.
//
// # Errors
//
// What this package itself refuses or fails at is an [*Error]: one line, an exit code, and a hint
// at what to do next. Errors of the caller's own functions and of its context come back as they
// are.
package source
