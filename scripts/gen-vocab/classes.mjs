// Prints classes.txt: how OpenAI's tiktoken classes every character.
//
// The tables of its regular expressions are not published as data, but they can
// be asked for: an encoding that knows nothing but the 256 bytes, and splits by
// \p{Lm}, drops all that is not matched, so what it gives back is the class.
//
//	npm install tiktoken@1.0.22    # in some folder outside of the project
//	NODE_PATH=that/node_modules node scripts/gen-vocab/classes.mjs > scripts/gen-vocab/classes.txt
import { createRequire } from "node:module";

const { Tiktoken } = createRequire(process.env.NODE_PATH + "/")("tiktoken");

const bytes = "! 0 " + Array.from({ length: 256 }, (_, b) => Buffer.from([b]).toString("base64")).join(" ");
let all = "";
for (let c = 0; c < 0x110000; c++) {
  if (c < 0xd800 || c > 0xdfff) all += String.fromCodePoint(c);
}

const classOf = new Array(0x110000).fill("");
for (const [name, pattern] of [
  ["upper", "[\\p{Lu}\\p{Lt}]"],
  ["lower", "\\p{Ll}"],
  ["letter", "[\\p{Lm}\\p{Lo}]"],
  ["mark", "\\p{M}"],
  ["number", "\\p{N}"],
  ["break", "[\\r\\n]"],
  ["space", "[^\\S\\r\\n]"],
]) {
  const encoding = new Tiktoken(bytes, {}, pattern);
  for (const c of Buffer.from(encoding.encode_ordinary(all)).toString("utf8")) {
    const at = c.codePointAt(0);
    if (classOf[at] !== "") throw new Error(`U+${at.toString(16)} is ${classOf[at]} and ${name}`);
    classOf[at] = name;
  }
  encoding.free();
}

const hex = (c) => c.toString(16).toUpperCase().padStart(4, "0");
const lines = ["# From npm tiktoken 1.0.22 by classes.mjs. First and last character, and their class; the rest are symbols."];
for (let c = 0; c < 0x110000; c++) {
  if (classOf[c] === "") continue;
  const first = c;
  while (c + 1 < 0x110000 && classOf[c + 1] === classOf[first]) c++;
  lines.push(`${hex(first)} ${hex(c)} ${classOf[first]}`);
}
console.log(lines.join("\n"));
