/** A page that charges says the amount before, charges exactly that, and then says how it went. */
import { beforeAll, describe, expect, test } from "vitest";
import { day } from "../../../src/base/language/format.ts";
import { type Json, on, openShop, read, type Shop } from "../../support/shops.ts";
import { advance, attemptsOf, linked, setClock, shipNow, useWorker } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;
beforeAll(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
});

/** The words of a page's main part, without what is hidden in forms. */
function wordsOf(html: string): string {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  const text = main.replaceAll(/<[^>]*>/g, " ").replaceAll("&quot;", '"');
  return text.replaceAll(/\s+/g, " ").trim();
}

async function owing(card = "pm_card_declined"): Promise<string> {
  const id = await linked(shop, worker, { store_payment_method_id: card });
  await advance(shop, worker, 1 / 24);
  return id;
}

/** The id of a payment method of the customer, which is made by using it. */
async function methodOf(store_payment_method_id: string): Promise<string> {
  const other = await linked(shop, worker, { store_payment_method_id, next_delivery_date: "2035-01-01" });
  const answer = await worker.call<Json>(shop.api, "GET", on(other, "payment-method"));
  return answer.body.data.current.id;
}

function pageOf(id: string, action: string) {
  return `${visitor.base}/subscriptions/${id}/${action}`;
}

/** The page before the confirmation, and what confirming it leads to. */
async function preview(id: string, action: string, fields: Record<string, string> = {}) {
  const path = pageOf(id, action);
  const shown = Object.keys(fields).length > 0 ? await visitor.post(path, fields) : await visitor.get(path);
  expect(shown.status, shown.text).toBe(200);
  return {
    words: wordsOf(shown.text),
    confirm: () => visitor.post(path, fieldsIn(shown.text, path)),
    hasButton: shown.text.includes('name="confirm"'),
  };
}

async function notice(id: string): Promise<string> {
  return wordsOf((await visitor.get(`/subscriptions/${id}`)).text);
}

describe("switching the payment method", () => {
  test("of a subscription that owes a payment says what is charged now, and charges exactly that", async () => {
    const id = await owing();
    const payment_method_id = await methodOf("pm_success");
    const { words, confirm } = await preview(id, "payment-method", { payment_method_id });
    expect(words).toContain("Charged now $10.00");
    expect(words).toContain("What you owe is charged to this payment method right away.");
    expect(words).not.toContain("next payment on");
    expect((await confirm()).status).toBe(303);
    expect((await attemptsOf(shop, id))[0]).toMatchObject({ amount: 10, status: "QUEUED" });
    expect(await notice(id)).toContain(
      "The payment method was changed. The payment of $10.00 is being processed.",
    );
    expect((await visitor.get(`/subscriptions/${id}`)).text).not.toContain(">Undo<");
    await worker.drain();
    expect(await notice(id)).toContain("The payment method was changed. $10.00 has been paid.");
  });

  test("where nothing is owed says that nothing is charged now, and charges nothing", async () => {
    const id = await linked(shop, worker, { next_delivery_date: "2035-01-01" });
    const { words, confirm } = await preview(id, "payment-method", {
      payment_method_id: await methodOf("pm_other"),
    });
    expect(words).toContain("Starts with your next payment. Nothing is charged now.");
    expect(words).not.toContain("Charged now");
    await confirm();
    expect(await attemptsOf(shop, id)).toEqual([]);
  });

  test("beyond the hourly limit says that nothing is charged now, and when the next try is", async () => {
    const id = await owing();
    setClock(Date.now());
    for (let nth = 0; nth < 5; nth++) {
      await worker.call(shop.api, "POST", on(id, "retry-payment"));
      await worker.drain();
    }
    const count = (await attemptsOf(shop, id)).length;
    const { words, confirm } = await preview(id, "payment-method", {
      payment_method_id: await methodOf("pm_success"),
    });
    expect(words).toContain(
      "Nothing is charged now. The next try to charge what you owe uses this payment method.",
    );
    await confirm();
    expect(await notice(id)).toMatch(
      /The payment method was changed\. .*The next try is on \w+, \w+ \d+, \d{4}\./,
    );
    expect(await attemptsOf(shop, id)).toHaveLength(count);
  });

  test("while a payment is being made says that the new one comes next", async () => {
    const payment_method_id = await methodOf("pm_success");
    const id = await owing();
    await worker.call(shop.api, "POST", on(id, "retry-payment"));
    const { words } = await preview(id, "payment-method", { payment_method_id });
    expect(words).toContain(
      "A payment is being processed with your current payment method. If it fails, the next try, of $10.00, uses the new one.",
    );
    await worker.drain();
  });

  test("while a payment waits for the customer says that the new one is charged instead", async () => {
    const id = await owing("pm_requires_action");
    const { words } = await preview(id, "payment-method", {
      payment_method_id: await methodOf("pm_success"),
    });
    expect(words).toContain(
      "A payment is waiting for your confirmation. It is dropped, and $10.00 is charged to the new payment method instead: right away, or within the hour.",
    );
  });

  test("is never undone by a charge that no page has shown", async () => {
    const id = await owing();
    const payment_method_id = await methodOf("pm_insufficient_funds");
    const path = pageOf(id, "payment-method");
    const count = (await attemptsOf(shop, id)).length;
    const answer = await visitor.post(path, { payment_method_id, confirm: "1", key: "undo" });
    expect(answer.status).toBe(409);
    expect(wordsOf(answer.text)).toContain("Charged now $10.00");
    expect(await attemptsOf(shop, id)).toHaveLength(count);
  });

  test("whose amount has changed since it was shown is shown again, and charges nothing", async () => {
    const id = await owing();
    const { confirm } = await preview(id, "payment-method", {
      payment_method_id: await methodOf("pm_success"),
    });
    const { lines } = (await worker.call<Json>(shop.api, "GET", on(id))).body.data;
    await worker.call(shop.api, "PUT", on(id, `lines/${lines[0].id}`), { body: { price: 12 } });
    const again = await confirm();
    expect([again.status, wordsOf(again.text).includes("Charged now $12.00")]).toEqual([409, true]);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
    const path = pageOf(id, "payment-method");
    expect((await visitor.post(path, fieldsIn(again.text, path))).status).toBe(303);
    expect((await attemptsOf(shop, id))[0]).toMatchObject({ amount: 12 });
    await worker.drain();
  });
});

