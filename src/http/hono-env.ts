import type { ApiKey } from "../accounts/tables.ts";
import type { Ctx, Log } from "../context.ts";
import type { Db } from "../db/client.ts";
import type { Bindings, Env } from "../env.ts";
import type { AnyOperation } from "./operation.ts";
import type { Counted } from "./rate-limit.ts";

/** What the middleware puts into Hono's context. */
export type HonoEnv = {
  Bindings: Bindings;
  Variables: {
    env: Env;
    db: Db;
    log: Log;
    requestId: string;
    /** Real time; an account's own time is `ctx.now`. */
    now: Date;
    /** The operation that the path and method name. */
    operation?: { path: string; failure?: { success: false } };
    ctx: Ctx;
    /** Answers a request to one operation in process, as if it had come by HTTP. */
    dispatch: (operation: AnyOperation, request: Request) => Promise<Response>;
    /** Who calls, across tokens: the owner of Idempotency-Keys. */
    caller: string;
    /** The key that was sent, where one was. */
    key?: ApiKey;
    /** Whom rate limits count the request by; undefined for an anonymous one. */
    counted?: Counted;
    /** Whether the request has been counted by its client address. */
    countedByAddress?: boolean;
    /** The credentials that have proven who calls, for the log. */
    proof?: { key_id?: string | undefined; token_id?: string | null | undefined };
    body: Uint8Array<ArrayBuffer>;
    /** The ids that the request has made when it ran before: it has taken effect, and is only to be answered. */
    made?: string[];
  };
};
