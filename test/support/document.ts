import { exports } from "cloudflare:workers";
import { dereference, initialBaseURI, type OutputUnit, validate } from "@cfworker/json-schema";
import { allOperations } from "../../src/runtime/operations.ts";
import { origin } from "./client.ts";
import { expandParts } from "./expand-parts.ts";

const declared = await allOperations();

/** The part of OpenAPI 3.1 that the document uses. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, walked as data
export type Schema = Record<string, any>;
type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Answered = { description: string; headers?: Record<string, { required?: boolean }>; content?: Content };
export type Documented = {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Answered>;
};
/** As it stands in the document: a parameter or response may be one that several operations share. */
type WithReferences = Omit<Documented, "parameters" | "responses"> & {
  parameters?: object[];
  responses: Record<string, Answered | { $ref: string; description?: string }>;
};
type ApiDocument = {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, WithReferences>>;
  components: {
    securitySchemes: Record<string, Schema>;
    schemas: Record<string, Schema>;
    responses: Record<string, Answered>;
  };
};

/** The document as any client gets it. */
export const apiDocument = (await (
  await exports.default.fetch(new Request(`${origin}/api.json`))
).json()) as ApiDocument;

/** One operation: what the document says, beside the value it was made from. */
export type Operation = Documented & {
  method: string;
  path: string;
  openQuery: boolean;
  customers: boolean;
  bodyLimit: number;
};

export function titleOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** For `test.each`: the title, then the operation. */
export function each(chosen: Operation[] = operations): [string, Operation][] {
  return chosen.map((operation) => [titleOf(operation), operation]);
}

export function isAnonymous({ security = [] }: Operation): boolean {
  return security.length === 0;
}

export function accepts({ security = [] }: Operation, ...schemes: string[]): boolean {
  return security.some((wanted) => Object.keys(wanted).every((scheme) => schemes.includes(scheme)));
}

/** Whether only a customer's own token may call it. */
export function isForCustomersAlone(operation: Operation): boolean {
  return operation.customers && accepts(operation, "bearer") && !accepts(operation, "apiKey");
}

/** Whether an account with subscriptions on the sandbox store is refused it with INVALID_STATE: it would leave that store. */
export function isRefusedBySandbox({ operationId }: Operation): boolean {
  return operationId === "connectStore";
}

/** Whether the operation did what it does; or was refused, where every account of the batteries is. */
export function hasSucceeded(operation: Operation, status: number): boolean {
  return isRefusedBySandbox(operation) ? status === 409 : status < 300;
}

/** The fields that each failure of an operation has too which starts a billing attempt. */
export function failureOf({ path }: Operation): { success?: false } {
  return /\/(ship-now|retry-payment)$/.test(path) ? { success: false } : {};
}

export function jsonBodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content["application/json"]?.schema;
}

/** A schema with the component it refers to in its place. */
export function resolve(schema: Schema): Schema {
  const name = refName(schema);
  return name === undefined ? schema : resolve(apiDocument.components.schemas[name] ?? {});
}

/** The faults of a value by a schema of the document; none, if it conforms. */
export function faultsOf(schema: Schema, value: unknown): string[] {
  const { errors } = validate(value, strictOf(schema), "2020-12", definitions, false);
  return errors.map(({ instanceLocation, error }: OutputUnit) => `${instanceLocation}: ${error}`);
}

function declaredOf(method: string, path: string) {
  return declared.find((operation) => operation.method.toUpperCase() === method && operation.path === path);
}

/** Every operation of the document; the batteries know no other list. */
export const operations: Operation[] = Object.entries(expandParts(apiDocument).paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([name, documented]) => {
      const method = name.toUpperCase();
      const {
        openQuery = false,
        customers = false,
        bodyLimit = 1024 * 1024,
      } = declaredOf(method, path) ?? {};
      return {
        ...(documented as Documented),
        method,
        path,
        openQuery,
        customers,
        bodyLimit,
      };
    }),
);

export const withJsonBody: Operation[] = operations.filter((operation) => jsonBodyOf(operation));

function refName(schema: Schema): string | undefined {
  return schema.$ref?.replace("#/components/schemas/", "");
}

/** Instants are UTC to the millisecond. */
const instantPattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$";

/**
 * The schema as it is to be held to: an object that lists properties has no others, an instant has one form. A condition lists some
 * properties of an object, and has no type.
 */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const { example: _, ...rest } = schema as Schema;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, strict(value)]),
  ) as Schema;
  const name = refName(inner);
  if (name !== undefined) return { $ref: `#/$defs/${name}` };
  if (inner.format === "date-time" && inner.pattern === undefined) inner.pattern = instantPattern;
  const isObject = inner.type !== undefined && inner.properties !== undefined;
  if (isObject && inner.additionalProperties === undefined) inner.additionalProperties = false;
  return inner;
}

/** All components by their addresses, to which each further schema is added once: to walk them all for each takes milliseconds. */
const definitions = dereference({ $defs: strict(apiDocument.components.schemas) as Schema });
const known = new WeakMap<Schema, Schema>();
let count = 0;

function strictOf(schema: Schema): Schema {
  const earlier = known.get(schema);
  if (earlier) return earlier;
  const added = strict(schema) as Schema;
  dereference(added, definitions, initialBaseURI, `/added/${count++}`);
  known.set(schema, added);
  return added;
}
