import type { Context } from "hono";
import { once } from "../../../base/lib/once.ts";
import { receiveBody } from "../body.ts";
import { authenticate } from "../credentials.ts";
import { forwardProven, isForwarded } from "../forward.ts";
import { newJsonResponse } from "../headers.ts";
import { answerOnce, idempotency } from "../idempotency/idempotency.ts";
import { refuseFaults } from "../in-process.ts";
import { writeJson } from "../json-text.ts";
import { parseRequest } from "../parse-request.ts";
import { rateLimit } from "../rate-limit.ts";
import { answerBookmarks, isBookmarked, requireBookmark } from "../replicas.ts";
import { answerInside } from "../within.ts";
import { loadRequestSchemas } from "./load-schemas.ts";
import { type AnyOperation, type HandlerInput, type HonoEnv, honoursIdempotencyKey } from "./operation.ts";

/** An operation that requests can be put to. Without middleware around it, a refusal is thrown. */
export type OpenOperation = {
  /** Answers a request that comes from outside. */
  answer: (c: Context<HonoEnv>) => Promise<void>;
  /** Answers a request that the Worker outside of this object has proven, counted and received. */
  answerProven: (c: Context<HonoEnv>) => Promise<void>;
};

/**
 * Opens an operation with the order of checks: credential, rate, media type and size, schema.
 * The handler then checks the record in the path, references and state.
 */
export function openOperation(operation: AnyOperation): OpenOperation {
  const prove = operation.credentials === "none" ? undefined : authenticate(operation);
  const receive = operation.body || operation.rawMedia ? receiveBody(operation) : undefined;
  const isKeyed = honoursIdempotencyKey(operation);
  const handle = makeHandler(operation);
  const { middleware = [] } = operation;

  async function take(c: Context<HonoEnv>): Promise<void> {
    c.set("operation", operation);
    await prove?.(c);
    if (!operation.countsItself) await rateLimit(c);
    refuseFaults(c.req.raw);
    requireBookmark(c, operation);
    await receive?.(c);
    if (prove && isForwarded(c)) c.res = await forwardProven(c, operation);
    else await decide(c);
  }

  function decide(c: Context<HonoEnv>): Promise<void> {
    const around = [
      ...(isBookmarked(c, operation) ? [answerBookmarks(operation)] : []),
      ...(isKeyed && c.req.header("idempotency-key") !== undefined ? [idempotency] : []),
    ];
    return answerInside(c, around, async () => {
      const response = await handle(c);
      if (!c.finalized) c.res = response;
    });
  }

  return {
    answer: (c) => answerInside(c, middleware, () => take(c)),
    async answerProven(c) {
      c.set("operation", operation);
      await prove?.(c);
      await decide(c);
    },
  };
}

function makeHandler(operation: AnyOperation) {
  const schemas = once(() => loadRequestSchemas(operation));
  return async (c: Context<HonoEnv>): Promise<Response> => {
    const parsed = await parseRequest(c, operation, await schemas());
    const input: HandlerInput = { c, ctx: c.get("ctx"), ...parsed };
    const isDry = isDryRun(input.query);
    const isPlain = !isDry && c.req.header("if-preview") === undefined && input.ctx?.limits === undefined;
    const output = await answerOnce(isPlain ? operation : await asShown(operation), input);
    const response = responseOf(c, operation, output, isDry);
    // A handler may have answered with a response of its own, which has taken the context's headers already.
    if (!response.ok || !isDry) return response;
    response.headers.set("Dry-Run", "true");
    const preview = c.get("preview");
    if (preview !== undefined) response.headers.set("Preview", `"${preview}"`);
    return response;
  };
}

/** The operation, which a few requests are shown first, or are done as they were shown. */
async function asShown(operation: AnyOperation): Promise<AnyOperation> {
  const { answerAsShown } = await import("../preview/answer-as-shown.ts");
  return { ...operation, handler: (input) => answerAsShown(operation, input) };
}

function isDryRun(query: unknown): boolean {
  return typeof query === "object" && query !== null && "dry_run" in query && query.dry_run === true;
}

function responseOf(
  c: Context<HonoEnv>,
  { success, alsoAnswers }: AnyOperation,
  output: unknown,
  isDry: boolean,
): Response {
  if (output instanceof Response) return output;
  if (success.status === 204) return c.body(null, 204);
  const status = isDry && alsoAnswers?.[200] ? 200 : success.status;
  const text = writeJson(output as object);
  if (!c.get("isAskedForText") || c.get("keyed")) return newJsonResponse(c, text, status);
  c.set("text", text);
  return newJsonResponse(c, null, status);
}
