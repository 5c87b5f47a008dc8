import type { Forwarded } from "../accounts/objects.ts";
import type { ApiKey } from "../accounts/tables.ts";
import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import type { Bindings, Env } from "../env.ts";
import type { ErrorCode } from "../errors.ts";
import type { Log } from "../lib/log.ts";
import type { KeyedRequest } from "./idempotency.ts";
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
    /** The operation of the request's path and method. */
    operation?: Pick<AnyOperation, "path" | "query" | "body" | "failure" | "secretAnswer" | "errorForm">;
    ctx: Ctx;
    /** Serves a request to one operation in process, as if it had come by HTTP. */
    dispatch: (operation: AnyOperation, request: Request) => Promise<Response>;
    /** Who calls, the same for all of their tokens. Idempotency-Keys belong to the caller. */
    caller: string;
    /** The key that was sent, if there was one. */
    key?: ApiKey;
    /** By whom rate limits count the request; undefined for an anonymous one. */
    counted?: Counted;
    /** Whether the request has been counted by its client address. */
    countedByAddress?: boolean;
    /** The credentials that have proven who calls, for the log. */
    proof?: {
      key_id?: string | undefined;
      token_id?: string | null | undefined;
      account_id?: string | undefined;
    };
    /** The key and the token that were sent and are valid, for the object that answers instead. */
    proven?: NonNullable<Forwarded["proof"]>;
    /** The account whose object answers the request. */
    forwardedTo?: string;
    /** The code of the error that is answered, for the log. */
    errorCode?: ErrorCode;
    body: Uint8Array<ArrayBuffer>;
    /** Set if the request has an Idempotency-Key that the operation honours. */
    keyed?: KeyedRequest;
  };
};
