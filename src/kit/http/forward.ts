import type { Context } from "hono";
import { objectOf } from "../../base/accounts/objects.ts";
import { isElsewhere } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { repeatRead } from "../../base/db/repeating.ts";
import { DomainError } from "../../base/errors.ts";
import type { HonoEnv } from "./operation.ts";

/** Has a request whose caller is proven, and counted, answered by the account's object, if its account has one. */
export async function forwardProven(c: Context<HonoEnv>): Promise<Response | undefined> {
  const { account } = c.get("ctx");
  if (!isElsewhere(c.get("db"), account)) return undefined;
  return forward(c, account, { isCounted: true, proof: c.get("proven") });
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
  return forward(c, account, { isCounted: c.get("countedByAddress") === true });
}

type Proven = { isCounted: boolean; proof?: HonoEnv["Variables"]["proven"] };

/**
 * The answer of an account's object to the request, which has the same id there. An object that cannot be reached is an outage;
 * like a batch, what it was asked for may have been done, so that only reads are repeated.
 */
async function forward(
  c: Context<HonoEnv>,
  account: Account,
  { proof, isCounted }: Proven,
): Promise<Response> {
  const request = new Request(c.req.raw);
  request.headers.set("x-request-id", c.get("requestId"));
  c.set("forwardedTo", account.id);
  const forwarded = { account, isCounted, ...(proof ? { proof } : {}) };
  const serve = () => objectOf(c.get("env"), account).serve(request, forwarded);
  const isRead = ["GET", "HEAD"].includes(request.method);
  const answer = await (isRead ? repeatRead(serve) : serve()).catch((error) => {
    c.get("log")("object_unreachable", { alert: true, account_id: account.id, cause: String(error) });
    return undefined;
  });
  if (!answer) throw new DomainError("UNAVAILABLE", "The account's data is not reachable, try again");
  return c.newResponse(answer.body, answer);
}
