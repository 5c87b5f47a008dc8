import type { Context, Hono, MiddlewareHandler } from "hono";
import { DomainError, notFound } from "../../base/errors.ts";
import { once } from "../../base/lib/once.ts";
import { receiveBody } from "./body.ts";
import { authenticate } from "./credentials.ts";
import { errorResponse } from "./errors.ts";
import { forwardProven } from "./forward.ts";
import { answerOnce, idempotency } from "./idempotency.ts";
import { loadRequestSchemas } from "./load-schemas.ts";
import { type AnyOperation, type HandlerInput, type HonoEnv, honoursIdempotencyKey } from "./operation.ts";
import { parseRequest } from "./parse-request.ts";
import { honoPath } from "./paths.ts";
import { rateLimit } from "./rate-limit.ts";
import { answerBookmarks, bookmarks } from "./replicas.ts";

/**
 * Mounts the operations of one path with the order of checks (docs/decisions.md#1-who-is-calling): method, credential, rate,
 * media type and size, schema. The handler then checks the record in the path, references and state. The checks before the
 * schema are middleware of the route.
 */
export function mount(app: Hono<HonoEnv>, operations: AnyOperation[]): Hono<HonoEnv> {
  for (const operation of operations)
    app.on(operation.method, [honoPath(operation.path)], ...makeChecks(operation), makeHandler(operation));
  const [first] = operations;
  if (first) app.all(honoPath(first.path), refuseOtherMethods(operations));
  app.notFound((c) => errorResponse(c, notFound("Path")));
  app.onError((error, c) => errorResponse(c, error));
  return app;
}

/** The checks before the schemas, in this order. */
function makeChecks(operation: AnyOperation): MiddlewareHandler<HonoEnv>[] {
  const proves = operation.credentials !== "none";
  return [
    ...(operation.middleware ?? []),
    inOrder([
      async (c) => c.set("operation", operation),
      ...(proves ? [authenticate(operation)] : []),
      ...(operation.countsItself ? [] : [rateLimit]),
      ...(proves ? [forwardProven] : []),
    ]),
    ...(bookmarks(operation) ? [answerBookmarks(operation)] : []),
    ...(operation.body ? [inOrder([receiveBody(operation)])] : []),
    ...(honoursIdempotencyKey(operation) ? [idempotency] : []),
  ];
}

/** A check that refuses a request by throwing, or answers it by itself, or lets it pass. */
type Check = (c: Context<HonoEnv>) => Promise<Response | undefined> | Promise<void>;

function inOrder(checks: Check[]): MiddlewareHandler<HonoEnv> {
  return async (c, next) => {
    for (const check of checks) {
      const response = await check(c);
      if (response) return response;
    }
    return next();
  };
}

function makeHandler(operation: AnyOperation) {
  const schemas = once(() => loadRequestSchemas(operation));
  return async (c: Context<HonoEnv>): Promise<Response> => {
    const parsed = await parseRequest(c, operation, await schemas());
    const input: HandlerInput = { c, ctx: c.get("ctx"), ...parsed };
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
