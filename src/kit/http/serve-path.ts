import { Context, type MiddlewareHandler } from "hono";
import { getPath, tryDecodeURIComponent } from "hono/utils/url";
import type { ForwardedCall, Ran } from "../../base/accounts/objects.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { type OpenOperation, openOperation } from "./document/open-operation.ts";
import type { AnyOperation, HonoEnv } from "./document/operation.ts";
import { allowedOrigins, completeHeaders, keepHeaders } from "./headers.ts";
import { forwardedOf, fromOutside } from "./in-process.ts";
import { requireLocalHost } from "./local-host.ts";
import { nearestPath } from "./nearest-name.ts";
import { beginRequest, endRequest } from "./observe.ts";
import { answerInside, answerWithin } from "./within.ts";

/** The operations of one path; none for a path that the API does not have. */
export type ServedPath = {
  /** All that is known of a request's operation before its method has been looked at. */
  operation?: HonoEnv["Variables"]["operation"];
  byMethod: Map<string, OpenOperation>;
  middleware: MiddlewareHandler<HonoEnv>[];
  /** For a path that the API does not have: those it has. */
  others?: readonly string[] | undefined;
};

/** The surroundings of a request: its platform, and how it is put to another operation in process. */
export type Around = {
  bindings: HonoEnv["Bindings"];
  executionCtx: ExecutionContext;
  dispatch: HonoEnv["Variables"]["dispatch"];
};

export function openPath(
  operations: AnyOperation[],
  middleware: MiddlewareHandler<HonoEnv>[] = [],
): ServedPath {
  const [first] = operations;
  return {
    ...(first ? { operation: atPath(first) } : {}),
    byMethod: new Map(operations.map((each) => [each.method.toUpperCase(), openOperation(each)])),
    middleware,
  };
}

/**
 * Answers a request by the operation that its path has for its method; `params` are those of the path, as they were sent. A HEAD is a
 * GET without the body.
 */
export async function servePath(
  { operation, byMethod, middleware, others }: ServedPath,
  request: Request,
  params: Record<string, string>,
  around: Around,
): Promise<Response> {
  const c = open(request, around);
  if (operation) c.set("operation", operation);
  c.set("params", decoded(params));
  const { method } = request;
  const isHead = method === "HEAD";
  const found = byMethod.get(isHead ? "GET" : method);
  const isOutside = !forwardedOf(request);
  const answer = async () => {
    if (!found) throw newNotServedError(c, { byMethod, others });
    await found.answer(c);
  };
  const origins = isOutside && c.req.header("origin") !== undefined ? [allowedOrigins] : [];
  await observe(c, () => {
    requireLocalHost(c);
    return answerInside(c, [...origins, ...middleware], answer);
  });
  completeHeaders(c, isOutside);
  return isHead ? new Response(null, c.res) : c.res;
}

/** Runs an operation for a request that the Worker outside of this object has proven, counted and received. */
export async function runOperation(
  operation: OpenOperation,
  { request: { method, url, headers, body }, params, forwarded }: ForwardedCall,
  around: Around,
): Promise<Ran> {
  const c = open(fromOutside(new Request(url, { method, headers }), forwarded), around);
  c.set("params", params);
  if (body) c.set("body", body);
  c.set("isAskedForText", true);
  await observe(c, () => operation.answerProven(c));
  completeHeaders(c, false);
  const answer = c.res;
  const text = answer.body === null ? (c.get("text") ?? "") : await wholeText(answer);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text };
}

/** With the byte order mark of a CSV, which `text()` takes off. */
async function wholeText(answer: Response): Promise<string> {
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await answer.arrayBuffer());
}

function open(request: Request, { bindings, executionCtx, dispatch }: Around): Context<HonoEnv> {
  const c = new Context<HonoEnv>(request, { env: bindings, executionCtx });
  c.set("dispatch", dispatch);
  keepHeaders(c);
  return c;
}

/** Has a request answered between its opening and its line in the log. */
function observe(c: Context<HonoEnv>, answer: () => Promise<void>): Promise<void> {
  return answerWithin(c, [], async () => {
    beginRequest(c);
    await answerWithin(c, [], answer);
    endRequest(c);
  });
}

function atPath({ path, errorForm }: AnyOperation): HonoEnv["Variables"]["operation"] {
  return errorForm ? { path, errorForm } : { path };
}

function decoded(params: Record<string, string>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name in params) read[name] = tryDecodeURIComponent(params[name] ?? "");
  return read;
}

/** The refusal of a path that does not exist, or that does not have the method (RFC 9110 §15.5.6). */
function newNotServedError(
  c: Context<HonoEnv>,
  { byMethod, others = [] }: Pick<ServedPath, "byMethod" | "others">,
): DomainError {
  const nearest = byMethod.size === 0 ? nearestPath(others, getPath(c.req.raw)) : undefined;
  if (nearest !== undefined) return new DomainError("NOT_FOUND", `Path not found, did you mean ${nearest}?`);
  if (byMethod.size === 0) return notFound("Path");
  const allow = [...byMethod.keys(), ...(byMethod.has("GET") ? ["HEAD"] : [])].join(", ");
  c.header("Allow", allow);
  return new DomainError("METHOD_NOT_ALLOWED", `${c.req.method} is not allowed here; use ${allow}`);
}
