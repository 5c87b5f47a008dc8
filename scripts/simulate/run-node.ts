import { spawn } from "node:child_process";
import { root } from "../paths.ts";

type Ended = { code: number; output: string; isTimedOut: boolean };

/** Runs Node, and returns what it prints. Compiled modules are kept from one run to the next. */
export function runNode(cwd: string, args: string[], timeoutMs: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: "1", NODE_COMPILE_CACHE: `${root}.simulate/cache` };
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      child.kill();
    }, timeoutMs);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output, isTimedOut });
    });
  });
}
