import type { z } from "@hono/zod-openapi";
import { invalid } from "../../base/errors.ts";
import { shorten } from "../../base/lib/text.ts";
import { collectDetails } from "../../kit/http/validate.ts";

/** An error of JSON-RPC (§5.1 of its specification). */
type ProtocolFailure = { code: number; message: string; data?: unknown };

/**
 * An error of the protocol in the words of this API, at a length that does not depend on what was sent. The SDK writes the issues
 * of its validator as JSON into its messages, or quotes what was sent.
 */
export function plainFailure(failure: ProtocolFailure, requestId: string): ProtocolFailure {
  const issues = issuesIn(failure.message);
  if (issues) return refusedParams(issues, requestId);
  const { data, ...rest } = { ...failure, message: shorten(plainMessage(failure.message), maxLength) };
  return JSON.stringify(data ?? null).length > maxLength ? rest : { ...rest, data };
}

/** Enough for an error of the API, which the error of a read repeats in full. */
const maxLength = 1_000;
const invalidParams = -32602;

/** The refusal of a message whose parameters have these faults, as the API refuses a body. */
function refusedParams(issues: z.core.$ZodIssue[], request_id: string): ProtocolFailure {
  const { message, code, details } = invalid(
    collectDetails({ issues }, { value: undefined, schema: undefined }),
  );
  return { code: invalidParams, message, data: { errorCode: code, request_id, details } };
}

/** The validator's issues that stand at the end of a message as JSON. */
function issuesIn(message: string): z.core.$ZodIssue[] | undefined {
  const [json] = /\[\s*\{.*\}\s*\]$/s.exec(message) ?? [];
  try {
    const parsed: unknown = JSON.parse(json ?? "");
    return Array.isArray(parsed) && parsed.every(isIssue) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isIssue(value: unknown): value is z.core.$ZodIssue {
  return (
    typeof value === "object" && value !== null && "code" in value && "path" in value && "message" in value
  );
}

const heading = /^(Invalid params|Invalid Request|Bad Request): (.)/;

/** A sentence without the SDK's own heading, which the code says already. */
function plainMessage(message: string): string {
  return message
    .replace(heading, (_, _heading, first: string) => first.toUpperCase())
    .replace(/^Invalid /, "Not valid: ");
}
