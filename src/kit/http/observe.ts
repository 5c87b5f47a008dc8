import type { Context } from "hono";
import { openDb } from "../../base/db/client.ts";
import { parseEnv } from "../../base/env.ts";
import { newId } from "../../base/lib/ids.ts";
import { log } from "../context.ts";
import type { HonoEnv, RequestLine } from "./document/operation.ts";
import { forwardedOf, inProcessOf } from "./in-process.ts";

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
  c.set("isForwarded", forwardedOf(c.req.raw) !== undefined);
  const env = parseEnv(c.env);
  c.set("env", env);
  c.set("db", inProcessOf(c.req.raw)?.db ?? openDb(env));
}

/**
 * Ends a request that was opened with one log line without personal data. An object writes none of a request that was forwarded to it: the
 * Worker outside does, with all that the object knows of it.
 */
export function endRequest(c: Context<HonoEnv>): void {
  const { account_id = c.get("ctx")?.account.id ?? c.get("forwardedTo"), ...proof } = c.get("proof") ?? {};
  const line: RequestLine = {
    ...{ account_id, errorCode: c.get("errorCode"), actor_type: c.get("ctx")?.actor.type, ...proof },
    ...c.get("db").usage,
  };
  if (c.get("isForwarded")) c.res.headers.set(lineHeader, JSON.stringify(line));
  else
    c.get("log")("request", {
      method: c.req.method,
      route: c.get("operation")?.path ?? null,
      status: c.res.status,
      ms: Date.now() - c.get("now").getTime(),
      ...both(line, c.get("lineOfObject")),
    });
}

/** Takes the object's part of a request's line off its answer. */
export function takeLine(c: Context<HonoEnv>, headers: Headers): void {
  const line = headers.get(lineHeader);
  if (line !== null) c.set("lineOfObject", JSON.parse(line));
  headers.delete(lineHeader);
}

/** It leaves no deployment. */
const lineHeader = "x-request-line";

function both(line: RequestLine, ofObject: RequestLine | undefined): object {
  if (!ofObject) return line;
  return { ...line, ...ofObject, engine: "object", directory_round_trips: line.db_round_trips };
}
