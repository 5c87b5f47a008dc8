/** A payment that waits for its customer stands first on the page, until it is confirmed. */
import { beforeEach, describe, expect, test } from "vitest";
import { execute } from "../../support/database.ts";
import { usageOf } from "../../support/records.ts";
import { done, inDays, type Json, openShop, type Shop } from "../../support/shops.ts";
import { advance, attemptsOf, linked, setClock, shipNow, useWorker } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
});

async function enter(locale = "en"): Promise<void> {
  visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
}

async function shipped(store_payment_method_id: string): Promise<string> {
  const id = await linked(shop, worker, { next_delivery_date: inDays(30), store_payment_method_id });
  await shipNow(shop, worker, id);
  await worker.drain();
  return id;
}

async function main(path: string): Promise<string> {
  const { text } = await visitor.get(path);
  return text.slice(text.indexOf("<main"));
}

function pagesOf(id: string): string[] {
  return ["", `/subscriptions/${id}`];
}

describe("a payment that the customer has to confirm", () => {
  test("begins the first page and the subscription's, with its link, amount and until when", async () => {
    const id = await shipped("pm_requires_action");
    const [attempt]: Json[] = await attemptsOf(shop, id);
    await enter();
    for (const path of pagesOf(id)) {
      const text = await main(path);
      expect(text).toContain(`href="${attempt.next_action_url}"`);
      expect(text).toContain("$10.00");
      expect(text).toContain(new Date(attempt.next_action_expires_at).getUTCFullYear().toString());
      expect(text.indexOf(attempt.next_action_url)).toBeLessThan(text.indexOf("<h1"));
      expect(text).not.toContain("The last payment failed");
    }
  });

  test.each([
    ["en", "Please confirm a payment"],
    ["de", "Bitte bestätigen Sie eine Zahlung"],
    ["fr", "Veuillez confirmer un paiement"],
    ["es", "Confirma un pago, por favor"],
  ])("is told in %s", async (locale, title) => {
    const id = await shipped("pm_requires_action");
    await enter(locale);
    for (const path of pagesOf(id)) expect(await main(path)).toContain(title);
  });

  test("is not asked for any more once it is confirmed", async () => {
    const id = await shipped("pm_requires_action");
    const [attempt]: Json[] = await attemptsOf(shop, id);
    await execute("UPDATE sandbox_charges SET state = 'SUCCEEDED' WHERE subscription_id = ?", id);
    setClock(Date.now() + 61_000);
    await worker.tick();
    await enter();
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    for (const path of pagesOf(id)) expect(await main(path)).not.toContain(attempt.next_action_url);
  });

  test("is not asked for from the end of its 72 hours on, before the store is asked again", async () => {
    const id = await shipped("pm_requires_action");
    const [attempt]: Json[] = await attemptsOf(shop, id);
    setClock(Date.parse(attempt.next_action_expires_at) - 60_000);
    await enter();
    for (const path of pagesOf(id)) expect(await main(path)).toContain(attempt.next_action_url);
    setClock(Date.parse(attempt.next_action_expires_at));
    await enter();
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "ACTION_REQUIRED" }]);
    for (const path of pagesOf(id)) expect(await main(path)).not.toContain(attempt.next_action_url);
  });

  test("is a failed payment once it has expired", async () => {
    const id = await linked(shop, worker, { store_payment_method_id: "pm_requires_action" });
    await advance(shop, worker, 4);
    await enter();
    for (const path of pagesOf(id)) {
      expect(await main(path)).toContain("The last payment failed");
      expect(await main(path)).not.toContain("Please confirm a payment");
    }
  });

  test("is a link only where the store names a web address", async () => {
    const id = await shipped("pm_requires_action");
    await execute(
      "UPDATE billing_attempts SET next_action_url = 'javascript:alert(1)' WHERE subscription_id = ?",
      id,
    );
    await enter();
    for (const path of pagesOf(id)) expect(await main(path)).not.toContain("javascript:");
  });

  test("costs a page no further trip to the database", async () => {
    const id = await shipped("pm_requires_action");
    await enter();
    for (const path of pagesOf(id)) {
      const { db_round_trips } = await usageOf(() => visitor.get(path));
      expect(db_round_trips, path).toBeLessThanOrEqual(2);
    }
  });
});

describe("a failed payment that is tried again", () => {
  const failed = async (): Promise<string> => {
    const id = await linked(shop, worker, { store_payment_method_id: "pm_card_declined" });
    await advance(shop, worker, 0.5);
    await enter();
    return id;
  };
  const pay = async (id: string): Promise<void> => {
    const path = `${visitor.base}/subscriptions/${id}/retry-payment`;
    const form = fieldsIn((await visitor.get(path)).text, path);
    expect((await visitor.post(path, form)).status).toBe(303);
  };

  test("is under way, and not failed, until its outcome is known", async () => {
    const id = await failed();
    await pay(id);
    for (const path of pagesOf(id)) {
      expect(await main(path)).not.toContain("The last payment failed");
      expect(await main(path)).toContain("A payment is being processed");
    }
  });

  test("has no green notice of a started payment once it has failed again", async () => {
    const id = await failed();
    await pay(id);
    await worker.drain();
    const text = await main(`/subscriptions/${id}`);
    expect(text).toContain("The last payment failed");
    expect(text).not.toContain("The payment is being processed");
    expect(text).not.toContain('class="notice"');
  });

  test("another change is confirmed beneath it, not in green beside it", async () => {
    const id = await failed();
    const form = { delivery_instructions: "Ring", confirm: "1", key: "i" };
    await visitor.post(`/subscriptions/${id}/instructions`, form);
    const text = await main(`/subscriptions/${id}`);
    expect(text).toContain("The instructions were changed.");
    expect(text).not.toContain('class="notice"');
    expect(text.indexOf("The last payment failed")).toBeLessThan(text.indexOf("The instructions"));
  });

  test("a change of a subscription that owes nothing is confirmed in green", async () => {
    const id = await shipped("pm_success");
    await enter();
    await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "" });
    await visitor.post(`/subscriptions/${id}/instructions`, {
      delivery_instructions: "Ring",
      confirm: "1",
      key: "g",
    });
    expect(await main(`/subscriptions/${id}`)).toContain('class="notice"');
  });
});
