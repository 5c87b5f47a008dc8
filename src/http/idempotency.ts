import { and, eq, lt, ne, sql } from "drizzle-orm";
import type { Context, MiddlewareHandler } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { Ctx } from "../context.ts";
import type { Db, Statement } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, statement } from "../db/statement.ts";
import { credentialsKeyOf } from "../env.ts";
import { DomainError, invalid } from "../errors.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { seal, unseal } from "../lib/sealed.ts";
import { mediaTypeOf } from "./body.ts";
import type { HonoEnv } from "./hono-env.ts";
import { type IdempotencyKey, idempotencyKeys as keys } from "./idempotency-tables.ts";
import type { AnyOperation, RetryInput } from "./operation.ts";

/** Real time. Responses are stored for a day. A request that died before its commit frees its key after a minute. */
const retentionMs = 24 * 3_600_000;
const leaseMs = 60_000;
const storedHeaders = ["content-type", "location", "link"];
/** A longer response is not stored. A retry is answered from the records instead. */
const maxStoredBytes = 64 * 1024;
/** One statement deletes so many, because their responses are long and a statement may run for seconds only. */
const pruneSize = 500;
const maxPruneBatches = 100;
/** No request whose answer is made from its ids creates more. An upload does, but its answer needs no ids. */
const maxCreatedIds = 2_000;

type Scope = Pick<IdempotencyKey, "account_id" | "caller" | "method" | "path" | "key">;

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). The claim on the key is part of the request's one batch, so
 * of all requests with a key exactly one can change anything, even if an isolate dies. A request that finds the change
 * committed and no response stored is answered by `answerAgain`, from the ids that the claim recorded.
 */
export const idempotency: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const header = c.req.header("idempotency-key");
  if (header === undefined) return next();
  const { db, account } = c.get("ctx");
  const now = c.get("now");
  const scope = {
    account_id: account.id,
    caller: c.get("caller"),
    method: c.req.method,
    path: new URL(c.req.url).pathname,
    key: parseKey(header),
  };
  const claim: IdempotencyKey = {
    ...scope,
    request_hash: await hashOf(c),
    token: c.get("ctx").newId(),
    state: "CLAIMED",
    lease_until: new Date(now.getTime() + leaseMs).toISOString(),
    status: null,
    headers: null,
    body: null,
    created_at: now.toISOString(),
    made: null,
  };
  const current = await claimOrFind(db, claim, now);
  if (current.request_hash !== claim.request_hash)
    throw new DomainError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request");
  if (current.state === "DONE") return replay(c, current);
  if (current.state === "COMMITTED") c.set("createdIds", idsIn(current.made));
  else if (current.token === claim.token) c.set("ctx", claimedCtx(c.get("ctx"), scope, claim.token));
  else throw inProgress();
  await next();
  if (current.state === "COMMITTED") {
    if (!c.res.ok) return;
    c.res.headers.set("Idempotency-Replayed", "true");
  }
  await settle(c, db, scope, current.token).catch((error) =>
    c.get("log")("idempotency_not_settled", { cause: String(error) }),
  );
};

/** Answers the retry of a request that has committed. The records that it created may have been deleted since. */
export const answerRetry = async (operation: AnyOperation, input: RetryInput): Promise<unknown> => {
  if (!operation.answerAgain) throw alreadyCommitted();
  try {
    return await operation.answerAgain(input);
  } catch (error) {
    throw error instanceof DomainError && error.code === "NOT_FOUND" ? alreadyCommitted() : error;
  }
};

/** Deletes the keys that are older than a day, the oldest first, a limited number at a time, and at each tick. */
export const pruneIdempotencyKeys = async (db: Db, now: Date): Promise<void> => {
  const dayAgo = new Date(now.getTime() - retentionMs).toISOString();
  const oldest = sql`(SELECT account_id, caller, method, path, key FROM ${keys} WHERE ${lt(keys.created_at, dayAgo)}
    ORDER BY ${keys.created_at} LIMIT ${pruneSize})`;
  const deletion = statement(
    build
      .delete(keys)
      .where(sql`(account_id, caller, method, path, key) IN ${oldest}`)
      .returning({ key: keys.key }),
  );
  for (let batches = 0; batches < maxPruneBatches; batches++) {
    const [deleted] = await commit({ db }, [deletion]);
    if (deleted.rows.length < pruneSize) return;
  }
};

