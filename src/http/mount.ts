import type { Context, Hono } from "hono";
import { DomainError, notFound } from "../errors.ts";
import { receiveBody } from "./body.ts";
import { authenticate } from "./credentials.ts";
import { errorResponse } from "./errors.ts";
import type { HonoEnv } from "./hono-env.ts";
import { answeringAgain, idempotency } from "./idempotency.ts";
import { type AnyOperation, honoursIdempotencyKey } from "./operation.ts";
import { rateLimit } from "./rate-limit.ts";
import { type Validated, validate } from "./validate.ts";

const honoPath = (path: string): string => path.replaceAll(/\{(.+?)\}/g, ":$1");

/** Concrete segments before templated ones, as OpenAPI matches paths. */
const bySpecificity = (a: string, b: string): number => {
  const [left, right] = [a.split("/"), b.split("/")];
  for (const [index, segment] of left.entries()) {
    const other = right[index] ?? "";
    if (segment !== other) return Number(segment.startsWith("{")) - Number(other.startsWith("{"));
  }
  return 0;
};

const answer = (c: Context<HonoEnv>, { success }: AnyOperation, output: unknown): Response => {
  if (output instanceof Response) return output;
  return success.status === 204 ? c.body(null, 204) : c.json(output as object, success.status);
};

type Handler = (input: Validated & { c: unknown; ctx: unknown; made: string[] }) => unknown;

const handle = (operation: AnyOperation) => {
  const validated = validate(operation);
  return async (c: Context<HonoEnv>): Promise<Response> => {
    const made = c.get("made");
    const handler = (made ? answeringAgain(operation) : operation.handler) as Handler;
    const input = { c, ctx: c.get("ctx"), made: made ?? [], ...(await validated(c)) };
    return answer(c, operation, await handler(input));
  };
};

/** What a path answers to a method it does not have (RFC 9110 §15.5.6). */
const methodNotAllowed = (operations: AnyOperation[]) => {
  const methods = operations.map(({ method }) => method.toUpperCase());
  const allow = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return (c: Context<HonoEnv>): never => {
    c.header("Allow", allow.join(", "));
    throw new DomainError(
      "METHOD_NOT_ALLOWED",
      `${c.req.method} is not allowed here; use ${allow.join(", ")}`,
    );
  };
};

const mountOne = (app: Hono<HonoEnv>, operation: AnyOperation): void => {
  const guards = [
    async (c: Context<HonoEnv>, next: () => Promise<void>) => {
      c.set("operation", operation);
      await next();
    },
    ...(operation.middleware ?? []),
    authenticate(operation),
    ...(operation.countsItself ? [] : [rateLimit]),
    receiveBody(operation),
    ...(honoursIdempotencyKey(operation) ? [idempotency] : []),
  ];
  app.on(operation.method.toUpperCase(), [honoPath(operation.path)], ...guards, handle(operation));
};

/**
 * Mounts operations in the order of checks (docs/decisions.md#1-who-is-calling): path, method, credential, rate, media type and size,
 * schema; then the handler's own: the record in the path, references, state.
 */
export const mount = (app: Hono<HonoEnv>, operations: AnyOperation[]): Hono<HonoEnv> => {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  for (const path of [...byPath.keys()].sort(bySpecificity)) {
    const here = byPath.get(path) ?? [];
    for (const operation of here) mountOne(app, operation);
    app.all(honoPath(path), methodNotAllowed(here));
  }
  app.notFound((c) => errorResponse(c, notFound("Path")));
  app.onError((error, c) => errorResponse(c, error));
  return app;
};
