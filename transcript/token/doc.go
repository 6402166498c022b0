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
// Within a unit a count is exact: the number of tokens that tiktoken gives,
// OpenAI's own implementation, whatever the text.
//
// # Cost
//
// The vocabularies are part of the program, in tables that are used where they
// lie: to make a Counter costs nothing, and nothing is ever fetched from a
// network. Text is counted at 50 to 200 MB/s per core, depending on the script
// and the machine, without allocating, and in time that grows no faster than the
// text. What counts is package bpe.
package token
