import { jsonBodyOf, type Operation, resolve, type Schema } from "./document.ts";

/** A value that a schema of the document refuses, and in which way. */
type Bad = { fault: string; value: unknown };
type Body = Record<string, unknown>;

/** Every kind of value that a schema of the document refuses. */
export function badValues(schema: Schema): Bad[] {
  const forms = formsOf(schema);
  const types = new Set(forms.flatMap(({ type }) => type ?? []));
  return [...valuesOfOtherTypes(types), ...forms.flatMap(badInForm)];
}

/**
 * Bodies that an operation refuses, each with one fault: in a field, in a field of a nested object, an unknown field beside the
 * others, a field that is missing.
 */
export function badBodies(operation: Operation, good: unknown): Bad[] {
  const schema = jsonBodyOf(operation);
  if (!schema) return [];
  const whole = badValues(schema).map(({ fault, value }) => ({ fault: `the body: ${fault}`, value }));
  return [...whole, ...faultsWithin(schema, good)];
}

/** Longer texts and lists would only slow the tests down; test/contract/checks/bodies.ts and others send them. */
const longestText = 20_000;
const longestList = 1_000;

/** The forms that a value may have. */
function formsOf(schema: Schema): Schema[] {
  const { anyOf, oneOf, allOf, ...rest } = resolve(schema);
  const members = (anyOf ?? oneOf ?? allOf) as Schema[] | undefined;
  return members ? members.flatMap((member) => formsOf({ ...rest, ...resolve(member) })) : [rest];
}

function valuesOfOtherTypes(types: Set<string>): Bad[] {
  const values: [string, Bad][] = [
    ["string", { fault: "a string", value: "nonsense" }],
    ["number", { fault: "a number", value: 7 }],
    ["boolean", { fault: "a boolean", value: true }],
    ["null", { fault: "null", value: null }],
    ["array", { fault: "a list", value: ["nonsense"] }],
    ["object", { fault: "an object", value: { nonsense: 1 } }],
  ];
  return values
    .filter(([type]) => !types.has(type) && !(type === "number" && types.has("integer")))
    .map(([, bad]) => bad);
}

function badInForm(form: Schema): Bad[] {
  const allowed: unknown[] | undefined = form.enum ?? (form.const === undefined ? undefined : [form.const]);
  if (allowed) return badChoices(allowed);
  const types = [form.type].flat();
  return [
    ...(types.includes("string") ? badTexts(form) : []),
    ...(types.includes("number") || types.includes("integer") ? badNumbers(form) : []),
    ...(types.includes("array") ? badLists(form) : []),
  ];
}

function badChoices(allowed: unknown[]): Bad[] {
  const [first] = allowed;
  if (typeof first !== "string") return [{ fault: "no choice", value: 12_345 }];
  const otherCase = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return [
    { fault: "no choice", value: "nonsense" },
    { fault: "a choice in another case", value: otherCase },
    { fault: "a choice mistyped", value: `${first}x` },
  ];
}

function badTexts({ minLength = 0, maxLength = longestText + 1, pattern, format }: Schema): Bad[] {
  return [
    ...(minLength > 0 ? [{ fault: "short", value: "" }] : []),
    ...(maxLength <= longestText ? [{ fault: "long", value: "x".repeat(maxLength + 1) }] : []),
    ...(pattern || format ? [{ fault: "no such form", value: "?? nonsense ??" }] : []),
  ];
}

function badNumbers({ type, minimum, exclusiveMinimum, maximum }: Schema): Bad[] {
  return [
    ...(minimum === undefined ? [] : [{ fault: "small", value: minimum - 1 }]),
    ...(exclusiveMinimum === undefined ? [] : [{ fault: "small", value: exclusiveMinimum }]),
    ...(maximum === undefined ? [] : [{ fault: "large", value: maximum + 1 }]),
    ...(type === "integer" ? [{ fault: "a fraction", value: (minimum ?? 1) + 0.5 }] : []),
    { fault: "more decimals than any currency has", value: 1.234_567 },
    { fault: "larger than a whole number can be", value: 2 ** 60 },
  ];
}

function badLists({ minItems = 0, maxItems = longestList + 1, items = {} }: Schema): Bad[] {
  return [
    ...(minItems > 0 ? [{ fault: "no items", value: [] }] : []),
    ...(maxItems <= longestList
      ? [{ fault: "many items", value: Array.from({ length: maxItems + 1 }, (_, nth) => `item-${nth}`) }]
      : []),
    ...badValues(items as Schema).map(({ fault, value }) => ({ fault: `an item: ${fault}`, value: [value] })),
  ];
}

/** The faults of an object's fields, one at a time, and of the objects that it holds. */
function faultsWithin(schema: Schema, good: unknown): Bad[] {
  const [form] = formsOf(schema).filter(({ type }) => [type].flat().includes("array"));
  if (Array.isArray(good))
    return faultsWithin(form?.items ?? {}, good[0] ?? {}).map(({ fault, value }) => ({
      fault,
      value: [value],
    }));
  if (typeof good !== "object" || good === null) return [];
  const objects = formsOf(schema).filter(({ properties }) => properties);
  const fields = objects.flatMap(({ properties }) => Object.entries(properties as Record<string, Schema>));
  const names = [...new Set(fields.map(([name]) => name))];
  if (names.length === 0) return [];
  const body = good as Body;
  return [
    ...fields.flatMap(([name, field]) => [
      ...badValues(field).map(({ fault, value }) => ({
        fault: `${name}: ${fault}`,
        value: { ...body, [name]: value },
      })),
      ...faultsWithin(field, body[name]).map(({ fault, value }) => ({
        fault: `${name}.${fault}`,
        value: { ...body, [name]: value },
      })),
    ]),
    ...Object.keys(body).map((name) => ({ fault: `${name}: missing`, value: without(body, name) })),
    ...names.map((name) => ({
      fault: `${name}: mistyped`,
      value: { ...without(body, name), [`${name}s`]: 1 },
    })),
    { fault: "an unknown field", value: { ...body, surprise_field: 1 } },
    {
      fault: "every field there is",
      value: { ...Object.fromEntries(names.map((name) => [name, "x"])), ...body },
    },
    { fault: "no field at all", value: {} },
  ];
}

function without(body: Body, name: string): Body {
  const { [name]: _, ...rest } = body;
  return rest;
}
