import type { Context, Hono, MiddlewareHandler } from "hono";
import { z } from "zod";
import { requireOpenAccount } from "../../base/accounts/closed.ts";
import { objectOf, openObject } from "../../base/accounts/objects.ts";
import { isElsewhere, readEntry } from "../../base/accounts/queries.ts";
import { shopDomain } from "../../base/accounts/rules.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { credentialsKeyOf, engines } from "../../base/env.ts";
import { DomainError, invalid, notFound } from "../../base/errors.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import { readUpTo } from "../../kit/http/body.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";
import { errorResponse } from "../../kit/http/errors.ts";
import { decodeUtf8, parseJson } from "../../kit/http/json.ts";
import { countByAddress } from "../../kit/http/rate-limit.ts";
import { readCondition } from "../health/condition.ts";
import { metricsText } from "../health/metrics.ts";
import { isOwnPage, rowsIn } from "./account-page.ts";
import { afterRestore } from "./after-restore.ts";
import { continueDeletion } from "./deletion.ts";
import { beginImport, endImport, importPage } from "./import.ts";
import { continueMove } from "./move/continue-move.ts";
import { importPortsOf, portsOf } from "./move/ports.ts";

/**
 * Serves the calls of operators, who prove themselves with OPERATOR_KEY. They are in no
 * document, and whoever has not the key is told what every unknown path says.
 */
export function serveOperators(app: Hono<HonoEnv>): Hono<HonoEnv> {
  app.use(asOperator);
  app.post("/internal/statements", runStatements);
  app.post("/internal/moves", moveAccount);
  app.post("/internal/restores", restoreAccount);
  app.post("/internal/deletions", removeAccount);
  app.post("/internal/imports", importAccount);
  app.get("/metrics", showMetrics);
  app.all("*", () => {
    throw notFound("Path");
  });
  app.onError((error, c) => errorResponse(c, error));
  return app;
}

const bodyLimit = 1024 * 1024;

const asOperator: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const { OPERATOR_KEY: key } = c.get("env");
  if (key === undefined) throw notFound("Path");
  if (!(await isSame(sentKey(c), key))) {
    await countByAddress(c);
    throw notFound("Path");
  }
  c.set("operation", { path: c.req.path });
  await next();
};

function sentKey(c: Context<HonoEnv>): string {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
}

/** Digests are of one length, and are compared in the same time wherever they differ. */
async function isSame(one: string, other: string): Promise<boolean> {
  const digestOf = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return crypto.subtle.timingSafeEqual(await digestOf(one), await digestOf(other));
}

const accountId = z.string().min(1).max(255);
const value = z.union([z.string(), z.number(), z.null()]);
const key = z.array(value).nullable();

const batch = z.strictObject({
  account_id: accountId,
  mode: z.enum(["read", "write"]),
  statements: z
    .array(
      z.strictObject({
        sql: z.string().min(1),
        params: z.array(value),
      }),
    )
    .min(1)
    .max(1000),
});

/**
 * Runs a batch on the storage of one account's object, as the storage port does (db/client.ts). The deployment's database holds all other
 * accounts, and has a command line of its own: no batch that was meant for one account runs on it, whatever moves meanwhile.
 */
async function runStatements(c: Context<HonoEnv>): Promise<Response> {
  const { account_id, mode, statements } = await parseBody(c, batch);
  const account = await requireEntry(c, account_id);
  requireOpenAccount(account);
  if (!isElsewhere(c.get("db"), account))
    throw new DomainError("INVALID_STATE", "The account's records are in the deployment's database");
  c.set("forwardedTo", account.id);
  c.get("log")("operator_statements", { account_id, mode, statements: statements.length });
  const object = objectOf(c.get("env"), account);
  const executed = await (mode === "read"
    ? object.query(account, statements)
    : object.execute(account, statements, mode)
  ).catch(() => undefined);
  if (!executed) throw new DomainError("UNAVAILABLE", "The account's object is not reachable, try again");
  if ("failure" in executed) return refusal(c, executed.failure);
  return c.json({ results: executed.results.map(({ rows }) => ({ rows })) });
}

const nextStep = z.strictObject({
  account_id: accountId,
  to: z.enum(engines),
  cursor: z
    .strictObject({
      pass: z.string(),
      table: z.int().nonnegative(),
      after: key,
      rows: z.int(),
      changed: z.int(),
      passes: z.int(),
    })
    .optional(),
  force: z.boolean().optional(),
  dry_run: z.boolean().optional(),
});

/** Takes the next step of an account's way to the other engine. */
async function moveAccount(c: Context<HonoEnv>): Promise<Response> {
  const { account_id, to, cursor, force, dry_run } = await parseBody(c, nextStep);
  const account = await requireEntry(c, account_id);
  const ports = portsOf(c.get("env"), account, c.get("now"));
  const asked = { accountId: account.id, to, cursor, force, dryRun: dry_run };
  const progress = await continueMove(ports, asked);
  c.get("log")("account_moves", { account_id, to, step: progress.step, rows: progress.rows });
  return c.json(progress);
}

const deleting = z.strictObject({ account_id: accountId, shop: z.string() });

