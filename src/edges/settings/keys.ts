import { and, eq, type getTableColumns, isNull, sql } from "drizzle-orm";
import {
  type IssuedKey,
  insertCreation,
  insertKey,
  insertRevocation,
  issueKey,
} from "../../base/accounts/keys.ts";
import { type CredentialLimits, narrowed } from "../../base/accounts/limits.ts";
import { forgetKey } from "../../base/accounts/queries.ts";
import type { Scope } from "../../base/accounts/scopes.ts";
import { apiKeys } from "../../base/accounts/tables.ts";
import { selectSeq } from "../../base/db/account-seq.ts";
import { openDirectory } from "../../base/db/client.ts";
import { commit } from "../../base/db/commit.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { build, rows, statement } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { keepSecret } from "../../kit/kept-secret.ts";

/** A key as the account sees it: never its hash. */
export type ShownKey = Pick<
  typeof apiKeys.$inferSelect,
  "id" | "name" | "scopes" | "expires_at" | "requires_preview" | "max_amount" | "created_at" | "last_used_at"
>;

/** The credential by which somebody makes a key; null and undefined for what does not limit it. */
export type Maker = { scopes: readonly Scope[] | null; expiresAt: string | null };

type NewKey = {
  name: string;
  scopes?: Scope[] | undefined;
  expires_at?: string | null | undefined;
  limits: Partial<CredentialLimits>;
};

/** Makes a key that may do no more than whoever makes it, and no longer. Throws FORBIDDEN for more. */
export async function makeKey(ctx: Ctx, maker: Maker, asked: NewKey): Promise<IssuedKey> {
  const { account, realNow, actor } = ctx;
  const issued = await issueKey({
    accountId: account.id,
    name: asked.name,
    now: realNow,
    scopes: grantedScopes(maker, asked.scopes),
    expiresAt: grantedExpiry(maker, asked.expires_at) ?? undefined,
    limits: narrowed(ctx.limits ?? { requires_preview: false, max_amount: null }, asked.limits),
  });
  keepCreated(ctx, { apiKey: issued.key.id });
  await keepSecret(ctx, issued.text);
  await write(ctx, insertCreation(issued.key, actor), insertKey(issued.key));
  return issued;
}

/** One of the keys that are not revoked. Throws NOT_FOUND. */
export async function getLivingKey(ctx: Ctx, id: string): Promise<ShownKey> {
  const [key] = await rows(
    directoryOf(ctx),
    statement(build.select(shownColumns).from(apiKeys).where(isLivingKey(ctx, id))),
  );
  if (!key) throw notFound("Key");
  return key;
}

/** Revokes a key, and ends what it has made but for endpoints, which its entry names. Throws NOT_FOUND. */
export async function endKey(ctx: Ctx, id: string): Promise<void> {
  const { account, actor, realNow: now } = ctx;
  const { name } = await getLivingKey(ctx, id);
  const entry = insertRevocation({
    account: selectSeq(account.id),
    ...{ accountId: account.id, keyId: id, id, name, author: actor, now },
  });
  await write(
    ctx,
    entry,
    statement(build.update(apiKeys).set({ revoked_at: now }).where(isLivingKey(ctx, id))),
  );
  forgetKey(id);
}

/** A page of the keys that are not revoked. Keys are the directory's, wherever the account's rows are. */
export function listLivingKeys(ctx: Ctx, page: Parameters<typeof readKeys>[1]) {
  const { id: account_id } = ctx.account;
  return readKeys({ ...ctx, db: directoryOf(ctx) }, page, {}, { account_id });
}

const shownColumns = {
  id: apiKeys.id,
  name: apiKeys.name,
  scopes: apiKeys.scopes,
  expires_at: apiKeys.expires_at,
  requires_preview: apiKeys.requires_preview,
  max_amount: apiKeys.max_amount,
  created_at: apiKeys.created_at,
  last_used_at: apiKeys.last_used_at,
} satisfies Partial<ReturnType<typeof getTableColumns<typeof apiKeys>>>;

const readKeys = listReader({
  table: apiKeys,
  columns: shownColumns,
  scope: (p) => sql`${apiKeys.account_seq} = ${selectSeq(p("account_id"))} AND ${apiKeys.revoked_at} IS NULL`,
  tiebreaker: apiKeys.id,
  sorts: { created_at: apiKeys.created_at },
  filters: {},
});

function isLivingKey({ account }: Ctx, id: string) {
  const isTheirs = eq(apiKeys.account_seq, selectSeq(account.id));
  return and(eq(apiKeys.id, id), isTheirs, isNull(apiKeys.revoked_at));
}

function directoryOf({ db, env }: Pick<Ctx, "db" | "env">): Db {
  return db.engine === "object" ? openDirectory(env) : db;
}

/**
 * Writes a change of a key with its entry. In an object these are two databases: the entry comes first, so that no key is made or revoked
 * that the history does not know.
 */
async function write(ctx: Ctx, entry: Statement, change: Statement): Promise<void> {
  const directory = directoryOf(ctx);
  if (directory === ctx.db) {
    await commit(ctx, [entry, change]);
    return;
  }
  await commit(ctx, [entry]);
  await commit({ db: directory }, [change]);
}

/** The scopes of a key: those that were asked for, which the maker has to have, or all that the maker has. Throws FORBIDDEN. */
function grantedScopes({ scopes: held }: Maker, asked: Scope[] | undefined): Scope[] | undefined {
  const lacking = asked?.find((scope) => held !== null && !held.includes(scope));
  if (lacking)
    throw new DomainError("FORBIDDEN", `Whoever makes a key gives it no scope that they lack (${lacking})`);
  return asked ?? (held === null ? undefined : [...held]);
}

function grantedExpiry({ expiresAt }: Maker, asked: string | null | undefined): string | null {
  const expiry = asked === undefined ? expiresAt : asked;
  if (expiresAt !== null && (expiry === null || expiry > expiresAt))
    throw new DomainError("FORBIDDEN", "A key does not outlive the key that makes it");
  return expiry;
}
