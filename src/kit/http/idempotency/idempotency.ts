import { lt, sql } from "drizzle-orm";
import type { Context, MiddlewareHandler } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { mayBeWritten } from "../../../base/db/at-rest.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { build, first, statement } from "../../../base/db/statement.ts";
import { withFirstRead } from "../../../base/db/wrapped/first-read.ts";
import { credentialsKeyOf } from "../../../base/env.ts";
import { DomainError } from "../../../base/errors.ts";
import { sha256Hex } from "../../../base/lib/encoding.ts";
import { seal, unseal } from "../../../base/lib/secrets/sealed.ts";
import { type Created, type Ctx, nothingCreated } from "../../context.ts";
import { mediaTypeOf } from "../body.ts";
import type { AnyOperation, HandlerInput, HonoEnv, RetryInput } from "../document/operation.ts";
import { parseIdempotencyKey } from "./idempotency-key.ts";
import {
  answerStatement,
  insertCommitMark,
  type KeyedRequest,
  type KeyScope,
  retentionMs,
  selectEarlierRequest,
} from "./idempotency-rows.ts";
import { type IdempotencyKey, idempotencyKeys as keys } from "./idempotency-tables.ts";

/** Calls the handler, unless an earlier request with the same key has taken effect, or has an answer. */
export function answerOnce(operation: AnyOperation, input: HandlerInput): unknown {
  const keyed = input.c.get("keyed");
  return keyed ? answerKeyed(operation, input, keyed) : operation.handler(input);
}

async function answerKeyed(
  operation: AnyOperation,
  input: HandlerInput,
  keyed: KeyedRequest,
): Promise<unknown> {
  keyed.hasHandler = true;
  try {
    const output = await operation.handler(input);
    if (!keyed.hasCommitted && !keyed.hasLookedUp) await findEarlier(keyed);
    if (!keyed.earlier) return output;
  } catch (error) {
    if (!(await isDueToEarlier(keyed, error))) throw error;
  }
  return answerAsEarlier(operation, input, keyed);
}

/** Deletes the keys that are older than a day, the oldest first, a limited number at a time, and at each tick. */
export async function pruneIdempotencyKeys(db: Db, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - retentionMs).toISOString();
  const oldest = sql`(SELECT account_seq, caller, method, path, key FROM ${keys} WHERE ${lt(keys.created_at, dayAgo)}
    AND ${sql.raw(mayBeWritten("account_seq"))}
    ORDER BY ${keys.created_at} LIMIT ${pruneSize})`;
  const deletion = statement(
    build
      .delete(keys)
      .where(sql`(account_seq, caller, method, path, key) IN ${oldest}`)
      .returning({ key: keys.key }),
  );
  for (let batches = 0; batches < maxPruneBatches; batches++) {
    const [deleted] = await commit({ db }, [deletion]);
    if (deleted.rows.length < pruneSize) return;
  }
}

const storedHeaders = ["content-type", "location", "link", "entry-id", "preview"];
/** A longer response is not stored. A retry is answered from the records instead. */
const maxStoredBytes = 64 * 1024;
/** One statement deletes so many, because their responses are long and a statement may run for seconds only. */
const pruneSize = 500;
const maxPruneBatches = 100;

/** An earlier request has this key: what was read beside it is not needed. */
class KeyUsedError extends Error {}

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). The key is looked up with the first of what the request reads,
 * and its mark is part of the request's one batch, so of all requests with a key exactly one can change anything, even if an
 * isolate dies. A request that finds the change committed and no response stored is answered by `answerAgain`, from the ids that
 * the mark recorded. The response is stored after it was sent.
 */
export const idempotency: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const header = c.req.header("idempotency-key");
  if (header === undefined) return next();
  const ctx = c.get("ctx");
  const own = {
    account_seq: ctx.account.seq,
    caller: c.get("caller"),
    method: c.req.method,
    path: new URL(c.req.url).pathname,
    key: parseIdempotencyKey(header),
    request_hash: await hashRequest(c),
    token: ctx.newId(),
    created_at: ctx.realNow,
  };
  const keyed: KeyedRequest = { db: ctx.db, own, hasLookedUp: false, hasCommitted: false, hasHandler: false };
  c.set("keyed", keyed);
  c.set("ctx", keyedCtx(ctx, keyed));
  await next();
  if (!keyed.hasHandler && (await findEarlier(keyed))) await replayInstead(c, keyed);
  if (keyed.earlier?.state === "DONE" || (keyed.earlier && !c.res.ok)) return;
  if (keyed.earlier) c.res.headers.set("Idempotency-Replayed", "true");
  await afterResponse(
    c,
    storeResponse(c, keyed).catch((error) =>
      c.get("log")("idempotency_not_settled", { cause: String(error) }),
    ),
  );
};

/**
 * Whether a request has failed because of an earlier one with its key. One whose commit came after another's, though it had found no
 * other, ran at the same time.
 */
async function isDueToEarlier(keyed: KeyedRequest, error: unknown): Promise<boolean> {
  if (error instanceof KeyUsedError) return true;
  const isTaken = error instanceof DomainError && error.code === "IDEMPOTENCY_IN_PROGRESS";
  const ranAtOnce = isTaken && keyed.hasLookedUp;
  if (!isTaken && (keyed.hasLookedUp || keyed.mark)) return false;
  if (!(await findEarlier(keyed))) return false;
  if (ranAtOnce) requireSameRequest(keyed);
  if (ranAtOnce) delete keyed.earlier;
  return !ranAtOnce;
}

async function answerAsEarlier(
  operation: AnyOperation,
  input: HandlerInput,
  keyed: KeyedRequest,
): Promise<unknown> {
  const earlier = requireSameRequest(keyed);
  if (earlier.state === "DONE") return replay(input.c, earlier);
  return answerRetry(operation, { ...input, created: createdOf(earlier) });
}

