// `node scripts/run.mjs server|all FILE [ARGUMENTS]` installs the packages of the server or of all the project, then runs FILE on a Node that
// runs TypeScript. Runs before anything is installed and on Node 20, so built-ins only.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { nodeForScripts } from "./install.mjs";

const [file, ...args] = process.argv.slice(3);
await import("./ensure.mjs");
if (!process.exitCode) await run();

/** A script runs in this process where its Node is new enough. A package's program may do nothing when it is imported. */
async function run() {
  if (nodeForScripts() !== process.execPath || !file.endsWith(".ts")) return start();
  process.argv = [process.execPath, resolve(file), ...args];
  await import(pathToFileURL(file));
}

/** Starts another process and hands on the signals to this one. It ends with the shell that npm called this by. */
function start() {
  const child = spawn(nodeForScripts(), [file, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill(), 500).unref();
  child.on("error", ({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
