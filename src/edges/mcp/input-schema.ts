import { shorten } from "../../base/lib/text.ts";
import { type AnyOperation, honoursIdempotencyKey } from "../../kit/http/document/operation.ts";
import { componentNamed, type Described, type Schema } from "./api-document.ts";

/** The arguments of a tool, by where they belong in its operation's request. */
type Arguments = { schema: Schema & { type: "object" }; inPath: string[]; inQuery: string[] };

type Named = { schemas: Record<string, Schema> };

/**
 * Path, query and body of an operation as one object of named arguments. It is written for models, which read all of it with
 * every session: references are resolved, descriptions are short, and what only a parser needs is left out. The operation
 * itself checks the values.
 */
export function buildInput(operation: AnyOperation, described: Described, named: Named): Arguments {
  const parameters = (described.parameters ?? []).filter((parameter) => parameter.in !== "header");
  const body = mergeForms(operation, described, named);
  const properties: Record<string, Schema> = {
    ...Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        brief({ ...schema, ...(description ? { description } : {}) }, named),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(body.properties).map(([name, schema]) => [name, brief(schema, named)]),
    ),
    ...(described.parameters?.some(({ name }) => name === "dry_run") ? { dry_run: dryRunOf(operation) } : {}),
    ...(operation.previews ? { preview } : {}),
    ...(honoursIdempotencyKey(operation) ? { idempotency_key: idempotencyKey } : {}),
  };
  const required = [
    ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
    ...body.required,
  ];
  const inPlace = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
  return {
    schema: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    inPath: inPlace("path"),
    inQuery: inPlace("query"),
  };
}

/** Keeps as many whole sentences as fit; if not even the first does, its beginning. */
export function firstSentences(text: string, limit: number): string {
  const [first = "", ...others] = text.split(/(?<=[.!?]) +/);
  let sentences = first;
  for (const sentence of others) {
    if (sentences.length + sentence.length + 1 > limit) break;
    sentences += ` ${sentence}`;
  }
  return shorten(sentences, limit);
}

function dryRunOf({ agentsRunDry }: AnyOperation): Schema {
  const description = "Change nothing.";
  if (!agentsRunDry) return { type: "boolean", description };
  return { type: "boolean", description: `${description} True unless false is sent.`, default: true };
}

const preview: Schema = {
  type: "string",
  description: "Call with dry_run first, show what it says, then with its preview.",
};

const idempotencyKey: Schema = {
  type: "string",
  description: "A key acts once.",
};

type Fields = { properties: Record<string, Schema>; required: string[] };

/** The fields of a body. One with several forms has the fields of all of them, and requires what all of them require. */
function mergeForms(operation: AnyOperation, described: Described, named: Named): Fields {
  const schema = described.requestBody?.content["application/json"]?.schema;
  if (!schema) return { properties: {}, required: [] };
  const forms = formsOf(schema, named).filter(({ properties }) => properties !== undefined);
  if (forms.length === 0) throw new Error(`The body of ${operation.id} has no form with named fields`);
  return mergeFields(forms, named);
}

function mergeFields(forms: Schema[], named: Named): Fields {
  const properties: Record<string, Schema> = {};
  for (const form of forms)
    for (const [name, field] of Object.entries(form.properties ?? {}))
      properties[name] = Object.hasOwn(properties, name)
        ? either(properties[name] ?? {}, field, named)
        : field;
  const required = Object.keys(properties).filter((name) =>
    forms.every((form) => form.required?.includes(name)),
  );
  return { properties, required };
}

function formsOf(schema: Schema, named: Named): Schema[] {
  const { members, rest } = membersOf(resolveReferences(schema, named));
  return members ? members.flatMap((member) => formsOf(member, named)) : [rest];
}

/** The forms that a schema may have, if it has several. Which of its fields exclude each other is the operation's to say. */
function membersOf({ anyOf, oneOf, ...rest }: Schema): { members?: Schema[]; rest: Schema } {
  const members = (anyOf ?? oneOf) as Schema[] | undefined;
  return members === undefined || members.every(isCondition) ? { rest } : { members, rest };
}

function isCondition(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => keyword === "required");
}

