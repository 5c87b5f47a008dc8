import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { ErrorCode } from "../errors.ts";
import { ErrorBody, type ErrorStatus, ProblemBody, statusOf } from "./errors.ts";
import { type AnyOperation, bodyIsOptional, type Credentials, honoursIdempotencyKey } from "./operation.ts";
import { routeOf } from "./route.ts";

const security: Record<Credentials, Record<string, string[]>[]> = {
  none: [],
  apiKey: [{ apiKey: [] }],
  either: [{ apiKey: [] }, { bearer: [] }],
  apiKeyAndBearer: [{ apiKey: [], bearer: [] }],
};

/** The codes an operation can answer by its kind: what the kit checks, for every operation alike. */
const commonErrors = (operation: AnyOperation): ErrorCode[] => [
  "VALIDATION_FAILED",
  "RATE_LIMITED",
  "INTERNAL",
  "UNAVAILABLE",
  ...(operation.credentials === "none"
    ? []
    : (["UNAUTHENTICATED", "FORBIDDEN", "ACCOUNT_MISMATCH"] as const)),
  ...(operation.params ? (["NOT_FOUND"] as const) : []),
  ...(operation.body ? (["INVALID_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const) : []),
  ...(honoursIdempotencyKey(operation)
    ? (["IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const)
    : []),
];

const meaning: Record<ErrorStatus, string> = {
  400: "The request is not valid",
  401: "A credential is missing or bad",
  403: "The credential does not reach this",
  404: "No such record",
  405: "Method not allowed",
  409: "The state forbids it",
  413: "The body is too large",
  415: "The media type is not supported",
  422: "The Idempotency-Key was used for another request",
  429: "Too many requests",
  500: "A fault of the service",
  503: "Not available for now",
};

/** What the first of these codes looks like. */
const exampleOf = ([code]: ErrorCode[]) => ({
  error:
    code === "VALIDATION_FAILED"
      ? "Request is not valid: page: must be a whole number"
      : meaning[statusOf[code!]],
  errorCode: code,
  request_id: "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10",
  ...(code === "VALIDATION_FAILED" ? { details: [{ path: "page", message: "must be a whole number" }] } : {}),
});

const errorResponses = (operation: AnyOperation) => {
  const codes = [...new Set([...commonErrors(operation), ...(operation.errors ?? [])])];
  const byStatus = Map.groupBy(codes, (code) => statusOf[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: `${meaning[status]}: ${group.join(", ")}.`,
        content: {
          "application/json": { schema: ErrorBody, example: exampleOf(group) },
          "application/problem+json": { schema: ProblemBody },
        },
      },
    ]),
  );
};

const header = (description: string) => ({ description, schema: { type: "string" as const } });

const successResponse = ({ success }: AnyOperation) => {
  const { description, schema, contentType = "application/json", headers = {} } = success;
  const named = Object.entries(headers).map(([name, text]) => [name, header(text)] as const);
  return {
    description,
    headers: {
      "X-Request-Id": header("Names this request in logs and errors."),
      ...Object.fromEntries(named),
    },
    ...(schema ? { content: { [contentType]: { schema } } } : {}),
  };
};

/** Answers besides success and errors; where a status has both, its body is either. */
const otherResponses = ({ alsoAnswers = {} }: AnyOperation, errors: ReturnType<typeof errorResponses>) =>
  Object.fromEntries(
    Object.entries(alsoAnswers).map(([status, { description, schema }]) => {
      const error = errors[status];
      const body = schema && error ? z.union([ErrorBody, schema]) : schema;
      return [
        status,
        {
          description: error ? `${error.description} ${description}` : description,
          ...(body ? { content: { ...error?.content, "application/json": { schema: body } } } : {}),
        },
      ];
    }),
  );

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().optional().openapi({
    minLength: 1,
    maxLength: 255,
    description: "The same key with the same request answers the same for 24 hours, and acts once.",
  }),
});

const bodyOf = (operation: AnyOperation, now: Date) => {
  const { body, bodyExample, otherMedia = {} } = operation;
  if (!body) return {};
  const others = Object.entries(otherMedia).map(([type, { schema }]) => [type, { schema }] as const);
  const content = {
    "application/json": { schema: body, ...(bodyExample ? { example: bodyExample(now) } : {}) },
    ...Object.fromEntries(others),
  };
  return { body: { required: !bodyIsOptional(operation), content } };
};

/** The route that requests pass, with what there is to say of it. */
const describedRoute = (operation: AnyOperation, now: Date): RouteConfig => {
  const route = routeOf(operation);
  const errors = errorResponses(operation);
  return {
    ...route,
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    security: security[operation.credentials],
    request: {
      ...route.request,
      ...(honoursIdempotencyKey(operation) ? { headers: idempotencyHeader } : {}),
      ...bodyOf(operation, now),
    },
    responses: {
      [operation.success.status]: successResponse(operation),
      ...errors,
      ...otherResponses(operation, errors),
    },
  };
};

type Parameter = { required?: boolean; example?: unknown; schema?: { example?: unknown } };

/** The page fills examples in before one presses "Try it out": filters that nobody asked for would find nothing. */
const dropExample = (parameter: Parameter): void => {
  delete parameter.example;
  delete parameter.schema?.example;
};

export type DocumentInfo = { title: string; version: string; description: string };

/** The OpenAPI 3.1 document of these operations: made from the values that are enforced. */
export const documentOf = (
  info: DocumentInfo,
  tagMeanings: Record<string, string>,
  operations: AnyOperation[],
  now: Date,
) => {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A key of the account: `sub_<key id>_<secret>`.",
  });
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A token from `POST /api/auth/token`, or of the deployment's identity provider.",
  });
  for (const operation of operations) registry.registerPath(describedRoute(operation, now));
  const tags = [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tagMeanings[name] ?? name,
  }));
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { ...info, license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" } },
    servers: [{ url: "/" }],
    tags,
  });
  for (const path of Object.values(document.paths ?? {}))
    for (const described of Object.values(path as Record<string, { parameters?: Parameter[] }>))
      described.parameters?.filter(({ required }) => !required).forEach(dropExample);
  return document;
};
