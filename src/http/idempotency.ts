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
import type { AnyOperation } from "./operation.ts";

/** Real time: answers are kept for a day; a request that died before its commit frees its key after a minute. */
const keptMs = 24 * 3_600_000;
const leaseMs = 60_000;
const keptHeaders = ["content-type", "location", "link"];
/** Of an answer so many bytes are kept; a longer one is made anew each time. */
const keptBytes = 64 * 1024;
/** More ids than any request makes whose answer is made of them; that of an upload is not. */
const mostMade = 2_000;

type Scope = Pick<IdempotencyKey, "account_id" | "caller" | "method" | "path" | "key">;

const inScope = (scope: Scope) =>
  and(
    eq(keys.account_id, scope.account_id),
    eq(keys.caller, scope.caller),
    eq(keys.method, scope.method),
    eq(keys.path, scope.path),
    eq(keys.key, scope.key),
  );

/** The key in a header, quoted (a structured-field string) or bare. Throws VALIDATION_FAILED outside 1..255 characters. */
const parseKey = (header: string): string => {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  const key = quoted ? quoted[1]!.replace(/\\(["\\])/g, "$1") : header;
  if (key.length >= 1 && key.length <= 255) return key;
  throw invalid([{ path: "Idempotency-Key", message: "must have 1 to 255 characters" }]);
};

/** Takes the key where it is new, a day old, or abandoned by a request that changed nothing. */
const claimStatement = (claim: IdempotencyKey, now: Date): Statement => {
  const dayAgo = new Date(now.getTime() - keptMs).toISOString();
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
};

/** Joins the request's own batch, with what the request has made: fails it (NOT NULL) when the claim is no longer this request's. */
const commitMark = (scope: Scope, token: string, made: string[]): Statement =>
  statement(
    build
      .update(keys)
      .set({
        state: sql`CASE WHEN ${keys.token} = ${token} AND ${keys.state} = 'CLAIMED' THEN 'COMMITTED' END`,
        made: made.length <= mostMade ? JSON.stringify(made) : null,
      })
      .where(inScope(scope)),
  );

const takeOrFind = async (db: Db, claim: IdempotencyKey, now: Date): Promise<IdempotencyKey> => {
  const [, found] = await commit({ db }, [
    claimStatement(claim, now),
    statement(build.select().from(keys).where(inScope(claim))),
  ]);
  return found?.rows[0] as unknown as IdempotencyKey;
};

/** Whom a kept answer is sealed for: it opens for the same request of the same caller only. */
const ownerOf = ({ account_id, caller, method, path, key }: Scope): string =>
  [account_id, caller, method, path, key].join(" ");

const sealed = (c: Context<HonoEnv>, scope: Scope, body: string): Promise<string> =>
  seal(credentialsKeyOf(c.get("env")), ownerOf(scope), body);

const replay = async (c: Context<HonoEnv>, kept: IdempotencyKey): Promise<Response> => {
  const { status, headers, body } = kept;
  const isSealed = c.get("operation")?.secretAnswer && body !== null;
  const text = isSealed ? await unseal(credentialsKeyOf(c.get("env")), ownerOf(kept), body) : body;
  return c.newResponse(text, (status ?? 200) as StatusCode, {
    ...(JSON.parse(headers ?? "{}") as Record<string, string>),
    "Idempotency-Replayed": "true",
  });
};

const inProgress = (): DomainError =>
  new DomainError("IDEMPOTENCY_IN_PROGRESS", "A request with this Idempotency-Key is in progress");

const hasTakenEffect = (): DomainError =>
  new DomainError(
    "IDEMPOTENCY_IN_PROGRESS",
    "The request with this Idempotency-Key has taken effect; what it made is gone",
  );

/** How a request that has taken effect is answered; what it made may be gone since. */
export const answeringAgain =
  ({ answerAgain }: AnyOperation) =>
  async (input: never): Promise<unknown> => {
    if (!answerAgain) throw hasTakenEffect();
    try {
      return await answerAgain(input);
    } catch (error) {
      throw error instanceof DomainError && error.code === "NOT_FOUND" ? hasTakenEffect() : error;
    }
  };

/** The body of an answer that is to be kept: 2xx and 400, unless it is too long. */
const bodyToKeep = async (response: Response): Promise<{ body: string | null } | undefined> => {
  if (!response.ok && response.status !== 400) return undefined;
  if (response.body === null) return { body: null };
  const bytes = await response.clone().arrayBuffer();
  return bytes.byteLength > keptBytes ? undefined : { body: new TextDecoder().decode(bytes) };
};

/**
 * Keeps the answer for the day. One that is not kept frees the key where nothing was changed, as trying again may end
 * otherwise; where something was, what it made stays noted, and the next is answered with that.
 */
const settle = async (c: Context<HonoEnv>, db: Db, scope: Scope, token: string): Promise<void> => {
  const response = c.res;
  const mine = and(inScope(scope), eq(keys.token, token));
  const kept = await bodyToKeep(response);
  if (!kept) {
    await commit({ db }, [statement(build.delete(keys).where(and(mine, eq(keys.state, "CLAIMED"))))]);
    return;
  }
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const isSecret = c.get("operation")?.secretAnswer && kept.body !== null;
  const body = isSecret ? await sealed(c, scope, kept.body ?? "") : kept.body;
  const answer = { status: response.status, headers: JSON.stringify(headers), body };
  await commit({ db }, [
    statement(
      build
        .update(keys)
        .set({ state: "DONE", made: null, ...answer })
        .where(and(mine, ne(keys.state, "DONE"))),
    ),
  ]);
};

const hashOf = (c: Context<HonoEnv>): Promise<string> => {
  const head = new TextEncoder().encode(
    `${new URL(c.req.url).search}\n${mediaTypeOf(c.req.header("content-type")) ?? ""}\n`,
  );
  const body = c.get("body") ?? new Uint8Array();
  const whole = new Uint8Array(head.byteLength + body.byteLength);
  whole.set(head);
  whole.set(body, head.byteLength);
  return sha256Hex(whole);
};

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the request's one batch carries the claim, so of all
 * requests with a key exactly one can change anything, even where an isolate dies in between. A request that finds the change
 * made and no answer kept is answered anew (`answerAgain`), from the ids that the claim has noted.
 */
export const idempotency: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const header = c.req.header("idempotency-key");
  if (header === undefined) return next();
  const { db, account } = c.get("ctx");
  const now = c.get("now");
  const path = new URL(c.req.url).pathname;
  const scope = {
    account_id: account.id,
    caller: c.get("caller"),
    method: c.req.method,
    path,
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
  const found = await takeOrFind(db, claim, now);
  if (found.request_hash !== claim.request_hash)
    throw new DomainError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request");
  if (found.state === "DONE") return replay(c, found);
  if (found.state === "COMMITTED") c.set("made", JSON.parse(found.made ?? "[]"));
  else if (found.token === claim.token) c.set("ctx", claimed(c.get("ctx"), scope, claim.token));
  else throw inProgress();
  await next();
  if (found.state === "COMMITTED") {
    if (!c.res.ok) return;
    c.res.headers.set("Idempotency-Replayed", "true");
  }
  await settle(c, db, scope, found.token).catch((error) =>
    c.get("log")("idempotency_not_settled", { cause: String(error) }),
  );
};

/** The context of a request whose batch carries its claim, and with it the ids that were made till then. */
const claimed = (ctx: Ctx, scope: Scope, token: string): Ctx => {
  const made: string[] = [];
  const newId = (): string => {
    const id = ctx.newId();
    made.push(id);
    return id;
  };
  return { ...ctx, newId, claim: () => commitMark(scope, token, made) };
};

/** Forgets answers older than a day. */
export const pruneIdempotencyKeys = (db: Db, now: Date): Promise<unknown> =>
  commit({ db }, [
    statement(build.delete(keys).where(lt(keys.created_at, new Date(now.getTime() - keptMs).toISOString()))),
  ]);
