import { describe, expect, test } from "vitest";
import { switchOn } from "../portal/visitor.ts";
import { type Json, openShop, type Shop, subscribe } from "../support/shops.ts";
import { advance, later, linked, startClock, useWorker } from "../support/worker.ts";
import { log, postboxOf } from "./postbox.ts";

const worker = useWorker();

async function opened(settings: object = {}) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set({ ...log, ...settings });
  return { shop, postbox, id: await linked(shop, worker, { next_delivery_date: "2035-01-01" }) };
}

/** An operation through the Worker under test, by the merchant's key or by the customer. */
function ask(shop: Shop, as: "api" | "customer", id: string, part: string, body: object = {}) {
  return worker.call(shop[as], "POST", `/api/subscriptions/${id}/${part}`, { body });
}

describe("a change by the shop", () => {
  test("is told five minutes later, with the page that undoes it", async () => {
    const { shop, postbox, id } = await opened();
    await ask(shop, "api", id, "pause");
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ kind: "changed", status: "PENDING", attempt_count: 0 }]);
    await later(worker, 301);
    const [mail] = await postbox.list();
    expect(mail).toMatchObject({ kind: "changed", status: "SENT", subscription_id: id });
    expect((await postbox.content(mail)).text).toContain(`/subscriptions/${id}/resume`);
  });

  test("names the next charge while one is to come, and none of a paused subscription", async () => {
    const { shop, postbox, id } = await opened();
    const told = async (part: string): Promise<string> => {
      await ask(shop, "api", id, part);
      await worker.drain();
      await later(worker, 301);
      return (await postbox.content((await postbox.list())[0]!)).text;
    };
    expect(await told("pause")).not.toMatch(/next charge|2035/i);
    expect(await told("resume")).toContain("The next charge is $10.00 on Mon, Jan 1, 2035.");
  });

  test("is told as one with those within five minutes: the newest", async () => {
    const { shop, postbox, id } = await opened();
    for (const part of ["pause", "resume", "pause"]) await ask(shop, "api", id, part);
    await worker.drain();
    await later(worker, 301);
    expect(await postbox.list()).toHaveLength(3);
    expect(await postbox.list({ status: "SUPPRESSED" })).toMatchObject([
      { suppressed_reason: "joined" },
      { suppressed_reason: "joined" },
    ]);
    const [sent] = await postbox.list({ status: "SENT" });
    const events = await worker.call<Json>(shop.api, "GET", "/api/events", {
      query: { types: "subscription.paused,subscription.resumed" },
    });
    expect(sent?.event_id).toBe(events.body.data.at(-1).id);
  });

  test("goes by the account's own time", async () => {
    const { shop, postbox, id } = await opened();
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    await ask(shop, "api", id, "pause");
    await ask(shop, "api", id, "resume");
    await worker.drain();
    expect(await postbox.list({ status: "PENDING" })).toHaveLength(1);
    await advance(shop, worker, 1);
    expect((await postbox.list()).map(({ status }) => status).sort()).toEqual(["SENT", "SUPPRESSED"]);
  });
});

describe("a change by the customer", () => {
  test("is known to them, but for a cancellation and what undoes it", async () => {
    const { shop, postbox, id } = await opened();
    for (const part of ["pause", "resume"]) await ask(shop, "customer", id, part);
    expect(await postbox.list()).toEqual([]);
    await ask(shop, "customer", id, "cancel");
    await worker.drain();
    const [cancelled] = await postbox.list();
    expect(cancelled).toMatchObject({ kind: "changed", status: "SENT" });
    await ask(shop, "customer", id, "reactivate", { next_delivery_date: "2035-01-01" });
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ kind: "changed", status: "SENT" }, { id: cancelled.id }]);
  });
});

describe("other kinds", () => {
  test("welcome: of a new subscription, but not of one that was moved in", async () => {
    const { shop, postbox } = await opened();
    await postbox.set({ kinds: { welcome: { is_enabled: true } } });
    const id = await subscribe(shop);
    await worker.tick();
    expect(await postbox.list()).toMatchObject([{ kind: "welcome", status: "SENT", subscription_id: id }]);
    await subscribe(shop, { migration_source_ref: "old-1" });
    await worker.tick();
    expect(await postbox.list({ status: "SUPPRESSED" })).toMatchObject([{ suppressed_reason: "imported" }]);
  });

  test("payment_ended: once all retries have failed, and nothing else of that", async () => {
    const { shop, postbox } = await opened();
    await worker.call(shop.api, "PUT", "/api/account", { body: { dunning_final_action: "pause" } });
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    const id = await linked(shop, worker, { store_payment_method_id: "pm_card_declined" });
    await advance(shop, worker, 9);
    const ended = await postbox.list({ kind: "payment_ended" });
    expect(ended).toMatchObject([{ status: "SENT", subscription_id: id }]);
    expect((await postbox.content(ended[0])).text).toContain(`/subscriptions/${id}/resume`);
    expect(await postbox.list({ kind: "changed" })).toMatchObject([
      { status: "SUPPRESSED", suppressed_reason: "joined" },
    ]);
    expect(await postbox.list({ kind: "payment_failed" })).toMatchObject([{ status: "SENT" }]);
  });
});

describe("the language of a mail", () => {
  test("is the customer's own, else the portal's", async () => {
    const { shop, postbox, id } = await opened();
    await worker.call(shop.api, "PUT", "/api/account/portal", {
      body: { default_locale: "fr", is_enabled: true },
    });
    const subjectAfter = async () => {
      for (const part of ["cancel", "reactivate"]) await ask(shop, "customer", id, part);
      await worker.drain();
      return (await postbox.list())[0].subject;
    };
    const french = await subjectAfter();
    const answer = await worker.call(shop.customer, "PUT", "/api/portal/me", { body: { locale: "de" } });
    expect([answer.status, answer.body]).toMatchObject([200, { data: { locale: "de" } }]);
    expect(await subjectAfter()).not.toBe(french);
  });
});
