// Package token counts what blocks cost a model, in tokens.
//
// A [Counter] counts texts in one unit, which its name tells:
//
//   - o200k_base, the default, and cl100k_base are the encodings that OpenAI
//     publishes: a text counts what the API would bill for its characters.
//   - bytes4 is a rule of thumb, ceil(UTF-8 bytes / 4) for each part. It needs
//     no vocabulary, and no later version will ever count differently: the
//     evaluation compares condensers in this unit.
//   - chars is an estimate by characters, as tools without a tokenizer make it.
//
// and, for a model whose tokenizer is another, turns the number into tokens of the
// model by a factor. [New] makes a Counter by the name of the unit, [ForModel] by
// the name of a model, of which [BuiltIn] is the table:
//
//	c, err := token.ForModel("claude-opus-4-5")
//	...
//	fmt.Println(c.Block(b), c.Name(), c.Method()) // 1618 o200k_base calibrated
//
// # What counts
//
// The text of every part counts: what was said and thought, string and number
// leaves of a call's arguments, the texts of a result. In the real encodings more
// counts, and nothing of it in bytes4 and chars:
//
//   - An image counts by its pixels and the rule of the model's API ([ImageRules]),
//     GPT-4o's where no model is named. Where the size or the rule is not known, and
//     for documents and recordings, it is [MediaTokens]; [Counter.Flat] tells.
//     Gemini bills 32 tokens a second of sound, 263 of video and 258 a page, and
//     Anthropic 1,500 to 3,000 a page, but no file tells seconds or pages.
//   - Thinking counts its text or, where that is more, an estimate by the length of
//     the sealed form: the text may be a summary of it, or missing. It is counted
//     wherever it stands. Claude keeps all thinking in the context from Opus 4.5 and
//     Sonnet 4.6 on (platform.claude.com, extended thinking); other models of
//     Anthropic, and OpenAI's, drop that of former turns, and for them the count is
//     an upper bound. Signatures of calls and texts count nothing.
//
// Names of arguments and tools and what an API puts around messages count nothing.
// [Counter.Framing] and [Counter.Tools] estimate them, to be stated beside a count
// where it meets a context window.
//
// # How far to trust a number
//
// [Counter.Scale] tells. exact: the unit is the model's own. calibrated: the
// factor was measured, by whom its source tells, and counts of texts are off by
// the band. estimate: nobody measured it. A wrong factor cancels out in "how much
// smaller", because the same unit measures before and after; it matters for "does
// it fit".
//
// The factor applies to the texts of each block, and is rounded there, so that
// blocks, stages and totals add up exactly: a total is what its blocks count, and
// no number has to be converted anywhere. Against a factor on the total that is
// half a token for each block at most, either way. All of it is integer arithmetic:
// the same on every machine, and more text never counts less. Images and sealed
// thinking are in tokens of the model already.
//
// Programs that save what the provider counted for each request save with it the
// factor for their own model and content; [Counter.Fit] finds it.
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
