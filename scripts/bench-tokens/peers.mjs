// Counts files in an encoding with tiktoken and with gpt-tokenizer: peers.mjs
// ENCODING FILE..., with their folder in NODE_PATH. Prints, for each file, the
// speed in MB of processor time and the tokens of both.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.env.NODE_PATH + "/");
const [encoding, ...files] = process.argv.slice(2);
const tiktoken = require("tiktoken").get_encoding(encoding);
const gpt = require("gpt-tokenizer/cjs/encoding/" + encoding);

function measure(text, count) {
  const tokens = count(text);
  const times = [];
  for (let pass = 0; pass < 3; pass++) {
    const start = process.cpuUsage();
    count(text);
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1e6);
  }
  times.sort((a, b) => a - b);
  return { speed: Buffer.byteLength(text) / 1e6 / times[1], tokens };
}

const answers = files.map((file) => {
  const text = readFileSync(file, "utf8");
  return [
    measure(text, (s) => tiktoken.encode_ordinary(s).length),
    measure(text, (s) => gpt.countTokens(s)),
  ];
});
console.log(JSON.stringify(answers));
