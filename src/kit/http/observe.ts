import type { Context, MiddlewareHandler } from "hono";
import { openDb } from "../../base/db/client.ts";
import { parseEnv } from "../../base/env.ts";
import { newId } from "../../base/lib/ids.ts";
import { log } from "../context.ts";
import { inProcessOf } from "./in-process.ts";
import type { HonoEnv } from "./operation.ts";

const requestIdPattern = /^[A-Za-z0-9_.-]{1,128}$/;

function requestIdOf(header: string | undefined): string {
  return header !== undefined && requestIdPattern.test(header) ? header : newId();
}

/** Opens a request with its id, log, settings and database, and ends it with one log line without personal data. */
export const observe: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const requestId = requestIdOf(c.req.header("x-request-id"));
  const started = new Date();
  c.set("requestId", requestId);
  c.set("now", started);
  c.set("log", (event, fields) => log(event, { request_id: requestId, ...c.get("proof"), ...fields }));
  const env = parseEnv(c.env);
  c.set("env", env);
  const db = inProcessOf(c.req.raw)?.db ?? openDb(env);
  c.set("db", db);
  await next();
  c.header("X-Request-Id", requestId);
  c.get("log")("request", {
    method: c.req.method,
    route: c.get("operation")?.path ?? null,
    status: c.res.status,
    errorCode: c.get("errorCode"),
    ms: Date.now() - started.getTime(),
    ...accountOf(c),
    ...placeOf(c),
    actor_type: c.get("ctx")?.actor.type,
    ...db.usage,
  });
};

/** A forwarded request has two lines of one id: the Worker's outside, and that of the object, which tells what it asked of its storage. */
function placeOf(c: Context<HonoEnv>) {
  if (c.get("db").engine === "object") return { engine: "object" };
  return c.get("forwardedTo") === undefined ? {} : { is_forwarded: true };
}

/** Whom the request is for: proven by its credentials or, where none is needed, named by the request itself. */
function accountOf(c: Context<HonoEnv>) {
  const account = c.get("ctx")?.account.id ?? c.get("forwardedTo");
  return account === undefined ? {} : { account_id: account };
}
