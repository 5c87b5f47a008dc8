import { type Context, Hono } from "hono";
import { memoryDatabase } from "../../../../scripts/simulate/sqlite.ts";
import { createAccount } from "../../../../src/base/accounts/actions.ts";
import type { Account } from "../../../../src/base/accounts/tables.ts";
import { commit } from "../../../../src/base/db/commit.ts";
import type { Db, Statement } from "../../../../src/base/db/port.ts";
import { build, raw, rows, statement } from "../../../../src/base/db/statement.ts";
import type { Env } from "../../../../src/base/env.ts";
import { newId } from "../../../../src/base/lib/ids.ts";
import { toInstant } from "../../../../src/base/lib/time/dates.ts";
import { reasons } from "../../../../src/domain/reasons/tables.ts";
import { type Ctx, keepCreated } from "../../../../src/kit/context.ts";
import type { AnyOperation, HonoEnv } from "../../../../src/kit/http/document/operation.ts";
import { errorResponse } from "../../../../src/kit/http/errors.ts";
import { answerOnce, idempotency } from "../../../../src/kit/http/idempotency/idempotency.ts";
import type { IdempotencyKey } from "../../../../src/kit/http/idempotency/idempotency-tables.ts";

type C = Context<HonoEnv>;
type Request = {
  method?: string;
  path?: string;
  key?: string;
  caller?: string;
  body?: string | null;
  type?: string | undefined;
};
export type Answer = { status: number; headers: Headers; text: string };

export const started = Date.parse("2026-11-20T12:00:00.000Z");

/**
 * The middleware of Idempotency-Key alone, over SQLite in memory with the real migrations, and an operation that creates a
 * reason, or does what a test says instead. The operation under `/secret` answers with a secret.
 */
export async function idempotentApp() {
  database.empty("d1");
  const world = {
    database: database as Db,
    account: await newAccount(database),
    clock: started,
    logged: [] as [string, unknown][],
    /** Runs between the middleware and the database. */
    intercept: async (_statements: Statement[]): Promise<void> => {},
    handler: createReason as (c: C) => Response | Promise<Response>,
    answerAgain: undefined as AnyOperation["answerAgain"],
    send,
    rowOf: async (key: string) =>
      (await rows(database, raw<IdempotencyKey>("SELECT * FROM idempotency_keys WHERE key = ?", key)))[0],
    labels: async () =>
      (await rows(database, raw<{ label: string }>("SELECT label FROM reasons ORDER BY label"))).map(
        ({ label }) => label,
      ),
  };
  const db: Db = {
    engine: database.engine,
    usage: database.usage,
    batch: async (statements, mode) => {
      await world.intercept(statements);
      return database.batch(statements, mode);
    },
  };
  const app = new Hono<HonoEnv>();
  app.use(async (c, next) => {
    c.set("ctx", { db, account: world.account, newId, realNow: toInstant(world.clock) } as Ctx);
    c.set("now", new Date(world.clock));
    c.set("caller", c.req.header("x-caller") ?? "key-1");
    c.set("env", { STORE_CREDENTIALS_KEY: btoa("k".repeat(32)) } as Env);
    c.set("log", (event, fields) => world.logged.push([event, fields]));
    c.set("requestId", "request");
    if (c.req.path.startsWith("/secret")) c.set("operation", { secretAnswer: true } as AnyOperation);
    if (c.req.header("x-unread") === undefined) c.set("body", new Uint8Array(await c.req.arrayBuffer()));
    await next();
  });
  app.use(idempotency);
  app.all("*", async (c) => {
    const { answerAgain } = world;
    const operation = { handler: () => world.handler(c), answerAgain } as unknown as AnyOperation;
    const output = await answerOnce(operation, { c, ctx: c.get("ctx"), params: {}, query: {}, body: {} });
    return output instanceof Response ? output : c.json(output as object, 201);
  });
  app.onError((error, c) => errorResponse(c, error));
  return world;

  async function send({ method = "POST", path = "/reasons", key, caller, body = "one", type }: Request) {
    const headers = new Headers(type === undefined ? {} : { "Content-Type": type });
    if (key !== undefined) headers.set("Idempotency-Key", key);
    if (caller !== undefined) headers.set("X-Caller", caller);
    if (body === null) headers.set("X-Unread", "1");
    const bytes = body === null ? null : new TextEncoder().encode(body);
    const response = await app.request(path, { method, headers, body: bytes });
    return { status: response.status, headers: response.headers, text: await response.text() } as Answer;
  }
}

/** Creates a reason with the request's text as its label. */
export async function createReason(c: C): Promise<Response> {
  const id = await insertReason(c);
  return c.json({ id }, 201, { Location: `/reasons/${id}`, "X-Other": "is not kept" });
}

/** The write of such a request; its answer is the caller's. */
export async function insertReason(c: C): Promise<string> {
  const ctx = c.get("ctx");
  const id = ctx.newId();
  const at = c.get("now").toISOString();
  keepCreated(ctx, { reason: id });
  await commit(ctx, [
    statement(
      build.insert(reasons).values({
        id,
        account_seq: ctx.account.seq,
        kind: "skip",
        label: new TextDecoder().decode(c.get("body")),
        description: null,
        position: 0,
        is_active: 1,
        created_at: at,
        updated_at: at,
        deleted_at: null,
      }),
    ),
  ]);
  return id;
}

/** A point at which a request stops until the test lets it go on. */
export function gate() {
  const [reached, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = async (): Promise<void> => {
    reached.resolve();
    await open.promise;
  };
  return { pass, reached: reached.promise, open: () => open.resolve() };
}

export function isReplayed({ headers }: Answer): boolean {
  return headers.get("Idempotency-Replayed") === "true";
}

export function errorOf({ status, text }: Answer): [number, string, string] {
  const { errorCode, error } = JSON.parse(text) as { errorCode: string; error: string };
  return [status, errorCode, error];
}

export async function newAccount(db: Db): Promise<Account> {
  const shop = `${newId()}.example`;
  const { account } = await createAccount(
    db,
    { shop, timezone: "UTC", currency: "USD" },
    new Date(started).toISOString(),
  );
  return account;
}

/** One for all tests of a file, emptied before each. */
const database = memoryDatabase();

export type World = Awaited<ReturnType<typeof idempotentApp>>;
