/** Lines and discounts are added, changed and removed as asked for, with amounts that follow. */
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { faults } from "../../support/records.ts";
import {
  actionsOf,
  addPlan,
  done,
  entriesOf,
  feedOf,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  refusal,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
const other = useAccount();
let id: string;
let line: string;
beforeEach(async () => {
  id = await subscribe(shop);
  line = (await read(shop, id)).lines[0].id;
});

function add(body: unknown) {
  return api<Json>(shop.api, "POST", on(id, "lines"), { body });
}

function change(body: unknown, of = line) {
  return api<Json>(shop.api, "PUT", on(id, `lines/${of}`), { body });
}

function remove(of = line) {
  return api<Json>(shop.api, "DELETE", on(id, `lines/${of}`));
}

describe("lines", () => {
  test("add: with its plan's discount and shipping, after the others", async () => {
    const plan = await addPlan(shop, {
      discount_type: "PERCENTAGE",
      discount_value: 10,
      shipping_amount: 4.5,
    });
    const item = {
      slot_id: "s",
      store_product_id: "p",
      store_variant_id: "v",
      product_title: "T",
      quantity: 2,
      price: 0.5,
    };
    const { data } = (
      await add(itemOf(plan, { price: 12.5, quantity: 2, sku: "A", selection_items: [item] }))
    ).body;
    expect(data).toMatchObject({ subtotal: 35, discount_amount: 2.5, shipping_amount: 4.5, total: 37 });
    expect(data.lines[1]).toMatchObject({
      selling_plan_id: plan,
      price: 12.5,
      quantity: 2,
      line_total: 25,
      discount_amount: 2.5,
      sku: "A",
      is_one_time: false,
      selection_items: [{ ...item, variant_title: null }],
    });
    expect(await read(shop, id)).toEqual(data);
    const [entry] = await feedOf(shop, id);
    expect(entry.action).toBe("lines_changed");
    expect(entry.changes.total).toEqual({ from: 10, to: 37 });
    expect(entry.changes.lines.to).toHaveLength(2);
  });

  test("one-time: in the next order only", async () => {
    const { data } = (await add(itemOf(shop.plan, { price: 3, is_one_time: true }))).body;
    expect(data.total).toBe(13);
    const upcoming = (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 3 } })).body
      .data;
    expect(upcoming.map((one: Json) => [one.total, one.lines.length])).toEqual([
      [13, 2],
      [10, 1],
      [10, 1],
    ]);
  });

  test("change: only what the body names; null clears", async () => {
    const plan = await addPlan(shop, { name: "Dearer", shipping_amount: 5 });
    await change({ sku: "A", variant_title: "Red", quantity: 4, price: 2.25 });
    const { data } = (await change({ sku: null, store_variant_id: "variant-2", selling_plan_id: plan })).body;
    expect(data.lines).toHaveLength(1);
    expect(data.lines[0]).toMatchObject({
      id: line,
      sku: null,
      variant_title: "Red",
      store_variant_id: "variant-2",
      selling_plan_name: "Dearer",
      quantity: 4,
      price: 2.25,
      line_total: 9,
    });
    expect(data).toMatchObject({ subtotal: 9, shipping_amount: 5, total: 14 });
    expect((await change({})).status).toBe(200);
    expect((await change({ quantity: 4 })).status).toBe(200);
    expect(await actionsOf(id)).toHaveLength(3);
  });

  test("a plan's discount stays with its line while it lives, whatever becomes of the plan", async () => {
    const plan = await addPlan(shop, { discount_type: "FIXED_AMOUNT", discount_value: 1 });
    id = await subscribe(shop, { lines: [itemOf(plan, { quantity: 3 })] });
    await api(shop.api, "PUT", `/api/subscriptions/selling-plans/${plan}`, { body: { discount_value: 2 } });
    line = (await read(shop, id)).lines[0].id;
    expect((await change({ quantity: 4 })).body.data.discount_amount).toBe(4);
    expect((await change({ selling_plan_id: shop.plan })).body.data.discount_amount).toBe(0);
  });

  test("remove; the last cannot go, nor the last that lasts", async () => {
    const added = (await add(itemOf(shop.plan, { is_one_time: true }))).body.data.lines[1].id;
    const refused = await remove();
    expect(refusal(refused)).toEqual([409, "INVALID_STATE"]);
    expect(refused.body.error).toMatch(/last line.*ACTIVE/);
    expect((await remove(added)).body.data.lines).toHaveLength(1);
    expect(refusal(await remove())).toEqual([409, "INVALID_STATE"]);
    const second = (await add(itemOf(shop.plan))).body.data.lines[1].id;
    expect((await remove()).body.data.lines.map((one: Json) => one.id)).toEqual([second]);
    expect(refusal(await remove())).toEqual([404, "NOT_FOUND"]);
    expect(await actionsOf(id)).toHaveLength(5);
  });

  test("unknown lines are 404, another subscription's too", async () => {
    const elsewhere = await subscribe(shop);
    const foreign = (await read(shop, elsewhere)).lines[0].id;
    for (const line of [newId(), "x", foreign]) {
      expect(refusal(await change({ quantity: 2 }, line))).toEqual([404, "NOT_FOUND"]);
      expect(refusal(await remove(line))).toEqual([404, "NOT_FOUND"]);
    }
    expect((await read(shop, elsewhere)).lines).toHaveLength(1);
  });

  test("unknown plans: none such, inactive, another account's", async () => {
    const inactive = await addPlan(shop, { is_active: false });
    for (const selling_plan_id of ["none", inactive, other.plan]) {
      expect(refusal(await add(itemOf(selling_plan_id)))).toEqual([400, "UNKNOWN_SELLING_PLAN"]);
      expect(refusal(await change({ selling_plan_id }))).toEqual([400, "UNKNOWN_SELLING_PLAN"]);
    }
  });

  test.each<[object, string]>([
    [{ price: 1.234 }, "price"],
    [{ price: -1 }, "price"],
    [{ price: "1" }, "price"],
    [{ quantity: 0 }, "quantity"],
    [{ quantity: 1.5 }, "quantity"],
    [{ product_title: "" }, "product_title"],
    [{ colour: "red" }, "colour"],
    [
      {
        selection_items: [
          {
            slot_id: "s",
            store_product_id: "p",
            store_variant_id: "v",
            product_title: "T",
            quantity: 1,
            price: 0.001,
          },
        ],
      },
      "selection_items.0.price",
    ],
  ])("%j is 400, added or changed", async (more, path) => {
    expect(faults(await add(itemOf(shop.plan, more)))).toEqual([400, "VALIDATION_FAILED", path]);
    expect(faults(await change(more))).toEqual([400, "VALIDATION_FAILED", path]);
  });

  test.each([
    ["JPY", 100, 0.5],
    ["KWD", 1.125, 0.0001],
  ])("decimals are the currency's: %s", async (currency, good, bad) => {
    const shop = await openShop({ currency });
    const one = await subscribe(shop, { lines: [itemOf(shop.plan, { price: good })] });
    const body = itemOf(shop.plan, { price: bad });
    expect((await api(shop.api, "POST", on(one, "lines"), { body })).status).toBe(400);
    expect((await read(shop, one)).total).toBe(good);
  });

  test("sums stay exact, or are refused: never a server error", async () => {
    for (let n = 0; n < 12; n++) {
      const answer = await add(itemOf(shop.plan, { price: 9_999_999_999.99, quantity: 1_000_000 }));
      expect.soft(answer.status, `line ${n}: ${answer.text.slice(0, 200)}`).toBeLessThan(500);
    }
    expect((await rowOf(id)).subtotal, "minor units are exact").toBeLessThan(2 ** 53);
  });

  test("more than a row can hold is refused, and nothing of it kept", async () => {
    const wide = {
      title: "é".repeat(9_000),
      item: { slot_id: "s", store_product_id: "p", store_variant_id: "v", quantity: 1, price: 0 },
    };
    const selection_items = Array.from({ length: 30 }, () => ({ ...wide.item, product_title: wide.title }));
    const before = await rowOf(id);
    const answer = await add(itemOf(shop.plan, { selection_items }));
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "lines"]);
    expect(await rowOf(id)).toEqual(before);
  });
});

