import { type ErrorDetail, invalid } from "../errors.ts";
import { type AnyOperation, honoursIdempotencyKey, scopeOf } from "../http/operation.ts";

/** The part of JSON Schema that this file reads. */
type Schema = {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  [keyword: string]: unknown;
};

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Media = { schema: Schema };
type Described = {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};

/** The part of the OpenAPI document from which tools are made. */
export type ApiDocument = { paths?: object; components?: { schemas?: object } };

type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  outputSchema?: { type: "object"; [keyword: string]: unknown };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
};

/** A tool, and how its arguments map to the request of its operation. */
export type OperationTool = {
  tool: Tool;
  operation: AnyOperation;
  inPath: string[];
  inQuery: string[];
  /** The whole body is one argument, `body`, unless it is a plain object of named fields. */
  wholeBody: boolean;
  /** The operation returns a list. A tool must return an object, so the list is its `result`. */
  wrapsResult: boolean;
};

const componentPrefix = "#/components/schemas/";

/** The schema with local references and, in `$defs`, every definition they lead to. Examples are left out. */
const selfContained = (schema: Schema, schemas: Record<string, Schema>): Schema => {
  const defs: Record<string, unknown> = {};
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, example: _example, ...rest } = withoutLongList(value as Schema);
    const others = Object.fromEntries(Object.entries(rest).map(([keyword, inner]) => [keyword, walk(inner)]));
    if ($ref === undefined || !$ref.startsWith(componentPrefix)) return others;
    const name = $ref.slice(componentPrefix.length);
    if (!(name in defs)) {
      defs[name] = true;
      defs[name] = walk(schemas[name]);
    }
    return { ...others, $ref: `#/$defs/${name}` };
  };
  const whole = walk(schema) as Schema;
  return Object.keys(defs).length > 0 ? { ...whole, $defs: defs } : whole;
};

/** The time zones alone would be as long as fifty tools. Their descriptions say where the values come from. */
const longestList = 50;

const withoutLongList = (schema: Schema): Schema => {
  const { enum: values, ...rest } = schema;
  return Array.isArray(values) && values.length > longestList ? rest : schema;
};

const resolved = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(componentPrefix.length)] ?? {});

const idempotencyKey: Schema = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  description:
    "For 24 hours the same key with the same arguments takes effect once and returns the same result.",
};

/** A boolean in a query is text, but an argument of a tool is a JSON boolean. */
const withBoolean = (schema: Schema, schemas: Record<string, Schema>): Schema => {
  const { enum: words } = resolved(schema, schemas);
  return Array.isArray(words) && words.join() === "true,false,1,0" ? { type: "boolean" } : schema;
};

const inputOf = (operation: AnyOperation, described: Described, schemas: Record<string, Schema>) => {
  const parameters = (described.parameters ?? []).filter((parameter) => parameter.in !== "header");
  const body = described.requestBody?.content["application/json"]?.schema;
  const fields = body && resolved(body, schemas);
  const isPlain = fields?.type === "object" && fields.properties !== undefined;
  const properties: Record<string, Schema> = {
    ...(fields ? (isPlain ? fields.properties : { body: body as Schema }) : {}),
    ...Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        { ...(description ? { description } : {}), ...withBoolean(schema, schemas) },
      ]),
    ),
    ...(honoursIdempotencyKey(operation) ? { idempotency_key: idempotencyKey } : {}),
  };
  const required = [
    ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(isPlain ? (fields.required ?? []) : described.requestBody?.required ? ["body"] : []),
  ];
  const schema = { type: "object", properties, required, additionalProperties: false };
  return {
    schema: selfContained(schema, schemas) as Tool["inputSchema"],
    wholeBody: fields !== undefined && !isPlain,
  };
};

const outputOf = (operation: AnyOperation, described: Described, schemas: Record<string, Schema>) => {
  const schema = described.responses[operation.success.status]?.content?.["application/json"]?.schema;
  if (!schema) return { wrapsResult: false };
  const wrapsResult = resolved(schema, schemas).type !== "object";
  const object = wrapsResult
    ? { type: "object", properties: { result: schema }, required: ["result"] }
    : resolved(schema, schemas);
  return { wrapsResult, schema: selfContained(object, schemas) as NonNullable<Tool["outputSchema"]> };
};

/** Whether an agent can use an operation: it returns JSON, or nothing. */
const isForAgents = ({ path, success: { contentType = "application/json" } }: AnyOperation): boolean =>
  path !== "/mcp" && contentType === "application/json";

