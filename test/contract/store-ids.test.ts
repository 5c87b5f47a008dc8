/** Both forms of a store's id give the same answer and leave the same records. */
import { describe, expect, test } from "vitest";
import { each, jsonBodyOf, type Operation, operations, resolve, type Schema } from "../support/document.ts";
import { rowsOf } from "../support/snapshot.ts";
import { bodyOf, type Call, call, fill, openWorld, paramsOf, queryOf, type World } from "../support/world.ts";

/**
 * A store's ids have two forms, and every operation takes both. Where one is expected is read from the
 * document, so a new operation is covered by what its fields are called.
 */

type Keys = (string | number)[];
type Place = { in: "path" | "query" | "body"; keys: Keys; schema: Schema; kind: string | undefined };

/** The kind of record whose id a schema takes in both forms. */
function kindOf({ pattern = "" }: Schema): string | undefined {
  return /^\^\(\?!gid:\/\/shopify\/\(\?!(\w+)\//.exec(pattern)?.[1];
}

function bodyPlaces(schema: Schema, keys: Keys = []): Place[] {
  const resolved = resolve(schema);
  const { properties = {}, items, oneOf = [], anyOf = [] } = resolved;
  return [
    ...(resolved.type === "string"
      ? [{ in: "body" as const, keys, schema: resolved, kind: kindOf(resolved) }]
      : []),
    ...[...oneOf, ...anyOf].flatMap((branch) => bodyPlaces(branch, keys)),
    ...Object.entries(properties).flatMap(([key, member]) => bodyPlaces(member as Schema, [...keys, key])),
    ...(items ? bodyPlaces(items, [...keys, 0]) : []),
  ];
}

/** A member of an import's mapping names a column, and one of its defaults may be of any type. */
const isOfImport = ({ keys: [first] }: Place) => first === "mapping" || first === "defaults";

/** Every text that a request of an operation has. */
function textsOf(operation: Operation): Place[] {
  return [
    ...(operation.parameters ?? []).flatMap((parameter): Place[] => {
      const schema = resolve(parameter.schema);
      return parameter.in === "header" || schema.type !== "string"
        ? []
        : [{ in: parameter.in, keys: [parameter.name], schema, kind: kindOf(schema) }];
    }),
    ...bodyPlaces(jsonBodyOf(operation) ?? {}).filter((place) => !isOfImport(place)),
  ];
}

function placesOf(operation: Operation) {
  return textsOf(operation).filter(({ kind }) => kind !== undefined);
}
const withIds = operations.filter((operation) => placesOf(operation).length > 0);

function nameOf({ keys }: Place): string {
  return String(keys.findLast((key) => typeof key === "string"));
}

test("every field that is named as a store's id takes both forms", () => {
  const named = operations.flatMap((operation) =>
    textsOf(operation)
      .filter((place) => /^(store_.*_id|selling_plan_id|product_ids)$/.test(nameOf(place)))
      .map((place) => [operation.operationId, place.keys.join("."), place.kind]),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(([, , kind]) => kind === undefined)).toEqual([]);
  const plans = operations.filter(({ path }) => path.endsWith("/selling-plans/{id}"));
  expect(plans.map((plan) => placesOf(plan).filter((place) => place.in === "path")[0]?.kind)).toEqual(
    plans.map(() => "SellingPlan"),
  );
});

function valueAt(value: unknown, keys: Keys): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
    value,
  );
}

/** The examples of a schema's properties. */
function example(schema: Schema): unknown {
  const { items, properties, type, example: given, enum: values } = resolve(schema);
  if (values?.length === 1) return values[0];
  if (given !== undefined) return given;
  if (items) return [example(items)];
  if (!properties) return type === "integer" ? 1 : "text";
  return Object.fromEntries(
    Object.entries(properties).map(([key, member]) => [key, example(member as Schema)]),
  );
}

/** The form of a body, or of a member, that has these keys, one within the other. */
function formWith(schema: Schema, keys: Keys): Schema {
  return formsOf(schema).find((form) => hasKeys(form, keys)) ?? {};
}

function formsOf(schema: Schema): Schema[] {
  const { oneOf = [], anyOf = [], ...resolved } = resolve(schema);
  return [resolved, ...[...oneOf, ...anyOf].flatMap(formsOf)];
}

function hasKeys(form: Schema, [key, ...rest]: Keys): boolean {
  if (key === undefined) return true;
  const member = typeof key === "number" ? form.items : form.properties?.[key];
  return member !== undefined && formsOf(member).some((inner) => hasKeys(inner, rest));
}

/** A body in another form: the fields that both have, and examples of those that the form needs besides. */
function inForm({ properties = {}, required = [] }: Schema, body: unknown): Record<string, unknown> {
  const fits = (name: string, value: unknown) => {
    const member = properties[name] && resolve(properties[name]);
    return member && (member.enum?.includes(value) ?? true);
  };
  const kept = Object.entries((body ?? {}) as object).filter(([name, value]) => fits(name, value));
  const needed = (required as string[]).map((name) => [name, example(properties[name])]);
  return { ...Object.fromEntries(needed), ...Object.fromEntries(kept) };
}

