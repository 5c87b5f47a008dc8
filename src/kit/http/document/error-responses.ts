import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { type ErrorCode, errorCodes } from "../../../base/errors.ts";
import { type ErrorStatus, statusOf, titleOf } from "../errors.ts";
import { ErrorBody, ProblemBody } from "./error-schemas.ts";
import { type AnyOperation, honoursIdempotencyKey } from "./operation.ts";

type Registry = OpenAPIHono["openAPIRegistry"];

/** The errors of an operation by status: each refers to the component of its status and lists the operation's codes. */
export function errorResponses(
  operation: AnyOperation,
): Record<string, { $ref: string; description?: string } | OwnForm> {
  const codes = [...new Set([...commonErrors(operation), ...(operation.errors ?? [])])];
  const byStatus = Map.groupBy(codes, (code) => statusOf[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const description = describe(status, group);
      const $ref = `#/components/responses/${nameOf(status)}`;
      // A status with one code needs no words of the operation's own.
      const shared = codesOf(status).length === 1 ? { $ref } : { $ref, description };
      return [status, inOwnForm(operation, description) ?? shared];
    }),
  );
}

type OwnForm = { description: string; content: { "application/json": { schema: z.ZodType } } };

/** Registers the components that `errorResponses` refers to: one response for each status. */
export function registerErrorResponses(registry: Registry): void {
  registry.register("Error", ErrorBody);
  registry.register("Problem", ProblemBody);
  for (const [key, { meaning, code, headers = {} }] of Object.entries(failures)) {
    const status = Number(key) as ErrorStatus;
    // Paths return 405 for methods without an operation, so no operation documents it.
    if (status === 405) continue;
    registry.registerComponent("responses", nameOf(status), {
      description: codesOf(status).length === 1 ? describe(status, [code]) : `${meaning}.`,
      headers: { "X-Request-Id": textHeader("The id of this request in logs and errors."), ...headers },
      content: {
        "application/json": { schema: reference("Error"), example: exampleOf(code, meaning) },
        "application/problem+json": { schema: reference("Problem") },
      },
    });
  }
}

/** A response header, as the document describes it. */
export function textHeader(description: string, required = true) {
  return { description, required, schema: { type: "string" as const } };
}

/** The errors of an operation of another protocol are in that protocol's form. */
function inOwnForm({ errorForm }: AnyOperation, description: string): OwnForm | undefined {
  return errorForm && { description, content: { "application/json": { schema: errorForm.schema } } };
}

/** The codes that follow from the kind of operation, because the same middleware checks every operation. */
function commonErrors(operation: AnyOperation): ErrorCode[] {
  return [
    "VALIDATION_FAILED",
    "RATE_LIMITED",
    "INTERNAL",
    "UNAVAILABLE",
    ...(operation.credentials === "none"
      ? []
      : (["UNAUTHENTICATED", "FORBIDDEN", "ACCOUNT_MISMATCH"] as const)),
    ...(operation.params ? (["NOT_FOUND"] as const) : []),
    ...(operation.body ? (["INVALID_JSON"] as const) : []),
    ...(operation.body || operation.rawMedia
      ? (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)
      : []),
    ...(operation.previews ? (["PREVIEW_CHANGED", "PREVIEW_REQUIRED", "AMOUNT_ABOVE_LIMIT"] as const) : []),
    ...(honoursIdempotencyKey(operation)
      ? (["IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const)
      : []),
  ];
}

const retryAfter = { "Retry-After": textHeader("Seconds to wait before the next try.") };

/** The meaning of each status, the code in its example, and its additional headers. */
const failures: Record<ErrorStatus, { meaning: string; code: ErrorCode; headers?: object }> = {
  400: { meaning: "The request is not valid", code: "VALIDATION_FAILED" },
  401: {
    meaning: "A credential is missing or not valid",
    code: "UNAUTHENTICATED",
    headers: { "WWW-Authenticate": textHeader("The accepted schemes.") },
  },
  403: { meaning: "The credential does not allow this", code: "FORBIDDEN" },
  404: { meaning: "No such record", code: "NOT_FOUND" },
  405: { meaning: "Method not allowed", code: "METHOD_NOT_ALLOWED" },
  409: { meaning: "The current state does not allow this", code: "INVALID_STATE" },
  413: { meaning: "The body is too large", code: "PAYLOAD_TOO_LARGE" },
  415: { meaning: "The media type or encoding is not supported", code: "UNSUPPORTED_MEDIA_TYPE" },
  422: { meaning: "The Idempotency-Key was used for another request", code: "IDEMPOTENCY_KEY_REUSED" },
  428: { meaning: "A preview is required", code: "PREVIEW_REQUIRED" },
  429: { meaning: "Too many requests", code: "RATE_LIMITED", headers: retryAfter },
  500: { meaning: "An internal error", code: "INTERNAL" },
  503: { meaning: "Temporarily unavailable", code: "UNAVAILABLE", headers: retryAfter },
};

function describe(status: ErrorStatus, codes: ErrorCode[]): string {
  return `${failures[status].meaning}: ${codes.join(", ")}.`;
}

function codesOf(status: ErrorStatus): ErrorCode[] {
  return errorCodes.filter((code) => statusOf[code] === status);
}

function nameOf(status: ErrorStatus): string {
  return titleOf[status].replaceAll(" ", "");
}

function reference(schema: string) {
  return { $ref: `#/components/schemas/${schema}` };
}

function exampleOf(errorCode: ErrorCode, meaning: string) {
  const request_id = "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10";
  if (errorCode !== "VALIDATION_FAILED") return { error: meaning, errorCode, request_id };
  const details = [{ path: "page", message: "must be a whole number" }];
  return { error: "Request is not valid: page: must be a whole number", errorCode, request_id, details };
}
