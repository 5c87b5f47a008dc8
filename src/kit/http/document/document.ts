import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { idempotencyKeyPattern } from "../idempotency/idempotency-key.ts";
import { previewPattern } from "../preview/if-preview.ts";
import { bookmarkHeader, bookmarkPattern, bookmarks, readsFromReplicas } from "../replicas.ts";
import { writeFieldTexts } from "./describe.ts";
import { errorResponses, registerErrorResponses, textHeader } from "./error-responses.ts";
import type { LoadedOperation } from "./load-schemas.ts";
import {
  bodyIsOptional,
  honoursIdempotencyKey,
  type RequiredCredentials,
  scopesNeeded,
} from "./operation.ts";

/** The OpenAPI 3.1 document of these operations, made from the same values that are enforced. */
export function buildDocument(
  info: DocumentInfo,
  tagMeanings: Record<string, string>,
  operations: LoadedOperation[],
  webhooks: DescribedWebhook[],
  now: Date,
) {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description:
      "A key of the account: `prnl_<key id>_<secret><checksum>`. It does what its scopes allow; each operation names the one that it needs.",
  });
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A token from `POST /api/auth/token`, or from the deployment's identity provider. A token has the scopes of the key that issued it, or fewer; a customer's token reaches the operations that are meant for customers.",
  });
  registerErrorResponses(registry);
  for (const operation of operations) registry.registerPath(describedRoute(operation, now));
  for (const webhook of webhooks) registry.registerWebhook(describedWebhook(webhook));
  const tags = [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tagMeanings[name] ?? "",
  }));
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { ...info, license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" } },
    servers: [{ url: "/" }],
    tags,
  });
  for (const path of Object.values(document.paths ?? {}))
    for (const { parameters = [] } of Object.values(path as Record<string, { parameters?: Parameter[] }>)) {
      parameters.forEach(unwrapReference);
      parameters.forEach(describeOnce);
      parameters.filter(({ required }) => !required).forEach(onlyShowExample);
    }
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  Object.values(schemas).forEach(dropTypeOfUnion);
  writeFieldTexts(schemas);
  return document;
}

/** Each entry is one way to call: all credentials that it names are needed, each with the scope; the description names further ones. */
function securityOf(operation: LoadedOperation): Record<string, string[]>[] {
  const needed: string[] = scopesNeeded(operation).slice(0, 1);
  const ways: Record<RequiredCredentials, Record<string, string[]>[]> = {
    none: [],
    apiKey: [{ apiKey: needed }],
    either: [{ apiKey: needed }, { bearer: needed }],
    apiKeyAndBearer: [{ apiKey: needed, bearer: needed }],
    customer: [{ bearer: needed }],
  };
  return ways[operation.credentials];
}

function successResponse(operation: LoadedOperation) {
  const { success, alsoAnswers } = operation;
  const { description, schema, contentType = "application/json", headers = {}, alsoAs = {} } = success;
  const hasDryRun = takesDryRun(operation) && !alsoAnswers;
  return {
    description,
    headers: {
      "X-Request-Id": textHeader("The id of this request in logs and errors."),
      ...(bookmarks(operation)
        ? {
            [bookmarkHeader]: textHeader(
              "How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that.",
              false,
            ),
          }
        : {}),
      ...(hasDryRun ? dryRunHeaders(operation, false) : {}),
      // A dry run makes nothing that a header such as Location could name.
      ...namedHeaders(headers, !hasDryRun),
    },
    ...(schema ? { content: { [contentType]: { schema }, ...mediaOf(alsoAs) } } : {}),
  };
}

function namedHeaders(headers: Record<string, string | { optional: string }>, required: boolean) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      typeof text === "string" ? textHeader(text, required) : textHeader(text.optional, false),
    ]),
  );
}

function mediaOf(schemas: Record<string, z.ZodType>) {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
}

function takesDryRun({ query }: LoadedOperation): boolean {
  return query !== undefined && "dry_run" in query.shape;
}

function dryRunHeaders({ previews }: LoadedOperation, required: boolean) {
  return {
    "Dry-Run": textHeader("`true` for a dry run.", required),
    ...(previews
      ? {
          Preview: textHeader("The hash of what a dry run has shown, in quotes, for `If-Preview`.", required),
        }
      : {}),
  };
}

/** Responses besides success and errors. Where the operation takes a dry run, this is the answer to it. */
function otherResponses(operation: LoadedOperation) {
  return Object.fromEntries(
    Object.entries(operation.alsoAnswers ?? {}).map(
      ([status, { description, headers, schema, isNotOnlyDry }]) => [
        status,
        {
          description,
          ...((headers || takesDryRun(operation)) && {
            headers: {
              ...(takesDryRun(operation) ? dryRunHeaders(operation, !isNotOnlyDry) : {}),
              ...namedHeaders(headers ?? {}, true),
            },
          }),
          ...(schema ? { content: { "application/json": { schema } } } : {}),
        },
      ],
    ),
  );
}

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().optional().openapi({
    pattern: idempotencyKeyPattern,
    example: "order-4711-ship",
    description:
      "Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records.",
  }),
});

