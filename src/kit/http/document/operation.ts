import type { Context, MiddlewareHandler } from "hono";
import type { z } from "zod";
import type { Forwarded } from "../../../base/accounts/objects.ts";
import type { Resource, Scope } from "../../../base/accounts/scopes.ts";
import type { ApiKey } from "../../../base/accounts/tables.ts";
import type { Db, Usage } from "../../../base/db/port.ts";
import type { Bindings, Env } from "../../../base/env.ts";
import type { ErrorCode } from "../../../base/errors.ts";
import type { Log } from "../../../base/lib/log.ts";
import type { ActorType, Created, Ctx } from "../../context.ts";
import type { Deferrable, Loaded } from "../deferred.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { KeyedRequest } from "../idempotency/idempotency-rows.ts";
import type { Writable } from "../json-text.ts";

/** Who is counted: a key; or an actor, and with it all tokens of the key that issued its token. */
export type CountedCaller = { key: string; issuer?: string };

/** The parts of a request's line in the log that an object adds to. */
export type RequestLine = Usage & {
  account_id: string | undefined;
  errorCode: ErrorCode | undefined;
  actor_type: ActorType | undefined;
  key_id?: string | undefined;
  token_id?: string | null | undefined;
};

/** The bindings and variables that the middleware puts into Hono's context. */
export type HonoEnv = {
  Bindings: Bindings;
  Variables: {
    env: Env;
    db: Db;
    log: Log;
    requestId: string;
    /** Real time; an account's own time is `ctx.now`. */
    now: Date;
    /** The operation of the request's path and method. */
    operation?: Pick<AnyOperation, "path" | "failure" | "secretAnswer" | "errorForm">;
    /** The body, once the operation's schema has accepted it. */
    parsedBody?: unknown;
    ctx: Ctx;
    /** Serves a request to one operation in process, as if it had come by HTTP. */
    dispatch: (operation: AnyOperation, request: Request) => Promise<Response>;
    /** Who calls, the same for all of their tokens. Idempotency-Keys belong to the caller. */
    caller: string;
    /** The key that was sent, if there was one. */
    key?: ApiKey;
    /** By whom rate limits count the request; undefined for an anonymous one. */
    counted?: CountedCaller;
    /** Whether the request has been counted by its client address. */
    countedByAddress?: boolean;
    /** The credentials that have proven who calls, for the log. */
    proof?: {
      key_id?: string | undefined;
      token_id?: string | null | undefined;
      account_id?: string | undefined;
    };
    /** The key and the token that were sent and are valid, for the object that answers instead. */
    proven?: NonNullable<Forwarded["proof"]>;
    /** The account whose object answers the request. */
    forwardedTo?: string;
    /** Whether the request was forwarded to the object that this is. */
    isForwarded: boolean;
    /** The things that the object knows of the request, for the log. */
    lineOfObject?: RequestLine;
    /** The hash of what a dry run would do. */
    preview?: string;
    /** The code of the error that is answered, for the log. */
    errorCode?: ErrorCode;
    /** Whether the answer is handed on as text, so that the response itself needs no body. */
    isAskedForText?: boolean;
    text?: string;
    /** The headers that are kept for the response; absent where it is made by an app of Hono's. */
    headers?: Record<string, string>;
    /** The response that was made with all its headers. */
    whole?: Response;
    /** The parameters of the path. */
    params: Record<string, string>;
    body: Uint8Array<ArrayBuffer>;
    /** Set if the request has an Idempotency-Key that the operation honours. */
    keyed?: KeyedRequest;
  };
};

/**
 * The credentials that an operation requires; `customer` is the token of a customer of a
 * shop whose portal is on. The document and the check both read this.
 */
export type RequiredCredentials = "none" | "apiKey" | "either" | "apiKeyAndBearer" | "customer";

type Schema = z.ZodObject;
export type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

type SuccessText = {
  description: string;
  /** The description of each header of the response, by its name; as `{ optional }` where a response may be without it. */
  headers?: Record<string, string | { optional: string }>;
  /** Other media types that the client may ask for by Accept, and the schema of each. The handler answers them. */
  alsoAs?: Record<string, Deferrable<z.ZodType>>;
};

/** A success: its status, and the schema of its body, which is JSON unless `contentType` names another media type. */
type Success = SuccessText &
  (
    | { status: 200 | 201 | 202; schema: Deferrable<z.ZodType>; contentType?: undefined }
    | { status: 200; schema: Deferrable<z.ZodType>; contentType: string }
    | { status: 204; schema?: undefined; contentType?: undefined }
  );

/** The value that a handler returns: what the schema of the success describes, nothing (204), or a whole Response. */
export type Answer<S extends Success> = S extends { status: 204 }
  ? Promise<void> | Promise<Response | undefined>
  : S extends { contentType: string }
    ? Response | Promise<Response>
    : S extends { schema: infer Body extends Deferrable<z.ZodType> }
      ? Response | Writable<z.input<Loaded<Body>>> | Promise<Response | Writable<z.input<Loaded<Body>>>>
      : never;

/** The parser of bytes of another media type; `schema` describes them in the document. */
type OtherMedia = {
  schema: z.ZodType;
  parse: (bytes: Uint8Array<ArrayBuffer>, contentType: string) => unknown;
};

/** The form of errors where another protocol has its own: their schema, and how the API's envelope is written in it. */
export type ErrorForm = {
  schema: z.ZodType;
  present: (c: Context<HonoEnv>, envelope: ErrorEnvelope) => object;
};

type Input<P, Q, B, A> = {
  c: Context<HonoEnv>;
  ctx: A extends "none" ? undefined : Ctx;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
};

