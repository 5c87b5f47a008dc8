import { type DocumentParts, mapValues, share, type Use } from "../../kit/http/document/sharing.ts";
import { type ApiDocument, componentNamed, type Schema } from "./api-document.ts";
import { firstSentences } from "./input-schema.ts";

/**
 * The OpenAPI document as `perennial://api` has it: every operation, parameter and field, at a length that an agent's host can hold. Text
 * that the whole document repeats stands once here or is left out, as the introduction says. It is made once of each document.
 */
export function briefDocument(document: ApiDocument): string {
  const text = written.get(document) ?? JSON.stringify(shorten(document));
  written.set(document, text);
  return text;
}

const written = new WeakMap<ApiDocument, string>();

function shorten(document: ApiDocument): object {
  const { openapi, info, servers, paths, components } = document as Whole;
  const operations = mapValues(paths, (methods) => mapValues(methods, briefOperation));
  const parameters = shareParameters(Object.values(operations).flatMap((methods) => Object.values(methods)));
  const schemas = mapValues(components.schemas, (schema) => brief(schema) as Schema);
  return {
    openapi,
    info: { ...info, description: `${leftOut}\n\n${info.description}` },
    servers,
    paths: operations,
    components: {
      securitySchemes: components.securitySchemes,
      parameters,
      schemas: shareFields(onlyReached([operations, parameters], schemas)),
    },
  };
}

const leftOut =
  "This is the API in brief: examples, patterns, headers, webhooks and the responses to errors are left out, long descriptions are cut, and a field that another schema has described refers to it. No object of a request takes a field that its schema does not name. `/api.json` has everything.";

/** The longest descriptions, in characters. */
const longestOfOperation = 115;
const longestOfField = 40;
/** The names of all time zones would be as long as a whole group of operations. */
const longestList = 50;
const dropped = new Set(["example", "examples", "pattern", "headers"]);

type Fields = Record<string, unknown>;
type Parameter = { $ref?: string; name: string; in: string };
type Operation = Fields & {
  description?: string;
  parameters?: Parameter[];
  requestBody?: object;
  responses: Record<string, object>;
};
type Schemas = Record<string, Schema>;
type Whole = {
  openapi: string;
  info: { description: string };
  servers: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: object; schemas: Schemas };
};

function briefOperation(operation: Operation): Operation {
  const { description, parameters = [], requestBody, responses, tags: _tags, ...rest } = operation;
  const successes = Object.entries(responses).filter(([status]) => status < "400");
  return {
    ...rest,
    ...(description ? { description: firstSentences(description, longestOfOperation) } : {}),
    parameters: parameters
      .filter((parameter) => parameter.in !== "header")
      .map((parameter) => brief(parameter) as Parameter),
    ...(requestBody ? { requestBody: brief(requestBody) as object } : {}),
    responses: brief(Object.fromEntries(successes)) as Record<string, object>,
  };
}

/** A part of the document with what says how to read it, and without what only explains it further. */
function brief(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(brief);
  if (typeof part !== "object" || part === null) return part;
  const kept = Object.entries(part).filter(([keyword, value]) => !isLeftOut(keyword, value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, briefKeyword(keyword, value)]));
}

function isLeftOut(keyword: string, value: unknown): boolean {
  if (value === false) return keyword === "required" || keyword === "additionalProperties";
  return dropped.has(keyword) || (Array.isArray(value) && keyword === "enum" && value.length > longestList);
}

function briefKeyword(keyword: string, value: unknown): unknown {
  if (typeof value === "string" && keyword === "description") return firstClause(value);
  // The members of `properties` are named by fields, which may have the name of a keyword.
  return keyword === "properties" ? mapValues(value as Fields, brief) : brief(value);
}

/** The first sentence, or as many of its clauses as fit. */
function firstClause(text: string): string {
  const sentence = firstSentences(text, longestOfField);
  const [clauses = sentence] = /^.*(?=[:;,] )/.exec(sentence.endsWith("…") ? sentence : "") ?? [];
  return clauses;
}

/** Puts the parameters that operations share among the components, and a reference in the place of each. Returns the components. */
function shareParameters(operations: Operation[]): DocumentParts {
  const { components, replace } = share({
    kind: "parameters",
    uses: operations.flatMap(({ parameters = [] }) => parameters.map((one): Use => [one.name, one])),
  });
  for (const operation of operations)
    operation.parameters = (operation.parameters ?? []).map((one) => replace(one) as Parameter);
  return components;
}

/** The schemas that parts of the document use; only webhooks use the others. */
function onlyReached(parts: object[], schemas: Schemas): Schemas {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const name = componentNamed(part as Schema);
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      visit(schemas[name]);
    }
    Object.values(part).forEach(visit);
  };
  visit(parts);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

/** The schemas with a reference in the place of each field that an earlier schema has described in the very same words. */
function shareFields(schemas: Schemas): Schemas {
  const first = new Map<string, string>();
  const shared = ([field, schema]: [string, Schema], name: string): [string, Schema] => {
    const text = JSON.stringify(schema);
    const $ref = first.get(text);
    if ($ref !== undefined && $ref.length + 11 < text.length) return [field, { $ref }];
    first.set(text, $ref ?? `#/components/schemas/${name}/properties/${field}`);
    return [field, schema];
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { properties, ...rest }]) => [
      name,
      properties
        ? {
            ...rest,
            properties: Object.fromEntries(Object.entries(properties).map((one) => shared(one, name))),
          }
        : rest,
    ]),
  );
}
