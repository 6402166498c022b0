// Package transcript is the model of a conversation, independent of any file format.
//
// A [Conversation] has messages, a [Message] has blocks, and a [Block] has parts.
// A block is one text, thought, tool call or tool result; its parts are the string
// leaves of a call's arguments, or the texts and images of a result. Package
// transcript/format decodes files into these types and writes their changes back.
//
// Conversations are immutable. A change is an [Edit] that addresses a message, a
// block or a part by identity ([Ref]), never by position. [Conversation.Apply]
// returns the next conversation, which shares all messages that did not change:
//
//	next, err := conv.Apply([]transcript.Edit{
//		{At: ref, Op: transcript.Rewrite, Text: transcript.Marker("Bash ls: 80 lines"), Why: "old listing"},
//	})
//
// Apply applies all edits or none. It refuses an edit that would break a promise:
// one that drops a pinned block, rewrites a signed block, or removes a call without
// its result. The error is an [*EditError] with that edit and the reason.
package transcript
