#!/usr/bin/env node
// Runs the program that the package of this platform brings.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { name, optionalDependencies } = require("../package.json");

const wanted = `${name}-${process.platform}-${process.arch}`;
const binary = process.platform === "win32" ? "condense.exe" : "condense";
let program;
try {
  program = require.resolve(`${wanted}/bin/${binary}`);
} catch {
  console.error(
    wanted in optionalDependencies
      ? `condense: the package ${wanted} is not installed; install again without --omit=optional`
      : `condense: there is no package for ${process.platform} ${process.arch}`,
  );
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (err) => {
  console.error(`condense: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
