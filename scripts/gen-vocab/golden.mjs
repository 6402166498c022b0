// Writes the answers of OpenAI's own tiktoken that the tests of
// transcript/token/bpe compare with: golden.json, the tokens of strings that
// other implementations get wrong, and characters.json, for each 4,096
// characters a hash of the tokens of each of them in all its contexts.
//
//	npm install tiktoken@1.0.22    # in some folder outside of the project
//	NODE_PATH=that/node_modules node scripts/gen-vocab/golden.mjs transcript/token/bpe/testdata
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { get_encoding } = createRequire(process.env.NODE_PATH + "/")("tiktoken");
const names = ["o200k_base", "cl100k_base"];
const encodings = names.map((name) => get_encoding(name));
const folder = process.argv[2];

// A generator that Go can have too is not needed: the strings are in the file.
let state = 1;
function random(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}
const pick = (list) => list[random(list.length)];

const parts = [
  ..."aeszSTMDRLVZA09'' \t\n\r\v/.-_{}$\"", "'s", "'S", "'ſ", "'T", "'Re", "'vE", "'LL", "'d", "'m", "ſ", "K", "’s",
  "é", "É", "ß", "İ", "ı", "ǅ", "ʰ", "ª", "文", "字", "の", "カ", "한", "ก", "ै", "अ", "\u0301", "\u20dd", "\u200d", "\ufe0f",
  "٣", "Ⅷ", "½", "৪", "\u00a0", "\u0085", "\u2028", "\u3000", "\ufeff", "\u200b", "\x00", "\x7f", "\ufffd", "€", "—", "…",
  "😀", "👩‍👩‍👧", "🇩🇪", "👍🏽", "𝐀", "𝐚", "𝟘", "\u{1f3fb}",
  "\u{1c89}", "\u{1c8a}", "\ua7cb", "\u{10d50}", "\u{10d70}", "\u{105c0}", "\u{116d0}", "\u{11bf0}", "\u{16d40}", "\u{1ccf0}", "\u{1e5d0}", "\u{2ebf0}", // of Unicode 15.1 and 16.0
  "\u{1acf}", "\u{a7ce}", "\u{10940}", "\u{323b0}", // of Unicode 17.0: not letters yet
  " the", "ing", "HTTP", "getName", "\r\n", "  ", "\n\n", "\t\t", "<|endoftext|>", "://", "12345",
];
const texts = ["", " ", "\n", "'", "'s", "it'ſ", "IT'ſ", "'ſ", "a'ſb", "Don'T DON'T don'tDon't", "\u0301A !", "文ABC", "ABC文def", "x".repeat(3000),
  " ".repeat(1000) + "x", "\n".repeat(500) + " a", "=".repeat(700) + "/\n/", "文".repeat(400), "ab".repeat(900), "ÀÉ".repeat(200) + "é"];
while (texts.length < 3000) {
  let text = "";
  for (let n = 1 + random(12); n > 0; n--) text += pick(parts);
  texts.push(text);
}
const golden = texts.map((text) => [text, ...encodings.map((e) => Array.from(e.encode_ordinary(text)))]);
writeFileSync(folder + "/golden.json", "[\n" + golden.map((line) => JSON.stringify(line)).join(",\n") + "\n]\n");

// The same contexts as in the test.
const contexts = (c) => `${c} a${c} ${c}b A${c}${c}. ${c}1'${c}\n${c}\n`;
const hashes = {};
encodings.forEach((encoding, i) => {
  const list = [];
  for (let first = 0; first < 0x110000; first += 0x1000) {
    const hash = createHash("sha256");
    for (let c = first; c < first + 0x1000; c++) {
      if (c < 0xd800 || c > 0xdfff) {
        for (const text of [String.fromCodePoint(c), contexts(String.fromCodePoint(c))]) {
          const tokens = encoding.encode_ordinary(text);
          hash.update(new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength));
        }
      }
    }
    list.push(hash.digest("hex").slice(0, 16));
  }
  hashes[names[i]] = list;
});
writeFileSync(folder + "/characters.json", JSON.stringify(hashes, null, "\t") + "\n");
