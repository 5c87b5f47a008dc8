import { execFile } from "node:child_process";
import { vi } from "vitest";
import { runAccount } from "../../scripts/account/run.ts";
import { anywhere } from "../../scripts/account/where.ts";
import { childEnv } from "../support/child-env.ts";

export type Line = Record<string, string>;
export type Ran = { code: number; lines: Line[]; error: string };
type Environment = Record<string, string>;

/** The operator's command in this process: a process of its own takes a second, most of it to load the modules. */
export async function account(args: string[], environment: Environment): Promise<Ran> {
  const [printed, said]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const code = await runAccount(args, anywhere, {
    print: (text) => void printed.push(text),
    say: (text) => void said.push(text),
    isTerminal: false,
  }).finally(vi.unstubAllEnvs);
  return ranAs({ code, stdout: printed.join("\n"), stderr: said.join("\n") });
}

/** The operator's command as an operator calls it, in a process of its own. */
export function accountProcess(args: string[], environment: Environment, input = ""): Promise<Ran> {
  const env = { ...childEnv, NODE_NO_WARNINGS: "1", ...environment };
  return new Promise((resolve) => {
    const command = ["scripts/account.ts", ...args];
    const { stdin } = execFile(process.execPath, command, { env }, (failure, stdout, stderr) =>
      resolve(ranAs({ code: Number(failure?.code ?? 0), stdout, stderr })),
    );
    stdin?.end(input);
  });
}

function ranAs({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): Ran {
  const lines = stdout.split("\n").filter(Boolean);
  return { code, lines: lines.map((line) => JSON.parse(line)), error: stderr.trim() };
}
