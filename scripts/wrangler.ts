import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "./paths.ts";

/** Runs wrangler to its end without questions, in this checkout or another, and returns whether it succeeded and its output. */
export function wrangler(args: string[], cwd = root): { ok: boolean; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(...command(args), {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { ok: status === 0, stdout, stderr };
}

/** Starts wrangler and leaves it running, its output shown, or piped for whoever started it. */
export function startWrangler(args: string[], output: "inherit" | "pipe" = "inherit"): ChildProcess {
  return spawn(...command(args), { cwd: root, stdio: ["ignore", output, output] });
}

/** Runs wrangler to its end, its output shown without its list of the script's modules, and returns its exit code. */
export async function showWrangler(args: string[]): Promise<number> {
  const child = spawn(...command(args), { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout }))
    if (!/^(?:[│├┌└]|Attaching additional modules)/.test(line)) console.log(line);
  const [code] = await exit;
  return typeof code === "number" ? code : 1;
}

function command(args: string[]): [string, string[]] {
  return [
    process.execPath,
    [`--env-file=${root}wrangler.env`, `${root}node_modules/wrangler/bin/wrangler.js`, ...args],
  ];
}
