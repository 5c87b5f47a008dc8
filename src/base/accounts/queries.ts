import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { profiles } from "../../domain/profiles/tables.ts";
import { selectSeq } from "../db/account-seq.ts";
import type { Db, Statement } from "../db/port.ts";
import { build, first, inJson, type Params, prepare, read, rows, statement } from "../db/statement.ts";
import { ttlCache } from "../lib/ttl-cache.ts";
import { isOpen } from "./closed.ts";
import { type Account, type ApiKey, accounts, apiKeys } from "./tables.ts";

/** A key that is not revoked and has not expired, and the account that it proves. */
export type KeyHolder = { key: ApiKey; account: Account };

/**
 * Only the deployment's database is cached; an object reads its own account, which costs it no trip. Look-ups live this long in an isolate, so a revoked key can be accepted for as long. Only hits are
 * cached: a new key works at once. An account whose test clock has moved is never cached, as its time changes, nor one that moves to the other engine.
 */
export const lookupTtlMs = 30_000;

/** An account as the directory has it, even one that is closed: for operators. */
export function readEntry(db: Db, by: { id: string } | { shop: string }): Promise<Account | undefined> {
  return first(db, "id" in by ? selectEntry(by) : selectEntryByShop(by));
}

/** An account as it is now, past any cache: for whatever moves money. */
export function readAccount(db: Db, id: string): Promise<Account | undefined> {
  return first(db, selectAccount({ id }));
}

/** These accounts as they are now. */
export function readAccounts(db: Db, ids: string[]): Promise<Account[]> {
  return rows(db, selectAccountsAmong({ ids: JSON.stringify([...new Set(ids)]) }));
}

/** Whether an account's rows are not in this database, which only knows where they are. */
export function isElsewhere({ engine }: Db, account: Account): boolean {
  return account.engine !== engine;
}

/** An account of a shop that this isolate knows to be elsewhere, without asking the database. */
export function cachedElsewhere(db: Db, shop: string, nowMs: number): Account | undefined {
  const account = cachedAccount(db, `shop ${shop}`, nowMs);
  return account && isElsewhere(db, account) ? account : undefined;
}

/** Drops what this isolate has cached of an account, as its settings or its time have changed. */
export function forgetAccount(accountId: string): void {
  known.forget(({ id }) => id === accountId);
}

export function forgetKey(keyId: string): void {
  keys.forget(({ id }) => id === keyId);
}

/** The living key with this id and its account, in at most one trip. */
export async function findKeyHolder(db: Db, keyId: string, now: Date): Promise<KeyHolder | undefined> {
  const cached = cachedKey(keyId, now);
  if (cached) {
    const account = await findAccount(db, cached.account_id, now.getTime());
    return account && { key: cached, account };
  }
  const [[row], [account]] = await read(db, [selectKey({ id: keyId }), selectAccountOfKey({ id: keyId })]);
  if (!keyIfUnexpired(row, now) || !row || !account) return undefined;
  const key = keyOf(account, row);
  keys.set(keyId, key, now.getTime());
  keepAccount(db, account, now.getTime());
  return { key, account };
}

/**
 * The account that a token is for, in at most one trip. Undefined unless everything that the token names still exists: the
 * account, its key (not revoked, not expired) and the customer's profile (not deleted), which an account's object looks up itself.
 */
export async function findTokenAccount(
  db: Db,
  { accountId, keyId, profileId }: TokenSubject,
  now: Date,
): Promise<Account | undefined> {
  const nowMs = now.getTime();
  const customer = `${accountId} ${profileId}`;
  const cached = cachedAccount(db, `id ${accountId}`, nowMs);
  const needsKey = keyId !== undefined && !cachedKey(keyId, now);
  const needsProfile =
    profileId !== undefined && !(cached && isElsewhere(db, cached)) && !isKnownCustomer(db, customer, nowMs);
  const [accountRows, keyRows, profileRows] = await readSome(db, [
    cached ? undefined : selectAccount({ id: accountId }),
    needsKey ? selectKey({ id: keyId }) : undefined,
    needsProfile ? selectLivingProfile({ account_id: accountId, id: profileId }) : undefined,
  ]);
  const account = cached ?? accountRows?.[0];
  if (!account || (needsKey && !keyIfUnexpired(keyRows?.[0], now))) return undefined;
  const hasProfile = !needsProfile || isElsewhere(db, account) || profileRows?.[0] !== undefined;
  if (!hasProfile) return undefined;
  keepAccount(db, account, nowMs);
  for (const row of keyRows ?? [])
    if (row.account_seq === account.seq) keys.set(row.id, keyOf(account, row), nowMs);
  if (needsProfile && !isElsewhere(db, account) && db.engine === "d1")
    customers.set(customer, accountId, nowMs);
  return account;
}

/**
 * The account of a caller who was proven outside of its object, as the object has it: undefined unless the customer's profile,
 * which only the object knows, is still there.
 */
export async function findForwardedAccount(
  db: Db,
  accountId: string,
  profileId: string | undefined,
): Promise<Account | undefined> {
  const [accountRows, profileRows] = await readSome(db, [
    selectAccount({ id: accountId }),
    profileId === undefined ? undefined : selectLivingProfile({ account_id: accountId, id: profileId }),
  ]);
  return profileRows?.length === 0 ? undefined : accountRows?.[0];
}

