/** The fields of an error (docs.stripe.com/api/errors). */
export type ErrorFields = {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  param?: string;
  [field: string]: unknown;
};

/** A refusal that Stripe answers with. */
export class StripeError extends Error {
  status: number;
  fields: ErrorFields;
  /** Whether it is answered before the endpoint begins, so that an idempotency key does not keep it. */
  isBefore: boolean;

  constructor(status: number, fields: ErrorFields, { isBefore = false } = {}) {
    super(fields.message);
    this.status = status;
    this.fields = fields;
    this.isBefore = isBefore;
  }

  get body() {
    const { code } = this.fields;
    const doc_url = code && `https://docs.stripe.com/error-codes#${code.replaceAll("_", "-")}`;
    return { error: { ...(doc_url ? { doc_url } : {}), ...this.fields } };
  }
}

/** A request that cannot be carried out as it is. */
export function invalid(message: string, more: { code?: string; param?: string } = {}): StripeError {
  return new StripeError(400, { type: "invalid_request_error", message, ...more });
}

/**
 * Parameters that are wrong in themselves: the endpoint does not begin, so the key may be used again (docs.stripe.com/api/idempotent_requests,
 * "If incoming parameters fail validation … we don't save the idempotent result").
 */
export function wrongParameter(param: string, code: string, message: string): StripeError {
  return new StripeError(400, { type: "invalid_request_error", code, param, message }, { isBefore: true });
}
