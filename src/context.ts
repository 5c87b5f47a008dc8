import type { Account } from "./accounts/tables.ts";
import type { Db, Statement } from "./db/client.ts";
import type { Env } from "./env.ts";

export const actorTypes = ["customer", "admin", "api", "system"] as const;
export type ActorType = (typeof actorTypes)[number];

/** Who acts. `profile_id` is a customer's own. */
export type Actor = { type: ActorType; name: string | null; profile_id?: string };

export type Log = (event: string, fields?: Record<string, unknown>) => void;

/** Everything an action needs to know about the world; the account's data and nobody else's. */
export type Ctx = {
  env: Env;
  db: Db;
  account: Account;
  actor: Actor;
  /** The account's instant, UTC, `2026-11-20T12:00:00.000Z`; one for the whole request. */
  now: string;
  newId: () => string;
  log: Log;
  /** Set while the request runs under an Idempotency-Key (http/idempotency.ts). */
  claim?: Statement;
};

/** One JSON line. Callers pass ids, codes and figures only: no personal data, no secrets. */
export const log: Log = (event, fields = {}) => console.log(JSON.stringify({ event, ...fields }));
