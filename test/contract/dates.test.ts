/** A date ahead lies within ten years and on the calendar, wherever a request names one. */
import { beforeAll, describe, expect, test } from "vitest";
import { addMonths, toDate, toDay } from "../../src/base/lib/time/calendar.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { api } from "../support/client.ts";
import {
  jsonBodyOf,
  type Operation,
  operations,
  resolve,
  type Schema,
  titleOf,
} from "../support/document.ts";
import { bodyOf, call, openWorld, queryOf, type World } from "../support/world.ts";

/** A field of a request that is a calendar date, by the keys that lead to it. */
type DateField = { operation: Operation; where: "body" | "query"; keys: string[] };

function isDate({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ format }: Schema) => format === "date");
}

function datesIn(schema: Schema, keys: string[] = []): string[][] {
  const whole = resolve(schema);
  if (isDate(whole)) return [keys];
  const inner = [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.allOf ?? [])] as Schema[];
  return [
    ...inner.flatMap((one) => datesIn(one, keys)),
    ...Object.entries<Schema>(whole.properties ?? {}).flatMap(([name, one]) => datesIn(one, [...keys, name])),
  ];
}

const fields: DateField[] = operations.flatMap((operation) => {
  const query = (operation.parameters ?? []).filter(
    ({ in: place, schema }) => place === "query" && isDate(schema),
  );
  return [
    ...query.map(({ name }) => ({ operation, where: "query" as const, keys: [name] })),
    ...datesIn(jsonBodyOf(operation) ?? {}).map((keys) => ({ operation, where: "body" as const, keys })),
  ];
});

/** Parameters that lead a projection or a sum to a day, beside the fields that are written. All other parameters only compare. */
const leading = [
  "GET /api/subscriptions/{id}/upcoming pause_until",
  "GET /api/forecast/goods from",
  "GET /api/forecast/goods to",
  "GET /api/insights/retention from",
  "GET /api/insights/retention to",
];

function nameOf({ operation, keys }: DateField): string {
  return `${titleOf(operation)} ${keys.join(".")}`;
}

function isBounded(field: DateField): boolean {
  return field.where === "body" ? field.keys[0] !== "filter" : leading.includes(nameOf(field));
}

const bounded = fields.filter(isBounded).map((field) => [nameOf(field), field] as const);
const compared = fields.filter((field) => !isBounded(field)).map((field) => [nameOf(field), field] as const);

const today = dateIn(new Date().toISOString(), "UTC");
const furthest = toDate(addMonths(toDay(today), 120));
const tooFar = `must be ${furthest} or earlier: no date lies more than 10 years ahead`;
const beyond = toDate(toDay(furthest) + 1);
const extremes = ["9998-12-31", "9999-12-31T23:59:59-12:00", "0001-01-02", "0000-01-01T00:00:00+12:00"];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

/** Asks an operation with a date in one of its fields, and with all else as it succeeds. */
function ask({ operation, where, keys }: DateField, date: string) {
  if (where === "query")
    return call(operation, world, { query: { ...queryOf(operation, world), [keys[0]!]: date } });
  return call(operation, world, { body: withValue(bodyOf(operation, world), keys, date) });
}

function withValue(body: unknown, [key, ...rest]: string[], value: string): object {
  const known = (body ?? {}) as Record<string, unknown>;
  return { ...known, [key!]: rest.length === 0 ? value : withValue(known[key!], rest, value) };
}

test("the walk has the dates of the requests that move something", () => {
  expect(bounded.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      "POST /api/subscriptions next_delivery_date",
      "PUT /api/subscriptions/{id}/schedule next_delivery_date",
      "POST /api/subscriptions/{id}/pause pause_until",
      "POST /api/subscriptions/{id}/ship-now production_date",
      "PUT /api/subscriptions/closed-days/{id} to",
      "POST /api/imports charge_from",
      ...leading,
    ]),
  );
});

describe("a date ahead lies within ten years, and is none that the calendar cannot count to", () => {
  test.each(bounded)("%s", async (_, field) => {
    const { status, body } = await ask(field, beyond);
    expect([status, body.details]).toEqual([400, [{ path: field.keys.join("."), message: tooFar }]]);
    const last = await ask(field, furthest);
    expect(last.status).toBeLessThan(500);
    expect(JSON.stringify(last.body)).not.toContain("years ahead");
    for (const date of extremes) expect((await ask(field, date)).status, date).toBeLessThan(500);
  });
});

describe("a date that records are compared with is any of the calendar", () => {
  test.each(compared)("%s", async (_, field) => {
    for (const date of [beyond, ...extremes]) expect((await ask(field, date)).status, date).toBeLessThan(500);
  });
});

describe("a bulk action is refused as a whole where nobody could be given its date", () => {
  const price = { store_variant_id: "variant-1", price: 5 };
  test.each([
    ["reschedule", "next_delivery_date", {}],
    ["resume", "next_delivery_date", {}],
    ["pause", "pause_until", {}],
    ["change_price", "effective_on", price],
  ])("%s", async (action, field, more) => {
    const start = (date: string) =>
      api(world.tenant, "POST", "/api/bulk", {
        query: { dry_run: true },
        body: { action, input: { ...more, [field]: date }, filter: {} },
      });
    const path = `input.${field}`;
    const far = await start(beyond);
    expect([far.status, far.body.details]).toEqual([400, [{ path, message: tooFar }]]);
    const past = await start("2020-01-01");
    expect([past.status, past.body.details[0].path]).toEqual([400, path]);
    expect((await start(furthest)).status).toBe(202);
  });
});

test("every field says how far ahead its date may lie, if not by another that does", () => {
  for (const [name, { operation, where, keys }] of bounded) {
    if (where === "query") continue;
    const schema = keys.reduce((at, key) => resolve(resolve(at).properties[key]), jsonBodyOf(operation)!);
    expect(schema.description, name).toMatch(/ten years ahead|from today to the delivery|^The last/);
  }
});
