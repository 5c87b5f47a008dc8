import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../scripts/free-port.ts";
import { newSigningKey } from "../../scripts/keys.ts";
import { fileIn } from "../../src/host/data.ts";

/** How a process is started: as the one before, but for what is named. */
type Start = {
  program: string;
  /** Arguments of `serve`. */
  args: string[];
  /** Arguments of Node. */
  flags: string[];
  env: Record<string, string | undefined>;
};

/** The folder of data of one machine, and the process that serves it at the moment. */
export type Machine = {
  address: string;
  data: string;
  /** Its database. */
  file: string;
  pid: () => number;
  /** The variables that the process has been given. */
  environment: () => NodeJS.ProcessEnv;
  start: (its?: Partial<Start>) => Promise<void>;
  end: (signal: NodeJS.Signals) => Promise<void>;
  /** Ends the process as systemd does, and starts another. */
  restart: (its?: Partial<Start>) => Promise<void>;
  signal: (signal: NodeJS.Signals) => void;
  /** Another command of the program; returns what it printed. */
  run: (...args: string[]) => Promise<string>;
  /** Ends the process, and deletes the data. */
  remove: () => Promise<void>;
};

/** A machine that is not started yet, on empty data and a port of its own. */
export async function newMachine(
  program: string,
  onLine: (line: string) => void = () => undefined,
): Promise<Machine> {
  const data = mkdtempSync(`${tmpdir()}/perennial-machine-`);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  let its: Start = {
    ...{ program, args: [], flags: asInService },
    env: { JWT_PRIVATE_JWK: newSigningKey(), STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64") },
  };
  let child: ChildProcess | undefined;
  const environment = () => ({ ...process.env, NODE_NO_WARNINGS: "1", ...its.env }) as NodeJS.ProcessEnv;

  async function start(changes: Partial<Start> = {}): Promise<void> {
    its = { ...its, ...changes, env: { ...its.env, ...changes.env } };
    const serve = ["serve", "--data", data, "--port", String(port), ...its.args];
    const next = spawn(process.execPath, [...its.flags, its.program, ...serve], {
      env: environment(),
      stdio: ["ignore", "pipe", its.args.includes("--demo") ? "ignore" : "inherit"],
    });
    child = next;
    createInterface({ input: next.stdout }).on("line", onLine);
    while (!(await answers(address))) {
      if (next.exitCode !== null) throw new Error(`The process ended with ${next.exitCode}`);
      await wait(50);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  const clear = (): void => {
    child?.kill("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  };
  process.once("exit", clear);

  return {
    ...{ address, data, file: fileIn(data), environment, start, end },
    pid: () => child?.pid ?? 0,
    signal: (signal) => void child?.kill(signal),
    async restart(changes) {
      await end("SIGTERM");
      await start(changes);
    },
    async run(...args) {
      const command = [its.program, ...args, "--data", data];
      return (await promisify(execFile)(process.execPath, command, { env: environment() })).stdout;
    },
    async remove() {
      await end("SIGTERM");
      process.off("exit", clear);
      clear();
    },
  };
}

/** As in ops/perennial.service: memory that is collected sooner. */
const asInService = ["--max-old-space-size=192", "--max-semi-space-size=4"];

function answers(address: string): Promise<boolean> {
  return fetch(`${address}/.well-known/jwks.json`).then(
    ({ ok }) => ok,
    () => false,
  );
}
