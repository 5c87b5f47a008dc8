import type { Context } from "hono";
import { DomainError, type ErrorCode } from "../../base/errors.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";

/** The code of any failure. One that nobody expected goes to the log with its cause; a page says nothing of that. */
export function codeOf(c: Context<HonoEnv>, error: unknown): ErrorCode {
  const isExpected = error instanceof DomainError;
  const code = isExpected ? error.code : "INTERNAL";
  if (!isExpected)
    c.get("log")("error", {
      code,
      cause: error instanceof Error ? `${error.name}: ${error.message}` : typeof error,
      stack: error instanceof Error ? error.stack : undefined,
    });
  if (code === "RATE_LIMITED" && isExpected) c.header("Retry-After", String(error.retryAfter ?? 60));
  return code;
}
