/** A page says before it is confirmed how far a move reaches, and for which subscriptions a card is changed. */
import { describe, expect, test } from "vitest";
import { day, money } from "../../../src/base/language/format.ts";
import { textsOf } from "../../../src/edges/portal/pages/texts/index.ts";
import { states } from "../../domain/billing/upcoming-states.ts";
import { api } from "../../support/client.ts";
import {
  addPlan,
  addSlot,
  done,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import { linked, startClock, useWorker } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor, switchOn } from "./visitor.ts";

/** The pages ask how far a change reaches: one delivery or all that follow, one subscription or all. */

const worker = useWorker();
const en = textsOf("en");

async function open(more: object = {}) {
  const shop = await openShop();
  await switchOn(worker, shop);
  await startClock(shop, "2030-01-15T10:00:00.000Z");
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1 });
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-31", lines: [itemOf(plan)], ...more });
  return { shop, plan, id, visitor: await visitorOf(shop) };
}

async function visitorOf(shop: Shop, locale = "en") {
  const visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
  return visitor;
}

async function datesOf(shop: Shop, id: string): Promise<string[]> {
  const { data } = (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 3 } })).body;
  return data.map((one: Json) => one.delivery_date);
}

async function cardOf(shop: Shop, id: string): Promise<string> {
  return (await api<Json>(shop.api, "GET", on(id, "payment-method"))).body.data.current
    .store_payment_method_id;
}

function comparedIn(text: string, name: string) {
  const row = new RegExp(`<dt>${name}</dt><dd>([\\s\\S]*?)</dd>`).exec(text)?.[1] ?? "";
  return [...row.matchAll(/<(?:span class="was"|strong)>([^<]*)/g)].map(([, shown]) => shown);
}

describe("moving a delivery", () => {
  test.each([
    ["this", en.reach.movesOne, "2030-02-28", ["2030-02-05", "2030-02-28", "2030-03-31"]],
    ["following", en.reach.movesFollowing, "2030-03-05", ["2030-02-05", "2030-03-05", "2030-04-05"]],
  ])(
    "asks which, and shows the next two days before it is confirmed: %s",
    async (scope, note, then, dates) => {
      const { shop, id, visitor } = await open();
      const path = `/subscriptions/${id}/schedule`;
      const form = (await visitor.get(path)).text;
      expect(form).toContain('<input type="radio" name="scope" value="following" checked>');
      expect(form).toContain('<input type="radio" name="scope" value="this">');
      const { text } = await visitor.post(path, { next_delivery_date: "2030-02-05", scope });
      expect(text).toContain(note);
      expect(comparedIn(text, en.nextDelivery)).toEqual([day("en", "2030-01-31"), day("en", "2030-02-05")]);
      if (then === "2030-02-28") expect(text).toContain(`${en.reach.deliveryAfter}: ${day("en", then)}.`);
      else
        expect(comparedIn(text, en.reach.deliveryAfter)).toEqual([day("en", "2030-02-28"), day("en", then)]);
      await visitor.post(path, fieldsIn(text, `${visitor.base}${path}`));
      expect(await datesOf(shop, id)).toEqual(dates);
    },
  );

  test("a day on which it would reach the one after it is refused on the form, which keeps the choice", async () => {
    const { shop, id, visitor } = await open();
    const { status, text } = await visitor.post(`/subscriptions/${id}/schedule`, {
      ...{ next_delivery_date: "2030-03-02", scope: "this" },
    });
    expect(status).toBe(400);
    expect(text).toContain('<input type="radio" name="scope" value="this" checked>');
    expect((await datesOf(shop, id))[0]).toBe("2030-01-31");
  });

  test("in a slot one delivery moves within it", async () => {
    const shop = await openShop();
    await switchOn(worker, shop);
    await startClock(shop, "2030-01-15T10:00:00.000Z");
    const slot = await addSlot(shop, { day_of_week: 4 });
    const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1 });
    const at = { next_delivery_date: "2030-01-31", delivery_slot_id: slot, lines: [itemOf(plan)] };
    const id = await linked(shop, worker, at);
    const visitor = await visitorOf(shop);
    const path = `/subscriptions/${id}/schedule`;
    expect((await visitor.get(path)).text).toContain(en.reach.oneInSlot);
    const fields = { next_delivery_date: "2030-02-07", delivery_slot_id: slot, scope: "this" };
    await visitor.post(path, { ...fields, confirm: "1", key: "page-1" });
    expect(await datesOf(shop, id)).toEqual(["2030-02-07", "2030-02-28", "2030-04-04"]);
  });
});