/** The key in a header, quoted (a structured-field string) or bare. Throws VALIDATION_FAILED outside 1..255 characters. */
function parseKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  const key = quoted ? quoted[1]!.replace(/\\(["\\])/g, "$1") : header;
  if (key.length >= 1 && key.length <= 255) return key;
  throw invalid([{ path: "Idempotency-Key", message: "must have 1 to 255 characters" }]);
}

/** A hash of what makes two requests the same: query, media type and body. */
function hashOf(c: Context<HonoEnv>): Promise<string> {
  const head = new TextEncoder().encode(
    `${new URL(c.req.url).search}\n${mediaTypeOf(c.req.header("content-type")) ?? ""}\n`,
  );
  const body = c.get("body") ?? new Uint8Array();
  const whole = new Uint8Array(head.byteLength + body.byteLength);
  whole.set(head);
  whole.set(body, head.byteLength);
  return sha256Hex(whole);
}

/** The key's row after this request has tried to claim it: its own claim, or the row of an earlier request. */
async function claimOrFind(db: Db, claim: IdempotencyKey, now: Date): Promise<IdempotencyKey> {
  const [, found] = await commit({ db }, [
    claimStatement(claim, now),
    statement(build.select().from(keys).where(inScope(claim))),
  ]);
  return found.rows[0] as IdempotencyKey;
}

/** Claims the key if it is new, a day old, or was abandoned by a request that changed nothing. */
function claimStatement(claim: IdempotencyKey, now: Date): Statement {
  const dayAgo = new Date(now.getTime() - retentionMs).toISOString();
  const { account_id, caller, method, path, key, ...fresh } = claim;
  return statement(
    build
      .insert(keys)
      .values(claim)
      .onConflictDoUpdate({
        target: [keys.account_id, keys.caller, keys.method, keys.path, keys.key],
        set: fresh,
        setWhere: sql`${keys.created_at} < ${dayAgo} OR (${keys.state} = 'CLAIMED'
          AND ${keys.lease_until} < ${now.toISOString()} AND ${keys.request_hash} = ${claim.request_hash})`,
      }),
  );
}

/** The stored answer of a request that is DONE, which always has a status and headers. */
async function replay(c: Context<HonoEnv>, stored: IdempotencyKey): Promise<Response> {
  const { status, headers, body } = stored;
  const isSealed = c.get("operation")?.secretAnswer && body !== null;
  const text = isSealed ? await unseal(credentialsKeyOf(c.get("env")), ownerOf(stored), body) : body;
  return c.newResponse(text, status as StatusCode, {
    ...(JSON.parse(headers!) as Record<string, string>),
    "Idempotency-Replayed": "true",
  });
}

/** A response that contains a secret is stored sealed, for the same request of the same caller only. */
function ownerOf({ account_id, caller, method, path, key }: Scope): string {
  return [account_id, caller, method, path, key].join(" ");
}

function idsIn(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[]);
}

/** The context of a request whose batch carries its claim, and with the claim the ids that it has created so far. */
function claimedCtx(ctx: Ctx, scope: Scope, token: string): Ctx {
  const createdIds: string[] = [];
  const newId = (): string => {
    const id = ctx.newId();
    createdIds.push(id);
    return id;
  };
  return { ...ctx, newId, claim: () => commitMark(scope, token, createdIds) };
}

/** The claim's part of the request's batch. It fails the batch (NOT NULL) when another request has taken the key over. */
function commitMark(scope: Scope, token: string, createdIds: string[]): Statement {
  return statement(
    build
      .update(keys)
      .set({
        state: sql`CASE WHEN ${keys.token} = ${token} AND ${keys.state} = 'CLAIMED' THEN 'COMMITTED' END`,
        made: createdIds.length <= maxCreatedIds ? JSON.stringify(createdIds) : null,
      })
      .where(inScope(scope)),
  );
}

/**
 * Stores the response for a day. A response that is not stored frees the key if the request changed nothing, because a retry
 * may succeed. If the request did change something, its ids stay, and a retry is answered from them.
 */
async function settle(c: Context<HonoEnv>, db: Db, scope: Scope, token: string): Promise<void> {
  const response = c.res;
  const mine = and(inScope(scope), eq(keys.token, token));
  const stored = await bodyToStore(response);
  if (!stored) {
    await commit({ db }, [statement(build.delete(keys).where(and(mine, eq(keys.state, "CLAIMED"))))]);
    return;
  }
  const headers = Object.fromEntries(
    storedHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const { body: text } = stored;
  const isSecret = c.get("operation")?.secretAnswer && text !== null;
  const body = isSecret ? await seal(credentialsKeyOf(c.get("env")), ownerOf(scope), text) : text;
  const answer = { status: response.status, headers: JSON.stringify(headers), body };
  await commit({ db }, [
    statement(
      build
        .update(keys)
        .set({ state: "DONE", made: null, ...answer })
        .where(and(mine, ne(keys.state, "DONE"))),
    ),
  ]);
}

/** The body of a response that is to be stored: 2xx and 400, unless it is too long. */
async function bodyToStore(response: Response): Promise<{ body: string | null } | undefined> {
  if (!response.ok && response.status !== 400) return undefined;
  if (response.body === null) return { body: null };
  const bytes = await response.clone().arrayBuffer();
  return bytes.byteLength > maxStoredBytes ? undefined : { body: new TextDecoder().decode(bytes) };
}

function inScope(scope: Scope) {
  return and(
    eq(keys.account_id, scope.account_id),
    eq(keys.caller, scope.caller),
    eq(keys.method, scope.method),
    eq(keys.path, scope.path),
    eq(keys.key, scope.key),
  );
}

function inProgress(): DomainError {
  return new DomainError("IDEMPOTENCY_IN_PROGRESS", "A request with this Idempotency-Key is in progress");
}

function alreadyCommitted(): DomainError {
  return new DomainError(
    "IDEMPOTENCY_IN_PROGRESS",
    "The request with this Idempotency-Key has succeeded, but the records it created no longer exist",
  );
}
