/** A mail is not sent once it would say what is no longer so. */
import { expect, test } from "vitest";
import { switchOn } from "../../edges/portal/visitor.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { done, force, openShop, read, rowOf, states } from "../../support/shops.ts";
import { advance, clockOf, linked, startClock } from "../../support/worker.ts";
import { useBulk } from "../bulk/bulk-jobs.ts";
import { moveIn, release, rowOf as rowToMoveIn } from "../imports/imports.ts";
import { log, postboxOf } from "./postbox.ts";

const { worker, bulk } = useBulk();

const outdated = { status: "SUPPRESSED", suppressed_reason: "outdated" };

/** A subscription, by the account's own time, and its mails. */
async function opened(now: string, next_delivery_date: string) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set(log);
  await startClock(shop, now);
  const id = await linked(shop, worker, { next_delivery_date });
  const resend = async (kind: string) => {
    const [mail] = await postbox.list({ kind });
    expect((await postbox.call("POST", `/api/mails/${mail!.id}/resend`)).status).toBe(202);
    await worker.drain();
    return (await postbox.list({ kind }))[0]!;
  };
  return { shop, postbox, id, resend };
}

test("a customer who is told that a card expires is told nothing of what an import holds", async () => {
  const { shop, postbox, id } = await opened("2034-11-20T12:00:00.000Z", "2035-03-01");
  const { profile } = await read(shop, id);
  const row = rowToMoveIn(shop, "held", { email: profile.email, next_billing_date: "2035-03-02" });
  const { ids } = await moveIn(shop, worker, [row], { charge_from: "2034-12-01" });
  const held = await read(shop, ids.held!);
  expect(held).toMatchObject({ profile_id: shop.profileId, billing_blocked_reason: "import_held" });
  await startClock(shop, "2034-12-01T12:00:00.000Z");
  await worker.tick();
  const [mail, ...others] = await postbox.list({ kind: "card_expiring" });
  expect(others).toEqual([]);
  const { text } = await postbox.content(mail!);
  expect(text).toContain("Next charge: $10.00");
  expect(text).not.toContain("$25.00");
  expect(text).toContain(`/subscriptions/${id}/payment-method`);
});

test("a card that was renewed after its notice is told of no more under its old month", async () => {
  const { shop, postbox, id, resend } = await opened("2034-11-20T12:00:00.000Z", "2035-03-01");
  await startClock(shop, "2034-12-01T12:00:00.000Z");
  await worker.tick();
  expect(await resend("card_expiring")).toMatchObject({ status: "SENT" });
  const { payment_method_id } = await rowOf(id);
  await execute("UPDATE payment_methods SET exp_year = 2036 WHERE id = ?", payment_method_id);
  expect(await resend("card_expiring")).toMatchObject(outdated);
  expect(await postbox.list({ kind: "card_expiring" })).toHaveLength(1);
});

test("a charge after a pause is told while it lasts, and no more once it lasts longer", async () => {
  const { shop, postbox, id, resend } = await opened("2034-11-20T12:00:00.000Z", "2034-11-29");
  await done(shop.api, "POST", id, "pause", { pause_until: "2034-12-12" });
  await startClock(shop, "2034-12-10T12:00:00.000Z");
  await worker.tick();
  const [mail] = await postbox.list({ kind: "upcoming_charge" });
  expect(mail).toMatchObject({ status: "SENT" });
  expect((await postbox.content(mail!)).text).toContain("On Wed, Dec 13, 2034, we charge $10.00 for Kibble.");
  const [expiring] = await postbox.list({ kind: "card_expiring" });
  expect((await postbox.content(expiring!)).text).toContain("Next charge: $10.00, Wed, Dec 13, 2034");
  await done(shop.api, "POST", id, "pause", { pause_until: "2035-03-01" });
  expect(await resend("upcoming_charge")).toMatchObject(outdated);
});

