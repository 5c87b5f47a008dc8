/** A page offers only what is possible now, with the date or amount that it then leads to. */
import { beforeEach, describe, expect, test } from "vitest";
import { day } from "../../../src/base/language/format.ts";
import { turnCard } from "../../domain/billing/upcoming-states.ts";
import { usageOf } from "../../support/records.ts";
import {
  addPlan,
  addReason,
  done,
  force,
  inDays,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  type Shop,
  states,
  subscribe,
} from "../../support/shops.ts";
import { advance, linked, setClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
});

async function page(id: string, action = ""): Promise<string> {
  return (await visitor.get(`/subscriptions/${id}${action && `/${action}`}`)).text;
}

async function asCustomer(id: string): Promise<Json> {
  return (await worker.call<Json>(shop.customer, "GET", on(id))).body.data;
}

describe("under a minimum of cycles", () => {
  const bound = async (min_cycles: number, terms: object = {}): Promise<string> => {
    const plan = await addPlan(shop, { min_cycles, ...terms });
    return linked(shop, worker, { lines: [itemOf(plan)] });
  };

  test("the page says how many payments are left before it can be cancelled, and from when on", async () => {
    const id = await bound(3);
    await advance(shop, worker, 0.5);
    const { min_cycles_remaining, can_cancel_from, can_cancel } = await asCustomer(id);
    expect([min_cycles_remaining, can_cancel]).toEqual([2, false]);
    const text = await page(id);
    expect(text).not.toContain(`${id}/cancel`);
    expect(text).toContain("You can cancel after 2 more payments, from");
    expect(text).toContain(day("en", can_cancel_from));
  });

  test.each([
    ["weekly", 3, {}],
    ["prepaid", 2, { billing_interval_count: 2, delivery_interval: "WEEK", delivery_interval_count: 1 }],
  ])("%s: it can be cancelled from the stated day on, and not before", async (_, min, terms) => {
    const id = await bound(min, terms);
    await advance(shop, worker, 0.5);
    const { can_cancel_from } = await asCustomer(id);
    const days = async () => Date.parse(can_cancel_from) - Date.parse(await today());
    await advance(shop, worker, (await days()) / 86_400_000 - 1);
    expect(await asCustomer(id)).toMatchObject({
      can_cancel: false,
      min_cycles_remaining: 1,
      can_cancel_from,
    });
    await advance(shop, worker, 1);
    expect(await asCustomer(id)).toMatchObject({
      can_cancel: true,
      min_cycles_remaining: 0,
      can_cancel_from: null,
    });
    const text = await page(id);
    expect(text).toContain(`${id}/cancel`);
    expect(text).not.toContain("You can cancel after");
  });

  test("a paused subscription has no such day, as nothing is charged", async () => {
    const id = await bound(3);
    await done(shop.customer, "POST", id, "pause");
    expect(await asCustomer(id)).toMatchObject({ min_cycles_remaining: 3, can_cancel_from: null });
    const text = await page(id);
    expect(text).toContain("You can cancel after 3 more payments.");
  });

  test("while a payment is owed there is no such day, as nobody knows when it is paid", async () => {
    const id = await bound(3);
    await turnCard({ id }, "pm_card_declined");
    await advance(shop, worker, 0.5);
    expect(await asCustomer(id)).toMatchObject({
      is_in_dunning: true,
      min_cycles_remaining: 3,
      can_cancel_from: null,
    });
    await done(shop.api, "POST", id, "cancel");
  });

  test("a merchant is bound by none, and where the shop lets nobody cancel nothing is promised", async () => {
    const id = await bound(3);
    expect(await read(shop, id)).toMatchObject({ min_cycles_remaining: 0, can_cancel_from: null });
    await switchOn(worker, shop, { can_cancel: false });
    expect(await page(id)).not.toContain("You can cancel after");
  });

  const today = async (): Promise<string> =>
    (await worker.call<Json>(shop.api, "GET", "/api/account/test-clock")).body.data.now.slice(0, 10);
});

