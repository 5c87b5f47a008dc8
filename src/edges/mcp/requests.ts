import type { ErrorDetail } from "../../base/errors.ts";
import { idempotencyKeyMessage, isIdempotencyKey } from "../../kit/http/idempotency/idempotency-key.ts";
import { withFaults } from "../../kit/http/in-process.ts";
import { required } from "../../kit/http/issue-messages.ts";
import { shortPages } from "../../kit/http/list/list-answer.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";
import type { OperationTool } from "./tools.ts";

type Values = Record<string, unknown>;

/**
 * The HTTP request of a tool call, with the caller's own credentials. Arguments that belong neither to the path nor to the query go into the
 * body. The operation refuses faults after it knows the caller, those too that a request cannot show it.
 */
export function requestFor(tool: OperationTool, values: unknown, incoming: Request): Request {
  const faults = faultsIn(tool, values);
  return faults.length > 0
    ? withFaults(request(tool, {}, incoming), faults)
    : request(tool, values as Values, incoming);
}

/** The faults that the operation would not see: unknown arguments, and values that a path or header cannot hold. */
function faultsIn({ tool, inPath }: OperationTool, values: unknown): ErrorDetail[] {
  if (!isObject(values)) return [{ path: "arguments", message: "must be an object" }];
  const known = tool.inputSchema.properties as Record<string, unknown>;
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(known, name));
  const unsent = Object.keys(known).filter((name) => !Object.hasOwn(values, name));
  const { idempotency_key: key, full, preview } = values;
  return [
    ...unknown.map((path) => ({ path, message: withSuggestion("unknown field", unsent, path) })),
    ...inPath.flatMap((path) => segmentFaults(path, textOf(values[path] ?? ""))),
    ...(key === undefined || (typeof key === "string" && isIdempotencyKey(key))
      ? []
      : [{ path: "idempotency_key", message: idempotencyKeyMessage }]),
    ...(!Object.hasOwn(known, "preview") || preview === undefined || isHash(preview)
      ? []
      : [{ path: "preview", message: "must be the preview that a dry run has named" }]),
    ...(!Object.hasOwn(known, "full") || full === undefined || typeof full === "boolean"
      ? []
      : [{ path: "full", message: "must be true or false" }]),
  ];
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function request({ operation, inPath, inQuery }: OperationTool, values: Values, incoming: Request): Request {
  const { idempotency_key, full: _full, preview, ...given } = values;
  const rest: Values = operation.agentsRunDry && preview === undefined ? { dry_run: true, ...given } : given;
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
  const headers = new Headers({ [shortPages]: "1" });
  for (const name of forwarded) {
    const value = incoming.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (idempotency_key !== undefined) headers.set("idempotency-key", textOf(idempotency_key));
  if (preview !== undefined) headers.set("if-preview", `"${textOf(preview)}"`);
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