test("a new price is told no more from the day of its first charge on", async () => {
  const { shop, id, resend } = await opened("2034-01-01T12:00:00.000Z", "2034-02-10");
  const input = { store_variant_id: "variant-1", price: 12, from_cycle: 1 };
  expect(await bulk(shop, { action: "change_price", input, ids: [id] })).toMatchObject({ done: 1 });
  await advance(shop, worker, 39);
  expect(await resend("price_change")).toMatchObject({ status: "SENT" });
  await advance(shop, worker, 1);
  expect(await clockOf(shop)).toMatch(/^2034-02-10/);
  expect(await resend("price_change")).toMatchObject(outdated);
});

test("a charge is told no more from its own day on, when it can no longer be stopped", async () => {
  const { shop, resend } = await opened("2034-01-29T12:00:00.000Z", "2034-02-01");
  await worker.tick();
  await startClock(shop, "2034-01-31T23:59:00.000Z");
  expect(await resend("upcoming_charge")).toMatchObject({ status: "SENT" });
  await startClock(shop, "2034-02-01T00:00:00.000Z");
  expect(await resend("upcoming_charge")).toMatchObject(outdated);
});

test("a card is told of no more once it has expired", async () => {
  const { shop, resend } = await opened("2034-11-20T12:00:00.000Z", "2035-03-01");
  await startClock(shop, "2034-12-01T12:00:00.000Z");
  await worker.tick();
  await startClock(shop, "2034-12-31T12:00:00.000Z");
  expect(await resend("card_expiring")).toMatchObject({ status: "SENT" });
  await startClock(shop, "2035-01-01T12:00:00.000Z");
  expect(await resend("card_expiring")).toMatchObject(outdated);
});

test("a card that pays for nothing but what an import holds is not told of", async () => {
  const { shop, postbox } = await opened("2034-11-20T12:00:00.000Z", "2035-03-01");
  const row = rowToMoveIn(shop, "held", { next_billing_date: "2035-03-02" });
  const { id } = await moveIn(shop, worker, [row], { charge_from: "2034-12-01" });
  const tellOn = async (instant: string): Promise<number> => {
    await startClock(shop, instant);
    await worker.tick();
    return (await postbox.list({ kind: "card_expiring" })).length;
  };
  expect(await tellOn("2034-12-01T12:00:00.000Z"), "the other customer alone").toBe(1);
  await release(shop, worker, id);
  expect(await tellOn("2034-12-02T12:00:00.000Z")).toBe(2);
});

test("a price stays told while a payment is owed, without a day that nobody knows", async () => {
  const { shop, postbox, id, resend } = await opened("2034-01-01T12:00:00.000Z", "2034-02-10");
  const input = { store_variant_id: "variant-1", price: 12, from_cycle: 2 };
  expect(await bulk(shop, { action: "change_price", input, ids: [id] })).toMatchObject({ done: 1 });
  await force(id, states.PAYMENT_FAILED);
  const mail = await resend("price_change");
  expect(mail).toMatchObject({ status: "SENT" });
  const { text } = await postbox.content(mail);
  expect(text).toContain("$12.00");
  expect(text).not.toContain("2034");
});

test("the end of a subscription for want of a payment is told no more to a customer who has come back", async () => {
  const { shop, postbox, id, resend } = await opened("2034-01-01T12:00:00.000Z", "2034-01-02");
  const settings = { dunning_final_action: "cancel", dunning_retry_days: [1, 3] };
  await api(shop.api, "PUT", "/api/account", { body: settings });
  await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_card_declined" });
  await advance(shop, worker, 2);
  const [failed] = await postbox.list({ kind: "payment_failed" });
  expect((await postbox.content(failed!)).text).toContain("Thu, Jan 5, 2034");
  await advance(shop, worker, 4);
  expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
  expect(await resend("payment_ended")).toMatchObject({ status: "SENT" });
  await done(shop.api, "POST", id, "reactivate", {});
  expect(await resend("payment_ended")).toMatchObject(outdated);
});