/** One tool for each operation that returns JSON or nothing, described by the API's own document. */
export const toolsOf = (document: ApiDocument, operations: AnyOperation[]): Map<string, OperationTool> => {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const entries = operations.filter(isForAgents).map((operation): [string, OperationTool] => {
    const paths = document.paths as Record<string, Record<string, Described>>;
    const described = paths[operation.path]?.[operation.method] as Described;
    const input = inputOf(operation, described, schemas);
    const output = outputOf(operation, described, schemas);
    const named = (place: string) =>
      (described.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name);
    const title = operation.summary;
    const scope = scopeOf(operation);
    const tool: Tool = {
      name: operation.id,
      title,
      description: [operation.summary, operation.description].filter(Boolean).join(". "),
      inputSchema: input.schema,
      ...(output.schema ? { outputSchema: output.schema } : {}),
      annotations: {
        title,
        readOnlyHint: operation.method === "get",
        destructiveHint: operation.destructive ?? operation.method === "delete",
        idempotentHint: operation.method !== "post",
        openWorldHint: false,
      },
      ...(scope ? { _meta: { "perennial/scope": scope } } : {}),
    };
    const [inPath, inQuery] = [named("path"), named("query")];
    return [
      tool.name,
      { tool, operation, inPath, inQuery, wholeBody: input.wholeBody, wrapsResult: output.wrapsResult },
    ];
  });
  return new Map(entries);
};

type Arguments = Record<string, unknown>;

const inHeader = /^[\x20-\x7e]{1,255}$/;
const inSegment = /^(?!\.{1,2}$)./s;

/** The faults that the operation would not see: unknown arguments, and values that a path or header cannot hold. */
export const faultsIn = ({ tool, inPath }: OperationTool, values: Arguments): ErrorDetail[] => {
  const known = tool.inputSchema.properties as Record<string, unknown>;
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(known, name));
  const missing = inPath.filter((name) => !inSegment.test(textOf(values[name] ?? "")));
  const { idempotency_key: key } = values;
  return [
    ...unknown.map((path) => ({ path, message: "unknown field" })),
    ...missing.map((path) => ({ path, message: "is required" })),
    ...(key === undefined || (typeof key === "string" && inHeader.test(key))
      ? []
      : [{ path: "idempotency_key", message: "must have 1 to 255 ASCII characters" }]),
  ];
};

/** The result of a call with faults, in the API's own error envelope. */
export const refusalOf = (faults: ErrorDetail[], request_id: string) => {
  const { message, code, details } = invalid(faults);
  const envelope = { error: message, errorCode: code, request_id, details };
  return { content: [{ type: "text" as const, text: JSON.stringify(envelope) }], isError: true };
};

const textOf = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/**
 * The HTTP request of a tool call, with the caller's own credentials. Arguments that belong neither to the path nor to the
 * query go into the body, and the operation refuses the unknown ones.
 */
export const requestFor = (
  { operation, inPath, inQuery, wholeBody }: OperationTool,
  values: Arguments,
  incoming: Request,
): Request => {
  const { idempotency_key, ...rest } = values;
  const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(rest[name] ?? "")),
  );
  const url = new URL(path, incoming.url);
  const body: Arguments = {};
  for (const [name, value] of Object.entries(rest)) {
    if (inPath.includes(name)) continue;
    if (operation.body && !inQuery.includes(name)) body[name] = value;
    else if (value !== undefined) url.searchParams.set(name, textOf(value));
  }
  const headers = new Headers();
  for (const name of ["x-api-key", "authorization", "cf-connecting-ip", "x-request-id"]) {
    const value = incoming.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (idempotency_key !== undefined) headers.set("idempotency-key", textOf(idempotency_key));
  if (!operation.body) return new Request(url, { method: operation.method.toUpperCase(), headers });
  headers.set("content-type", "application/json");
  const content = JSON.stringify(wholeBody ? body.body : body);
  return new Request(url, { method: operation.method.toUpperCase(), headers, body: content ?? "" });
};

/** The result of a tool: the operation's response, or its error envelope marked as an error. */
export const resultOf = async ({ wrapsResult }: OperationTool, response: Response) => {
  const text = await response.text();
  const parsed: unknown = text === "" ? { success: true } : JSON.parse(text);
  if (!response.ok) return { content: [{ type: "text" as const, text }], isError: true };
  const structuredContent = (wrapsResult ? { result: parsed } : parsed) as Record<string, unknown>;
  return { content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }], structuredContent };
};
