/** A list over MCP is brief: 25 rows take at most 10 KB, and name the tool that has one whole. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { briefOf } from "../../../src/edges/mcp/brief.ts";
import { briefRows, bytesOf } from "../../../src/edges/mcp/brief-rows.ts";
import { api } from "../../support/client.ts";
import { resolve, type Schema } from "../../support/document.ts";
import { logOf, put } from "../../support/records.ts";
import {
  callTool,
  endpoint,
  message,
  rowSchemaOf,
  type ToolResult,
  toolCall,
  toolOperation,
  toolOperations,
  useMcpWorld,
  withAllTools,
} from "./session.ts";

const { merchant: world, caller } = useMcpWorld();
let subscription: { id: string; store_contract_id: string };
beforeAll(async () => {
  const { id } = world.paths["/api/subscriptions/{id}"]!;
  subscription = (await api(caller, "GET", `/api/subscriptions/${id}`)).body.data;
});

function filter() {
  return { store_contract_id: subscription.store_contract_id };
}

const lists = toolOperations.filter((operation) => rowSchemaOf(operation));

test("every list of records is brief, by fields that its rows have, and names the tool that has one whole", () => {
  expect(lists.length).toBeGreaterThan(15);
  for (const operation of lists) {
    const brief = briefOf(operation.operationId);
    expect(brief, operation.operationId).toBeDefined();
    for (const field of brief?.fields ?? [])
      expect(hasField(rowSchemaOf(operation)!, field), field).toBe(true);
    if (brief?.whole) expect(toolOperation(brief.whole).method).toBe("GET");
  }
});

/** Whether records of a schema have a field, which may be inside another or inside a list of them. */
function hasField(schema: Schema, field: string): boolean {
  const whole = resolve(schema);
  const { anyOf, oneOf, items, properties = {} } = whole;
  if (anyOf ?? oneOf) return (anyOf ?? oneOf).some((member: Schema) => hasField(member, field));
  if (items) return hasField(items, field);
  const [name = "", ...rest] = field.split(".");
  if (!Object.hasOwn(properties, name)) return false;
  return rest.length === 0 || hasField(properties[name], rest.join("."));
}

describe("a page of 25 has at most 10 KB, whatever its rows hold", () => {
  const text = fc.oneof(fc.string({ maxLength: 400, unit: "grapheme" }), fc.constant("🐶".repeat(200)));
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.object({ maxDepth: 2 }));
  const seed = 20_261_121;
  /** Rows are made of some hundred values: to make new ones for each takes ten times as long as to show them. */
  const values = fc.constantFrom(...fc.sample(value, { numRuns: 500, seed }));
  const id = fc.uuid();

  test.each(lists.map(({ operationId }) => [operationId]))("%s", (name) => {
    const brief = briefOf(name)!;
    const tops = [...new Set(brief.fields.map((field) => field.split(".")[0]!))];
    const row = fc.record(Object.fromEntries(tops.map((top) => [top, /(^|_)id$/.test(top) ? id : values])));
    fc.assert(
      fc.property(fc.array(row, { minLength: 25, maxLength: 25 }), (rows) => {
        const shown = briefRows(rows, brief);
        expect(shown).toHaveLength(25);
        expect(bytesOf(shown)).toBeLessThanOrEqual(9_200);
        shown.forEach((one, nth) => {
          if ("id" in one) expect(one.id, "an id is whole").toBe(rows[nth]?.id);
        });
      }),
      { numRuns: 30, seed },
    );
  });
});

test("a brief row leaves out what is null, false or empty, and a long text's end", () => {
  const rows = [{ id: "1", name: "x".repeat(500), is_active: false, entity_type: null, profile_id: "p" }];
  expect(briefRows(rows, briefOf("listEntities")!)).toEqual([
    { id: "1", name: `${"x".repeat(99)}…`, profile_id: "p" },
  ]);
});

