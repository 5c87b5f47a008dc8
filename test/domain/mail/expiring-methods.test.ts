/** A customer is told 30 and 7 days before a card in use expires, once each. */
import { expect, test } from "vitest";
import { switchOn } from "../../edges/portal/visitor.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { done, type Json, openShop, read, rowOf, type Shop } from "../../support/shops.ts";
import { advance, linked, startClock, useWorker } from "../../support/worker.ts";
import { log, postboxOf } from "./postbox.ts";

const worker = useWorker();

/** Cards of the sandbox store expire with 2034, so that notices are due on December 1 and 24. */
const [begin, first, second] = ["2034-11-20", "2034-12-01", "2034-12-24"].map(
  (day) => `${day}T12:00:00.000Z`,
);

/** A shop whose mails are kept, by a test clock, and a subscription that is billed after the card's end. */
async function opened(options: Parameters<typeof openShop>[0] = {}) {
  const shop = await openShop(options);
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set(log);
  await startClock(shop, begin!);
  const id = await linked(shop, worker, { next_delivery_date: "2035-03-01" });
  return { shop, postbox, id, methodId: String((await rowOf(id)).payment_method_id) };
}

/** Moves the clock without its own work, so that it is cron that finds what is due. */
async function tickAt(shop: Shop, instant: string): Promise<void> {
  await startClock(shop, instant);
  await worker.tick();
  await worker.tick();
}

async function eventsOf(shop: Shop): Promise<Json[]> {
  const { body } = await api<Json>(shop.api, "GET", "/api/events", {
    query: { types: "payment_method.expiring" },
  });
  return body.data;
}

async function noticesOf(shop: Shop): Promise<[string, number][]> {
  return (await eventsOf(shop)).map(({ created_at, metadata }) => [created_at, metadata.days_before]);
}

function setMethod(id: string, columns: string): Promise<unknown> {
  return execute(`UPDATE payment_methods SET ${columns} WHERE id = ?`, id);
}

test("is told 30 and 7 days before the last day of its month, once each however often cron runs", async () => {
  const { shop, postbox, id, methodId } = await opened();
  await tickAt(shop, "2034-11-30T23:59:59.999Z");
  expect(await eventsOf(shop)).toEqual([]);
  for (const instant of ["2034-12-01T00:00:00.000Z", first!, "2034-12-23T23:59:59.999Z"])
    await tickAt(shop, instant);
  const notice = { payment_method_id: methodId, expires_on: "2034-12-31" };
  const subject = { type: "profile", id: shop.profileId };
  const [event, ...others] = await eventsOf(shop);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ subject, metadata: { ...notice, days_before: 30 } });
  expect(
    await select("SELECT actor_type, loggable_id, metadata FROM activity_logs WHERE id = ?", event.id),
  ).toEqual([
    {
      actor_type: "system",
      loggable_id: shop.profileId,
      metadata: JSON.stringify({ ...notice, days_before: 30 }),
    },
  ]);
  const mails = await postbox.list();
  expect(mails).toMatchObject([
    { kind: "card_expiring", status: "SENT", event_id: event.id, profile_id: shop.profileId },
  ]);
  const { subject: line, text } = await postbox.content(mails[0]);
  expect(line).toContain("4242");
  expect(line).toContain("December 2034");
  expect(text).toContain(`/subscriptions/${id}/payment-method`);
  for (const instant of ["2034-12-24T00:00:00.000Z", second!, "2034-12-31T12:00:00.000Z"])
    await tickAt(shop, instant);
  await tickAt(shop, "2035-01-20T12:00:00.000Z");
  expect(await noticesOf(shop)).toEqual([
    ["2034-12-01T00:00:00.000Z", 30],
    ["2034-12-24T00:00:00.000Z", 7],
  ]);
  expect(await postbox.list({ kind: "card_expiring" })).toMatchObject([
    { status: "SENT" },
    { status: "SENT" },
  ]);
});

test("a test clock that moves on tells it on the same days, of the account's own zone", async () => {
  const { shop } = await opened({ timezone: "Pacific/Auckland" });
  await advance(shop, worker, 60);
  const days = (await noticesOf(shop)).map(([at, days]) => [at.slice(0, 10), days]);
  expect(days).toEqual([
    ["2034-11-30", 30],
    ["2034-12-23", 7],
  ]);
});

