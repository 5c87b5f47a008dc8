import { type ErrorDetail, invalid } from "../errors.ts";
import type { OperationTool } from "./tools.ts";

type Values = Record<string, unknown>;

const inHeader = /^[\x20-\x7e]{1,255}$/;
const inSegment = /^(?!\.{1,2}$)./s;

/** The faults that the operation would not see: unknown arguments, and values that a path or header cannot hold. */
export function faultsIn({ tool, inPath }: OperationTool, values: Values): ErrorDetail[] {
  const known = tool.inputSchema.properties as Record<string, unknown>;
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(known, name));
  const missing = inPath.filter((name) => !inSegment.test(textOf(values[name] ?? "")));
  const { idempotency_key: key, full } = values;
  return [
    ...unknown.map((path) => ({ path, message: "unknown field" })),
    ...missing.map((path) => ({ path, message: "is required" })),
    ...(key === undefined || (typeof key === "string" && inHeader.test(key))
      ? []
      : [{ path: "idempotency_key", message: "must have 1 to 255 ASCII characters" }]),
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

const forwarded = ["x-api-key", "authorization", "cf-connecting-ip", "x-request-id"];

/**
 * The HTTP request of a tool call, with the caller's own credentials. Arguments that belong neither to the path nor to the
 * query go into the body, and the operation refuses the unknown ones.
 */
export function requestFor(
  { operation, inPath, inQuery }: OperationTool,
  values: Values,
  incoming: Request,
): Request {
  const { idempotency_key, full: _full, ...rest } = values;
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

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
