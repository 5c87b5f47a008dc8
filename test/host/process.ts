import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../../scripts/free-port.ts";
import { buildHost } from "../../scripts/host/build.ts";
import { createAccount as makeAccount } from "../../src/base/accounts/actions.ts";
import { d1Db } from "../../src/base/db/client.ts";
import { once as onlyOnce } from "../../src/base/lib/once.ts";
import { openD1 } from "../../src/host/d1.ts";
import { openBeside } from "../../src/host/data.ts";
import { childEnv } from "../support/child-env.ts";

/** The file of one machine, which is made in an empty folder. */
const built = onlyOnce(() => buildHost(newFolder()));

type Line = { event: string } & Record<string, unknown>;

/** A process that serves by the built file. */
export type Host = {
  origin: string;
  lines: Line[];
  /** Sends a signal and waits for the end; returns the exit code. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
};

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "perennial-host-"));
}

/** Starts the host on a folder of data, and waits until it serves. Throws with what it said where it ends instead. */
export async function startHost(
  data: string,
  { args = [] as string[], env = {} as Record<string, string>, port = 0, file = "" } = {},
): Promise<Host> {
  const its = port || (await freePort());
  const command = [file || (await built()).file, "serve", "--data", data, "--port", String(its), ...args];
  const child = spawn(process.execPath, command, {
    env: { ...childEnv, NODE_NO_WARNINGS: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: Line[] = [];
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const started = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(JSON.parse(line));
    if (lines.at(-1)?.event === "host_started") started.resolve();
  });
  child.once("exit", (code) => started.reject(new Error(`The host ended with ${code}: ${said}`)));
  await started.promise;
  return { origin: `http://127.0.0.1:${its}`, lines, end: (signal) => end(child, signal) };
}

/** Runs another command of the built file. */
export async function runHost(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; error: string }> {
  const { file } = await built();
  return new Promise((resolve) => {
    const options = { env: { ...childEnv, NODE_NO_WARNINGS: "1", ...env } };
    execFile(process.execPath, [file, ...args], options, (failure, out, error) =>
      resolve({ code: Number(failure?.code ?? 0), out, error }),
    );
  });
}

/** A new account in a folder of data; returns its key. */
export async function createAccount(data: string, shop: string): Promise<string> {
  const args = ["account", "create", "--shop", shop, "--timezone", "UTC", "--currency", "USD"];
  const { out, error } = await runHost([...args, "--data", data]);
  if (out === "") throw new Error(error);
  return JSON.parse(out).api_key;
}

/** Many accounts in data that nobody serves yet; returns a key of each. */
export async function createAccounts(data: string, count: number): Promise<string[]> {
  const sqlite = openBeside(data, () => {});
  const db = d1Db(openD1(sqlite));
  const keys: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const terms = { shop: `shop-${nth}.example`, name: "Größe & Co", timezone: "UTC", currency: "USD" };
    keys.push((await makeAccount(db, terms, new Date().toISOString())).text);
  }
  sqlite.close();
  return keys;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill(signal);
  const [code] = await ended;
  return code;
}