/** Only hits are cached: a new account works at once. */
export async function findAccount(db: Db, id: string, nowMs: number): Promise<Account | undefined> {
  return cachedAccount(db, `id ${id}`, nowMs) ?? keepAccount(db, await readAccount(db, id), nowMs);
}

/** The account of a normalised shop domain (shop.ts). */
export async function findAccountByShop(db: Db, shop: string, nowMs: number): Promise<Account | undefined> {
  const hit = cachedAccount(db, `shop ${shop}`, nowMs);
  if (hit) return hit;
  const found = await first(db, selectAccountByShop({ shop }));
  return keep(db, `shop ${shop}`, found, nowMs);
}

export function listAccounts(db: Db): Promise<Account[]> {
  return rows(
    db,
    statement(build.select().from(accounts).orderBy(asc(accounts.created_at), asc(accounts.id))),
  );
}

const capacity = 10_000;
const keys = ttlCache<ApiKey>(lookupTtlMs, capacity);
const known = ttlCache<Account>(lookupTtlMs, capacity);
/** Customers whose profile is not deleted, with their account's id. */
const customers = ttlCache<string>(lookupTtlMs, capacity);

const selectKey = prepare((p: Params<{ id: string }>) =>
  build
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, p("id")), isNull(apiKeys.revoked_at))),
);
const selectAccountOfKey = prepare((p: Params<{ id: string }>) =>
  openAccounts(
    eq(accounts.seq, sql`(SELECT ${apiKeys.account_seq} FROM ${apiKeys} WHERE ${apiKeys.id} = ${p("id")})`),
  ),
);
const selectEntry = prepare((p: Params<{ id: string }>) =>
  build
    .select()
    .from(accounts)
    .where(eq(accounts.id, p("id"))),
);
const selectEntryByShop = prepare((p: Params<{ shop: string }>) =>
  build
    .select()
    .from(accounts)
    .where(eq(accounts.shop, p("shop"))),
);
const selectAccount = prepare((p: Params<{ id: string }>) => openAccounts(eq(accounts.id, p("id"))));
const selectAccountsAmong = prepare((p: Params<{ ids: string }>) =>
  openAccounts(inJson(accounts.id, p("ids"))),
);
const selectAccountByShop = prepare((p: Params<{ shop: string }>) =>
  openAccounts(eq(accounts.shop, p("shop"))),
);
const selectLivingProfile = prepare((p: Params<{ account_id: string; id: string }>) =>
  build
    .select({ id: profiles.id })
    .from(profiles)
    .where(
      and(
        eq(profiles.account_seq, selectSeq(p("account_id"))),
        eq(profiles.id, p("id")),
        isNull(profiles.deleted_at),
      ),
    ),
);

function cachedAccount(db: Db, key: string, nowMs: number): Account | undefined {
  return db.engine === "d1" ? known.get(key, nowMs) : undefined;
}

function cachedKey(keyId: string, now: Date): ApiKey | undefined {
  return keyIfUnexpired(keys.get(keyId, now.getTime()), now);
}

/** Those whom a token names: the account, the key that issued it, and a customer's profile. */
type TokenSubject = { accountId: string; keyId?: string | undefined; profileId?: string | undefined };

function openAccounts(which: SQL) {
  return build
    .select()
    .from(accounts)
    .where(and(which, sql.raw(isOpen)));
}

/** Reads, in one trip, those statements that are needed at all. */
async function readSome<R extends unknown[]>(
  db: Db,
  wanted: { [K in keyof R]: Statement<R[K]> | undefined },
): Promise<{ [K in keyof R]: R[K][] | undefined }> {
  const needed = wanted.filter((statement) => statement !== undefined);
  const found = needed.length === 0 ? [] : await read(db, needed);
  return wanted.map((statement) => statement && found[needed.indexOf(statement)]) as {
    [K in keyof R]: R[K][] | undefined;
  };
}

/** The key as it is known everywhere, with the id of its account. */
function keyOf({ id }: Account, { account_seq: _, ...key }: typeof apiKeys.$inferSelect): ApiKey {
  return { ...key, account_id: id };
}

function keyIfUnexpired<Key extends Pick<ApiKey, "expires_at">>(
  key: Key | undefined,
  now: Date,
): Key | undefined {
  return key && (key.expires_at === null || key.expires_at > now.toISOString()) ? key : undefined;
}

function isKnownCustomer(db: Db, customer: string, nowMs: number): boolean {
  return db.engine === "d1" && customers.get(customer, nowMs) !== undefined;
}

function keepAccount(db: Db, account: Account | undefined, nowMs: number): Account | undefined {
  return account && keep(db, `id ${account.id}`, account, nowMs);
}

function keep(db: Db, key: string, account: Account | undefined, nowMs: number): Account | undefined {
  if (account && isSettled(account) && db.engine === "d1") known.set(key, account, nowMs);
  return account;
}

function isSettled({ clock_at, moving }: Account): boolean {
  return clock_at === null && moving === null;
}
