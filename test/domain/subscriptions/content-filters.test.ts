/** A subscription is found in the list by its contents, as they are now. */
import { beforeAll, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, listed } from "../../support/records.ts";
import { addPlan, addSlot, done, force, inDays, itemOf, nextDay, subscribe } from "../../support/shops.ts";
import { path } from "../../support/subscriptions.ts";
import { useShop } from "../../support/worker.ts";

const { shop } = useShop({ timezone: "America/New_York" });
const ids: Record<string, string> = {};

beforeAll(async () => {
  ids.slot = await addSlot(shop, { day_of_week: 4 });
  ids.plan = await addPlan(shop);
  const lines = (...variants: string[]) => variants.map((v) => itemOf(shop.plan, { store_variant_id: v }));
  const pay = (store_payment_method_id: string) => ({ store_payment_method_id });
  ids.a = await subscribe(shop, { ...pay("pm_a"), lines: lines("x", "x") });
  ids.b = await subscribe(shop, {
    ...pay("pm_b"),
    lines: lines("77"),
    delivery_slot_id: ids.slot,
    next_delivery_date: nextDay(4),
  });
  ids.c = await subscribe(shop, { ...pay("pm_c"), lines: [itemOf(ids.plan, { store_variant_id: "x" })] });
  await expire(ids.a, 2027);
  await expire(ids.b, 2031);
  await expire(ids.c, 2040);
  await force(ids.a, { updated_at: "2026-01-07T04:59:59.999Z" });
  await force(ids.b, { updated_at: "2026-01-07T05:00:00.000Z" });
  await force(ids.c, { billing_blocked_reason: "import_held", updated_at: "2026-01-09T00:00:00.000Z" });
  ids.none = newId();
});

/** Has the card of a subscription expire at the end of December of a year. */
async function expire(id: string, year: number): Promise<void> {
  const its = "id = (SELECT payment_method_id FROM subscriptions WHERE id = ?)";
  await execute(`UPDATE payment_methods SET exp_year = ?, exp_month = 12 WHERE ${its}`, year, id);
}

test.each([
  [{ store_variant_id: "x" }, "ca"],
  [{ store_variant_id: "gid://shopify/ProductVariant/77" }, "b"],
  [{ store_variant_id: "z" }, ""],
  [{ selling_plan_id: "$plan" }, "c"],
  [{ selling_plan_id: "nope" }, ""],
  [{ store_variant_id: "x", selling_plan_id: "$plan", sort_by: "total" }, "c"],
  [{ delivery_slot_id: "$slot" }, "b"],
  [{ delivery_slot_id: "$none" }, ""],
  [{ billing_blocked: "true" }, "c"],
  [{ billing_blocked: "false" }, "ba"],
  [{ card_expires_before: "2027-12-31" }, ""],
  [{ card_expires_before: "2028-01-01" }, "a"],
  [{ card_expires_before: "2032-01-01" }, "ba"],
  [{ updated_after: "2026-01-07T04:59:59.999Z" }, "cb"],
  [{ updated_after: "2026-01-06" }, "cb"],
  [{ updated_after: "2026-01-07" }, "c"],
  [{ store_variant_id: "x", search: "1001" }, "a"],
] as [Record<string, string>, string][])("filters %o: %s", async (query, expected) => {
  const asked = Object.entries(query).map(([name, value]) => [
    name,
    value.startsWith("$") ? ids[value.slice(1)]! : value,
  ]);
  const { data, meta } = await listed(shop.admin, path, Object.fromEntries(asked));
  expect(meta.total).toBe(data.length);
  expect(data.map(({ id }) => "abc".split("").find((name) => ids[name] === id)).join("")).toBe(expected);
});

test.each(["billing_blocked", "card_expires_before", "updated_after"])("400 that names %s", async (name) => {
  expect(faults(await api(shop.admin, "GET", path, { query: { [name]: "soon" } }))).toEqual([
    400,
    "VALIDATION_FAILED",
    name,
  ]);
});

test("a line that is swapped is found by its new variant alone", async () => {
  const id = await subscribe(shop, {
    next_delivery_date: inDays(9),
    lines: [itemOf(shop.plan, { store_variant_id: "old" })],
  });
  const { lines } = (await api(shop.admin, "GET", `${path}/${id}`)).body.data;
  await done(shop.api, "PUT", id, `lines/${lines[0].id}`, { store_variant_id: "new" });
  const found = async (store_variant_id: string) =>
    (await listed(shop.admin, path, { store_variant_id })).data.map((row) => row.id);
  expect([await found("old"), await found("new")]).toEqual([[], [id]]);
});
