import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../scripts/free-port.ts";
import { buildHost } from "../../scripts/host/build.ts";
import { newSigningKey } from "../../scripts/keys.ts";
import { fileIn } from "../../src/host/data.ts";
import { pendingMigrations } from "../../src/host/migrate.ts";
import { openSqlite } from "../../src/host/sqlite.ts";
import { seededFile } from "../database.ts";

export type SoakedHost = {
  address: string;
  file: string;
  /** Of the process that serves at the moment. */
  pid: () => number;
  /** Ends the process by kill -9, and starts another on the same data and port. */
  killAndStart: () => Promise<void>;
  stop: () => Promise<void>;
};

/** The built file of one machine on a copy of the demo store with so many subscriptions. */
export async function openHost(subscriptions: number, onLine: (line: string) => void): Promise<SoakedHost> {
  const { file: program } = await buildHost();
  const data = mkdtempSync(`${tmpdir()}/soak-`);
  copyFileSync(await seededFile(subscriptions), fileIn(data));
  noteMigrations(fileIn(data));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    NODE_NO_WARNINGS: "1",
    JWT_PRIVATE_JWK: newSigningKey(),
    STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
  };
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const its = spawn(
      process.execPath,
      [...flags, program, "serve", "--data", data, "--port", String(port)],
      {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    createInterface({ input: its.stdout }).on("line", onLine);
    while (!(await answers(address))) {
      if (its.exitCode !== null) throw new Error(`The host ended with ${its.exitCode}`);
      await wait(50);
    }
    return its;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  return {
    ...{ address, file: fileIn(data), pid: () => child.pid ?? 0 },
    async killAndStart() {
      await end("SIGKILL");
      child = await start();
    },
    async stop() {
      await end("SIGTERM");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** As in ops/perennial.service: memory that is collected sooner. */
const flags = ["--max-old-space-size=192", "--max-semi-space-size=4"];

/** The seeded file was made of the migrations, without a note of them. */
function noteMigrations(file: string): void {
  const sqlite = openSqlite(file);
  for (const [name] of pendingMigrations(sqlite))
    sqlite.all("INSERT INTO d1_migrations (name) VALUES (?)", [name]);
  sqlite.close();
}

function answers(address: string): Promise<boolean> {
  return fetch(`${address}/.well-known/jwks.json`).then(
    ({ ok }) => ok,
    () => false,
  );
}