/** Takes the next step of an account's deletion. It cannot be undone, so the caller names the shop besides. */
async function removeAccount(c: Context<HonoEnv>): Promise<Response> {
  const { account_id, shop } = await parseBody(c, deleting);
  const account = await requireEntry(c, account_id);
  if (account.shop !== shop) throw invalid([{ path: "shop", message: "must be the account's" }]);
  const deleted = await continueDeletion(portsOf(c.get("env"), account, c.get("now")), account.id);
  const { step, rows, isDone } = deleted;
  c.get("log")("account_is_deleted", { alert: isDone, account_id, step, rows });
  return c.json(deleted);
}

/** A row has two megabytes at most, which JSON may double. */
const pageLimit = 6 * 1024 * 1024;
const page = z.strictObject({
  table: z.string(),
  columns: z.array(z.string()),
  after: key,
  up_to: key,
  rows: z.array(z.array(value)),
});
const signed = { account_id: accountId, page, mac: z.string() };
const importStep = z.discriminatedUnion("step", [
  z.strictObject({
    ...{ step: z.literal("begin"), ...signed, schema: z.string() },
    ...{ shop: shopDomain, engine: z.enum(engines) },
  }),
  z.strictObject({ step: z.literal("page"), ...signed, run: z.string() }),
  z.strictObject({ step: z.literal("end"), account_id: accountId, run: z.string() }),
]);

/** Takes a step of importing an account. */
async function importAccount(c: Context<HonoEnv>): Promise<Response> {
  const asked = await parseBody(c, importStep, readPage);
  const { step, account_id } = asked;
  const env = c.get("env");
  const ports = importPortsOf(env, c.get("now"));
  if (step !== "end" && !(await isOwnPage(credentialsKeyOf(env), account_id, asked)))
    throw invalid([{ path: "mac", message: "is of none of the keys in STORE_CREDENTIALS_KEY" }]);
  if (step === "page") {
    const { run, page } = asked;
    const { table, after, up_to: upTo } = page;
    const its = { accountId: account_id, run, table, after, upTo, original: rowsIn(page) };
    return c.json({ changed: await importPage(ports, its) });
  }
  c.get("log")("account_is_imported", { alert: true, account_id, step });
  if (step === "end") {
    await endImport(ports, { accountId: account_id, run: asked.run });
    return c.json({});
  }
  const { schema, engine, shop, page } = asked;
  const [account] = page.table === "accounts" ? rowsIn(page) : [];
  if (account?.id !== account_id) throw invalid([{ path: "page", message: "must be the account's own row" }]);
  const { run } = await beginImport(ports, { schema, engine, shop, account });
  return c.json({ run });
}

/** For Prometheus, which asks every minute or so. */
async function showMetrics(c: Context<HonoEnv>): Promise<Response> {
  const [env, now] = [c.get("env"), c.get("now").toISOString()];
  const text = metricsText(await readCondition(env, c.get("db"), now)) + (env.COUNTERS?.() ?? "");
  return c.body(text, 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
}

const daysKept = 30;
const restoring = z.strictObject({ account_id: accountId, at: z.iso.datetime() });

/** Restores an account's object to an earlier time, and makes it safe for traffic at once, which goes on. */
async function restoreAccount(c: Context<HonoEnv>): Promise<Response> {
  const { account_id, at } = await parseBody(c, restoring);
  const [env, account] = [c.get("env"), await requireEntry(c, account_id)];
  requireOpenAccount(account);
  if (!isElsewhere(c.get("db"), account))
    throw new DomainError("INVALID_STATE", "The account's records are in the deployment's database");
  if (account.moving !== null) throw new DomainError("INVALID_STATE", "The account is being moved");
  const ageMs = c.get("now").getTime() - Date.parse(at);
  if (ageMs < 0 || ageMs > daysKept * dayMs)
    throw invalid([{ path: "at", message: `must be within the last ${daysKept} days` }]);
  const restored = await objectOf(env, account).restore(at);
  await objectOf(env, account)
    .restart()
    .catch(() => undefined);
  await afterRestore(openObject(env, account));
  c.get("log")("account_restored", { alert: true, account_id, at, ...restored });
  return c.json(restored);
}

/** The account as the directory has it, closed or not. */
async function requireEntry(c: Context<HonoEnv>, id: string): Promise<Account> {
  const account = await readEntry(c.get("db"), { id });
  if (!account) throw notFound("Account");
  return account;
}

/** The database's own words, which an operator needs whole: of a constraint the caller makes out which it is. */
function refusal(c: Context<HonoEnv>, failure: string): Response {
  const errorCode = "VALIDATION_FAILED";
  c.set("errorCode", errorCode);
  return c.json({ error: failure, errorCode, request_id: c.get("requestId") }, 400);
}

const readBody = readUpTo(bodyLimit);
const readPage = readUpTo(pageLimit);

async function parseBody<S extends z.ZodType>(
  c: Context<HonoEnv>,
  schema: S,
  readBytes = readBody,
): Promise<z.output<S>> {
  const parsed = schema.safeParse(parseJson(decodeUtf8(await readBytes(c))));
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
}
