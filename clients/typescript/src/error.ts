import type { components } from "./schema.ts";

type ErrorBody = components["schemas"]["Error"];

/** A failure that the API has answered. */
export class PerennialError extends Error {
  readonly status: number;
  readonly errorCode: ErrorBody["errorCode"];
  readonly details: NonNullable<ErrorBody["details"]>;
  readonly requestId: string;

  constructor(status: number, { error, errorCode, details = [], request_id }: ErrorBody) {
    super(error);
    this.name = "PerennialError";
    this.status = status;
    this.errorCode = errorCode;
    this.details = details;
    this.requestId = request_id;
  }
}

/** The data of an answer. Throws a PerennialError where it has none. */
export async function unwrap<Data>(
  answer: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await answer;
  if (error !== undefined || data === undefined || data === null)
    throw new PerennialError(response.status, error as ErrorBody);
  return data;
}
