import { expect } from "vitest";
import type { Answer } from "./client.ts";
import { failureOf, faultsOf, type Operation, titleOf } from "./document.ts";

export const portalPath = "/api/public/portal/skip-reasons";

/** The paths that the pages of any origin may call. */
export const openPaths = [portalPath, "/api/portal/store-sessions"];

/** Headers that every answer carries, whatever it is. */
export function expectSafeHeaders(path: string, { headers }: Answer): void {
  expect(headers.get("X-Request-Id"), "X-Request-Id").toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Strict-Transport-Security")).toMatch(/max-age=\d{8}/);
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(headers.get("X-Frame-Options")).toBe("DENY");
  expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(headers.get("Cache-Control"), "Cache-Control").not.toBeNull();
  expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  expect(headers.get("Access-Control-Allow-Origin")).toBe(openPaths.includes(path) ? "*" : null);
}

type JsonRpcError = { jsonrpc?: string; error?: { message: string; data?: { errorCode?: string } } };

/** The answer with its error as the API's envelope: MCP has the same inside JSON-RPC's form. */
export function withEnvelope<B>(answer: Answer<B>): Answer<B> {
  const { jsonrpc, error } = (answer.body ?? {}) as JsonRpcError;
  if (jsonrpc !== "2.0" || error?.data?.errorCode === undefined) return answer;
  return { ...answer, body: { error: error.message, ...error.data } as B };
}

/** Holds an answer to what the document says of the operation: its status, media type, headers and body. */
export function expectDocumented(operation: Operation, answer: Answer): void {
  const { status, headers, text, body } = answer;
  const title = titleOf(operation);
  const documented = operation.responses[status];
  expect(
    documented,
    `${title} answered ${status}, which is not documented: ${text.slice(0, 500)}`,
  ).toBeDefined();
  expectSafeHeaders(operation.path, answer);
  for (const [name, { required }] of Object.entries(documented?.headers ?? {}))
    if (required) expect(headers.get(name), name).not.toBeNull();
  const content = documented?.content;
  if (!content) {
    expect(text, `${title} ${status} has no body`).toBe("");
    return;
  }
  const mediaType = headers.get("Content-Type")?.split(";")[0] ?? "";
  expect(Object.keys(content), `${title} ${status}`).toContain(mediaType);
  const schema = content[mediaType]?.schema ?? {};
  const faults = faultsOf(schema, /[/+]json$/.test(mediaType) ? body : text);
  expect(faults, `${title} ${status} does not conform: ${text.slice(0, 500)}`).toEqual([]);
  const refusal = withEnvelope(answer);
  if (status >= 400 && !isJsonRpc(refusal.body)) expectEnvelope(operation, refusal);
}

/** Errors that the SDK makes of messages it does not understand have no envelope; their schema has been checked. */
function isJsonRpc(body: unknown): boolean {
  return (body as JsonRpcError | undefined)?.jsonrpc === "2.0";
}

function expectEnvelope(operation: Operation, { status, headers, body }: Answer): void {
  const { error, errorCode, request_id, success } = body as Record<string, string>;
  expect(success, "success").toBe(failureOf(operation).success);
  expect(error?.length).toBeGreaterThan(0);
  expect(errorCode).toMatch(/^[A-Z][A-Z_]+$/);
  expect(request_id).toBe(headers.get("X-Request-Id"));
  if (status === 401) expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
  if (status === 429 || status === 503) expect(headers.get("Retry-After")).toMatch(/^\d+$/);
}