describe("discounts", () => {
  const discount = { title: "Thanks", value: 10, value_type: "PERCENTAGE", target_type: "ORDER" };
  const apply = (more: object = {}) =>
    api<Json>(shop.api, "POST", on(id, "discounts"), { body: { ...discount, ...more } });

  test("apply and remove", async () => {
    const { data } = (await apply({ recurring_cycle_limit: 2, discount_code: "TEN" })).body;
    expect(data).toMatchObject({ subtotal: 10, discount_amount: 1, total: 9, has_shipping_discount: false });
    expect(data.discounts).toEqual([
      {
        id: expect.any(String),
        status: "ACTIVE",
        is_active: true,
        discount_code: "TEN",
        title: "Thanks",
        value: 10,
        max_amount: null,
        store_discount_id: expect.any(String),
        currency_code: null,
        target_type: "ORDER",
        value_type: "PERCENTAGE",
        recurring_cycle_limit: 2,
        applied_at: data.updated_at,
        exhausted_at: null,
        removed_at: null,
        is_shipping_discount: false,
        discount_label: "10% off",
        created_at: data.updated_at,
        updated_at: data.updated_at,
      },
    ]);
    const upcoming = (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 3 } })).body
      .data;
    expect(upcoming.map((one: Json) => one.total)).toEqual([9, 9, 10]);
    const applied = data.discounts[0].id;
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "discount_applied",
      metadata: { discount_id: applied, title: "Thanks" },
    });

    const at = on(id, `discounts/${applied}`);
    const removed = (await api<Json>(shop.api, "DELETE", at)).body.data;
    expect(removed).toMatchObject({ discount_amount: 0, total: 10 });
    expect(removed.discounts[0]).toMatchObject({
      status: "REMOVED",
      is_active: false,
      removed_at: removed.updated_at,
    });
    const row = await rowOf(id);
    expect((await api(shop.api, "DELETE", at)).status).toBe(200);
    expect(await rowOf(id)).toEqual(row);
    expect(await actionsOf(id)).toEqual(["subscription_created", "discount_applied", "discount_removed"]);
  });

  test("on shipping", async () => {
    const plan = await addPlan(shop, { shipping_amount: 4 });
    id = await subscribe(shop, { lines: [itemOf(plan)] });
    const { data } = (await apply({ target_type: "SHIPPING_LINE", value: 50 })).body;
    expect(data).toMatchObject({
      has_shipping_discount: true,
      discount_amount: 2,
      shipping_amount: 4,
      total: 12,
    });
    expect(data.discounts[0].is_shipping_discount).toBe(true);
  });

  test("follow the lines, and never take more than there is", async () => {
    await apply({ value: 15, value_type: "FIXED_AMOUNT", target_type: "LINE_ITEM" });
    expect((await read(shop, id)).total).toBe(0);
    const { data } = (await change({ quantity: 3 })).body;
    expect([data.total, data.discount_amount, data.lines[0].discount_amount]).toEqual([15, 15, 15]);
    expect(data.discounts[0]).toMatchObject({
      currency_code: "USD",
      discount_label: "15 USD off",
      value: 15,
    });
  });

  test.each<[object, number]>([
    [{ value: 100 }, 200],
    [{ value: 0 }, 200],
    [{ value: 33.33 }, 200],
    [{ value: 100.01 }, 400],
    [{ value: 33.333 }, 400],
    [{ value: -1 }, 400],
    [{ value: 1.234, value_type: "FIXED_AMOUNT" }, 400],
    [{ value_type: "BOGOF" }, 400],
    [{ target_type: "TAX" }, 400],
    [{ title: "" }, 400],
    [{ title: "x".repeat(256) }, 400],
    [{ title: "x".repeat(255) }, 200],
    [{ recurring_cycle_limit: 0 }, 400],
    [{ recurring_cycle_limit: 1.5 }, 400],
    [{ recurring_cycle_limit: null, discount_code: null }, 200],
    [{ discount_code: "x".repeat(256) }, 400],
    [{ colour: "red" }, 400],
  ])("%j: %i", async (more, status) => {
    expect((await apply(more)).status).toBe(status);
  });

  test("unknown discounts are 404, another subscription's too", async () => {
    const foreign = (await apply()).body.data.discounts[0].id;
    id = await subscribe(shop);
    for (const discount of [newId(), "x", foreign])
      expect(refusal(await api<Json>(shop.api, "DELETE", on(id, `discounts/${discount}`)))).toEqual([
        404,
        "NOT_FOUND",
      ]);
  });

  test("both stand through a whole change of lines", async () => {
    await apply({ value: 1, value_type: "FIXED_AMOUNT" });
    const added = await done(shop.api, "POST", id, "lines", itemOf(shop.plan, { price: 5 }));
    expect([added.subtotal, added.discount_amount, added.total]).toEqual([15, 1, 14]);
    expect((await remove()).body.data.total).toBe(4);
  });
});
