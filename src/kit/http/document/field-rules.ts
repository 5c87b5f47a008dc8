import { intervalUnits, largestCount } from "../../../base/lib/time/intervals.ts";

/** JSON Schemas by the field whose presence they are for: where it is sent, the whole object has to be as they say. */
export type FieldRules = Record<string, object>;

/*
 * Rules between the fields of one object, for the document. The schema that checks the object states each of them in its own words, so that a
 * fault is named where it is.
 */

/** The largest count of each unit of an interval. */
export function countWithinUnit(unit: string, count: string): FieldRules {
  return { [count]: limitsByUnit(unit, count) };
}

/** Does as `countWithinUnit`, of an interval whose unit and count are those of another one where they are absent. */
export function countWithinOwnUnit(own: Interval, other: Interval): FieldRules {
  const isSentToo = (field: string) => ({ required: [field] });
  return {
    [own.count]: implies(
      isSentToo(own.unit),
      limitsByUnit(own.unit, own.count),
      limitsByUnit(other.unit, own.count),
    ),
    [own.unit]: implies({ not: isSentToo(own.count) }, limitsByUnit(own.unit, other.count)),
  };
}

/** The names of the two fields of an interval. */
type Interval = { unit: string; count: string };

function limitsByUnit(unit: string, count: string): object {
  const limits = intervalUnits.map((name) =>
    implies(isSent(unit, name), { properties: { [count]: { maximum: largestCount[name] } } }),
  );
  return { allOf: limits };
}

/** The largest percentage, of a value that another field calls one. */
export function percentageWithin(type: string, value: string): FieldRules {
  const atMost = { properties: { [value]: { maximum: 100 } } };
  return { [value]: implies(isSent(type, "PERCENTAGE"), atMost) };
}

/** Two fields of which both are null or none is, where both are sent. */
export function bothNullOrNeither(one: string, other: string): FieldRules {
  return { [one]: implies(isOf(one, isNull), isOf(other, isNull), isOf(other, { not: isNull })) };
}

/** Two fields of which one at most has a value. */
export function notBoth(one: string, other: string): FieldRules {
  return { [one]: implies(isOf(one, { not: isNull }), isOf(other, isNull)) };
}

const isNull = { type: "null" };
function isOf(field: string, schema: object): object {
  return { properties: { [field]: schema } };
}

/** A condition and what follows from it, and from its contrary. */
export function implies(condition: object, consequence: object, otherwise?: object): object {
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  return { if: condition, then: consequence, ...(otherwise ? { else: otherwise } : {}) };
}

/** The condition that a field is sent with a value. */
export function isSent(field: string, value: unknown): object {
  return { properties: { [field]: { const: value } }, required: [field] };
}

/** One of the fields is sent, and no other of them. */
export function exactlyOne(...fields: string[]): { oneOf: { required: string[] }[] } {
  return { oneOf: fields.map((field) => ({ required: [field] })) };
}