test("the mail names the next charge, as billing projects it", async () => {
  const { shop, postbox, id } = await opened();
  await tickAt(shop, first!);
  const [mail] = await postbox.list();
  const { next_billing_date } = await read(shop, id);
  const { body } = await api<Json>(shop.api, "GET", `/api/subscriptions/${id}/upcoming`);
  const date = new Date(next_billing_date).toLocaleDateString("en", { timeZone: "UTC", dateStyle: "medium" });
  const { text } = await postbox.content(mail);
  expect(text).toContain(date);
  expect(text).toContain(String(body.data[0].total));
});

test("a paused subscription counts as living", async () => {
  const { shop, id, postbox } = await opened();
  await done(shop.api, "POST", id, "pause", {});
  await tickAt(shop, first!);
  expect(await noticesOf(shop)).toEqual([[first, 30]]);
  expect(await postbox.list({ kind: "card_expiring" })).toMatchObject([{ status: "SENT" }]);
});

test("of two notices that are due at once only the later is recorded", async () => {
  const { shop } = await opened();
  await tickAt(shop, second!);
  await tickAt(shop, "2034-12-30T12:00:00.000Z");
  expect(await noticesOf(shop)).toEqual([[second, 7]]);
});

test("is told on its last day, after an outage, and not on the day after", async () => {
  const [last, over] = [await opened(), await opened()];
  await startClock(last.shop, "2034-12-31T23:59:00.000Z");
  await startClock(over.shop, "2035-01-01T00:00:00.000Z");
  await worker.tick();
  await worker.tick();
  expect(await noticesOf(last.shop)).toEqual([["2034-12-31T23:59:00.000Z", 7]]);
  expect(await noticesOf(over.shop)).toEqual([]);
});

test("one that no living subscription uses is not told of, until one uses it again", async () => {
  const { shop, id } = await opened();
  await done(shop.api, "POST", id, "cancel", {});
  await tickAt(shop, first!);
  await tickAt(shop, "2034-12-10T12:00:00.000Z");
  expect(await eventsOf(shop)).toEqual([]);
  await done(shop.api, "POST", id, "reactivate", {});
  await tickAt(shop, "2034-12-11T12:00:00.000Z");
  expect(await noticesOf(shop)).toEqual([["2034-12-11T12:00:00.000Z", 30]]);
  await done(shop.api, "POST", id, "cancel", {});
  await tickAt(shop, second!);
  await tickAt(shop, "2035-01-05T12:00:00.000Z");
  expect(await eventsOf(shop)).toHaveLength(1);
});

test.each([
  ["revoked", "status = 'REVOKED'"],
  ["expired at the store", "status = 'EXPIRED'"],
  ["past its date", "exp_year = 2033"],
  ["no card", "exp_month = NULL, exp_year = NULL"],
])("one that is %s is not told of", async (_, columns) => {
  const { shop, methodId } = await opened();
  await setMethod(methodId, columns);
  await tickAt(shop, first!);
  await tickAt(shop, second!);
  expect(await eventsOf(shop)).toEqual([]);
});

test("a card that another replaces is told of no more", async () => {
  const { shop, id } = await opened();
  await tickAt(shop, first!);
  await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_pending" });
  await tickAt(shop, second!);
  expect(await noticesOf(shop)).toEqual([[first, 30]]);
});

test("a renewed card is told of before its new expiry, and not again before the old one", async () => {
  const { shop, methodId } = await opened();
  await tickAt(shop, first!);
  await setMethod(methodId, "exp_month = 2, exp_year = 2036");
  await tickAt(shop, second!);
  await tickAt(shop, "2036-01-29T12:00:00.000Z");
  await tickAt(shop, "2036-01-30T12:00:00.000Z");
  expect(await noticesOf(shop)).toEqual([
    [first, 30],
    ["2036-01-30T12:00:00.000Z", 30],
  ]);
  await tickAt(shop, "2036-02-22T12:00:00.000Z");
  expect((await noticesOf(shop)).at(-1)).toEqual(["2036-02-22T12:00:00.000Z", 7]);
});

test("a mail that was not sent before the card was replaced is not sent", async () => {
  const { shop, postbox, id } = await opened();
  await tickAt(shop, first!);
  const [sent] = await postbox.list();
  await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_pending" });
  expect((await postbox.call("POST", `/api/mails/${sent.id}/resend`)).status).toBe(202);
  await worker.drain();
  expect(await postbox.list({ kind: "card_expiring" })).toMatchObject([{ suppressed_reason: "outdated" }]);
});
