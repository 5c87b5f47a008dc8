import { expect } from "vitest";
import type { Answer } from "./client.ts";
import { failureOf, faultsOf, type Operation, titleOf } from "./document.ts";

export const portalPath = "/api/public/portal/skip-reasons";

/** The paths that the pages of any origin may call. */
export const openPaths = [portalPath, "/api/portal/store-sessions"];

/** Headers that every answer carries, whatever it is. */
export function expectSafeHeaders(path: string, { headers }: Answer): void {
  const others = Object.entries(safeHeaders).filter(([name, isSafe]) => !isSafe(headers.get(name), path));
  expect(Object.fromEntries(others.map(([name]) => [name, headers.get(name)])), "unsafe headers").toEqual({});
}

/** They are held to with one assertion: tens of thousands of answers are looked at, and one takes longer than to look. */
const safeHeaders: Record<string, (value: string | null, path: string) => boolean> = {
  "X-Request-Id": (value) => value !== null && /^[A-Za-z0-9_.-]{1,128}$/.test(value),
  "X-Content-Type-Options": (value) => value === "nosniff",
  "Strict-Transport-Security": (value) => value !== null && /max-age=\d{8}/.test(value),
  "Referrer-Policy": (value) => value === "no-referrer",
  "X-Frame-Options": (value) => value === "DENY",
  "Content-Security-Policy": (value) => value?.includes("default-src 'none'") ?? false,
  "Cache-Control": (value) => value !== null,
  "Access-Control-Allow-Credentials": (value) => value === null,
  "Access-Control-Allow-Origin": (value, path) => value === (openPaths.includes(path) ? "*" : null),
};

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
  if (!documented) expect.fail(`${title} answered ${status}, which is not documented: ${text.slice(0, 500)}`);
  expectSafeHeaders(operation.path, answer);
  for (const [name, { required }] of Object.entries(documented.headers ?? {}))
    if (required && headers.get(name) === null) expect.fail(`${title} ${status} lacks ${name}`);
  const { content } = documented;
  if (!content) {
    expect(text, `${title} ${status} has no body`).toBe("");
    return;
  }
  const mediaType = headers.get("Content-Type")?.split(";")[0] ?? "";
  if (!Object.hasOwn(content, mediaType))
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
  expect({ success, request_id, errorCode, isWorded: (error?.length ?? 0) > 0 }).toEqual({
    success: failureOf(operation).success,
    request_id: headers.get("X-Request-Id"),
    errorCode: expect.stringMatching(/^[A-Z][A-Z_]+$/),
    isWorded: true,
  });
  if (status === 401) expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
  if (status === 429 || status === 503) expect(headers.get("Retry-After")).toMatch(/^\d+$/);
}
