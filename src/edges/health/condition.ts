import { newestMigration } from "../../base/db/newest-migration.ts";
import type { Db } from "../../base/db/port.ts";
import { raw, rows } from "../../base/db/statement.ts";
import { type Env, isDeployed } from "../../base/env.ts";
import { DomainError } from "../../base/errors.ts";
import { isSealedByAny } from "../../base/lib/secrets/sealed.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import { connectionTables } from "../../stores/platforms.ts";
import { type Heartbeat, readHeartbeat } from "./heartbeat.ts";
import { type Backlogs, readBacklogs } from "./queues.ts";

/** The parts of a deployment that may be at fault. */
type HealthPart = "storage" | "schema" | "queue" | "tick" | "credentials";
type Fault = { part: HealthPart; says: string };

/** The state of a deployment: what was found of each part, and what is at fault. */
export type DeploymentCondition = {
  heartbeat: Heartbeat | undefined;
  backlogs: Backlogs;
  faults: Fault[];
};

/** Looks at every part of the deployment, none of which keeps the others from being looked at. */
export async function readCondition(env: Env, db: Db, now: Instant): Promise<DeploymentCondition> {
  const [stored, backlogs] = await Promise.all([
    readStored(env, db).catch((error: unknown) => ({ error })),
    readBacklogs(env, now),
  ]);
  const faults = [
    ...("error" in stored ? [storageFault(stored.error)] : storedFaults(env, stored, now)),
    ...queueFaults(backlogs),
  ];
  return { heartbeat: "error" in stored ? undefined : stored.heartbeat, backlogs, faults };
}

type Stored = { heartbeat: Heartbeat | undefined; isCurrent: boolean; opensSecrets: boolean };

async function readStored(env: Env, db: Db): Promise<Stored> {
  const found = await Promise.all([readHeartbeat(db), isCurrent(db), opensSecrets(env, db)]);
  return { heartbeat: found[0], isCurrent: found[1], opensSecrets: found[2] };
}

/** A refusal says that the schema is too new for the code, a table that is not there that it is older; all else that it cannot be read. */
function storageFault(error: unknown): Fault {
  if (error instanceof DomainError) return { part: "schema", says: error.message };
  return /no such (table|column)/.test(String(error))
    ? { part: "schema", says: `the schema is older than ${newestMigration}, which this version works with` }
    : { part: "storage", says: "the storage does not answer" };
}

function storedFaults(env: Env, { heartbeat, isCurrent, opensSecrets }: Stored, now: Instant): Fault[] {
  const faults: Fault[] = [];
  if (!isCurrent)
    faults.push({
      part: "schema",
      says: `the schema is without ${newestMigration}, which this version works with`,
    });
  const silentMs = heartbeat ? Date.parse(now) - Date.parse(heartbeat.at) : Number.POSITIVE_INFINITY;
  if (isDeployed(env.ENVIRONMENT) && silentMs > silentMaxMs)
    faults.push({ part: "tick", says: `cron has not been since ${heartbeat?.at ?? "ever"}` });
  if (!opensSecrets)
    faults.push({
      part: "credentials",
      says: "STORE_CREDENTIALS_KEY opens none of the secrets that are stored",
    });
  return faults;
}

function queueFaults(backlogs: Backlogs): Fault[] {
  return Object.entries(backlogs).flatMap(([queue, backlog]): Fault[] => {
    if (!backlog) return [{ part: "queue", says: `the queue of ${queue} does not answer` }];
    const minutes = Math.floor(backlog.oldest_seconds / 60);
    return backlog.oldest_seconds > oldestMaxSeconds
      ? [{ part: "queue", says: `the oldest message of ${queue} has waited for ${minutes} minutes` }]
      : [];
  });
}

const silentMaxMs = 5 * minuteMs;
const oldestMaxSeconds = 600;

/** Migrations are noted by wrangler and by one machine in one table, for libSQL in another. Tests that make the schema note none. */
async function isCurrent(db: Db): Promise<boolean> {
  const [table] = await rows(db, raw<{ name: string }>(selectNotes));
  if (!table) return true;
  const noted = await rows(db, raw(`SELECT 1 FROM ${table.name} WHERE name = ?`, newestMigration));
  return noted.length > 0;
}

const selectNotes = `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('d1_migrations', 'applied_migrations')`;

/** While a key is replaced, both are there, and either may have sealed what is found. */
async function opensSecrets({ STORE_CREDENTIALS_KEY: keys }: Env, db: Db): Promise<boolean> {
  const sealed = await rows(db, raw<{ text: string }>(selectSealed));
  if (sealed.length === 0 || keys === undefined) return sealed.length === 0;
  const opened = await Promise.all(sealed.map(({ text }) => isSealedByAny(keys, text)));
  return opened.includes(true);
}

/** The latest few of each kind: one that an older key has sealed is no fault while others can be opened. */
const selectSealed = [
  ...connectionTables.map((table) => [table, "credentials"]),
  ["webhook_endpoints", "secret"],
]
  .map(
    ([table, column]) =>
      `SELECT ${column} AS text FROM ${table} WHERE rowid > (SELECT MAX(rowid) FROM ${table}) - 5 AND ${column} <> ''`,
  )
  .join(" UNION ALL ");
