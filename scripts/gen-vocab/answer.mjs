// Answers with OpenAI's own tiktoken: reads texts, each as its length in bytes
// in 32 bits, little-endian, and UTF-8, and writes for each the tokens in
// o200k_base and in cl100k_base, each as their number and them, in 32 bits.
// TestReference in transcript/token/bpe asks it; NODE_PATH is where tiktoken is.
import { createRequire } from "node:module";

const { get_encoding } = createRequire(process.env.NODE_PATH + "/")("tiktoken");
const encodings = [get_encoding("o200k_base"), get_encoding("cl100k_base")];

let rest = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  let input = rest.length ? Buffer.concat([rest, chunk]) : chunk;
  let at = 0;
  const answers = [];
  while (input.length >= at + 4) {
    const length = input.readUInt32LE(at);
    if (input.length < at + 4 + length) break;
    const text = input.toString("utf8", at + 4, at + 4 + length);
    at += 4 + length;
    for (const encoding of encodings) {
      const tokens = encoding.encode_ordinary(text);
      answers.push(Buffer.from(new Uint32Array([tokens.length]).buffer), Buffer.from(tokens.buffer, tokens.byteOffset, tokens.byteLength));
    }
  }
  rest = input.subarray(at);
  if (answers.length && !process.stdout.write(Buffer.concat(answers))) {
    await new Promise((done) => process.stdout.once("drain", done));
  }
}