/** One operation of the API. The document shows and the service enforces the same values, so they cannot disagree. */
type Operation<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends RequiredCredentials = RequiredCredentials,
  S extends Success = Success,
> = {
  id: string;
  method: "get" | "post" | "put" | "delete";
  path: string;
  tag: string;
  summary: string;
  description?: string;
  credentials: A;
  /** The resource that it reads (GET) or changes, which names the scope that every credential sent to it needs. */
  resource?: Resource;
  /** Scopes that every credential needs besides, where the operation reads or changes what is of another resource. */
  alsoNeeds?: Scope[];
  /** The scope that a request needs instead, where it leaves out the query parameter that bounds what it changes. */
  unbounded?: { parameter: string; scope: Scope };
  /** Whether a customer's token may call it. The handler limits what the customer sees. */
  customers?: boolean;
  /**
   * The schemas that its requests are checked with. A schema may be deferred, so that the first request for another operation
   * does not make it.
   */
  params?: Deferrable<P>;
  query?: Deferrable<Q>;
  /** Unknown query parameters are ignored, because store proxies add theirs. */
  openQuery?: boolean;
  body?: Deferrable<B>;
  /** An example of the body that depends on the current time. Without it the schema has the example. */
  bodyExample?: (now: Date) => unknown;
  /** Media types besides application/json, and how each is parsed into the value that `body` checks. */
  otherMedia?: Record<string, OtherMedia>;
  /** The media types of a body that the handler reads itself, byte by byte, and the schema of each in the document; then no JSON is taken. */
  rawMedia?: Record<string, Deferrable<z.ZodType>>;
  /** The handler counts the request against the rate limits itself. */
  countsItself?: boolean;
  /** Whether it undoes or ends something, or moves money; deletions do. Agents ask their user before they call it. */
  destructive?: boolean;
  /** Whether its dry run is a preview, as which it can be done (http/preview). */
  previews?: boolean;
  /** Whether a dry run is done by a job, which is written. */
  dryRunsByJob?: boolean;
  /** Whether an agent's call is a dry run unless it says otherwise. */
  agentsRunDry?: boolean;
  /** Bytes; 1 MiB by default. */
  bodyLimit?: number;
  success: S;
  /**
   * Responses besides the success and the errors, such as 304. An operation that takes `dry_run` answers a dry run by these alone, and
   * nothing else by them, unless one `isNotOnlyDry`.
   */
  alsoAnswers?: Record<
    number,
    Pick<SuccessText, "description" | "headers"> & { schema?: Deferrable<z.ZodType>; isNotOnlyDry?: true }
  >;
  /** Error codes besides those that every operation of its kind can return (http/error-responses.ts). */
  errors?: ErrorCode[];
  /** Whether an Idempotency-Key is honoured. By default every POST honours it. */
  idempotent?: boolean;
  /** Whether the response contains a secret. It is then stored sealed, and the operation is no tool of agents. */
  secretAnswer?: boolean;
  /** Whether the request contains a secret. The operation is then no tool of agents. */
  secretBody?: boolean;
  /** Members that every error body of this operation also has. */
  failure?: { success: false };
  /** The form of its errors, if that is not the API's envelope. */
  errorForm?: ErrorForm;
  middleware?: MiddlewareHandler<HonoEnv>[];
  handler: (input: Input<P, Q, B, A>) => Answer<S>;
  /**
   * Answers the retry of a request that has committed, when its response was lost or was too long to store: from the current
   * state of the records. `created` are the ids of the records that the request created. Every POST that honours an
   * Idempotency-Key has this.
   */
  answerAgain?: (input: Input<P, Q, B, A> & { created: Created }) => Answer<S>;
};

/** The values that every handler is called with, as the schemas of its operation have accepted them. */
export type HandlerInput = {
  c: Context<HonoEnv>;
  /** Undefined for operations without credentials. */
  ctx: Ctx | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
};
export type RetryInput = HandlerInput & { created: Created };

/**
 * An operation whose schemas are not known. The handlers are methods, which TypeScript compares loosely: one that takes only
 * the values of its own schemas fits here, and the validators have checked those values before it is called.
 */
export type AnyOperation = Omit<Operation, "handler" | "answerAgain"> & {
  handler(input: HandlerInput): unknown;
  answerAgain?(input: RetryInput): unknown;
};

/** An operation that needs a credential also needs a scope. */
type Scoped<A extends RequiredCredentials> = A extends "none" ? { resource?: never } : { resource: Resource };

/**
 * Declares an operation. The handler's input has the types of `params`, `query` and `body`, and its result must have the type
 * that the success schema describes.
 */
export function operation<
  A extends RequiredCredentials,
  S extends Success,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(config: Operation<P, Q, B, A, S> & Scoped<A>): AnyOperation {
  return config;
}

/** The scopes that an operation needs; none where no credential is needed. */
export function scopesNeeded({ resource, method, alsoNeeds = [] }: AnyOperation): Scope[] {
  return resource ? [`${resource}:${method === "get" ? "read" : "write"}`, ...alsoNeeds] : [];
}

export function mediaTypesOf({ otherMedia = {}, rawMedia }: AnyOperation): string[] {
  if (rawMedia) return Object.keys(rawMedia);
  return ["application/json", ...Object.keys(otherMedia)];
}

/** Whether a request without a body means `{}`, because all fields are optional. */
export function bodyIsOptional({ body }: { body?: z.ZodType | undefined }): boolean {
  return body?.safeParse({}).success ?? true;
}

export function honoursIdempotencyKey({ method, idempotent }: AnyOperation): boolean {
  return method === "post" && idempotent !== false;
}
