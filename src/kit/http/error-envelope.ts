import type { ErrorCode, ErrorDetail } from "../../base/errors.ts";

/** The body of an error response, in whatever form it is sent. */
export type ErrorEnvelope = {
  success?: false;
  error: string;
  errorCode: ErrorCode;
  request_id: string;
  details?: ErrorDetail[];
  /** Its answer as it would be now, where it was to be done as shown before. */
  preview?: unknown;
};
