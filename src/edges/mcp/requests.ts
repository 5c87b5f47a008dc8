import { type ErrorDetail, invalid } from "../../base/errors.ts";
import { idempotencyKeyMessage, isIdempotencyKey } from "../../kit/http/idempotency-key.ts";
import { required } from "../../kit/http/issue-messages.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";
import type { OperationTool } from "./tools.ts";

type Values = Record<string, unknown>;

/** The faults that the operation would not see: unknown arguments, and values that a path or header cannot hold. */
export function faultsIn({ tool, inPath }: OperationTool, values: Values): ErrorDetail[] {
  const known = tool.inputSchema.properties as Record<string, unknown>;
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(known, name));
  const unsent = Object.keys(known).filter((name) => !Object.hasOwn(values, name));
  const { idempotency_key: key, full } = values;
  return [
    ...unknown.map((path) => ({ path, message: withSuggestion("unknown field", unsent, path) })),
    ...inPath.flatMap((path) => segmentFaults(path, textOf(values[path] ?? ""))),
    ...(key === undefined || (typeof key === "string" && isIdempotencyKey(key))
      ? []
      : [{ path: "idempotency_key", message: idempotencyKeyMessage }]),
    ...(!Object.hasOwn(known, "full") || full === undefined || typeof full === "boolean"
      ? []
      : [{ path: "full", message: "must be true or false" }]),
  ];
}

/** The result of a call with faults, in the API's own error envelope. */
export function refusalOf(faults: ErrorDetail[], request_id: string) {
  const { message, code, details } = invalid(faults);
  const envelope = { error: message, errorCode: code, request_id, details };
  return { content: [{ type: "text" as const, text: JSON.stringify(envelope) }], isError: true };
}

/**
 * The HTTP request of a tool call, with the caller's own credentials. Arguments that belong neither to the path nor to the
 * query go into the body, and the operation refuses the unknown ones.
 */
export function requestFor(
  { operation, inPath, inQuery }: OperationTool,
  values: Values,
  incoming: Request,
): Request {
  const { idempotency_key, full: _full, ...given } = values;
  const rest: Values = operation.agentsRunDry ? { dry_run: true, ...given } : given;
  const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(rest[name] ?? "")),
  );
  const url = new URL(path, incoming.url);
  const body: Values = {};
  for (const [name, value] of Object.entries(rest)) {
    if (inPath.includes(name)) continue;
    if (operation.body && !inQuery.includes(name)) body[name] = value;
    else if (value !== undefined) url.searchParams.set(name, textOf(value));
  }
  const headers = new Headers();
  for (const name of forwarded) {
    const value = incoming.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (idempotency_key !== undefined) headers.set("idempotency-key", textOf(idempotency_key));
  const method = operation.method.toUpperCase();
  if (!operation.body) return new Request(url, { method, headers });
  headers.set("content-type", "application/json");
  return new Request(url, { method, headers, body: JSON.stringify(body) });
}

const isStep = /^\.{1,2}$/;

/** Why a value cannot stand in a path: it is absent, or a step to another path. */
function segmentFaults(path: string, text: string): ErrorDetail[] {
  if (text === "") return [{ path, message: required }];
  return isStep.test(text) ? [{ path, message: "must be an id" }] : [];
}

const forwarded = ["x-api-key", "authorization", "cf-connecting-ip", "x-request-id"];

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
