// Package token counts what blocks cost a model, in tokens.
//
// A [Counter] counts in one unit, which its name tells:
//
//   - o200k_base, the default, and cl100k_base are the encodings that OpenAI
//     publishes: a text counts what the API would bill for its characters.
//   - bytes4 is a rule of thumb, ceil(UTF-8 bytes / 4) for each part. It needs
//     no vocabulary, and no later version will ever count differently: the
//     evaluation compares condensers in this unit.
//
// [New] makes a Counter by the name of the unit, [ForModel] by the name of a
// model:
//
//	c, err := token.ForModel("claude-opus-4-5")
//	...
//	fmt.Println(c.Block(b), c.Name(), c.Method()) // 1371 o200k_base estimate
//
// # What counts
//
// The text of every part counts: what was said and thought, string and number
// leaves of a call's arguments, the texts of a result. Media count
// [MediaTokens] each, or nothing in bytes4. Names of arguments and tools,
// signatures and the framing of messages count nothing in any unit.
//
// # How far to trust a number
//
// [Counter.Method] tells whether the unit is the model's own. A unit that is
// not is still right for "how much smaller", because the same unit measures
// before and after; it is doubtful for "does it fit".
//
// Within a unit a count is exact, except in runs of more than 512 characters
// without any boundary (one letter repeated, a minified blob, a line of
// dashes). Those are cut and counted in pieces, because the engine takes time
// quadratic in their length. In all that was measured that moved the count of a
// run by a token or 0.3 % at most; [Counter.Approximate] tells how much of the
// text it concerned. The engine also knows no letter newer than Unicode 15.0.
//
// # Cost
//
// The first Counter of an encoding loads the vocabulary, which is part of the
// program: 0.1 s for cl100k_base, 0.2 s for o200k_base, and 25 to 45 MB that
// all Counters share. Nothing is ever fetched from a network. Text is counted
// at 2 to 5 MB/s per core. A Counter remembers the texts it has counted, so
// that counting a conversation again after an edit costs a look-up for each
// text that stayed; see [Counter] for what that keeps in memory.
package token
