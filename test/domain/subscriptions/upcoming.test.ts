/** The upcoming deliveries of a subscription are shown with their dates, lines and amounts, as many as asked for. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { faults } from "../../support/records.ts";
import { rowsOf } from "../../support/snapshot.ts";
import {
  created,
  lineOf,
  openSeller,
  path,
  placed,
  planned,
  shown,
  upcoming,
} from "../../support/subscriptions.ts";
import { bearer, token } from "../../support/tenant.ts";
import { useShop } from "../../support/use-account.ts";

type Body = Record<string, unknown>;

const shop = useShop();

function add(id: string, what: "lines" | "discounts", body: Body) {
  return api(shop.admin, "POST", `${path}/${id}/${what}`, { body });
}
const off = { title: "Thanks", value: 5, value_type: "FIXED_AMOUNT", target_type: "ORDER" };

describe("what the next deliveries will be", () => {
  test("each with its dates, lines and amounts; the first as the subscription stands", async () => {
    const { slot } = await placed(shop.admin, {
      day_of_week: 3,
      packing_day_of_week: 2,
      billing_day_of_week: 1,
      courier_lead_time_days: 1,
    });
    const plan = await planned(shop.admin, {
      discount_type: "PERCENTAGE",
      discount_value: 10,
      shipping_amount: 4,
    });
    const [id] = await created(shop, { delivery_slot_id: slot, lines: [lineOf(plan, { quantity: 2 })] });
    const { lines, next_billing_date, next_delivery_date, next_production_date, total } = await shown(
      shop.admin,
      id!,
    );
    const [first, second] = await upcoming(shop.admin, id!, 2);
    const figures = {
      is_billed: true,
      is_at_risk: false,
      delivery_slot_id: slot,
      lines,
      subtotal: 40,
      discount_amount: 4,
      shipping_amount: 4,
      tax_amount: 0,
      total,
      currency_code: "USD",
    };
    expect(first).toEqual({
      cycle: 1,
      billing_date: next_billing_date,
      delivery_date: next_delivery_date,
      production_date: next_production_date,
      ...figures,
    });
    expect(second).toEqual({
      cycle: 2,
      billing_date: "2035-02-26",
      delivery_date: "2035-02-28",
      production_date: "2035-02-27",
      ...figures,
    });
  });

  test("no drift: 31 January, 28 February, 31 March", async () => {
    const [id] = await created(shop);
    expect((await upcoming(shop.admin, id!, 4)).map((one: Body) => one.delivery_date)).toEqual([
      "2035-01-31",
      "2035-02-28",
      "2035-03-31",
      "2035-04-30",
    ]);
  });

  test("prepaid: one in three is billed, the others cost nothing", async () => {
    const plan = await planned(shop.admin, {
      billing_interval_count: 3,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
      max_cycles: 2,
    });
    const [id] = await created(shop, { lines: [lineOf(plan)] });
    const all = await upcoming(shop.admin, id!, 24);
    expect(all.map(({ cycle, is_billed, total }: Body) => [cycle, is_billed, total])).toEqual([
      [1, true, 20],
      [1, false, 0],
      [1, false, 0],
      [2, true, 20],
      [2, false, 0],
      [2, false, 0],
    ]);
    expect(all[1].lines).toMatchObject([{ price: 20, line_total: 0, discount_amount: 0 }]);
  });

  test("discounts end with their cycles, one-time lines after the next order", async () => {
    const [id] = await created(shop);
    await add(id!, "discounts", { ...off, recurring_cycle_limit: 2 });
    await add(id!, "lines", { ...lineOf(shop.planId, { price: 7 }), is_one_time: true });
    const totals = (await upcoming(shop.admin, id!, 4)).map(
      ({ total, lines }: { total: number; lines: Body[] }) => [total, lines.length],
    );
    expect(totals).toEqual([
      [22, 2],
      [15, 1],
      [20, 1],
      [20, 1],
    ]);
  });

  test.each([
    ["JPY", 1000],
    ["KWD", 1.234],
  ])("money in %s", async (currency, price) => {
    const seller = await openSeller({ currency });
    const [id] = await created(seller, { lines: [lineOf(seller.planId, { price })] });
    expect((await upcoming(seller.admin, id!, 1))[0]).toMatchObject({
      total: price,
      currency_code: currency,
    });
  });

  test.each(["CANCELLED", "EXPIRED"])("none for %s", async (status) => {
    const [id] = await created(shop);
    await execute(
      "UPDATE subscriptions SET status = ?, next_billing_date = NULL, next_delivery_date = NULL, next_production_date = NULL WHERE id = ?",
      status,
      id!,
    );
    expect(await upcoming(shop.admin, id!)).toEqual([]);
  });
});

describe("how many", () => {
  test.each([
    [undefined, 6],
    [1, 1],
    [24, 24],
  ])("count=%s: %i", async (count, expected) => {
    const [id] = await created(shop);
    expect(await upcoming(shop.admin, id!, count)).toHaveLength(expected);
  });

  test.each(["0", "25", "-1", "1.5", "", "many"])("count=%s is 400", async (count) => {
    const [id] = await created(shop);
    expect(faults(await api(shop.admin, "GET", `${path}/${id}/upcoming`, { query: { count } }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "count",
    ]);
  });

  test("an unknown parameter is 400", async () => {
    const [id] = await created(shop);
    expect(faults(await api(shop.admin, "GET", `${path}/${id}/upcoming`, { query: { page: 1 } }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "page",
    ]);
  });
});

test("it is a projection: nothing is written", async () => {
  const [id] = await created(shop);
  const before = await rowsOf(shop.of.account.id);
  await upcoming(shop.admin, id!, 24);
  expect(await rowsOf(shop.of.account.id)).toBe(before);
});

test("a customer sees its own; another's, an unknown one and another account's are 404", async () => {
  const [id] = await created(shop);
  const at = `${path}/${id}/upcoming`;
  const owner = bearer(await token(shop.of, { actor_type: "customer", profile_id: shop.profileId }));
  expect((await api(owner, "GET", at)).status).toBe(200);
  const other = await openSeller();
  expect((await api(other.admin, "GET", at)).status).toBe(404);
  expect((await api(shop.admin, "GET", `${path}/${newId()}/upcoming`)).status).toBe(404);
  expect(
    await select(
      "SELECT id FROM subscriptions WHERE id = ? AND account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      id!,
      other.of.account.id,
    ),
  ).toEqual([]);
});
