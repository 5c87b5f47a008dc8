import type { components } from "./schema.ts";

type ErrorBody = components["schemas"]["Error"];

/** A failure that was answered: by the API, or by something before it, such as a proxy. */
export class PerennialError extends Error {
  readonly status: number;
  /** Undefined where the answer does not come from the API. */
  readonly errorCode: ErrorBody["errorCode"] | undefined;
  readonly details: NonNullable<ErrorBody["details"]>;
  readonly requestId: string | undefined;
  /** The answer as it would be now, where it was to be as a preview has shown. */
  readonly preview: ErrorBody["preview"];

  constructor({ status, headers }: Pick<Response, "status" | "headers">, body: unknown) {
    const own = isErrorBody(body) ? body : undefined;
    super(own ? own.error : `${status}: ${describeForeign(body)}`);
    this.name = "PerennialError";
    this.status = status;
    this.errorCode = own?.errorCode;
    this.details = own?.details ?? [];
    this.preview = own?.preview;
    this.requestId = own?.request_id ?? headers.get("X-Request-Id") ?? undefined;
  }
}

type Answered = { data?: unknown; error?: unknown; response: Response };
type BodyOf<Answer> = Answer extends { data: infer Data; error?: never } ? Data : never;
/** The body of a success; undefined where an operation answers 204. */
type DataOf<Answer> = [BodyOf<Answer>] extends [never] ? undefined : BodyOf<Answer>;

/** The data of an answer; undefined of a 204, such as a deletion's. Throws a PerennialError where it has none. */
export async function unwrap<Answer extends Answered>(answer: Promise<Answer>): Promise<DataOf<Answer>> {
  const { data, error, response } = await answer;
  const isMissing = data === undefined && response.status !== 204;
  if (!response.ok || isMissing) throw new PerennialError(response, error);
  return data as DataOf<Answer>;
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== "object" || body === null) return false;
  const { error, errorCode } = body as Partial<ErrorBody>;
  return typeof error === "string" && typeof errorCode === "string";
}

const shownLength = 200;

function describeForeign(body: unknown): string {
  if (body === undefined || body === "") return "the answer has no body, so it does not come from the API";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const line = text.replace(/\s+/g, " ").trim();
  const shown = line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
  return `the answer does not come from the API: ${shown}`;
}
