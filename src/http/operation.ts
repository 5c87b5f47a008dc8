import type { Context, MiddlewareHandler } from "hono";
import type { z } from "zod";
import type { Resource, Scope } from "../accounts/scopes.ts";
import type { Ctx } from "../context.ts";
import type { ErrorCode } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";

/** What an operation asks of its caller (docs/decisions.md#1-who-is-calling). The document and the check both read it. */
export type Credentials = "none" | "apiKey" | "either" | "apiKeyAndBearer";

type Schema = z.ZodObject;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

type SuccessText = {
  description: string;
  /** What the answer's headers say, by their names. */
  headers?: Record<string, string>;
};

/** A success: its status, and the schema of its JSON body; or of a body of another media type, told by `contentType`. */
export type Success = SuccessText &
  (
    | { status: 200 | 201; schema: z.ZodType; contentType?: undefined }
    | { status: 200; schema: z.ZodType; contentType: string }
    | { status: 204; schema?: undefined; contentType?: undefined }
  );

/** What a handler answers: what the schema of the success describes, nothing (204), or a Response of its own. */
export type Answer<S extends Success> = S extends { status: 204 }
  ? Promise<void>
  : S extends { contentType: string }
    ? Response | Promise<Response>
    : S extends { schema: infer Body extends z.ZodType }
      ? Response | z.input<Body> | Promise<Response | z.input<Body>>
      : never;

/** How bytes of another media type are read; `schema` is what the document shows of them. */
export type OtherMedia = {
  schema: z.ZodType;
  parse: (bytes: Uint8Array<ArrayBuffer>, contentType: string) => unknown;
};

type Input<P, Q, B, A> = {
  c: Context<HonoEnv>;
  ctx: A extends "none" ? undefined : Ctx;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
};

/** One operation of the API: what the document says of it and what is enforced are the same values. */
export type Operation<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Credentials = Credentials,
  S extends Success = Success,
> = {
  id: string;
  method: "get" | "post" | "put" | "delete";
  path: string;
  tag: string;
  summary: string;
  description?: string;
  credentials: A;
  /** What it reads (GET) or changes, which names the scope that every credential sent to it needs. */
  resource?: Resource;
  /** Whether a customer's token may call it; what it then sees is the handler's business. */
  customers?: boolean;
  params?: P;
  query?: Q;
  /** Unknown query parameters are let through (store proxies add their own). */
  openQuery?: boolean;
  body?: B;
  /** An example of the body, where it depends on when it is looked at; else its schema has one. */
  bodyExample?: (now: Date) => unknown;
  /** Media types besides application/json, and how each becomes the value that `body` checks. */
  otherMedia?: Record<string, OtherMedia>;
  /** The handler counts the request against rate limits itself. */
  countsItself?: boolean;
  /** Whether it undoes or ends something, or moves money; deletions do. For agents, who ask before they act. */
  destructive?: boolean;
  /** Bytes; 1 MiB unless told. */
  bodyLimit?: number;
  success: S;
  /** Answers besides the success and the errors, such as 304. */
  alsoAnswers?: Record<number, { description: string; schema?: z.ZodType }>;
  /** Codes beyond those that every operation of its kind can answer (http/document.ts). */
  errors?: ErrorCode[];
  /** Whether an Idempotency-Key is honoured; every POST but those that say no. */
  idempotent?: boolean;
  /** Members that each failure of this operation also carries. */
  failure?: { success: false };
  middleware?: MiddlewareHandler<HonoEnv>[];
  handler: (input: Input<P, Q, B, A>) => Answer<S>;
  /**
   * The answer of a request that has taken effect, made of the records as they are now: where its own was lost, or is too
   * long to keep. `made` are the ids that the request made, in order. Every POST that honours an Idempotency-Key has one.
   */
  answerAgain?: (input: Input<P, Q, B, A> & { made: string[] }) => Answer<S>;
};

/** Any operation, its handler callable with what the kit has validated. */
export type AnyOperation = Omit<Operation, "handler" | "answerAgain"> & {
  handler: (input: never) => unknown;
  answerAgain?: (input: never) => unknown;
};

/** An operation that needs a credential also needs a scope. */
type Scoped<A extends Credentials> = A extends "none" ? { resource?: never } : { resource: Resource };

/**
 * Declares an operation; the types of `params`, `query` and `body` reach the handler, and what it answers has to be what
 * the schema of its success describes.
 */
export const operation = <
  A extends Credentials,
  S extends Success,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  config: Operation<P, Q, B, A, S> & Scoped<A>,
): AnyOperation => config;

/** The scope that an operation needs; undefined where no credential is needed. */
export const scopeOf = ({ resource, method }: AnyOperation): Scope | undefined =>
  resource && `${resource}:${method === "get" ? "read" : "write"}`;

/** The id of the record that a request made, which is the last that it made: earlier ones are of tries that failed. */
export const lastOf = (made: string[]): string => made.at(-1) ?? "";

export const mediaTypesOf = ({ otherMedia = {} }: AnyOperation): string[] => [
  "application/json",
  ...Object.keys(otherMedia),
];

/** Whether a request without a body is as good as `{}`: all of its fields are optional. */
export const bodyIsOptional = ({ body }: AnyOperation): boolean => body?.safeParse({}).success ?? true;

export const honoursIdempotencyKey = ({ method, idempotent }: AnyOperation): boolean =>
  method === "post" && idempotent !== false;
