// Package transcript holds what a conversation is, whatever file it came from.
//
// A [Conversation] is a list of messages; a [Message] is a list of blocks; a
// [Block] is one thing that was said, called or answered, as a list of parts
// (the string leaves of a call's arguments, the texts and images of a result).
// Nothing in this package knows a file format: package transcript/format decodes
// files into these types and lowers the final state back to byte edits.
//
// Values are immutable. Whoever wants a change proposes an [Edit], addressed by
// identity ([Ref]) and never by position, and [Conversation.Apply] gives the
// next conversation, which shares every message that did not change:
//
//	next, err := conv.Apply([]transcript.Edit{
//		{At: ref, Op: transcript.Rewrite, Text: transcript.Marker("Bash ls: 80 lines"), Why: "old listing"},
//	})
//
// Apply refuses, with an [EditError] naming the edit and the reason, whatever
// would break a promise: a pinned block, a signed block rewritten, one half of
// a call and its result removed. It is all or nothing.
package transcript
