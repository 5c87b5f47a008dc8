/** The page that cancels says what becomes of payments and of deliveries that are paid for, and so it becomes. */
import { beforeEach, describe, expect, test } from "vitest";
import { dayOf } from "../../../src/base/language/format.ts";
import { api } from "../../support/client.ts";
import { type Prepaid, prepaid, projectedOf } from "../../support/prepaid.ts";
import { done, read, type Shop } from "../../support/shops.ts";
import { advance, attemptsOf, chargesOf, episodesOf, shipNow, useWorker } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let subscription: Prepaid;
let shop: Shop;
let id: string;
let visitor: ReturnType<typeof openVisitor>;

/** Two of three deliveries are paid for and have not come. */
beforeEach(async () => {
  subscription = await prepaid(worker);
  ({ shop, id } = subscription);
  await advance(shop, worker, 1 / 24);
  await switchOn(worker, shop);
  visitor = openVisitor(worker, shop);
});

/** The page's sentences in a language, beside the form that confirms. */
async function look(locale = "en"): Promise<{ text: string; fields: Record<string, string> }> {
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
  const { text } = await visitor.get(`/subscriptions/${id}/cancel`);
  return { text, fields: fieldsIn(text, `${visitor.base}/subscriptions/${id}/cancel`) };
}

async function cancel(fields: Record<string, string>): Promise<void> {
  const { status } = await visitor.post(`/subscriptions/${id}/cancel`, { ...fields, confirm: "1" });
  expect(status).toBe(303);
  expect((await read(shop, id)).status).toBe("CANCELLED");
}

async function refuseNext(): Promise<void> {
  await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_card_declined" });
  await shipNow(shop, worker, id);
  await worker.drain();
}

test("the first page says how often a prepaid one is delivered and paid, as the subscription's own page does", async () => {
  await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
  for (const path of ["", `/subscriptions/${id}`])
    expect((await visitor.get(path)).text).toContain("Every month, paid every 3 months");
});

describe("deliveries that are paid for", () => {
  test.each([
    ["en", "Your 2 paid deliveries still come: February 28 and March 31."],
    ["de", "Ihre 2 bezahlten Lieferungen kommen noch: 28. Februar und 31. März."],
    ["fr", "Vos 2 livraisons déjà payées arrivent encore\u00a0: 28 février et 31 mars."],
    ["es", "Tus 2 entregas ya pagadas llegan todavía: 28 de febrero y 31 de marzo."],
  ])("still come, as the page says in %s", async (locale, sentence) => {
    const { text, fields } = await look(locale);
    expect(text).toContain(sentence);
    await cancel(fields);
    expect(await projectedOf(subscription, 9)).toEqual([
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
  });

  test("come from tomorrow on where a pause has held them", async () => {
    await done(shop.api, "POST", id, "pause", {});
    const { text, fields } = await look();
    expect(text).toMatch(/Your paid deliveries still come, from Thu, Feb 28, 2030 on\./);
    await cancel(fields);
    expect((await projectedOf(subscription, 9))[0]?.[0]).toBe("2030-02-28");
  });

  test("no longer come where the shop stops them", async () => {
    await api(shop.api, "PUT", "/api/account", { body: { prepaid_on_end: "stop" } });
    const { text, fields } = await look();
    expect(text).toContain("Your 2 paid deliveries will no longer come.");
    await cancel(fields);
    expect(await projectedOf(subscription, 9)).toEqual([]);
  });
});

describe("payments", () => {
  test("of nothing that is owed: there is nothing left to pay, and nothing is charged", async () => {
    const { text, fields } = await look();
    expect(text).toContain("Nothing more is charged. You have nothing left to pay.");
    await cancel(fields);
    const charges = await chargesOf(id);
    await advance(shop, worker, 200);
    expect(await chargesOf(id)).toEqual(charges);
  });

  test("that failed are not tried again", async () => {
    await refuseNext();
    const { text, fields } = await look();
    const [failed] = await attemptsOf(shop, id);
    expect(text).toContain(
      `Nothing more is charged. The open payment of $${failed.amount.toFixed(2)} will not be tried again.`,
    );
    expect(text).not.toContain("nothing left to pay");
    await cancel(fields);
    const attempts = await attemptsOf(shop, id);
    await advance(shop, worker, 30);
    expect(await attemptsOf(shop, id)).toHaveLength(attempts.length);
  });

  test("that are owed are still tried after a skip, as the page of skipping says", async () => {
    await refuseNext();
    await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
    const { text } = await visitor.get(`/subscriptions/${id}/skip`);
    const [episode] = await episodesOf(shop, id);
    const next = dayOf("en", episode.next_retry_at, "UTC");
    expect(text).toContain(`The payment that you owe is still due. The next try is on ${next}.`);
    const attempts = await attemptsOf(shop, id);
    await done(shop.api, "POST", id, "skip-deliveries", { count: 1 });
    await advance(shop, worker, 30);
    expect((await attemptsOf(shop, id)).length).toBeGreaterThan(attempts.length);
  });
});
