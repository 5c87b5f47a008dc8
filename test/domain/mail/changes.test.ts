/** A customer is told of the shop's changes, and of their own only where that leads to an undo. */
import { describe, expect, test } from "vitest";
import { day } from "../../../src/base/language/format.ts";
import { linkFor, openVisitor, switchOn } from "../../edges/portal/visitor.ts";
import { addPlan, inDays, itemOf, type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { advance, later, linked, startClock, useWorker } from "../../support/worker.ts";
import { turnCard } from "../billing/upcoming-states.ts";
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
  return worker.call<Json>(shop[as], "POST", `/api/subscriptions/${id}/${part}`, { body });
}

async function signedIn(shop: Shop) {
  const visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop)).url);
  return visitor;
}

function skip(shop: Shop, id: string) {
  return ask(shop, "api", id, "skip", { skip_weeks: 1 });
}

describe("a change by the shop", () => {
  test("is told five minutes later, with the page on which the customer answers it", async () => {
    const { shop, postbox, id } = await opened();
    await ask(shop, "api", id, "pause");
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ kind: "changed", status: "PENDING", attempt_count: 0 }]);
    await later(worker, 301);
    const [mail] = await postbox.list();
    expect(mail).toMatchObject({ kind: "changed", status: "SENT", subscription_id: id });
    expect((await postbox.content(mail)).text).toContain(`/subscriptions/${id}/resume`);
  });

  test("that is undone by the shop is told, too", async () => {
    const { shop, postbox, id } = await opened();
    const paused = await ask(shop, "api", id, "pause");
    await ask(shop, "api", id, "undo", { entry_id: paused.headers.get("Entry-Id") });
    await worker.drain();
    await later(worker, 301);
    const [mail] = await postbox.list();
    expect(mail).toMatchObject({ kind: "changed", status: "SENT" });
    const { text } = await postbox.content(mail!);
    expect(text).toContain("a change of your subscription was undone");
    expect(text).toContain("Status: Active (before: Paused)");
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

  test("while a payment is owed names the retry as the next charge, as upcoming has it, before and after", async () => {
    const { shop, postbox } = await opened({ kinds: { payment_failed: { is_enabled: false } } });
    await startClock(shop, "2030-01-31T10:00:00.000Z");
    const id = await linked(shop, worker, { next_delivery_date: "2030-02-02" });
    await turnCard({ id }, "pm_insufficient_funds");
    await advance(shop, worker, 2.5);
    const next = async () =>
      (await worker.call<Json>(shop.api, "GET", `/api/subscriptions/${id}/upcoming`)).body.data[0];
    const before = await next();
    await skip(shop, id);
    const after = await next();
    await advance(shop, worker, 0.1);
    const { body } = await worker.call<Json>(shop.api, "GET", `/api/subscriptions/${id}`);
    expect(body.data.next_billing_date > after.billing_date, "the schedule is another one").toBe(true);
    const { text } = await postbox.content((await postbox.list({ kind: "changed" }))[0]!);
    expect(text).toContain(`The next charge is $10.00 on ${day("en", after.billing_date)}.`);
    const [from, to] = [day("en", before.delivery_date), day("en", after.delivery_date)];
    expect(text).toContain(`Next delivery: ${to} (before: ${from})`);
    expect(text, "which is as it was").not.toContain("Next charge");
  });

  test("is told as one with those within five minutes: the newest", async () => {
    const { shop, postbox, id } = await opened();
    for (let times = 0; times < 3; times++) await skip(shop, id);
    await worker.drain();
    await later(worker, 301);
    expect(await postbox.list()).toHaveLength(3);
    expect(await postbox.list({ status: "SUPPRESSED" })).toMatchObject([
      { suppressed_reason: "joined" },
      { suppressed_reason: "joined" },
    ]);
    const [sent] = await postbox.list({ status: "SENT" });
    const events = await worker.call<Json>(shop.api, "GET", "/api/events", {
      query: { types: "subscription.skipped" },
    });
    expect(sent?.event_id).toBe(events.body.data.at(-1).id);
  });

  test("goes by the account's own time", async () => {
    const { shop, postbox, id } = await opened();
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    for (let times = 0; times < 2; times++) await skip(shop, id);
    await worker.drain();
    expect(await postbox.list({ status: "PENDING" })).toHaveLength(1);
    await advance(shop, worker, 1);
    expect((await postbox.list()).map(({ status }) => status).sort()).toEqual(["SENT", "SUPPRESSED"]);
  });

  test("of the status is told whatever comes before and after it", async () => {
    const { shop, postbox, id } = await opened();
    await skip(shop, id);
    for (const part of ["pause", "resume", "cancel"]) await ask(shop, "api", id, part);
    await ask(shop, "api", id, "reactivate", { next_delivery_date: "2035-01-01" });
    await skip(shop, id);
    await worker.drain();
    await later(worker, 301);
    const told = (await postbox.list({ status: "SENT" })).map(({ subject }) => subject);
    expect(told.toReversed()).toEqual([
      "Your subscription is paused",
      "Your subscription is active again",
      "Your subscription is cancelled",
      "Your subscription has started again",
      "Your next delivery comes later",
    ]);
  });

  test("is told within five minutes of the first, though changes do not end", async () => {
    const { shop, postbox, id } = await opened();
    const start = Date.parse("2030-01-01T12:00:00.000Z");
    for (let minutes = 0; minutes <= 24; minutes += 2) {
      await startClock(shop, new Date(start + minutes * 60_000).toISOString());
      await worker.tick();
      await skip(shop, id);
      await worker.drain();
    }
    await advance(shop, worker, 1);
    const statuses = (await postbox.list()).map(({ status }) => status === "SENT").toReversed();
    expect(statuses).toHaveLength(13);
    for (let first = 0; first + 2 < statuses.length; first++)
      expect(statuses.slice(first, first + 3), `from ${first} on`).toContain(true);
    expect(statuses.filter(Boolean).length).toBeLessThan(13);
  });

  test.each([
    ["pause", "Your subscription is paused"],
    ["cancel", "Your subscription is cancelled"],
  ])("to %s is told though a closed day moves a delivery at that time", async (part, subject) => {
    const { shop, postbox } = await opened();
    const terms = { billing_interval: "MONTH", billing_interval_count: 3, delivery_interval: "MONTH" };
    const plan = await addPlan(shop, { ...terms, delivery_interval_count: 1 });
    await postbox.set({ kinds: { receipt: { is_enabled: false } } });
    const id = await linked(shop, worker, { next_delivery_date: inDays(40), lines: [itemOf(plan)] });
    await ask(shop, "api", id, "ship-now");
    await worker.drain();
    const day = (await ask(shop, "api", id, part)).body.data.next_delivery_date;
    await later(worker, 60);
    const body = { from: day, to: day, rule: "later", label: "Holiday" };
    await worker.call(shop.api, "POST", "/api/subscriptions/closed-days", { body });
    await worker.drain();
    for (let times = 0; times < 3; times++) await later(worker, 301);
    const sent = await postbox.list({ status: "SENT" });
    expect(sent.map((mail) => mail.subject).sort()).toEqual(["Your next delivery was moved", subject]);
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
    await ask(shop, "customer", id, "reactivate", { next_delivery_date: inDays(30) });
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ kind: "changed", status: "SENT" }, { id: cancelled.id }]);
  });

  test("to cancel leads to its Undo, which brings back what was; nothing is told there once it was undone", async () => {
    const { shop, postbox, id } = await opened();
    const read = async () => (await worker.call<Json>(shop.api, "GET", `/api/subscriptions/${id}`)).body.data;
    const before = await read();
    await ask(shop, "customer", id, "cancel");
    await worker.drain();
    const { text } = await postbox.content((await postbox.list())[0]!);
    expect(text).not.toContain("/reactivate");
    const link = new URL(/https?:\S+[?]done=cancel\S+/.exec(text)?.[0] ?? "");
    const visitor = await signedIn(shop);
    const page = await visitor.get(link.pathname + link.search);
    expect(page.text).toContain("Undo");
    const entry_id = link.searchParams.get("undo") ?? "";
    expect((await visitor.post(`/subscriptions/${id}/undo`, { entry_id })).status).toBe(303);
    const { updated_at, ...restored } = await read();
    expect({ ...restored, updated_at: before.updated_at }).toEqual(before);
    const again = await (await signedIn(shop)).get(link.pathname + link.search);
    expect(again.text).not.toContain('role="status"');
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
