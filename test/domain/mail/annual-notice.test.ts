/** Once in each year of a subscription its customer is told what it is and how to end it, where the merchant has switched that on. */
import { expect, test } from "vitest";
import { switchOn } from "../../edges/portal/visitor.ts";
import { actionsOf, done, openShop, type Shop } from "../../support/shops.ts";
import { advance, linked, startClock, useWorker } from "../../support/worker.ts";
import { postboxOf } from "./postbox.ts";

const worker = useWorker();
const on = { annual_notice: { is_enabled: true } };
/** Nothing else happens in the years of these tests. */
const far = { next_delivery_date: "2039-03-01" };

async function opened(kinds: object = on, at = "2034-01-10T12:00:00.000Z") {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set({ provider: "log", kinds });
  await switchOn(worker, shop);
  await startClock(shop, at);
  return { shop, postbox };
}

async function noticesOf(shop: Shop): Promise<unknown[]> {
  return postboxOf(shop, worker).list({ kind: "annual_notice" });
}

test("is off until the merchant switches it on", async () => {
  const { shop, postbox } = await opened({});
  expect((await postbox.settings()).kinds.annual_notice).toEqual({ is_enabled: false });
  const id = await linked(shop, worker, far);
  await advance(shop, worker, 366);
  expect(await noticesOf(shop)).toEqual([]);
  expect(await actionsOf(id)).not.toContain("annual_notice_due");
});

test("comes on the day on which the subscription was created, with product, frequency, amount and how to cancel", async () => {
  const { shop, postbox } = await opened();
  const id = await linked(shop, worker, far);
  await advance(shop, worker, 364);
  expect(await noticesOf(shop)).toEqual([]);
  await advance(shop, worker, 1);
  const [mail, ...others] = await postbox.list({ kind: "annual_notice" });
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ status: "SENT", profile_id: shop.profileId });
  const { text } = await postbox.content(mail);
  for (const sentence of [
    "You have a subscription to Kibble. It costs $10.00 each time and continues until you cancel it.",
    "Amount: $10.00",
    "How to cancel: At any time, on the page of your subscription.",
    `/subscriptions/${id}/cancel`,
  ])
    expect(text).toContain(sentence);
  expect(text).toMatch(/^Frequency: .+|^How often: .+/m);
});

test("comes once a year, to paused subscriptions too, and not once they are over", async () => {
  const { shop } = await opened();
  const [kept, paused, over] = [
    await linked(shop, worker, far),
    await linked(shop, worker, far),
    await linked(shop, worker, far),
  ];
  await done(shop.api, "POST", paused, "pause");
  await done(shop.api, "POST", over, "cancel");
  await advance(shop, worker, 366);
  await worker.tick();
  await worker.drain();
  expect(await noticesOf(shop)).toHaveLength(2);
  await advance(shop, worker, 365);
  expect(await noticesOf(shop)).toHaveLength(4);
  for (const id of [kept, paused])
    expect((await actionsOf(id)).filter((action) => action === "annual_notice_due")).toHaveLength(2);
  expect(await actionsOf(over)).not.toContain("annual_notice_due");
});

test("does not come again where it is switched off and on", async () => {
  const { shop, postbox } = await opened();
  await linked(shop, worker, far);
  await advance(shop, worker, 365);
  await postbox.set({ kinds: { annual_notice: { is_enabled: false } } });
  await postbox.set({ kinds: on });
  await worker.tick();
  await worker.drain();
  expect(await noticesOf(shop)).toHaveLength(1);
});

test("of the twenty-ninth of February comes on the last of the month", async () => {
  const { shop } = await opened(on, "2036-02-29T12:00:00.000Z");
  await linked(shop, worker, far);
  await advance(shop, worker, 364);
  expect(await noticesOf(shop)).toEqual([]);
  await advance(shop, worker, 1);
  expect(await noticesOf(shop)).toHaveLength(1);
});

test("begins with the day on which it is switched on", async () => {
  const { shop, postbox } = await opened({});
  await linked(shop, worker, far);
  await advance(shop, worker, 366);
  await postbox.set({ kinds: on });
  await advance(shop, worker, 2);
  expect(await noticesOf(shop)).toEqual([]);
  await advance(shop, worker, 364);
  expect(await noticesOf(shop)).toHaveLength(1);
});
