import { DomainError, type ErrorDetail } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { statusOf } from "../../kit/http/errors.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../stores/port.ts";
import type { JobRow, MerchantJob } from "./tables.ts";

type Refusal = { status: JobRow["status"]; errors: ErrorDetail[] };

/**
 * A refusal of the API as the outcome of its row: a conflict with the record's state passes the row over, whatever else is refused is the
 * row's fault. Undefined for what another try may mend.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const http = statusOf[error.code];
  if (http >= 500 || error.code === "VERSION_CONFLICT") return undefined;
  const errors = error.details?.length ? error.details : [{ path: "", message: error.message }];
  return { status: http === 409 ? "SKIPPED" : "FAILED", errors };
}

/** The fault of a row that no refusal explains, with its message where that is for people. It is logged as an alert. */
export function unexpectedFault(ctx: Ctx, { id: job_id }: MerchantJob, n: number, cause: unknown): Refusal {
  ctx.log("job_row_failed", { alert: true, job_id, n, cause: String(cause) });
  return { status: "FAILED", errors: [{ path: "", message: sentenceOf(cause) }] };
}

function sentenceOf(cause: unknown): string {
  if (cause instanceof UnknownOutcomeError) return "The store does not answer about it";
  const isForPeople = cause instanceof DomainError || cause instanceof StoreRefusalError;
  return isForPeople ? cause.message : faultOfOurs;
}

export const faultOfOurs = "Something went wrong on our side";
