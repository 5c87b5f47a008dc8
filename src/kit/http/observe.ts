import type { Context } from "hono";
import { openDb } from "../../base/db/client.ts";
import { parseEnv } from "../../base/env.ts";
import { newId } from "../../base/lib/ids.ts";
import { log } from "../context.ts";
import type { HonoEnv } from "./document/operation.ts";
import { inProcessOf } from "./in-process.ts";

const requestIdPattern = /^[A-Za-z0-9_.-]{1,128}$/;

function requestIdOf(header: string | undefined): string {
  return header !== undefined && requestIdPattern.test(header) ? header : newId();
}

/** Opens a request with its id, log, settings and database. */
export function beginRequest(c: Context<HonoEnv>): void {
  const requestId = requestIdOf(c.req.header("x-request-id"));
  c.set("requestId", requestId);
  c.set("now", new Date());
  c.set("log", (event, fields) => log(event, { request_id: requestId, ...c.get("proof"), ...fields }));
  const env = parseEnv(c.env);
  c.set("env", env);
  c.set("db", inProcessOf(c.req.raw)?.db ?? openDb(env));
}

/** Ends a request that was opened with one log line without personal data. */
export function endRequest(c: Context<HonoEnv>): void {
  c.get("log")("request", {
    method: c.req.method,
    route: c.get("operation")?.path ?? null,
    status: c.res.status,
    errorCode: c.get("errorCode"),
    ms: Date.now() - c.get("now").getTime(),
    ...accountOf(c),
    ...placeOf(c),
    actor_type: c.get("ctx")?.actor.type,
    ...c.get("db").usage,
  });
}

/** A forwarded request has two lines of one id: the Worker's outside, and that of the object, which tells what it asked of its storage. */
function placeOf(c: Context<HonoEnv>) {
  if (c.get("db").engine === "object") return { engine: "object" };
  return c.get("forwardedTo") === undefined ? {} : { is_forwarded: true };
}

/** The one whom the request is for: proven by its credentials or, where none is needed, named by the request itself. */
function accountOf(c: Context<HonoEnv>) {
  const account = c.get("ctx")?.account.id ?? c.get("forwardedTo");
  return account === undefined ? {} : { account_id: account };
}
