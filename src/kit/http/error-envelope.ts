import type { ErrorCode, ErrorDetail } from "../../base/errors.ts";

/** What an error response says, in whatever form. */
export type ErrorEnvelope = {
  success?: false;
  error: string;
  errorCode: ErrorCode;
  request_id: string;
  details?: ErrorDetail[];
};