/** An object that has one of several forms, inside of a body, as one object with the fields of all of them. */
function mergeObjects(schema: Schema, named: Named): Schema {
  const { members = [], rest } = membersOf(schema);
  const forms = members.flatMap((member) => formsOf(member, named));
  if (forms.length < 2 || !forms.every(({ properties }) => properties !== undefined)) return schema;
  return { ...rest, type: "object", ...mergeFields(forms, named) };
}

/** A field that two forms have: if each allows certain values, all of them are allowed; of objects, the fields of both. */
function either(one: Schema, other: Schema, named: Named): Schema {
  const objects = [one, other].map((schema) => mergeObjects(resolveReferences(schema, named), named));
  if (objects.every(({ properties }) => properties !== undefined) && one.$ref !== other.$ref)
    return { ...objects[0], ...mergeFields(objects, named) };
  const values = [...valuesOf(one), ...valuesOf(other)];
  const { const: _const, enum: _enum, ...rest } = one;
  return values.length > 0 ? { ...rest, enum: [...new Set(values)] } : one;
}

function valuesOf(schema: Schema): unknown[] {
  return Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : [];
}

/** The time zones alone would be as long as fifty tools. Their descriptions say where the values come from. */
const longestList = 50;
/** Limits beyond these are met by no request that a model writes. */
const maxTextLimit = 1_000;
const maxNumberLimit = 1_000_000;
const maxDescription = 95;

/** Keywords that only a parser needs. */
const leftOut = new Set([
  "example",
  "examples",
  "pattern",
  "title",
  "additionalProperties",
  "dependentSchemas",
]);

function brief(schema: Schema, named: Named, inside: string[] = []): Schema {
  const name = componentNamed(schema);
  if (name !== undefined && inside.includes(name)) return {};
  const around = name === undefined ? inside : [...inside, name];
  const whole = mergeObjects(plainDate(plainBoolean(resolveReferences(schema, named))), named);
  const entries = Object.entries(whole)
    .filter(([keyword, value]) => !leftOut.has(keyword) && !isIdleLimit(keyword, value))
    .map(([keyword, value]) => [keyword, briefKeyword(keyword, value, named, around)]);
  return Object.fromEntries(entries);
}

function briefKeyword(keyword: string, value: unknown, named: Named, inside: string[]): unknown {
  if (keyword === "description") return firstSentences(String(value), maxDescription);
  if (keyword === "properties")
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, field]) => [
        name,
        brief(field, named, inside),
      ]),
    );
  if (keyword === "items") return brief(value as Schema, named, inside);
  if (["anyOf", "oneOf", "allOf"].includes(keyword))
    return (value as Schema[]).map((member) => brief(member, named, inside));
  return value;
}

function isIdleLimit(keyword: string, value: unknown): boolean {
  if (keyword === "maxLength") return Number(value) >= maxTextLimit;
  if (keyword === "minLength") return Number(value) <= 1;
  if (keyword === "maximum") return Number(value) >= maxNumberLimit;
  return keyword === "enum" && Array.isArray(value) && value.length > longestList;
}

/** A reference's component, with what stands beside the reference. */
function resolveReferences(schema: Schema, { schemas }: Named): Schema {
  const name = componentNamed(schema);
  if (name === undefined) return schema;
  const { $ref: _ref, ...beside } = schema;
  return { ...resolveReferences(schemas[name] ?? {}, { schemas }), ...beside };
}

/** A boolean in a query is text, but an argument of a tool is a JSON boolean. */
function plainBoolean(schema: Schema): Schema {
  const { enum: words, ...rest } = schema;
  return Array.isArray(words) && words.join() === "true,false,1,0" ? { ...rest, type: "boolean" } : schema;
}

/** A date may be a date-time too. Models are told of the form that they should send. */
function plainDate(schema: Schema): Schema {
  const { anyOf, description, ...rest } = schema;
  const formats = Array.isArray(anyOf) ? anyOf.map(({ format }) => format) : [];
  if (formats.join() !== "date,date-time") return schema;
  return { ...rest, description: ["yyyy-MM-dd.", description].filter(Boolean).join(" ") };
}
