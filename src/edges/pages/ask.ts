import type { Context } from "hono";
import type { z } from "zod";
import type { ProvenToken } from "../../base/accounts/proven-token.ts";
import type { Scope } from "../../base/accounts/scopes.ts";
import type { Db } from "../../base/db/port.ts";
import { sideBySide } from "../../base/db/wrapped/side-by-side.ts";
import { DomainError, type ErrorCode } from "../../base/errors.ts";
import type { AnyOperation, HonoEnv } from "../../kit/http/document/operation.ts";
import { statusOf } from "../../kit/http/errors.ts";
import { onBehalfOf } from "../../kit/http/in-process.ts";

/** The schema of each operation's answer that pages call. */
type AnswerSchemas = Record<string, z.ZodType | undefined>;

export type Call<Id extends string> = {
  id: Id;
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** The body, where it is a text of another media type than JSON. */
  text?: { type: string; content: string | ArrayBuffer };
  /** Another media type that the operation answers in; the answer is then its text. */
  accept?: "text/csv";
  /** An Idempotency-Key. */
  key?: string;
  /** The preview that it is to be done as. */
  preview?: string;
  /** Whether a refusal is an answer too: the error. */
  mayBeRefused?: true;
  /** Scopes that this one call has beside those of the session. */
  alsoScopes?: readonly Scope[];
};

type CallOf<Schemas extends AnswerSchemas> = Call<keyof Schemas & string>;
type AnswerOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
export type AnswerTo<Schemas extends AnswerSchemas, One extends CallOf<Schemas>> = One extends {
  mayBeRefused: true;
}
  ? AnswerOf<Schemas[One["id"]]> | DomainError
  : AnswerOf<Schemas[One["id"]]>;
type Answers<Schemas extends AnswerSchemas, Calls extends readonly CallOf<Schemas>[]> = {
  -readonly [K in keyof Calls]: AnswerTo<Schemas, Calls[K]>;
};

/**
 * Makes the function with which pages call operations, several at once in as few trips as the longest of them takes. A call
 * passes every check of the API as the one whose session it is, so a page can do nothing that the API refuses.
 */
export function makeAskAs<Schemas extends AnswerSchemas>(operations: AnyOperation[]) {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return async <const Calls extends readonly CallOf<Schemas>[]>(
    c: Context<HonoEnv>,
    token: ProvenToken,
    calls: Calls,
  ): Promise<Answers<Schemas, Calls>> => {
    const works = calls.map((call) => async (db: Db) => {
      const operation = byId.get(call.id);
      if (!operation) throw new Error(`There is no operation ${call.id}`);
      const request = onBehalfOf(buildRequest(c, operation, call), { token: reaching(token, call), db });
      const answer = readAnswer(call, await c.get("dispatch")(operation, request));
      return call.mayBeRefused ? answer.catch(answerIfRefused) : answer;
    });
    return (await sideBySide(c.get("db"), works)) as Answers<Schemas, Calls>;
  };
}

function reaching({ claims, ...token }: ProvenToken, { alsoScopes = [] }: Call<string>): ProvenToken {
  const scopes = claims.scopes && [...claims.scopes, ...alsoScopes];
  return { ...token, claims: { ...claims, scopes } };
}

function buildRequest(
  c: Context<HonoEnv>,
  operation: AnyOperation,
  { path = {}, query, body, text, accept, key, preview }: Call<string>,
) {
  const filled = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ""),
  );
  const url = new URL(filled, c.req.url);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const headers = new Headers({ "x-request-id": c.get("requestId") });
  for (const name of ["host", "cf-connecting-ip"]) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (accept !== undefined) headers.set("accept", accept);
  if (key !== undefined) headers.set("idempotency-key", key);
  if (preview !== undefined) headers.set("if-preview", `"${preview}"`);
  if (operation.body) headers.set("content-type", "application/json");
  if (text) headers.set("content-type", text.type);
  const content = text?.content ?? (operation.body ? JSON.stringify(body ?? {}) : null);
  return new Request(url, { method: operation.method.toUpperCase(), headers, body: content });
}

async function readAnswer({ accept }: Call<string>, response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok && accept) return text;
  const parsed = text === "" ? undefined : JSON.parse(text);
  if (response.ok && parsed) named.set(parsed, response.headers);
  if (response.ok) return parsed;
  const wait = response.headers.get("Retry-After");
  const retryAfter = wait === null ? undefined : Number(wait);
  throw new DomainError(parsed.errorCode as ErrorCode, parsed.error, parsed.details, retryAfter);
}

/** The entry of the change that an operation has answered; undefined where it has changed nothing. */
export function entryOf(answer: object): string | undefined {
  return named.get(answer)?.get("entry-id") ?? undefined;
}

/** The hash of the preview that the answer to a dry run is; undefined where it is none. */
export function previewOf(answer: unknown): string | undefined {
  return typeof answer === "object" && answer !== null
    ? named.get(answer)?.get("preview")?.slice(1, -1)
    : undefined;
}

/** The headers of responses, by the answers that were read from them. */
const named = new WeakMap<object, Headers>();

/** Whether an operation has refused what was asked of it. */
export function isRefusal(answer: unknown): answer is DomainError {
  return answer instanceof DomainError;
}

/** Throws what says nothing of the request itself: a fault of ours, or an outage. */
function answerIfRefused(error: unknown): DomainError {
  if (error instanceof DomainError && statusOf[error.code] < 500) return error;
  throw error;
}
