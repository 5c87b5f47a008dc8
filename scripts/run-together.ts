import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { root } from "./paths.ts";
import { npmRun } from "./run-each.ts";

type Ended = { script: string; code: number; output: string; seconds: number };

/**
 * Runs scripts of package.json side by side, as many as there are processors, and shows the output of each in one piece when it has
 * ended. After one has failed no other is begun, and its output comes last.
 */
export async function runTogether(scripts: string[]): Promise<void> {
  const waiting = [...scripts];
  const failed: Ended[] = [];
  const work = async () => {
    for (let script = waiting.shift(); script && failed.length === 0; script = waiting.shift()) {
      const ended = await run(script);
      if (ended.code === 0) show(ended);
      else failed.push(ended);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  for (const ended of failed) show(ended);
  if (failed[0]) process.exit(failed[0].code);
}

async function run(script: string): Promise<Ended> {
  const started = performance.now();
  const [command = "", ...args] = npmRun(script);
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  const [code, ...output] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { script, code, output: output.join(""), seconds: (performance.now() - started) / 1000 };
}

function show({ script, code, output, seconds }: Ended): void {
  console.log(`\n${code === 0 ? "✓" : "✗"} npm run ${script} (${seconds.toFixed(0)} s)\n${output.trim()}`);
}
