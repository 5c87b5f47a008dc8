/** A row that is moved in keeps its dates, terms and ref as the account's own zone and state have them. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { inDays, itemOf, type Json, on, openShop, read } from "../../support/shops.ts";
import { ordersOf, setClock, useWorker } from "../../support/worker.ts";
import { moveIn, must, outcomesOf, path, rowOf, stage, start } from "./imports.ts";

const worker = useWorker();

test("a charge on the very day of charge_from is moved in, and closed days put it on no earlier one", async () => {
  const shop = await openShop();
  const closed = { from: inDays(5), to: inDays(6), rule: "earlier", label: "Stocktaking" };
  must(await api(shop.api, "POST", "/api/subscriptions/closed-days", { body: closed }));
  const { ids, job } = await moveIn(shop, worker, [rowOf(shop, "a", { next_billing_date: inDays(5) })]);
  expect(job).toMatchObject({ done: 1 });
  const { next_billing_date } = await read(shop, ids.a!);
  expect(next_billing_date > inDays(6), next_billing_date).toBe(true);
});

test("a ref that somebody gives to another subscription after the check is not moved in beside it", async () => {
  const shop = await openShop();
  const id = await stage(shop, [rowOf(shop, "a"), rowOf(shop, "b")]);
  expect(await start(shop, worker, id, false)).toMatchObject({ status: "READY", failed: 0 });
  const body = {
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: inDays(7),
    migration_source_ref: "a",
    lines: [itemOf(shop.plan)],
  };
  const [other] = must(await api(shop.api, "POST", "/api/subscriptions", { body })).ids;
  await start(shop, worker, id, true);
  expect(await outcomesOf(shop, id)).toEqual({
    a: ["FAILED", `subscription_ref is that of the living subscription ${other}`],
    b: "OK",
  });
});

test("a row that is paused or past due elsewhere makes none beside the living subscription of its ref, and one that has ended does", async () => {
  const shop = await openShop();
  const statuses = ["ACTIVE", "PAUSED", "PAST_DUE", "CANCELLED", "EXPIRED"];
  const held: Record<string, string> = {};
  for (const status of statuses) {
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: inDays(7),
      migration_source_ref: status,
      lines: [itemOf(shop.plan)],
    };
    [held[status]] = must(await api(shop.api, "POST", "/api/subscriptions", { body })).ids;
    if (status === "PAUSED") must(await api(shop.api, "POST", on(held[status]!, "pause")));
  }
  const rows = statuses.map((status) => rowOf(shop, status, { status }));
  const refused = (status: string) => [
    "FAILED",
    `subscription_ref is that of the living subscription ${held[status]}`,
  ];
  const { id } = await moveIn(shop, worker, rows);
  expect(await outcomesOf(shop, id)).toEqual({
    ...{ ACTIVE: refused("ACTIVE"), PAUSED: refused("PAUSED"), PAST_DUE: refused("PAST_DUE") },
    ...{ CANCELLED: "OK", EXPIRED: "OK" },
  });
});

test("a discount that has given its last cycle elsewhere gives none here", async () => {
  const shop = await openShop();
  const tenPercent = { discount_type: "PERCENTAGE", discount_value: 10 };
  const { ids } = await moveIn(shop, worker, [
    rowOf(shop, "over", { ...tenPercent, discount_cycles_left: 0 }),
    rowOf(shop, "last", { ...tenPercent, discount_cycles_left: 1 }),
    rowOf(shop, "lasting", tenPercent),
  ]);
  const totals = async (ref: string) => {
    const { data } = must(await api(shop.api, "GET", on(ids[ref]!, "upcoming"), { query: { count: 3 } }));
    return data.map(({ total }: Json) => total);
  };
  expect(await totals("over")).toEqual([25, 25, 25]);
  expect(await totals("last")).toEqual([22.5, 25, 25]);
  expect(await totals("lasting")).toEqual([22.5, 22.5, 22.5]);
});

test("a discount takes no more off a charge than the row says; a bound of nothing, or in a fraction of a cent, is at fault", async () => {
  const shop = await openShop();
  const half = { discount_type: "PERCENTAGE", discount_value: 50 };
  const { ids } = await moveIn(shop, worker, [rowOf(shop, "bounded", { ...half, discount_max_amount: 4.5 })]);
  expect(await read(shop, ids.bounded!)).toMatchObject({ total: 20.5, discounts: [{ max_amount: 4.5 }] });
  const faulty = [0, 1.005].map((most) => rowOf(shop, `at-${most}`, { ...half, discount_max_amount: most }));
  const { id } = await moveIn(shop, worker, faulty);
  expect(await outcomesOf(shop, id)).toEqual({
    "at-0": ["FAILED", "discount_max_amount must be more than 0"],
    "at-1.005": ["FAILED", "discount_max_amount must be an amount of USD, with at most 2 decimals"],
  });
});

test("an import releases what it has moved in itself, and nothing of another one from the same source", async () => {
  const shop = await openShop();
  const [one, other] = [
    await moveIn(shop, worker, [rowOf(shop, "a")]),
    await moveIn(shop, worker, [rowOf(shop, "b")]),
  ];
  const body = { subscription_refs: ["a"] };
  const answer = await api(shop.api, "POST", `${path}/${other.id}/release`, { body });
  expect([answer.status, answer.body.errorCode]).toEqual([400, "UNKNOWN_SUBSCRIPTION"]);
  expect(await read(shop, one.ids.a!)).toMatchObject({ billing_blocked_reason: "import_held" });
});

test("a release does not say how long it will take, as its rows were counted when they were written", async () => {
  const shop = await openShop();
  const { id } = await moveIn(shop, worker, [rowOf(shop, "a"), rowOf(shop, "b")]);
  const { data } = must(await worker.call(shop.api, "POST", `${path}/${id}/release`));
  expect(data).toMatchObject({ status: "RUNNING", done: 2, estimate_seconds: null });
  await worker.drain();
});

test("rows of one subscription that contradict each other about its next charge are not moved in", async () => {
  const shop = await openShop();
  const id = await stage(shop, [rowOf(shop, "a"), rowOf(shop, "a", { next_billing_date: inDays(12) })]);
  await start(shop, worker, id, true);
  expect(await outcomesOf(shop, id)).toEqual({
    a: ["FAILED", "next_billing_date differs between the rows of one subscription"],
  });
});

test("the check counts the charges of 35 days from charge_from on, and none of the next", async () => {
  const shop = await openShop();
  const monthly = { billing_interval: "MONTH", billing_interval_count: 2 };
  const id = await stage(shop, [
    rowOf(shop, "last", { ...monthly, next_billing_date: inDays(39), expected_total: 20 }),
    rowOf(shop, "next", { ...monthly, next_billing_date: inDays(40) }),
  ]);
  const { summary } = await start(shop, worker, id, false);
  expect(summary.next_35_days).toEqual({ charges: 1, amount_here: 25, amount_there: 20 });
});

describe("in an account of Los Angeles, half an hour before its midnight, when it is the next day in Greenwich", () => {
  const [today, tomorrow, after] = ["2030-06-10", "2030-06-11", "2030-06-12"];
  const open = () => {
    setClock(`${tomorrow}T06:30:00.000Z`);
    return openShop({ timezone: "America/Los_Angeles" });
  };

  test("an import may charge from the account's tomorrow on, and not today", async () => {
    const shop = await open();
    const ask = (charge_from: string) =>
      api(shop.api, "POST", path, { body: { source: "old-shop", format: "csv", charge_from } });
    const { status, body } = await ask(today);
    expect([status, body.details]).toEqual([
      400,
      [{ path: "charge_from", message: `must be from ${tomorrow} on` }],
    ]);
    expect((await ask(tomorrow)).status).toBe(202);
  });

  test("dates and times of a row are the account's own, unless they name an offset", async () => {
    const shop = await open();
    const dates = {
      day: { next_billing_date: tomorrow, created_at: "2029-06-01" },
      local: { next_billing_date: `${tomorrow}T23:30:00`, created_at: "2029-06-01T23:30:00" },
      offset: { next_billing_date: `${after}T06:30:00Z`, created_at: "2029-06-02T06:30:00Z" },
    };
    const rows = Object.entries(dates).map(([ref, more]) => rowOf(shop, ref, more));
    const { ids } = await moveIn(shop, worker, rows, { charge_from: tomorrow });
    const readDates = async (ref: string) => {
      const { next_billing_date, created_at } = await read(shop, ids[ref]!);
      return [next_billing_date, created_at];
    };
    expect(await readDates("day")).toEqual([tomorrow, "2029-06-01T07:00:00.000Z"]);
    expect(await readDates("local")).toEqual([tomorrow, "2029-06-02T06:30:00.000Z"]);
    expect(await readDates("offset")).toEqual([tomorrow, "2029-06-02T06:30:00.000Z"]);
  });

  test("a past order was billed on the account's day", async () => {
    const shop = await open();
    const { ids } = await moveIn(shop, worker, [rowOf(shop, "a", { next_billing_date: after })], {
      charge_from: tomorrow,
    });
    const order = { order_ref: "1", subscription_ref: "a", ordered_at: "2029-06-01T23:30:00", total: 25 };
    await moveIn(shop, worker, [order], { format: "orders", charge_from: undefined });
    expect(await ordersOf(shop, ids.a!)).toMatchObject([
      { billing_date: "2029-06-01", order_created_at: "2029-06-02T06:30:00.000Z" },
    ]);
  });
});

test("no date of a row lies more than ten years ahead", async () => {
  const shop = await openShop();
  const far = inDays(3660);
  const message = expect.stringMatching(/must be \S+ or earlier: no date lies more than 10 years ahead$/);
  const job = await stage(shop, [
    rowOf(shop, "billing", { next_billing_date: far }),
    rowOf(shop, "delivery", { next_delivery_date: far }),
    rowOf(shop, "anchor", { anchor_date: far }),
    rowOf(shop, "pause", { status: "PAUSED", pause_until: "8999-01-01" }),
    rowOf(shop, "ended", { status: "CANCELLED", anchor_date: "9999-12-31" }),
  ]);
  expect(await start(shop, worker, job, false)).toMatchObject({ failed: 5 });
  for (const outcome of Object.values(await outcomesOf(shop, job)))
    expect(outcome).toEqual(["FAILED", message]);
});