describe("another card", () => {
  const box = '<input type="checkbox" name="update_all" value="1"';

  /** Two subscriptions, and a card that neither has. */
  async function openTwo() {
    const opened = await open();
    const { shop, plan, id } = opened;
    const other = await linked(shop, worker, { next_delivery_date: "2030-03-10", lines: [itemOf(plan)] });
    const spare = await linked(shop, worker, { store_payment_method_id: "pm_other", lines: [itemOf(plan)] });
    await done(shop.api, "POST", spare, "cancel", {});
    const { body } = await api<Json>(shop.api, "GET", on(id, "payment-method"));
    const method = body.data.alternatives.find((one: Json) => one.store_payment_method_id === "pm_other").id;
    return { ...opened, other, method };
  }

  test("for all subscriptions, which the page names before, where the box is ticked", async () => {
    const { shop, id, other, method, visitor } = await openTwo();
    const path = `/subscriptions/${id}/payment-method`;
    expect((await visitor.get(path)).text).toContain(`${box}> <span>${en.reach.allSubscriptions}</span>`);
    const { text } = await visitor.post(path, { payment_method_id: method, update_all: "1" });
    for (const one of [id, other]) expect(text).toContain(`#${(await read(shop, one)).number}`);
    expect(text).toContain(en.reach.usedFor);
    const fields = fieldsIn(text, `${visitor.base}${path}`);
    expect(fields).toMatchObject({ update_all: "1", preview: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await visitor.post(path, fields)).status).toBe(303);
    expect([await cardOf(shop, id), await cardOf(shop, other)]).toEqual(["pm_other", "pm_other"]);
    expect((await visitor.get(`/subscriptions/${id}`)).text).toContain(en.done["payment-method"]);
  });

  test("for the one alone, where it is not", async () => {
    const { shop, id, other, method, visitor } = await openTwo();
    const path = `/subscriptions/${id}/payment-method`;
    const { text } = await visitor.post(path, { payment_method_id: method });
    await visitor.post(path, fieldsIn(text, `${visitor.base}${path}`));
    expect([await cardOf(shop, id), await cardOf(shop, other)]).toEqual(["pm_other", "pm_success"]);
  });

  test("ticked beforehand while a payment is owed, and what is charged at once is shown and asked for", async () => {
    const { shop, id, other, method, visitor } = await openTwo();
    await states["in dunning"]!.enter({ shop, worker, id, days: 0, shipsNow: false });
    const path = `/subscriptions/${other}/payment-method`;
    expect((await visitor.get(path)).text).toContain(`${box} checked>`);
    const { text } = await visitor.post(path, { payment_method_id: method, update_all: "1" });
    expect(text).toContain(en.switches.charges);
    expect(text).toContain(`<dt>${en.chargedNow}</dt><dd>${money("en", 10, "USD")}`);
    const fields = fieldsIn(text, `${visitor.base}${path}`);
    expect((await visitor.post(path, { ...fields, preview: "" })).status).toBe(409);
    expect((await visitor.post(path, fields)).status).toBe(303);
    await worker.drain();
    expect(await cardOf(shop, id)).toBe("pm_other");
  });

  test("without the box where no other subscription would change", async () => {
    const { shop, id, other, visitor } = await openTwo();
    await done(shop.api, "POST", other, "cancel", {});
    expect((await visitor.get(`/subscriptions/${id}/payment-method`)).text).not.toContain(box);
  });
});

test.each(["de", "fr", "es"] as const)("the pages ask in %s", async (locale) => {
  const { shop, id } = await open();
  const visitor = await visitorOf(shop, locale);
  const { text } = await visitor.get(`/subscriptions/${id}/schedule`);
  const { one, following } = textsOf(locale).reach;
  for (const words of [one, following]) expect(text).toContain(`<span>${words}</span>`);
});