/** A body with an id in this place, as the form of the body that has this place. */
function withId(schema: Schema, body: unknown, [key, ...rest]: Keys, id: string): unknown {
  if (key === undefined) return id;
  const form = formWith(schema, [key, ...rest]);
  if (typeof key === "number") {
    const [first] = Array.isArray(body) ? body : [];
    return [withId(form.items, first ?? example(form.items), rest, id)];
  }
  const known = inForm(form, body);
  return { ...known, [key]: withId(form.properties[key], known[key], rest, id) };
}

/** The request with an id in this place. */
function requestWith(operation: Operation, of: World, place: Place, id: string): Call {
  const [name = ""] = place.keys;
  if (place.in === "query") return { query: { ...queryOf(operation, of), [name]: id } };
  if (place.in === "path") return { path: fill(operation.path, { ...paramsOf(operation, of), [name]: id }) };
  return { body: withId(jsonBodyOf(operation)!, bodyOf(operation, of), place.keys, id) };
}

/** The id that succeeds in this place: that of a record of the world where one is needed, else any number. */
async function idFor(operation: Operation, of: World, place: Place): Promise<string> {
  const [name = ""] = place.keys;
  const known =
    place.in === "path"
      ? paramsOf(operation, of)[name]
      : place.in === "query"
        ? await listedId(operation, of, String(name))
        : /^selling_plan_ids?$/.test(nameOf(place))
          ? bodyPlan(of)
          : operation.operationId.endsWith("OwnLine") && valueAt(bodyOf(operation, of), place.keys);
  return known ? String(known) : "8044010537025";
}

/** The id that is asked for in a query where the rows of the list do not show theirs, so that none is found. */
function anyId(place: Place): string | undefined {
  return place.in === "query" ? "8044010537025" : undefined;
}

/** The id that a record of a list has in this field. */
async function listedId(operation: Operation, of: World, name: string): Promise<unknown> {
  const { body } = await call(operation, of);
  return body.data.find((row: Record<string, unknown>) => row[name])?.[name];
}

function bodyPlan(of: World): string {
  const create = operations.find(({ operationId }) => operationId === "createSubscriptions")!;
  return String(valueAt(bodyOf(create, of), ["lines", 0, "selling_plan_id"]));
}

/** A text without the differences between two worlds: ids, times, and the numbers that a world gives. */
function comparable(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
    .replaceAll(/"(seq|account_seq|search_tenant|kept_id)":"?[\w-]+"?/g, "$1")
    .replaceAll(/\d{9,}/g, "number");
}

/** The rows of a world's account, but for its credentials. */
async function recordsOf({ tenant }: World): Promise<string[]> {
  const rows = await rowsOf(tenant.account.id);
  return rows.split("\n").filter((row) => !/^(accounts|api_keys|webhook_\w+) /.test(row));
}

const cases = withIds.flatMap((operation) =>
  placesOf(operation).map(
    (place) => [`${operation.operationId}: ${place.keys.join(".")}`, operation, place] as const,
  ),
);

describe("both forms give the same answer and leave the same records, which have the plain one", () => {
  test.each(cases)("%s", async (_, operation, place) => {
    const outcome = async (inForm: (id: string) => string) => {
      const of = await openWorld();
      const id = await idFor(operation, of, place);
      const request = requestWith(operation, of, place, inForm(id));
      const { status, body } = await call(operation, of, request);
      expect(status, JSON.stringify(body)).toBeLessThan(300);
      const shown = JSON.stringify(body?.data ?? null);
      const records = await recordsOf(of);
      expect(shown + records.join()).not.toContain("gid:");
      const isKept = operation.method !== "DELETE" && id !== anyId(place);
      if (isKept) expect(shown + records.join()).toContain(id);
      return [comparable(shown), ...records.map(comparable).toSorted()];
    };
    expect(await outcome((id) => `gid://shopify/${place.kind}/${id}`)).toEqual(await outcome((id) => id));
  });
});

describe("a global id of another kind of record is refused by name; in a path it is unknown", () => {
  test.each(each(withIds))("%s", async (_, operation) => {
    const of = await openWorld();
    for (const place of placesOf(operation)) {
      const other = place.kind === "Order" ? "Product" : "Order";
      const request = requestWith(operation, of, place, `gid://shopify/${other}/1`);
      const { status, body } = await call(operation, of, request);
      if (place.in === "path") expect(status).toBe(404);
      else expect([status, body?.errorCode], place.keys.join(".")).toEqual([400, "VALIDATION_FAILED"]);
      if (place.in === "path") continue;
      expect(body.details).toEqual([
        {
          path: place.keys.join("."),
          message: `must be gid://shopify/${place.kind}/… or its last part alone`,
        },
      ]);
    }
  });
});
