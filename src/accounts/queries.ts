import { and, asc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { build, first, type Params, prepare, rows, statement } from "../db/statement.ts";
import { ttlCache } from "../lib/ttl-cache.ts";
import { type Account, type ApiKey, accounts, apiKeys } from "./tables.ts";

/** What a key proves: its account, and the name under which it acts. */
export type KeyHolder = Account & { key_id: string; key_name: string; key_last_used_at: string | null };

/**
 * Look-ups live this long in an isolate; so long can a revoked key still be taken (docs/operations.md). An account
 * whose test clock has moved is never kept: its time is asked for anew.
 */
const lookupTtlMs = 30_000;
const capacity = 10_000;
const holders = ttlCache<KeyHolder>(lookupTtlMs, capacity);
const known = ttlCache<Account>(lookupTtlMs, capacity);

const holderOfHash = prepare((p: Params<{ key_hash: string }>) =>
  build
    .select({
      ...getTableColumns(accounts),
      key_id: sql<string>`${apiKeys.id}`.as("key_id"),
      key_name: sql<string>`${apiKeys.name}`.as("key_name"),
      key_last_used_at: sql<string | null>`${apiKeys.last_used_at}`.as("key_last_used_at"),
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.account_id))
    .where(and(eq(apiKeys.key_hash, p("key_hash")), isNull(apiKeys.revoked_at))),
);

const accountById = prepare((p: Params<{ id: string }>) =>
  build
    .select()
    .from(accounts)
    .where(eq(accounts.id, p("id"))),
);

/** An account as it is now, past any cache: for whoever moves money. */
export const readAccount = (db: Db, id: string): Promise<Account | undefined> =>
  first(db, accountById({ id }));

const accountByShop = prepare((p: Params<{ shop: string }>) =>
  build
    .select()
    .from(accounts)
    .where(eq(accounts.shop, p("shop"))),
);

/** Its settings or its time have changed: what this isolate has kept of the account is no longer so. */
export const forgetAccount = (accountId: string): void => {
  holders.forget(({ id }) => id === accountId);
  known.forget(({ id }) => id === accountId);
};

const cached = async <V extends Account>(
  cache: ReturnType<typeof ttlCache<V>>,
  key: string,
  nowMs: number,
  find: () => Promise<V | undefined>,
): Promise<V | undefined> => {
  const hit = cache.get(key, nowMs);
  if (hit) return hit;
  const found = await find();
  if (found?.clock_at === null) cache.set(key, found, nowMs);
  return found;
};

/** Who holds the living key with this hash. Only hits are cached: a new key works at once. */
export const findKeyHolder = (db: Db, keyHash: string, nowMs: number): Promise<KeyHolder | undefined> =>
  cached(holders, keyHash, nowMs, () => first(db, holderOfHash({ key_hash: keyHash })));

export const findAccount = (db: Db, id: string, nowMs: number): Promise<Account | undefined> =>
  cached(known, `id ${id}`, nowMs, () => first(db, accountById({ id })));

/** The account of a normalised shop domain (shop.ts). */
export const findAccountByShop = (db: Db, shop: string, nowMs: number): Promise<Account | undefined> =>
  cached(known, `shop ${shop}`, nowMs, () => first(db, accountByShop({ shop })));

export const listAccounts = (db: Db): Promise<Account[]> =>
  rows(db, statement(build.select().from(accounts).orderBy(asc(accounts.created_at), asc(accounts.id))));

export const listKeys = (db: Db, accountId: string): Promise<ApiKey[]> =>
  rows(
    db,
    statement(
      build
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.account_id, accountId))
        .orderBy(asc(apiKeys.created_at), asc(apiKeys.id)),
    ),
  );
