/** The check of an import says what differs from the other system, and what is at risk, before anything is written. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { inDays, on, openShop, read } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import {
  begin,
  fileOf,
  moveIn,
  must,
  outcomesOf,
  path,
  putPart,
  release,
  rowOf,
  stage,
  start,
} from "./imports.ts";

const worker = useWorker();

test("where no row says what is charged there nothing is compared, and some are counted beside the others", async () => {
  const shop = await openShop();
  const monthly = { billing_interval: "MONTH", billing_interval_count: 2 };
  const unsaid = { ...monthly, expected_total: "" };
  const ended = rowOf(shop, "ended", { ...unsaid, status: "CANCELLED" });
  const id = await stage(shop, [ended, rowOf(shop, "a", unsaid), rowOf(shop, "b", unsaid)]);
  expect((await start(shop, worker, id, false)).summary).toMatchObject({
    ...{ differing: null, not_compared: 2 },
    next_35_days: { charges: 2, amount_here: 50, amount_there: null },
  });
  const some = await stage(shop, [
    rowOf(shop, "a", unsaid),
    rowOf(shop, "b", { ...monthly, expected_total: 20 }),
  ]);
  expect((await start(shop, worker, some, false)).summary).toMatchObject({
    ...{ differing: 1, not_compared: 1 },
    next_35_days: { charges: 2, amount_here: 50, amount_there: 45 },
  });
});

test("what has no card is summed apart, is at risk, and is released only where that is asked for", async () => {
  const shop = await openShop();
  const monthly = { billing_interval: "MONTH", billing_interval_count: 2, next_billing_date: inDays(9) };
  const without = { ...monthly, store_payment_method_id: "" };
  const rows = [rowOf(shop, "with", monthly), rowOf(shop, "without", without), rowOf(shop, "other", without)];
  const { id, job, ids } = await moveIn(shop, worker, [
    ...rows,
    rowOf(shop, "gone", { ...without, status: "CANCELLED" }),
  ]);
  expect(job.summary).toMatchObject({
    without_card: { subscriptions: 2, charges: 2, amount_here: 50 },
    next_35_days: { charges: 1, amount_here: 25, amount_there: 25 },
  });
  await release(shop, worker, id);
  const reasons = ["with", "without"].map(
    async (ref) => (await read(shop, ids[ref]!)).billing_blocked_reason,
  );
  expect(await Promise.all(reasons)).toEqual([null, "import_held"]);
  expect(await outcomesOf(shop, id)).toMatchObject({
    with: "OK",
    without: ["OK", expect.stringContaining("has no payment method")],
    gone: "OK",
  });
  const body = { subscription_refs: ["without"] };
  const refused = await api(shop.api, "POST", `${path}/${id}/release`, { body });
  expect([refused.status, refused.body.errorCode]).toEqual([409, "INVALID_STATE"]);
  await release(shop, worker, id, { ...body, allow_without_card: true });
  await release(shop, worker, id, { allow_without_card: true });
  for (const ref of ["with", "without", "other"]) {
    expect((await read(shop, ids[ref]!)).billing_blocked_reason, ref).toBeNull();
    const { data } = must(await api(shop.api, "GET", on(ids[ref]!, "upcoming"), { query: { count: 1 } }));
    expect(data[0].is_at_risk, ref).toBe(ref !== "with");
  }
});

test("a number that a spreadsheet has shortened is no id and no phone number", async () => {
  const shop = await openShop();
  const shortened = {
    ...{ store_variant_id: "4.00123E+13", store_payment_method_id: "1,5e12", phone_number: "4.93012E+11" },
    ...{ sku: "7E+5", product_title: "1E+5 seeds", note: "4E+5" },
  };
  const id = await stage(shop, [rowOf(shop, "a", shortened), rowOf(shop, "4.0E+13")]);
  await start(shop, worker, id, false);
  const says = (field: string) =>
    expect.stringContaining(`${field} is a number that a spreadsheet has shortened`);
  const fields = ["store_variant_id", "store_payment_method_id", "phone_number", "sku"];
  expect(await outcomesOf(shop, id)).toEqual({
    a: ["FAILED", ...fields.map(says).map(() => expect.any(String))],
    "4.0E+13": ["FAILED", says("subscription_ref")],
  });
  const orders = await begin(shop, { format: "orders", charge_from: undefined });
  const order = { order_ref: "1.2E+9", subscription_ref: "x", ordered_at: "2025-01-01", total: 5 };
  must(await putPart(shop, orders, fileOf([order])));
  await start(shop, worker, orders, false);
  expect((await outcomesOf(shop, orders))["1.2E+9"]).toContainEqual(says("order_ref"));
});