describe("the frequencies that a form offers", () => {
  const valuesIn = (text: string): string[] =>
    [...text.matchAll(/name="frequency" value="([A-Z]+-\d+)"/g)].map(([, value = ""]) => value);

  test.each([
    [
      "prepaid",
      {
        billing_interval: "MONTH",
        billing_interval_count: 3,
        delivery_interval: "MONTH",
        delivery_interval_count: 1,
      },
    ],
    ["paid each time", { billing_interval: "MONTH", billing_interval_count: 1 }],
  ])("of a plan that is %s are each accepted", async (_, terms) => {
    await switchOn(worker, shop, {
      frequencies: [1, 2, 3, 4, 6].map((interval_count) => ({ interval: "MONTH", interval_count })),
    });
    const plan = await addPlan(shop, terms);
    const id = await subscribe(shop, { lines: [itemOf(plan)] });
    const offered = valuesIn(await page(id, "frequency"));
    expect(offered.length).toBeGreaterThan(1);
    for (const frequency of ["MONTH-1", "MONTH-2", "MONTH-3", "MONTH-4", "MONTH-6"]) {
      const { status } = await visitor.post(`/subscriptions/${id}/frequency`, { frequency });
      expect([frequency, status]).toEqual([frequency, offered.includes(frequency) ? 200 : 400]);
    }
  });

  test("are none but the present one: the form says so, and has nothing to send", async () => {
    await switchOn(worker, shop, { frequencies: [{ interval: "MONTH", interval_count: 4 }] });
    const terms = { billing_interval: "MONTH", billing_interval_count: 3, delivery_interval: "MONTH" };
    const plan = await addPlan(shop, { ...terms, delivery_interval_count: 1 });
    const id = await subscribe(shop, { lines: [itemOf(plan)] });
    const text = await page(id, "frequency");
    expect(valuesIn(text)).toEqual([]);
    expect(text).toContain("There is no other frequency");
    expect(text).not.toContain("<button>Continue");
  });
});

describe("the form of a skip", () => {
  test("preselects the next delivery, and shows the date that skipping then leads to", async () => {
    for (const count of [1, 2, 3, 4]) {
      const id = await subscribe(shop);
      const { text } = await visitor.get(`/subscriptions/${id}/skip`);
      expect(text).toMatch(/name="count" value="1" checked/);
      const [, shown] = new RegExp(`name="count" value="${count}"[^>]*> <span>([^<]+)`).exec(text) ?? [];
      await visitor.post(`/subscriptions/${id}/skip`, { confirm: "1", count: String(count), key: id });
      const { next_delivery_date } = await read(shop, id);
      expect(shown).toContain(day("en", next_delivery_date));
    }
  });

  test("shows no date while a payment is owed, because the owed delivery comes first", async () => {
    const id = await subscribe(shop);
    await force(id, states.DUNNING);
    const { text } = await visitor.get(`/subscriptions/${id}/skip`);
    expect(text).toMatch(/name="count" value="1"[^>]*> <span>The next delivery<\/span>/);
  });
});

describe("the undo that the page offers", () => {
  const form = { confirm: "1" };
  const undoOf = (text: string): string | undefined =>
    /<div class="notice"(?:(?!<\/div>).)*?action="([^"]+)"/s.exec(text)?.[1]?.split("/").at(-1);

  test("of a skip is gone once something else has moved the dates", async () => {
    await addReason(shop, "skip", { is_active: false });
    const id = await subscribe(shop);
    await visitor.post(`/subscriptions/${id}/skip`, { ...form, count: "1", key: "s" });
    expect(undoOf(await page(id))).toBe("undo");
    expect(await page(id)).toContain(`${id}/unskip`);
    await done(shop.api, "PUT", id, "schedule", { next_delivery_date: inDays(40) });
    expect(await page(id)).toContain("Skipped.");
    expect(await page(id)).not.toContain(`${id}/unskip`);
  });

  test("of a change is gone once the subscription has ended", async () => {
    const id = await subscribe(shop);
    await visitor.post(`/subscriptions/${id}/instructions`, {
      ...form,
      delivery_instructions: "Ring",
      key: "i",
    });
    expect(undoOf(await page(id))).toBe("undo");
    await done(shop.api, "POST", id, "cancel");
    expect(undoOf(await page(id))).toBeUndefined();
  });

  test("of another date is gone once the date before has passed, or the shop forbids it", async () => {
    const id = await subscribe(shop);
    await visitor.post(`/subscriptions/${id}/schedule`, {
      ...form,
      next_delivery_date: inDays(20),
      key: "d",
    });
    expect(undoOf(await page(id))).toBe("undo");
    await switchOn(worker, shop, { can_reschedule: false });
    expect(undoOf(await page(id))).toBeUndefined();
    await switchOn(worker, shop, { can_reschedule: true });
    setClock(Date.now() + 8 * 86_400_000);
    await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
    expect(await page(id)).toContain("The delivery was moved.");
    expect(undoOf(await page(id))).toBeUndefined();
  });

  test.each([
    ["skip", { count: "2" }],
    ["schedule", { next_delivery_date: inDays(21) }],
    ["address", { address1: "2 Low Street", city: "Leeds", zip: "L1", country: "UK", country_code: "GB" }],
    ["instructions", { delivery_instructions: "Ring" }],
    ["pause", {}],
    ["cancel", {}],
  ])("of %s is asked for in the page's own two trips", async (name, fields) => {
    const id = await subscribe(shop);
    await visitor.post(`/subscriptions/${id}/${name}`, { ...form, ...fields, key: name });
    const { answer, db_round_trips } = await usageOf(() => visitor.get(`/subscriptions/${id}`));
    expect(undoOf(answer.text)).toBeDefined();
    expect(db_round_trips).toBeLessThanOrEqual(2);
  });
});
