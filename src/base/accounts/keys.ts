import { and, asc, eq, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { selectSeq } from "../db/account-seq.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import type { Db, Statement } from "../db/port.ts";
import { build, rows, statement } from "../db/statement.ts";
import { notFound } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { hashOfKey, newKeyText } from "./api-key.ts";
import { type Author, insertAccountEntry, operator } from "./history.ts";
import { withEndpoints } from "./key-endpoints.ts";
import { type CredentialLimits, limitsOfKey, statedLimits } from "./limits.ts";
import { forgetKey } from "./queries.ts";
import { formatScopes, type Scope } from "./scopes.ts";
import { type ApiKey, accounts, apiKeys } from "./tables.ts";

type NewKey = {
  accountId: string;
  name: string;
  now: string;
  /** The scopes that limit the key; it may do everything if they are not given. */
  scopes?: Scope[] | undefined;
  /** Until when; for ever if not given. */
  expiresAt?: string | undefined;
  /** Its bounds; it has none if they are not given. */
  limits?: Partial<CredentialLimits> | undefined;
};

/** `text` is what callers send. It is shown once and not stored. */
export type IssuedKey = { key: ApiKey; text: string };

export async function createKey(db: Db, request: NewKey): Promise<IssuedKey> {
  const issued = await issueKey(request);
  await commit({ db }, keyWrites(issued.key));
  return issued;
}

/**
 * Revoking is final, and ends what the key has made, but for endpoints: its entry names them. Returns the account's
 * id. Throws NOT_FOUND for a key that is unknown or revoked already.
 */
export async function revokeKey(db: Db, keyId: string, now: string): Promise<string> {
  const living = sql<string>`(SELECT ${apiKeys.id} FROM ${apiKeys}
    WHERE ${apiKeys.id} = ${keyId} AND ${apiKeys.revoked_at} IS NULL)`;
  const [found] = await rows(db, statement(keyWithAccount(keyId)));
  if (!found) throw notFound("Living key");
  const { account_seq, name, account_id: accountId } = found;
  try {
    await commit({ db }, [
      insertRevocation({
        ...{ account: account_seq, accountId, keyId, name, now },
        id: living,
        author: operator,
      }),
      statement(build.update(apiKeys).set({ revoked_at: now }).where(eq(apiKeys.id, keyId))),
    ]);
  } catch (error) {
    if (error instanceof ConstraintError && error.on === "activity_logs.loggable_id")
      throw notFound("Living key");
    throw error;
  }
  forgetKey(keyId);
  return accountId;
}

/** A key that is not stored yet. */
export async function issueKey({
  accountId,
  name,
  now,
  scopes,
  expiresAt,
  limits = {},
}: NewKey): Promise<IssuedKey> {
  const id = newId();
  const text = newKeyText(id);
  const key = {
    id,
    account_id: accountId,
    name,
    key_hash: await hashOfKey(text),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
    scopes: scopes ? formatScopes(scopes) : null,
    expires_at: expiresAt ?? null,
    requires_preview: limits.requires_preview ? (1 as const) : (0 as const),
    max_amount: limits.max_amount ?? null,
  };
  return { key, text };
}

/** The statements that store a key and record it in the history. */
export function keyWrites(key: ApiKey): Statement[] {
  return [insertKey(key), insertCreation(key, operator)];
}

/** The history entry of a new key. */
export function insertCreation(key: ApiKey, author: Author): Statement {
  const { id, account_id, name, scopes, expires_at, created_at } = key;
  return insertAccountEntry({
    account: selectSeq(account_id),
    action: "api_key_created",
    subject: { type: "api_key", id },
    metadata: { name, scopes: scopes?.split(" ") ?? null, expires_at, ...statedLimits(limitsOfKey(key)) },
    author,
    now: created_at,
  });
}

type Revocation = {
  account: Parameters<typeof insertAccountEntry>[0]["account"];
  accountId: string;
  keyId: string;
  /** The key's id, or what says it only while the key lives. */
  id: string | SQL<string>;
  name: string;
  author: Author;
  now: string;
};

/** The history entry of a key that is revoked, which names the endpoints that it has made. */
export function insertRevocation({
  account,
  accountId,
  keyId,
  id,
  name,
  author,
  now,
}: Revocation): Statement {
  return insertAccountEntry({
    ...{ account, action: "api_key_revoked", subject: { type: "api_key", id }, author, now },
    metadata: withEndpoints(JSON.stringify({ name }), { accountId, keyId }),
  });
}

/** Records that a key was used, at most hourly. */
export function touchKey(db: Db, keyId: string, now: string, anHourAgo: string): Promise<unknown> {
  const isDue = or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, anHourAgo));
  return commit({ db }, [
    statement(
      build
        .update(apiKeys)
        .set({ last_used_at: now })
        .where(and(eq(apiKeys.id, keyId), isDue)),
    ),
  ]);
}

export function listKeys(db: Db, accountId: string): Promise<Omit<ApiKey, "account_id">[]> {
  return rows(
    db,
    statement(
      build
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.account_seq, selectSeq(accountId)))
        .orderBy(asc(apiKeys.created_at), asc(apiKeys.id)),
    ),
  );
}

function keyWithAccount(keyId: string) {
  return build
    .select({
      account_seq: apiKeys.account_seq,
      name: apiKeys.name,
      account_id: sql<string>`${accounts.id}`.as("account_id"),
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.seq, apiKeys.account_seq))
    .where(eq(apiKeys.id, keyId));
}

export function insertKey({ account_id, ...key }: ApiKey): Statement {
  return statement(build.insert(apiKeys).values({ ...key, account_seq: selectSeq(account_id) }));
}
