/** A new price is told once, with the day and the amount of the first charge at it. */
import { expect, test } from "vitest";
import { done, itemOf, type Json, on, openShop } from "../../support/shops.ts";
import { advance, deliveriesOf, startClock } from "../../support/worker.ts";
import { useBulk } from "../bulk/bulk-jobs.ts";
import { log, postboxOf } from "./postbox.ts";

const { worker, addOne, bulk, undo } = useBulk();
const kind = "price_change";

/** A subscription of two lines of 10, billed weekly, and its mails about prices. */
async function opened(next_delivery_date = "2034-01-20") {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set(log);
  await startClock(shop, "2034-01-01T12:00:00.000Z");
  const id = await addOne(shop, { next_delivery_date });
  const change = (input: object, more: object = {}): Promise<Json> =>
    bulk(shop, {
      ...{ action: "change_price", ids: [id], ...more },
      input: { store_variant_id: "old", ...input },
    });
  const newest = async () => (await postbox.list({ kind }))[0]!;
  const resend = async () => {
    const { id } = await newest();
    expect((await postbox.call("POST", `/api/mails/${id}/resend`)).status).toBe(202);
    await worker.drain();
    return newest();
  };
  return { shop, postbox, id, change, newest, resend };
}

const raise = (price: number) => ({ price, effective_on: "2034-02-05" });
const outdated = { status: "SUPPRESSED", suppressed_reason: "outdated" };

test("a new price is told once, with the day and the amount of upcoming's first charge at it, which are its order's", async () => {
  const { shop, postbox, id, change } = await opened();
  const body = { title: "Half", value_type: "PERCENTAGE", target_type: "ORDER", value: 50 };
  await done(shop.api, "POST", id, "discounts", body);
  await change(raise(12));
  const [mail, ...others] = await postbox.list({ kind });
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ status: "SENT", subscription_id: id, profile_id: shop.profileId });
  const { text } = await postbox.content(mail!);
  const upcoming = (await worker.call<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 8 } }))
    .body;
  const first = upcoming.data.find(({ lines }: Json) => lines.some(({ price }: Json) => price === 12));
  expect(first).toMatchObject({ billing_date: "2034-02-10", total: 11 });
  expect(text).toContain("Price per item: $12.00 (before: $10.00)\n");
  expect(text).toContain("First charge at the new price: Fri, Feb 10, 2034\nAmount of that charge: $11.00\n");
  await advance(shop, worker, 41);
  expect((await deliveriesOf(shop, id)).at(-1)).toEqual(["2034-02-10", 11]);
});

test("a price that was taken back, or is charged, is told no more", async () => {
  const { shop, change, newest, resend } = await opened();
  const job = await change(raise(12));
  expect(await resend()).toMatchObject({ status: "SENT" });
  await undo(shop, job.id);
  expect(await resend()).toMatchObject(outdated);
  await change(raise(13));
  expect(await newest()).toMatchObject({ status: "SENT" });
  await advance(shop, worker, 45);
  expect(await resend()).toMatchObject(outdated);
});

test("no day is named while a pause has no end, and nothing is told of a subscription that is over", async () => {
  const { shop, postbox, id, change, newest, resend } = await opened("2034-03-20");
  await done(shop.api, "POST", id, "pause");
  await change({ price: 12, from_cycle: 2 }, { notice_days: 5 });
  const { subject, text } = await postbox.content(await newest());
  expect(subject).toBe("New price: $12.00");
  expect(text).toContain("It applies from the first charge on, once your subscription is active again.");
  expect(text).not.toContain("2034");
  await done(shop.api, "POST", id, "cancel");
  expect(await resend()).toMatchObject(outdated);
});

test("the shop's own words have the prices, the day and the page to cancel, and are checked", async () => {
  const { postbox, change, newest } = await opened();
  const path = "/api/account/mail/templates/price_change/en";
  const words = {
    subject: "{product}: {new_price}",
    intro: "{old_price} until now, {amount} in all on {first_date}.\n{cancel_url}",
    closing: "Bye",
  };
  const refused = await postbox.call("PUT", path, { ...words, closing: "{new_prize}" });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("did you mean new_price?")]);
  expect((await postbox.call("PUT", path, words)).status).toBe(200);
  const preview = (await postbox.call("POST", `${path}/preview`, {})).body.data;
  expect(preview.subject).toBe("Coffee: $22.00");
  await change(raise(12));
  const { subject, text } = await postbox.content(await newest());
  expect(subject).toBe("Kibble: $12.00");
  expect(text).toMatch(/^\$10\.00 until now, \$22\.00 in all on Fri, Feb 10, 2034\.\n/);
  await postbox.set({ kinds: { price_change: { is_enabled: false } } });
  await change(raise(14));
  expect(await newest()).toMatchObject({ subject: "Kibble: $12.00" });
});

test("a subscription with several lines of the variant is told once, with each former price", async () => {
  const { shop, postbox, id, change, newest } = await opened("2034-02-10");
  const { plan, api } = shop;
  await done(api, "POST", id, "lines", itemOf(plan, { store_variant_id: "old", price: 9.5, quantity: 2 }));
  await change({ price: 12, effective_on: "2034-02-17" });
  const mails = await postbox.list({ kind });
  expect(mails).toHaveLength(1);
  const { text } = await postbox.content(await newest());
  expect(text).toContain("From Fri, Feb 17, 2034, Kibble costs $12.00 each instead of $9.50 or $10.00.");
  expect(text).toContain("Price per item: $12.00 (before: $9.50 or $10.00)\n");
});

test("a price that begins with the next charge is told by its own mail alone; a swap is told as a change too", async () => {
  const { postbox, change, id, shop } = await opened("2034-02-10");
  const kinds = async () => (await postbox.list()).map((mail) => [mail.kind, mail.status]).sort();
  await change({ price: 12, from_cycle: 1 });
  await advance(shop, worker, 1);
  expect(await kinds()).toEqual([
    ["changed", "SUPPRESSED"],
    [kind, "SENT"],
  ]);
  const swap = { from: "old", to: "new", price: 13 };
  await bulk(shop, { action: "swap_variant", ids: [id], input: swap, notice_days: 7 });
  await advance(shop, worker, 1);
  expect(await kinds()).toEqual([
    ["changed", "SENT"],
    ["changed", "SUPPRESSED"],
    [kind, "SENT"],
    [kind, "SENT"],
  ]);
});