describe("sending it now", () => {
  test("is started, and once it is paid the page says so", async () => {
    const id = await linked(shop, worker, { next_delivery_date: "2035-01-01" });
    const { words, confirm } = await preview(id, "ship-now");
    expect(words).toContain("Charged now $10.00");
    const [, said] = /The delivery after it (\w+, \w+ \d+, \d{4})/.exec(words) ?? [];
    await confirm();
    expect(await notice(id)).toContain("The payment of $10.00 is being processed. Your delivery follows.");
    await worker.drain();
    expect(day("en", (await read(shop, id)).next_delivery_date)).toBe(said);
    expect(await notice(id)).toContain("$10.00 has been paid. Your delivery follows.");
  });

  test("again while the payment is being made says so, names no charge, and has no button", async () => {
    const id = await linked(shop, worker, { next_delivery_date: "2035-01-01" });
    const first = await preview(id, "ship-now");
    await shipNow(shop, worker, id);
    const { words, hasButton } = await preview(id, "ship-now");
    expect(words).toContain("A payment of $10.00 is already being processed. Nothing further is charged.");
    expect([words.includes("Charged now"), hasButton]).toEqual([false, false]);
    const anew = await first.confirm();
    expect([anew.status, wordsOf(anew.text)]).toEqual([
      409,
      expect.stringContaining("A payment of $10.00 is already being processed. Nothing further is charged."),
    ]);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
    await worker.drain();
  });

  test("again within ten minutes of a success says that it is paid, and when", async () => {
    const id = await linked(shop, worker, { next_delivery_date: "2035-01-01" });
    const first = await preview(id, "ship-now");
    await shipNow(shop, worker, id);
    await worker.drain();
    const said = /\$10\.00 was already paid on \w+, \w+ \d+, \d{4}\. Nothing further is charged\./;
    const { words, hasButton } = await preview(id, "ship-now");
    expect(words).toMatch(said);
    expect([words.includes("Charged now"), hasButton]).toEqual([false, false]);
    const anew = await first.confirm();
    expect([anew.status, wordsOf(anew.text)]).toEqual([409, expect.stringMatching(said)]);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
  });

  test.each([
    ["pm_insufficient_funds", "insufficient funds. Nothing further is charged. The next try is on"],
    [
      "pm_expired_card",
      "the card has expired. Nothing further is charged. It won’t be tried again automatically.",
    ],
    [
      "pm_gateway_disabled",
      "the shop cannot take payments at the moment. Nothing further is charged. The shop will try again automatically.",
    ],
    [
      "pm_out_of_stock",
      "something is out of stock. Nothing further is charged. The shop will try again automatically.",
    ],
  ])("again within ten minutes of a failure (%s) says why, and when the next try is", async (card, why) => {
    const id = await linked(shop, worker, {
      store_payment_method_id: card,
      next_delivery_date: "2035-01-01",
    });
    await shipNow(shop, worker, id);
    await worker.drain();
    const { words, hasButton } = await preview(id, "ship-now");
    expect(words).toContain(`The payment of $10.00 failed: ${why}`);
    expect(hasButton).toBe(false);
  });

  test("that is declined after it was started says why and when the next try is, instead of a success", async () => {
    const id = await linked(shop, worker, {
      store_payment_method_id: "pm_card_declined",
      next_delivery_date: "2035-01-01",
    });
    await (await preview(id, "ship-now")).confirm();
    await worker.drain();
    const words = await notice(id);
    expect(words).toMatch(
      /The payment of \$10\.00 failed: the bank declined it\. The next try is on \w+, \w+ \d+, \d{4}\./,
    );
    expect(words).not.toContain("has been started");
  });
});

describe("paying what is owed", () => {
  test("says what is charged, and then that it is paid", async () => {
    const id = await owing();
    await worker.call(shop.api, "PUT", on(id, "payment-method"), {
      body: { store_payment_method_id: "pm_insufficient_funds" },
    });
    await worker.drain();
    const { words, confirm } = await preview(id, "retry-payment");
    expect(words).toContain("Charged now $10.00");
    await confirm();
    expect(await notice(id)).toContain("The payment of $10.00 is being processed.");
    await worker.drain();
    expect(await notice(id)).toContain("The payment of $10.00 failed: insufficient funds.");
  });

  test("while that is being paid says so, and has no button", async () => {
    const id = await owing();
    await worker.call(shop.api, "POST", on(id, "retry-payment"));
    const { words, hasButton } = await preview(id, "retry-payment");
    expect(words).toContain("A payment of $10.00 is already being processed. Nothing further is charged.");
    expect(hasButton).toBe(false);
    await worker.drain();
  });
});
