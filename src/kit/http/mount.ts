import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { DomainError, notFound } from "../../base/errors.ts";
import { receiveBody, screenBody } from "./body.ts";
import { authenticate } from "./credentials.ts";
import { errorResponse } from "./errors.ts";
import { forwardProven } from "./forward.ts";
import { answerOnce, idempotency } from "./idempotency.ts";
import { type AnyOperation, type HandlerInput, type HonoEnv, honoursIdempotencyKey } from "./operation.ts";
import { readOtherMedia } from "./other-media.ts";
import { honoPath } from "./paths.ts";
import { rateLimit } from "./rate-limit.ts";
import { answerBookmarks, bookmarks } from "./replicas.ts";
import { routeOf } from "./route.ts";

/**
 * Mounts the operations of one path with the order of checks (docs/decisions.md#1-who-is-calling): method, credential, rate,
 * media type and size, schema. The handler then checks the record in the path, references and state. The checks before the
 * schema are middleware of the route.
 */
export function mount(app: OpenAPIHono<HonoEnv>, operations: AnyOperation[]): OpenAPIHono<HonoEnv> {
  for (const operation of operations)
    app.openapi({ ...routeOf(operation), middleware: checksOf(operation), hide: true }, handlerOf(operation));
  const [first] = operations;
  if (first) app.all(honoPath(first.path), refuseOtherMethods(operations));
  app.notFound((c) => errorResponse(c, notFound("Path")));
  app.onError((error, c) => errorResponse(c, error));
  return app;
}

/** The checks before the schemas, in this order. */
function checksOf(operation: AnyOperation): MiddlewareHandler<HonoEnv>[] {
  const setOperation: MiddlewareHandler<HonoEnv> = async (c, next) => {
    c.set("operation", operation);
    await next();
  };
  return [
    setOperation,
    ...(operation.middleware ?? []),
    authenticate(operation),
    ...(operation.countsItself ? [] : [rateLimit]),
    ...(operation.credentials === "none" ? [] : [forwardProven]),
    ...(bookmarks(operation) ? [answerBookmarks(operation)] : []),
    ...(operation.body ? [receiveBody(operation)] : []),
    ...(honoursIdempotencyKey(operation) ? [idempotency] : []),
    ...(operation.body && !operation.otherMedia ? [screenBody(operation)] : []),
  ];
}

/** What the validators have accepted. */
type Validated = { out: { param: unknown; query: unknown; json: unknown } };

function handlerOf(operation: AnyOperation) {
  return async (c: Context<HonoEnv, string, Validated>): Promise<Response> => {
    const input: HandlerInput = {
      c,
      ctx: c.get("ctx"),
      params: c.req.valid("param"),
      query: c.req.valid("query"),
      body: operation.otherMedia ? await readOtherMedia(operation, c) : c.req.valid("json"),
    };
    const output = await answerOnce(operation, input);
    const response = responseOf(c, operation, output);
    // A handler may have answered with a response of its own, which has taken the context's headers already.
    if (response.ok && isDryRun(input.query)) response.headers.set("Dry-Run", "true");
    return response;
  };
}

function isDryRun(query: unknown): boolean {
  return typeof query === "object" && query !== null && "dry_run" in query && query.dry_run === true;
}

function responseOf(c: Context<HonoEnv>, { success }: AnyOperation, output: unknown): Response {
  if (output instanceof Response) return output;
  return success.status === 204 ? c.body(null, 204) : c.json(output as object, success.status);
}

/** The answer of a path to a method that it does not have (RFC 9110 §15.5.6). */
function refuseOtherMethods(operations: AnyOperation[]) {
  const methods = operations.map(({ method }) => method.toUpperCase());
  const allow = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return (c: Context<HonoEnv>): never => {
    c.header("Allow", allow.join(", "));
    throw new DomainError(
      "METHOD_NOT_ALLOWED",
      `${c.req.method} is not allowed here; use ${allow.join(", ")}`,
    );
  };
}
