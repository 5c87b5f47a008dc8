/** A price that rises is told beforehand, shown in upcoming, and charged from its cycle on. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  actionsOf,
  done,
  entriesOf,
  inDays,
  itemOf,
  type Json,
  on,
  read,
  type Shop,
} from "../../support/shops.ts";
import { advance, deliveriesOf, startClock } from "../../support/worker.ts";
import { rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, bulk, openBulk, undo } = useBulk();

/** A subscription of two lines of 10, billed weekly, the first time in so many days. */
async function opened(days: number) {
  const { shop, ids } = await openBulk(1, { next_delivery_date: inDays(days) });
  return { shop, id: ids[0]! };
}

async function change(shop: Shop, id: string, input: object, more: object = {}) {
  const job = await bulk(shop, {
    action: "change_price",
    input: { store_variant_id: "old", ...input },
    ids: [id],
    ...more,
  });
  return { job, row: (await rowsOf(shop, job.id))[0] };
}

async function totalsOf(shop: Shop, id: string, count = 8): Promise<number[]> {
  const { body } = await api(shop.api, "GET", on(id, "upcoming"), { query: { count } });
  return body.data.map(({ total }: Json) => total);
}

async function announced(id: string): Promise<Json[]> {
  const entries = (await entriesOf(id)).filter(({ action }) => action === "price_change_announced");
  return entries.map(({ metadata: { from, to, first_billing_date, notice_days } }) => ({
    from,
    to,
    first_billing_date,
    notice_days,
  }));
}

describe("a price that rises", () => {
  test.each([
    ["31 days ahead", 31, "OK"],
    ["exactly 30 days ahead", 30, "OK"],
    ["29 days ahead", 29, "SKIPPED"],
  ])("is told 30 days before unless less is said: the next billing is %s", async (_, days, status) => {
    const { shop, id } = await opened(days);
    const { row } = await change(shop, id, { price: 12, from_cycle: 1 });
    expect(row.status, JSON.stringify(row.errors)).toBe(status);
    expect((await read(shop, id)).total).toBe(status === "OK" ? 22 : 20);
    expect(await announced(id)).toHaveLength(status === "OK" ? 1 : 0);
    if (status === "SKIPPED") expect(row.errors[0].message).toContain(inDays(days));
  });

  test("is the lines' price of a later cycle, at once in upcoming and goods, and is charged then", async () => {
    const { shop, id } = await opened(10);
    await startClock(shop, new Date().toISOString());
    const { row, job } = await change(shop, id, { price: 12, effective_on: inDays(35) });
    expect([row.status, row.summary]).toEqual(["OK", { total_before: 20, total_after: 22 }]);
    expect(await announced(id)).toEqual([{ from: 10, to: 12, first_billing_date: inDays(38) }]);
    expect(await actionsOf(id)).not.toContain("lines_changed");
    const upcoming = await totalsOf(shop, id);
    expect(upcoming).toEqual([20, 20, 20, 20, 22, 22, 22, 22]);
    await advance(shop, worker, 46);
    expect((await deliveriesOf(shop, id)).map(([, total]) => total)).toEqual(upcoming.slice(0, 6));
    await undo(shop, job.id);
    expect((await read(shop, id)).total, "after it was charged, the price goes back").toBe(20);
  });

  test("with less notice is so where that is said, and the entry says it", async () => {
    const { shop, id } = await opened(10);
    expect((await change(shop, id, { price: 12, from_cycle: 1 }, { notice_days: 11 })).row.status).toBe(
      "SKIPPED",
    );
    expect((await change(shop, id, { price: 12, from_cycle: 1 }, { notice_days: 10 })).row.status).toBe("OK");
    expect(await announced(id)).toEqual([
      { from: 10, to: 12, first_billing_date: inDays(10), notice_days: 10 },
    ]);
  });

  test("by a swap needs the same notice", async () => {
    const { shop, id } = await opened(10);
    const swap = (price: unknown, more = {}) =>
      bulk(shop, {
        action: "swap_variant",
        input: { from: "old", to: "new", price },
        ids: [id],
        ...more,
      });
    expect(await swap(12)).toMatchObject({ skipped: 1 });
    expect(await swap("keep")).toMatchObject({ done: 1 });
    expect((await read(shop, id)).lines[0]).toMatchObject({ store_variant_id: "new", price: 10 });
  });

  test("of a subscription that is paused without an end counts as if it was resumed today", async () => {
    const { shop, id } = await opened(60);
    await api(shop.api, "POST", on(id, "pause"));
    expect((await change(shop, id, { price: 12, from_cycle: 1 })).row.status).toBe("OK");
  });
});

describe("a line of one order", () => {
  async function withGift(of: "old" | "gift") {
    const { shop, id } = await opened(10);
    const gift = itemOf(shop.plan, { store_variant_id: of, price: 5, is_one_time: true });
    await done(shop.api, "POST", id, "lines", gift);
    return { shop, id };
  }

  test("keeps its price where another begins after that order", async () => {
    const { shop, id } = await withGift("old");
    const { row } = await change(shop, id, { price: 12, effective_on: inDays(45) });
    expect(row.errors).toEqual([]);
    expect([row.status, row.summary]).toEqual(["OK", { total_before: 25, total_after: 27 }]);
    expect(await totalsOf(shop, id, 8)).toEqual([25, 20, 20, 20, 20, 22, 22, 22]);
    expect(await announced(id)).toEqual([{ from: 10, to: 12, first_billing_date: inDays(45) }]);
  });

  test("has the price that begins with that order", async () => {
    const { shop, id } = await withGift("old");
    expect((await change(shop, id, { price: 4, from_cycle: 1 })).row.status).toBe("OK");
    expect(await totalsOf(shop, id, 2)).toEqual([18, 14]);
  });

  test("is not enough of a variant whose price changes later: the subscription is skipped, and says so", async () => {
    const { shop, id } = await withGift("gift");
    const { row } = await change(shop, id, { store_variant_id: "gift", price: 12, from_cycle: 6 });
    expect([row.status, row.errors]).toEqual([
      "SKIPPED",
      [{ path: "", message: expect.stringContaining("no line of the variant gift that is in later orders") }],
    ]);
  });
});

test("a price that falls needs no notice, and the current cycle is at once", async () => {
  const { shop, id } = await opened(3);
  const { row } = await change(shop, id, { price: 8, from_cycle: 1 });
  expect(row).toMatchObject({ status: "OK", summary: { total_before: 20, total_after: 18 } });
  expect(await actionsOf(id)).toContain("lines_changed");
  const later = await change(shop, id, { price: 7, from_cycle: 3 });
  expect(later.row.status).toBe("OK");
  expect(await totalsOf(shop, id, 4)).toEqual([18, 18, 17, 17]);
  expect(
    (await change(shop, id, { price: 8, from_cycle: 1 })).row.status,
    "takes the later one's place",
  ).toBe("OK");
});

test("a subscription without a line of the variant is skipped, and says so", async () => {
  const { shop } = await opened(40);
  const id = await addOne(shop);
  const { row } = await change(shop, id, { store_variant_id: "else", price: 8, from_cycle: 1 });
  expect(row).toMatchObject({
    status: "SKIPPED",
    errors: [{ message: expect.stringContaining("no line of the variant else") }],
  });
});
