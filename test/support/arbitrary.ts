import fc, { type Arbitrary } from "fast-check";
import { anyCharacter } from "./any-character.ts";
import { faultsOf, resolve, type Schema } from "./document.ts";

/** Values that a schema of the document allows: the subset of JSON Schema that the document uses. */
export function conforming(schema: Schema): Arbitrary<unknown> {
  const resolved = resolve(schema);
  const unknown = Object.keys(resolved).filter((keyword) => !understood.has(keyword));
  if (unknown.length > 0) throw new Error(`arbitrary.ts does not understand ${unknown.join(", ")}`);
  const { oneOf, anyOf, allOf, ...rest } = resolved;
  const { enum: allowed, const: only, type } = rest;
  if (allowed) return fc.constantFrom(...allowed);
  if (only !== undefined) return fc.constant(only);
  const branches: Schema[] = [...(oneOf ?? []), ...(anyOf ?? [])];
  if (branches.length > 0) {
    const one = fc.oneof(...branches.map((branch) => conforming(bothOf(rest, resolve(branch)))));
    return branches.every(isCondition) ? one.filter((value) => faultsOf(resolved, value).length === 0) : one;
  }
  if (allOf)
    return fc.tuple(...allOf.map(conforming)).map((parts) => Object.assign({}, ...(parts as object[])));
  const types = [type].flat().filter((name) => name !== undefined);
  if (types.length === 0) return anyValue;
  return fc.oneof(...types.map((name: string) => typed[name]!(resolved)));
}

const anyValue = fc.jsonValue({ maxDepth: 2 });
const anyObject = fc.dictionary(fc.string(), anyValue, { maxKeys: 4 });

/** A schema with what a branch of it says besides. */
function bothOf(schema: Schema, branch: Schema): Schema {
  const required = [...(schema.required ?? []), ...(branch.required ?? [])];
  return { ...schema, ...branch, ...(required.length > 0 ? { required } : {}) };
}

/** Whether a branch only says more of an object, such as which fields it needs. */
function isCondition({ $ref, type, properties, required }: Schema): boolean {
  return required !== undefined && $ref === undefined && type === undefined && properties === undefined;
}

/** Mostly an allowed value with something hostile put in the place of one of its members. */
export function nearly(schema: Schema): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: conforming(schema) },
    {
      weight: 4,
      arbitrary: fc.tuple(conforming(schema), fc.nat(), hostileValue).map(([value, nth, hostile]) => {
        if (typeof value !== "object" || value === null) return hostile;
        const keys = Object.keys(value);
        const key = keys[nth % Math.max(1, keys.length)];
        return key === undefined ? hostile : Object.assign(value, { [key]: hostile });
      }),
    },
    { weight: 1, arbitrary: hostileValue },
  );
}

/** The texts that clients send by mistake or in bad faith. */
const hostileTexts = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "null",
  "true",
  "-1",
  "1e309",
  "0x10",
  "__proto__",
  "constructor",
  "' OR 1=1 --",
  '"; DROP TABLE accounts; --',
  "%_\\",
  "%00",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "\r\nX-Injected: 1",
  "😀".repeat(300),
  "ß\u0301İ\u202e",
  "x".repeat(10_000),
  "2026-02-30",
  "9999-12-31T23:59:59.999Z",
  "00000000-0000-0000-0000-000000000000",
];

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: anyCharacter, maxLength: 50 }),
);

const hostileNumber = fc.oneof(
  fc.constantFrom(-0, -1, 0.1, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 - 1, -(2 ** 53)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const hostileValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], { a: { b: [] } }, { toString: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Keywords that this file understands, and those that say nothing about values. Any other would be ignored silently. */
const understood = new Set([
  ...[
    "$ref",
    "type",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "allOf",
    "format",
    "pattern",
    "minLength",
    "maxLength",
  ],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...[
    "dependentRequired",
    "dependentSchemas",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "required",
    "additionalProperties",
  ],
  ...["description", "example", "examples", "default", "title", "deprecated", "discriminator"],
]);

/** Mostly the dates that people send. */
function dates({ pattern }: Schema): Arbitrary<Date> {
  const within = (from: string, to: string) =>
    fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true });
  return fc
    .oneof(
      { weight: 4, arbitrary: within("2026-01-01", "2036-01-01") },
      { weight: 1, arbitrary: within("0002-01-03", "9998-12-29") },
    )
    .filter((date) => pattern === undefined || new RegExp(pattern, "u").test(date.toISOString()));
}

/** RFC 3339: a date-time has any offset, and any number of decimals. */
function dateTimes(schema: Schema): Arbitrary<string> {
  return fc
    .tuple(
      dates(schema),
      fc.constantFrom("Z", "z", "+02:00", "-11:30", "+14:00"),
      fc.integer({ min: -1, max: 9 }),
    )
    .map(([date, offset, decimals]) => {
      const seconds = date.toISOString().slice(0, 19);
      return decimals < 1 ? `${seconds}${offset}` : `${seconds}.${"123456789".slice(0, decimals)}${offset}`;
    });
}

