import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import type { Bindings, Env } from "../env.ts";
import type { Log } from "../lib/log.ts";
import type { AnyOperation } from "./operation.ts";

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
    /** What a rate limit counts by: the key or token. */
    credential: string;
    body: Uint8Array<ArrayBuffer>;
    /** The ids that the request has made when it ran before: it has taken effect, and is only to be answered. */
    made?: string[];
  };
};