/** Throws IDEMPOTENCY_KEY_REUSED if the earlier request with this key was another one. */
function requireSameRequest({ own, earlier }: KeyedRequest): IdempotencyKey {
  if (earlier?.request_hash === own.request_hash) return earlier;
  throw new DomainError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request");
}

/**
 * Replays the answer of an earlier request with this key to one that the schemas refuse. They refuse it in the same way each
 * time, so only another request's key makes a difference.
 */
async function replayInstead(c: Context<HonoEnv>, keyed: KeyedRequest): Promise<void> {
  const earlier = requireSameRequest(keyed);
  if (earlier.state === "DONE") c.res = await replay(c, earlier);
}

/** Lets work go on after the response was sent, where the platform can; else waits for it. */
function afterResponse(c: Context<HonoEnv>, work: Promise<unknown>): Promise<unknown> | undefined {
  try {
    c.executionCtx.waitUntil(work);
    return undefined;
  } catch {
    return work;
  }
}

/** Answers the retry of a request that has committed. The records that it created may have been deleted since. */
async function answerRetry(operation: AnyOperation, input: RetryInput): Promise<unknown> {
  if (!operation.answerAgain) throw newAlreadyCommittedError();
  try {
    return await operation.answerAgain(input);
  } catch (error) {
    throw error instanceof DomainError && error.code === "NOT_FOUND" ? newAlreadyCommittedError() : error;
  }
}

/** A hash of what makes two requests the same: query, media type, body, and the preview that it is to be done as. */
async function hashRequest(c: Context<HonoEnv>): Promise<string> {
  const head = new TextEncoder().encode(
    `${new URL(c.req.url).search}\n${mediaTypeOf(c.req.header("content-type")) ?? ""}\n`,
  );
  const preview = new TextEncoder().encode(c.req.header("if-preview") ?? "");
  const parts = [head, c.get("body") ?? new Uint8Array(), preview];
  return sha256Hex(new Uint8Array(await new Blob(parts).arrayBuffer()));
}

async function findEarlier(keyed: KeyedRequest): Promise<boolean> {
  noteFound(keyed, await first(keyed.db, selectEarlierRequest(keyed.own)));
  return keyed.earlier !== undefined;
}

function noteFound(keyed: KeyedRequest, found: IdempotencyKey | undefined): void {
  keyed.hasLookedUp = true;
  if (found) keyed.earlier = found;
}

/** The context of a request that looks its key up with the first of what it reads, and marks the key with its commit. */
function keyedCtx(ctx: Ctx, keyed: KeyedRequest): Ctx {
  const created: Partial<Created> = {};
  const claim = (): Statement => {
    keyed.mark = insertCommitMark(keyed.own, created);
    return keyed.mark;
  };
  const db = withFirstRead<IdempotencyKey>(ctx.db, {
    statement: () => (keyed.hasLookedUp ? undefined : selectEarlierRequest(keyed.own)),
    onRows: ([found]) => {
      noteFound(keyed, found);
      if (keyed.earlier) throw new KeyUsedError();
    },
    onWritten: (statements) => {
      if (keyed.mark && statements.includes(keyed.mark)) keyed.hasCommitted = true;
    },
  });
  return { ...ctx, db, claim, created };
}

/** The stored answer of a request that is DONE, which always has a status and headers. */
async function replay(c: Context<HonoEnv>, stored: IdempotencyKey): Promise<Response> {
  const { status, headers, body } = stored;
  const isSealed = c.get("operation")?.secretAnswer && body !== null;
  const text = isSealed ? await unseal(credentialsKeyOf(c.get("env")), ownerOf(c, stored), body) : body;
  return c.newResponse(text, status as StatusCode, {
    ...(JSON.parse(headers!) as Record<string, string>),
    "Idempotency-Replayed": "true",
  });
}

/** A response that contains a secret is stored sealed, for the same request of the same caller only. */
function ownerOf(c: Context<HonoEnv>, { caller, method, path, key }: KeyScope): string {
  return [c.get("ctx").account.id, caller, method, path, key].join(" ");
}

function createdOf({ made }: IdempotencyKey): Created {
  return { ...nothingCreated, ...(made === null ? {} : (JSON.parse(made) as Partial<Created>)) };
}

/** Stores the response for a day, unless it is one that a retry may do better than, or a longer one. */
async function storeResponse(c: Context<HonoEnv>, keyed: KeyedRequest): Promise<void> {
  const response = c.res;
  const stored = await bodyToStore(response);
  if (!stored) return;
  const headers = Object.fromEntries(
    storedHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const { body: text } = stored;
  const isSecret = c.get("operation")?.secretAnswer && text !== null;
  const body = isSecret ? await seal(credentialsKeyOf(c.get("env")), ownerOf(c, keyed.own), text) : text;
  const answer = { status: response.status, headers: JSON.stringify(headers), body };
  await commit({ db: keyed.db }, [answerStatement(keyed, answer)]);
}

/** The body of a response that is to be stored: 2xx and 400, unless it is too long. */
async function bodyToStore(response: Response): Promise<{ body: string | null } | undefined> {
  if (!response.ok && response.status !== 400) return undefined;
  if (response.body === null) return { body: null };
  const bytes = await response.clone().arrayBuffer();
  return bytes.byteLength > maxStoredBytes ? undefined : { body: new TextDecoder().decode(bytes) };
}

function newAlreadyCommittedError(): DomainError {
  return new DomainError(
    "IDEMPOTENCY_IN_PROGRESS",
    "The request with this Idempotency-Key has succeeded, but the records it created no longer exist",
  );
}
