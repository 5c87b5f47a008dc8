import type { Client } from "@libsql/client";
import type { Db } from "../../src/base/db/port.ts";
import { clientDb } from "../storage/libsql.ts";
import { migrateLibsql } from "../storage/migrate-libsql.ts";
import { openRemote } from "../storage/remote.ts";
import { findHealthFault } from "./health.ts";
import { type Pending, readPending } from "./pending.ts";
import { type Ran, refusalOf, variableOf } from "./refusal.ts";

type Deployment = {
  env: string | undefined;
  /** The text of wrangler.toml. */
  toml: string;
  /** Says what it would do, and changes nothing. */
  isDry: boolean;
};

/** The programs and places that a deployment works with. */
export type Tools = {
  /** Runs wrangler, and answers its output. */
  wrangler: (args: string[]) => Ran;
  /** Runs wrangler with its output shown, and answers its exit code. */
  show: (args: string[]) => Promise<number>;
  openLibsql: (url: string) => Client;
  fetch: typeof globalThis.fetch;
  pauseMs?: number;
  say: (line: string) => void;
};

/** How a deployment has ended: 0, or another exit code, mostly with the reason. */
type Ended = { code: number; fault?: string };

/** Migrates the environment's database, deploys the Worker to it and asks it for its health. */
export async function deploy({ env = "", toml, isDry }: Deployment, tools: Tools): Promise<Ended> {
  const { wrangler, show, say } = tools;
  const fault = refusalOf({
    ...{ env, toml },
    listSecrets: (of) => wrangler(["secret", "list", "--format", "json", "--env", of]),
  });
  if (fault !== undefined) return { code: 2, fault };
  const url = variableOf(toml, env, "PUBLIC_URL");
  const database = databaseOf(variableOf(toml, env, "LIBSQL_URL"), env, tools);
  const pending = await readPending(database.db);
  for (const line of [database.says(), ...linesOf(pending)]) say(line);
  if (pending.fault !== undefined) return { code: 1, fault: pending.fault };
  const worker = ["deploy", "--env", env];
  if (isDry) {
    say(`Would then run wrangler ${worker.join(" ")}, and ask ${url}/health. Nothing was changed.`);
    return { code: 0 };
  }
  if (pending.names.length > 0) {
    const code = await database.migrate();
    if (code !== 0) return { code };
  }
  const code = await show(worker);
  if (code !== 0) return { code };
  const sick = await findHealthFault({ url, fetch: tools.fetch, pauseMs: tools.pauseMs });
  if (sick === undefined) return { code: 0 };
  const advice = `npm run wrangler -- tail --env ${env} names it with the next request`;
  return { code: 1, fault: `Deployed, but ${sick}. A 500 is a setting that is wrong: ${advice}.` };
}

type Database = { db: Db; says: () => string; migrate: () => Promise<number> };

function databaseOf(libsqlUrl: string, env: string, { wrangler, show, openLibsql, say }: Tools): Database {
  if (libsqlUrl === "")
    return {
      db: openRemote(env, wrangler),
      says: () => `D1 is at the bookmark ${bookmarkOf(wrangler, env)} (docs/run/backup.md)`,
      migrate: () => show(["d1", "migrations", "apply", "DB", "--remote", "--env", env]),
    };
  const client = openLibsql(libsqlUrl);
  return {
    db: clientDb(client),
    says: () => `libSQL at ${libsqlUrl}: its server has the back-ups`,
    migrate: () => migrateLibsql(client, say).then(() => 0),
  };
}

/** The moment to which time travel takes the database back, if the deployment was a mistake. */
function bookmarkOf(wrangler: Tools["wrangler"], env: string): string {
  const { ok, stdout, stderr } = wrangler(["d1", "time-travel", "info", "DB", "--json", "--env", env]);
  if (!ok) throw new Error(`The bookmark of ${env} cannot be read: ${stderr.trim() || stdout.trim()}`);
  return (JSON.parse(stdout.slice(stdout.indexOf("{"))) as { bookmark: string }).bookmark;
}

function linesOf({ names, rows }: Pending): string[] {
  if (names.length === 0) return ["No migration is pending"];
  const touched = Object.entries(rows).map(([table, n]) => `${table} (${n.toLocaleString("en")} rows)`);
  return [
    `Pending migrations: ${names.join(", ")}`,
    `Tables that they touch: ${touched.length === 0 ? "none that is there" : touched.join(", ")}`,
  ];
}