const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,20}[A-Za-z0-9])?$/;
const emails: Arbitrary<string> = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,30}(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,30})?$/),
    fc.stringMatching(label),
    fc.stringMatching(label),
  )
  .map(([name, domain, top]) => `${name}@${domain}.${top}`);

const formats: Record<string, (schema: Schema) => Arbitrary<string>> = {
  "date-time": dateTimes,
  date: (schema) => dates(schema).map((date) => date.toISOString().slice(0, 10)),
  email: () => emails,
  uuid: () => fc.uuid(),
};

/** fast-check generates no lookaheads; what they exclude is filtered afterwards. */
function withoutLookahead({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replaceAll(/\(\?!(?:[^()]|\([^()]*\))*\)/g, ""), flags);
}

/** Text of any characters, as short and as long as it may be. To prepare one takes longer than its texts, so those of a length share it. */
function anyCharacters({ minLength = 0, maxLength = 50 }: Schema): Arbitrary<string> {
  const lengths = `${minLength}..${maxLength}`;
  const made = characters.get(lengths) ?? makeCharacters(minLength, maxLength);
  characters.set(lengths, made);
  return made;
}

const characters = new Map<string, Arbitrary<string>>();

function makeCharacters(minLength: number, maxLength: number): Arbitrary<string> {
  return fc.oneof(
    {
      weight: 20,
      arbitrary: fc.string({ unit: anyCharacter, minLength, maxLength: Math.min(maxLength, minLength + 40) }),
    },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(minLength), "😀".repeat(maxLength)) },
  );
}

function textOf(schema: Schema): Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const form = new RegExp(pattern ?? "", "u");
  const inForm = (text: string): boolean => {
    const { length } = [...text];
    return form.test(text) && length >= minLength && length <= maxLength;
  };
  const formatted = formats[format ?? ""];
  if (formatted) return formatted(schema).filter(inForm);
  const isLoose = pattern === undefined || form.test("\u0001");
  return (isLoose ? anyCharacters(schema) : fc.stringMatching(withoutLookahead(form))).filter(inForm);
}

function arrayOf({ items = {}, minItems = 0, maxItems = 5, uniqueItems }: Schema): Arbitrary<unknown[]> {
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 5) };
  const selector = (item: unknown) => JSON.stringify(item);
  return uniqueItems
    ? fc.uniqueArray(conforming(items), { ...lengths, selector })
    : fc.array(conforming(items), lengths);
}

function objectOf(schema: Schema): Arbitrary<object> {
  const {
    properties,
    required = [],
    additionalProperties,
    dependentRequired = {},
    dependentSchemas,
  } = schema;
  if (!properties && additionalProperties !== false) return anyObject;
  const members = Object.entries((properties ?? {}) as Record<string, Schema>);
  return fc
    .record(Object.fromEntries(members.map(([name, schema]) => [name, conforming(schema)])), {
      requiredKeys: required,
    })
    .map((fields) => withoutLonely(fields, dependentRequired))
    .filter((fields) => dependentSchemas === undefined || faultsOf(schema, fields).length === 0);
}

/** The fields without those that may not be sent without others that are absent. */
function withoutLonely(fields: object, needs: Record<string, string[]>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => (needs[name] ?? []).every((other) => other in fields)),
  );
}

/** Mostly amounts in cents, which most currencies have. */
function numberOf({
  exclusiveMinimum,
  minimum = exclusiveMinimum === undefined ? -1e9 : exclusiveMinimum + 0.01,
  maximum = 1e9,
  multipleOf,
}: Schema): Arbitrary<number> {
  const step = multipleOf ?? 0.01;
  const steps = fc
    .integer({ min: Math.ceil(minimum / step), max: Math.floor(maximum / step) })
    .map((count) => Number((count * step).toPrecision(15)));
  if (multipleOf !== undefined) return steps;
  const anyNumber = fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true });
  return fc.oneof(
    { weight: 4, arbitrary: steps },
    {
      weight: 4,
      arbitrary: fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, minimum + 100)) }),
    },
    { weight: 1, arbitrary: anyNumber },
  );
}

function integerOf({ minimum, maximum, multipleOf = 1 }: Schema): Arbitrary<number> {
  const [min, max] = [minimum ?? -(2 ** 31), maximum ?? 2 ** 31];
  return fc
    .integer({
      min: Math.ceil(min / multipleOf),
      max: Math.max(Math.ceil(min / multipleOf), Math.floor(max / multipleOf)),
    })
    .map((count) => count * multipleOf);
}

const typed: Record<string, (schema: Schema) => Arbitrary<unknown>> = {
  string: textOf,
  integer: integerOf,
  number: numberOf,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: arrayOf,
  object: objectOf,
};