describe("where the data of a result is", () => {
  const call = async (headers: Record<string, string>, query = ""): Promise<ToolResult> => {
    const given = toolCall("listSubscriptions", filter());
    const { body } = await message<{ result: ToolResult }>(caller, given, {
      path: `${endpoint}${query}`,
      headers,
    });
    return body.result;
  };
  const structured = ({ structuredContent, content }: ToolResult) => {
    expect(structuredContent.data[0].id).toBe(subscription.id);
    expect(content).toEqual([
      { type: "text", text: expect.stringMatching(/^1 row: see structuredContent\. Written by customers/) },
    ]);
  };
  const asText = ({ structuredContent, content }: ToolResult) => {
    expect(structuredContent).toBeUndefined();
    expect(JSON.parse(content[0]!.text).data[0].id).toBe(subscription.id);
  };

  test("structured content for versions of the protocol that have it, with a sentence beside it", async () => {
    structured(await call({ "MCP-Protocol-Version": "2025-06-18" }));
    structured(await call({ "MCP-Protocol-Version": "2025-11-25" }));
  });

  test("text for older ones, and for those that name none", async () => {
    asText(await call({ "MCP-Protocol-Version": "2025-03-26" }));
    const body = toolCall("listSubscriptions", filter());
    asText((await api(caller, "POST", endpoint, { body })).body.result);
  });

  test("where the client asks for it", async () => {
    asText(await call({}, "?results=text"));
    structured(await call({ "MCP-Protocol-Version": "2025-03-26" }, "?results=structured"));
  });
});

test("a list says where its next page begins, and takes that", async () => {
  const days = { start_date: "2020-01-01", end_date: "2099-12-31" };
  const list = async (given: object) =>
    (await callTool(caller, "listActivityLogs", { ...days, limit: 1, ...given })).result.structuredContent;
  await put(
    "activity_logs",
    [1, 2].map((nth) => logOf(world.tenant, { created_at: `2026-03-0${nth}T00:00:00.000Z` })),
  );
  const first = await list({});
  expect(first.meta).toMatchObject({ current_page: 1, next_cursor: expect.stringMatching(/^[\w-]+$/) });
  const second = await list({ cursor: first.meta.next_cursor });
  expect(second.meta).toMatchObject({ current_page: 2, total: first.meta.total });
  expect(second.data).not.toEqual(first.data);
  const { id } = world.paths["/api/subscriptions/{id}"]!;
  const last = (await callTool(caller, "listSkips", { id })).result.structuredContent;
  expect(last.meta).not.toHaveProperty("next_cursor");
});

test("a list says how many there are and how to see more, and full=true shows whole rows", async () => {
  const { result } = await callTool(caller, "listSubscriptions", filter());
  const { data, meta, note } = result.structuredContent;
  expect(meta).toEqual({
    total: 1,
    total_is_estimate: false,
    is_partial: false,
    current_page: 1,
    last_page: 1,
  });
  expect(note).toContain("getSubscription has one whole");
  expect(Object.keys(data[0])).not.toContain("custom_attributes");
  const whole = (await callTool(caller, "listSubscriptions", { limit: 1, full: true })).result;
  expect(Object.keys(whole.structuredContent.data[0]).sort()).toEqual(
    Object.keys(resolve(rowSchemaOf(toolOperation("listSubscriptions"))!).properties).sort(),
  );
  const refusal = await callTool(caller, "listSubscriptions", { full: "yes" });
  expect(refusal.result.content[0]?.text).toContain("full: must be true or false");
});

test("a dry run says that nothing was changed", async () => {
  const given = { id: subscription.id, dry_run: true };
  const { result } = await callTool(caller, "pauseSubscription", given);
  expect(result.content[0]?.text).toContain("nothing was changed");
});

test("a body with several forms has the fields of all of them as arguments", async () => {
  const { id } = subscription;
  const given = {
    id,
    dry_run: true,
    address1: "1 Way",
    city: "Town",
    zip: "1",
    country: "Germany",
    country_code: "DE",
  };
  const { result } = await callTool(caller, "changeDeliveryAddress", given, { path: withAllTools });
  expect(result.structuredContent.data.delivery_address).toMatchObject({
    address1: "1 Way",
    country_code: "DE",
  });
  const mixed = await callTool(caller, "changeDeliveryAddress", { ...given, delivery_address_id: id });
  expect(mixed.result.isError, "the API decides what goes together").toBe(true);
});
