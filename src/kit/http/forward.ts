import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { type AccountStub, objectOf } from "../../base/accounts/objects.ts";
import { isElsewhere } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { repeatRead } from "../../base/db/wrapped/repeating.ts";
import { DomainError } from "../../base/errors.ts";
import type { AnyOperation, HonoEnv } from "./document/operation.ts";
import { takeLine } from "./observe.ts";

/** Whether the account of a request whose caller is proven has an object, which this is not. */
export function isForwarded(c: Context<HonoEnv>): boolean {
  return isElsewhere(c.get("db"), c.get("ctx").account);
}

/**
 * Has the account's object run the operation of a request whose caller is proven, which is counted and whose body is received. It gets
 * what the request says and gives text, so that neither side makes streams of it.
 */
export async function forwardProven(c: Context<HonoEnv>, { method, path }: AnyOperation): Promise<Response> {
  const { account } = c.get("ctx");
  const { url, headers } = c.req.raw;
  const proof = c.get("proven");
  const ran = await askObject(c, account, (object) =>
    object.run({
      operation: { method, path },
      params: c.get("params"),
      request: { method: c.req.method, url, headers: withRequestId(headers, c), body: c.get("body") },
      forwarded: { account, isCounted: true, ...(proof ? { proof } : {}) },
    }),
  );
  const answered = new Headers(ran.headers);
  takeLine(c, answered);
  return c.newResponse(
    ran.text === "" ? null : ran.text,
    ran.status as StatusCode,
    Object.fromEntries(answered),
  );
}

/**
 * Has a request that names its shop, and nobody proven, answered by the shop's object, if its account has one: the object proves who
 * calls, and counts the request unless it has been counted by its address here.
 */
export async function forwardUnproven(
  c: Context<HonoEnv>,
  account: Account | undefined,
): Promise<Response | undefined> {
  if (!account || !isElsewhere(c.get("db"), account)) return undefined;
  const body = c.get("body");
  const request = new Request(c.req.raw, body ? { body } : undefined);
  request.headers.set("x-request-id", c.get("requestId"));
  const forwarded = { account, isCounted: c.get("countedByAddress") === true };
  const answer = await askObject(c, account, (object) => object.serve(request, forwarded));
  const headers = new Headers(answer.headers);
  takeLine(c, headers);
  return c.newResponse(answer.body, new Response(null, { status: answer.status, headers }));
}

/**
 * Asks an account's object. One that cannot be reached is an outage; like a batch, what it was asked for may have been done, so
 * that only reads are repeated.
 */
async function askObject<T>(
  c: Context<HonoEnv>,
  account: Account,
  ask: (object: AccountStub) => Promise<T | undefined>,
): Promise<T> {
  c.set("forwardedTo", account.id);
  const once = () => ask(objectOf(c.get("env"), account));
  const isRead = ["GET", "HEAD"].includes(c.req.method);
  const answer = await (isRead ? repeatRead(once) : once()).catch((error) => {
    c.get("log")("object_unreachable", { alert: true, account_id: account.id, cause: String(error) });
    return undefined;
  });
  if (!answer) throw new DomainError("UNAVAILABLE", "The account's data is not reachable, try again");
  return answer;
}

function withRequestId(headers: Headers, c: Context<HonoEnv>): Record<string, string> {
  return { ...Object.fromEntries(headers), "x-request-id": c.get("requestId") };
}
