/** The part of OpenAPI 3.1 that is walked here. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  example?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
} & Partial<Record<"anyOf" | "oneOf" | "allOf", Schema[]>>;
type Media = { schema?: Schema; example?: unknown };
type Content = Record<string, Media>;
type Parameter = {
  name: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: Schema;
};
type Response = { $ref?: string; description?: string; headers?: Record<string, Schema>; content?: Content };
type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
};
type Described = {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
  tags?: { name: string; description?: string }[];
};

/**
 * The parts of a document that leave something unsaid: operations, parameters and fields without a description, enumerations that
 * do not say what each value means, and values without an example. A value that lists what it can be needs no example.
 */
export function undescribed(document: Described): string[] {
  const schemas = document.components?.schemas ?? {};
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  return [
    ...(document.tags ?? []).filter(({ description }) => !description).map(({ name }) => `tag ${name}`),
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      ...faultsOfEnum(name, schema),
      ...faultsWithin(name, schema, schemas),
    ]),
    ...operations.flatMap((operation) => faultsOf(operation, schemas)),
  ];
}

/** The most values that a description has to name one by one. Time zones and currencies are more. */
const mostNamed = 12;

function faultsOfEnum(name: string, schema: Schema): string[] {
  if (!schema.enum || [schema.type].flat().includes("boolean")) return [];
  if (!schema.description) return [`${name} has no description`];
  const unnamed = schema.enum.filter((value) => !schema.description?.includes(String(value)));
  return schema.enum.length > mostNamed
    ? []
    : unnamed.map((value) => `${name} does not say what ${String(value)} is`);
}

function faultsOf(operation: Operation, schemas: Record<string, Schema>): string[] {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = operation;
  return [
    ...(summary && description ? [] : [`${id} has no summary or description`]),
    ...parameters.flatMap(({ name, schema = {}, ...parameter }) =>
      faultsOfValue(`${id} ?${name}`, { ...schema, ...parameter }, schemas),
    ),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema = {}, example }]) => [
      ...(hasExample(schema, schemas) || example !== undefined || schema.properties
        ? []
        : [`${id} has no example of ${type}`]),
      ...faultsWithin(`${id} ${type}`, schema, schemas),
    ]),
    ...Object.entries(responses).flatMap(([status, { headers = {}, content = {} }]) => [
      ...Object.entries(headers)
        .filter(([, header]) => !header.description)
        .map(([name]) => `${id} ${status} ${name} has no description`),
      ...Object.values(content).flatMap(({ schema = {} }) =>
        faultsWithin(`${id} ${status}`, schema, schemas),
      ),
    ]),
  ];
}

/** The faults of the fields of a schema, without those of the schemas that it refers to. */
function faultsWithin(at: string, schema: Schema, schemas: Record<string, Schema>): string[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...faultsOfValue(`${at}.${name}`, field, schemas),
      ...faultsWithin(`${at}.${name}`, field, schemas),
    ]),
    ...[items, typeof additionalProperties === "object" ? additionalProperties : undefined]
      .filter((inner) => inner !== undefined)
      .flatMap((inner) => faultsWithin(`${at}[]`, inner, schemas)),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((branch) => faultsWithin(at, branch, schemas)),
  ];
}

function faultsOfValue(at: string, value: Schema, schemas: Record<string, Schema>): string[] {
  return [
    ...([value, ...referred(value, schemas)].some(({ description }) => description)
      ? []
      : [`${at} has no description`]),
    ...(explainsItself(value, schemas) || hasExample(value, schemas) ? [] : [`${at} has no example`]),
    ...faultsOfEnum(at, value),
  ];
}

function hasExample(schema: Schema, schemas: Record<string, Schema>): boolean {
  return [schema, ...referred(schema, schemas)].some(
    ({ example, examples }) => example !== undefined || examples !== undefined,
  );
}

/** Whether a value lists what it can be, or consists of fields that have examples of their own. */
function explainsItself(schema: Schema, schemas: Record<string, Schema>): boolean {
  return [schema, ...referred(schema, schemas)].some(
    ({ type, enum: values, properties, const: only, items, ...rest }) =>
      values !== undefined ||
      only !== undefined ||
      properties !== undefined ||
      [type].flat().includes("boolean") ||
      items?.$ref !== undefined ||
      (items !== undefined && explainsItself(items, schemas)) ||
      [...(rest.anyOf ?? []), ...(rest.oneOf ?? [])].some((branch) => explainsItself(branch, schemas)),
  );
}

function referred({ $ref }: Schema, schemas: Record<string, Schema>): Schema[] {
  const target = $ref && schemas[$ref.slice("#/components/schemas/".length)];
  return target ? [target] : [];
}