const bookmarkRequestHeader = z.object({
  [bookmarkHeader]: z.string().optional().openapi({
    pattern: bookmarkPattern,
    example: "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683",
    description:
      "Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused.",
  }),
});

const previewHeader = z.object({
  "If-Preview": z
    .string()
    .optional()
    .openapi({
      pattern: previewPattern,
      example: `"${"0123456789abcdef".repeat(4)}"`,
      description:
        "The header `Preview` of a dry run: the request is done only if it still does what was shown, else 409 PREVIEW_CHANGED with what it would do now.",
    }),
});

function headersOf(operation: LoadedOperation) {
  if (operation.previews)
    return {
      headers: honoursIdempotencyKey(operation)
        ? idempotencyHeader.extend(previewHeader.shape)
        : previewHeader,
    };
  if (honoursIdempotencyKey(operation)) return { headers: idempotencyHeader };
  return readsFromReplicas(operation) ? { headers: bookmarkRequestHeader } : {};
}

function bodyOf(operation: LoadedOperation, now: Date) {
  const { body, bodyExample, otherMedia = {}, rawMedia } = operation;
  if (rawMedia) return { body: { required: true, content: mediaOf(rawMedia) } };
  if (!body) return {};
  const others = Object.entries(otherMedia).map(([type, { schema }]) => [type, { schema }] as const);
  const content = {
    "application/json": { schema: body, ...(bodyExample ? { example: bodyExample(now) } : {}) },
    ...Object.fromEntries(others),
  };
  return { body: { required: !bodyIsOptional(operation), content } };
}

function describedRoute(operation: LoadedOperation, now: Date): RouteConfig {
  const { method, path, params, query = noQuery } = operation;
  return createRoute({
    method,
    path,
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...descriptionOf(operation),
    security: securityOf(operation),
    request: {
      query,
      ...(params ? { params } : {}),
      ...headersOf(operation),
      ...bodyOf(operation, now),
    },
    responses: {
      [operation.success.status]: successResponse(operation),
      ...errorResponses(operation),
      ...otherResponses(operation),
    },
  });
}

/** An operation names one scope in its security; the description names those that it needs besides. */
function descriptionOf({ description, alsoNeeds = [], unbounded }: LoadedOperation): {
  description?: string;
} {
  const also = alsoNeeds.map((scope) => `Every credential needs the scope \`${scope}\` besides.`);
  const instead = unbounded
    ? [`Without \`${unbounded.parameter}\` it needs the scope \`${unbounded.scope}\` instead.`]
    : [];
  const texts = [...(description ? [description] : []), ...also, ...instead];
  return texts.length > 0 ? { description: texts.join(" ") } : {};
}

const noQuery = z.strictObject({});

/** A request that the service sends: its name, and the schema of its body with an example. */
type DescribedWebhook = { type: string; summary: string; schema: z.ZodType; example?: object };

const webhookHeaders = z.object({
  "webhook-id": z.string().openapi({ description: "The event's id, the same with every try." }),
  "webhook-timestamp": z.string().openapi({ description: "When this try was sent: seconds since 1970." }),
  "webhook-signature": z.string().openapi({
    description:
      "`v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated.",
  }),
});

function describedWebhook({ type, summary, schema, example }: DescribedWebhook) {
  const media = { schema, ...(example ? { example } : {}) };
  return {
    method: "post" as const,
    path: type,
    operationId: `receive_${type.replaceAll(/[.*]+/g, "_")}`,
    summary,
    security: [],
    request: {
      headers: webhookHeaders,
      body: { required: true, content: { "application/json": media } },
    },
    responses: {
      "2XX": { description: "Accepted: it is not sent again." },
      "4XX": { description: "Not accepted: it is tried again; 410 disables the endpoint." },
      "5XX": { description: "Not accepted: it is tried again." },
    },
  };
}

type Parameter = {
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: { description?: string; example?: unknown; examples?: unknown[]; allOf?: Parameter["schema"][] };
};

/** A parameter has its description beside the schema, so a schema that refers to a component needs no wrapper for one. */
function unwrapReference(parameter: Parameter): void {
  const [reference] = parameter.schema?.allOf ?? [];
  if (reference) parameter.schema = reference;
}

/** The library repeats a parameter's description in its schema. */
function describeOnce({ description, schema }: Parameter): void {
  if (schema?.description === description) delete schema?.description;
}

/** "Try it out" would send `example`, and filters that the reader did not choose would find nothing. `examples` are only shown. */
function onlyShowExample(parameter: Parameter): void {
  const { schema } = parameter;
  const example = parameter.example ?? schema?.example;
  delete parameter.example;
  if (example === undefined || !schema) return;
  delete schema.example;
  schema.examples = [example];
}

type Schema = { type?: string | string[]; anyOf?: { type?: string }[]; properties?: Record<string, object> };

/** The library asks for a type of what it does not generate itself. Of a union every member has its own. */
function dropTypeOfUnion(schema: Schema): void {
  if (Array.isArray(schema.type) && schema.anyOf?.every(({ type }) => type !== undefined)) delete schema.type;
}

type DocumentInfo = { title: string; version: string; description: string };
