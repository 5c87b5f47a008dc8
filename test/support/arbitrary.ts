import fc, { type Arbitrary } from "fast-check";
import { resolve, type Schema } from "./document.ts";

/** What clients send by mistake or in bad faith. */
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
  fc.string({ unit: "binary", maxLength: 50 }),
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

const textOf = ({ minLength = 0, maxLength = 50, format, pattern }: Schema): Arbitrary<string> => {
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "date")
    return fc
      .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  if (format === "email") return fc.uuid().map((id) => `${id}@customers.test`);
  if (format === "uri" || format === "url") return fc.webUrl();
  if (format === "uuid") return fc.uuid();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + 40) });
};

const arrayOf = ({ items = {}, minItems = 0, maxItems = 5 }: Schema): Arbitrary<unknown[]> =>
  fc.array(conforming(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 5) });

const objectOf = ({ properties = {}, required = [] }: Schema): Arbitrary<object> => {
  const members = Object.entries(properties as Record<string, Schema>);
  return fc.record(Object.fromEntries(members.map(([name, schema]) => [name, conforming(schema)])), {
    requiredKeys: required,
  });
};

const numberOf = ({ minimum = -1e9, maximum = 1e9 }: Schema): Arbitrary<number> =>
  fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true, noDefaultInfinity: true });

const integerOf = ({ minimum = -(2 ** 31), maximum = 2 ** 31 }: Schema): Arbitrary<number> =>
  fc.integer({ min: minimum, max: Math.max(minimum, maximum) });

const typed: Record<string, (schema: Schema) => Arbitrary<unknown>> = {
  string: textOf,
  integer: integerOf,
  number: numberOf,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: arrayOf,
  object: objectOf,
};

/** Values that a schema of the document allows: the subset of JSON Schema that the document uses. */
export const conforming = (schema: Schema): Arbitrary<unknown> => {
  const resolved = resolve(schema);
  const { enum: allowed, const: only, oneOf, anyOf, allOf, type } = resolved;
  if (allowed) return fc.constantFrom(...allowed);
  if (only !== undefined) return fc.constant(only);
  const branches = [...(oneOf ?? []), ...(anyOf ?? [])];
  if (branches.length > 0) return fc.oneof(...branches.map(conforming));
  if (allOf)
    return fc.tuple(...allOf.map(conforming)).map((parts) => Object.assign({}, ...(parts as object[])));
  const types = [type].flat().filter((name) => name !== undefined);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((name: string) => typed[name]!(resolved)));
};

/** Mostly an allowed value with something hostile put in the place of one of its members. */
export const nearly = (schema: Schema): Arbitrary<unknown> =>
  fc.oneof(
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
