import { type SQL, sql } from "drizzle-orm";
import { openDirectory } from "../db/client.ts";
import type { Db } from "../db/port.ts";
import type { Env } from "../env.ts";
import type { Instant } from "../lib/time/dates.ts";
import { findKeyHolder } from "./queries.ts";
import { apiKeys } from "./tables.ts";

/**
 * Whether the key that has made something is neither revoked nor over; true where no key has. Keys are the directory's, wherever the
 * account's rows are, and are looked up through the cache of keys, so that a revocation is known within 30 seconds.
 */
export async function isMakerLiving(
  { db, env }: { db: Db; env: Env },
  { keyId, now }: { keyId: string | null; now: Instant },
): Promise<boolean> {
  if (keyId === null) return true;
  const directory = db.engine === "object" ? openDirectory(env) : db;
  return (await findKeyHolder(directory, keyId, new Date(now))) !== undefined;
}

/** In SQL, 1 or 0, beside the row that the key has made. The database of an object knows no keys, and says 0 of each. */
export function isMakerLivingHere(keyId: SQL | object, now: SQL | object): SQL<0 | 1> {
  return sql<0 | 1>`(${keyId} IS NULL OR EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.id} = ${keyId}
    AND ${apiKeys.revoked_at} IS NULL AND (${apiKeys.expires_at} IS NULL OR ${apiKeys.expires_at} > ${now})))`;
}
