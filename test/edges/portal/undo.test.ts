/** Undo says what is as it was again, and never takes back what another tab has done. */
import { beforeEach, describe, expect, test } from "vitest";
import { day } from "../../../src/base/language/format.ts";
import {
  addPlan,
  done,
  entriesOf,
  inDays,
  itemOf,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let id: string;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop, {
    frequencies: [1, 2].map((interval_count) => ({ interval: "MONTH", interval_count })),
  });
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1 });
  id = await subscribe(shop, { next_delivery_date: inDays(14), lines: [itemOf(plan)] });
  visitor = openVisitor(worker, shop);
  await enter("en");
});

async function enter(locale: string): Promise<void> {
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
}

async function change(action: string, form: Record<string, string>): Promise<void> {
  const { status } = await visitor.post(`/subscriptions/${id}/${action}`, {
    ...form,
    confirm: "1",
    key: action,
  });
  expect(status).toBe(303);
}

async function page(): Promise<string> {
  return (await visitor.get(`/subscriptions/${id}`)).text;
}

const path = () => `${visitor.base}/subscriptions/${id}/undo`;

async function undo(text: string): Promise<string> {
  expect((await visitor.post(path(), fieldsIn(text, path()))).status).toBe(303);
  return page();
}

describe("what was undone is said by what is so again, without a second undo", () => {
  test.each([
    ["en", "Taken back: every month again."],
    ["de", "Zurückgenommen: wieder jeden Monat."],
    ["fr", "C’est annulé\u00a0: de nouveau chaque mois."],
    ["es", "Deshecho: otra vez cada mes."],
  ])("in %s of a frequency", async (locale, sentence) => {
    await enter(locale);
    await change("frequency", { frequency: "MONTH-2" });
    const text = await undo(await page());
    expect(text).toContain(sentence);
    expect(text).not.toContain(path());
    expect((await read(shop, id)).billing_interval_count).toBe(1);
  });

  test("of a date", async () => {
    await change("schedule", { next_delivery_date: inDays(20) });
    const text = await undo(await page());
    const { next_delivery_date } = await read(shop, id);
    expect(next_delivery_date).toBe(inDays(14));
    expect(text).toContain(`Taken back: the next delivery is on ${day("en", next_delivery_date)} again.`);
  });

  test.each([
    ["pause", "Taken back: your subscription is active again."],
    ["cancel", "Taken back: your subscription is active again."],
  ])("of %s", async (action, sentence) => {
    await change(action, {});
    expect(await undo(await page())).toContain(sentence);
    expect((await read(shop, id)).status).toBe("ACTIVE");
  });

  test("of a resumption", async () => {
    await done(shop.api, "POST", id, "pause", {});
    await change("resume", {});
    expect(await undo(await page())).toContain("Taken back: your subscription is paused again.");
    expect((await read(shop, id)).status).toBe("PAUSED");
  });
});

describe("another tab", () => {
  test("has changed something since: nothing is undone before that was seen, and then that change alone", async () => {
    await change("frequency", { frequency: "MONTH-2" });
    const stale = await page();
    await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring twice" });
    const entries = (await entriesOf(id)).length;
    const answer = await visitor.post(path(), fieldsIn(stale, path()));
    expect([answer.status, answer.text.includes("This has changed since you looked.")]).toEqual([409, true]);
    expect((await entriesOf(id)).length).toBe(entries);
    await undo(answer.text);
    expect(await read(shop, id)).toMatchObject({
      billing_interval_count: 1,
      delivery_instructions: "Ring twice",
    });
  });

  test("has changed it once more: there is no undo any more", async () => {
    await change("frequency", { frequency: "MONTH-2" });
    const stale = await page();
    await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 3 });
    const { status } = await visitor.post(path(), fieldsIn(stale, path()));
    expect(status).toBe(409);
    expect((await read(shop, id)).billing_interval_count).toBe(3);
    expect(await page()).not.toContain(path());
  });
});

describe("a link to a choice", () => {
  test("is not there where there is nothing to choose", async () => {
    expect(await page()).toContain(`/subscriptions/${id}/frequency"`);
    await switchOn(worker, shop, { frequencies: [{ interval: "MONTH", interval_count: 1 }] });
    expect(await page()).not.toContain(`/subscriptions/${id}/frequency"`);
  });
});
