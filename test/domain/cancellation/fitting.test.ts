/** An offer is shown only to a subscription on which it can do what it says. */
import { expect, test } from "vitest";
import {
  addPlan,
  done,
  force,
  itemOf,
  type Json,
  openShop,
  read,
  refusal,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { advance, chargesOf, linked, shipNow, startClock, useWorker } from "../../support/worker.ts";
import { accept, caseRows, casesOf, offers, opened, setFlow, take } from "./leaving.ts";

const worker = useWorker();

const fixed = {
  kind: "DISCOUNT",
  label: { en: "5 off" },
  terms: { value: 5, value_type: "FIXED_AMOUNT", cycles: 1 },
};

/** A plan by which one charge pays for two weekly deliveries. */
function addPrepaidPlan(shop: Shop): Promise<string> {
  const terms = { billing_interval: "WEEK", billing_interval_count: 2 };
  return addPlan(shop, { ...terms, delivery_interval: "WEEK", delivery_interval_count: 1 });
}

function kindsOf({ offers }: Json): string[] {
  return offers.map(({ kind }: Json) => kind);
}

test("an amount in the shop's currency is offered to nobody who pays in another", async () => {
  const shop = await openShop();
  const all = [fixed, offers.SWAP, offers.DISCOUNT, offers.PAUSE];
  await setFlow(shop, all, { show_at_most: 4, per: "subscription" });
  const [id, abroad] = [await subscribe(shop), await subscribe(shop)];
  const found = await opened(shop.customer, id);
  expect(kindsOf(found)).toEqual(["DISCOUNT", "SWAP", "DISCOUNT", "PAUSE"]);
  await force(abroad, { currency_code: "EUR" });
  expect(kindsOf(await opened(shop.customer, abroad))).toEqual(["PAUSE"]);
  await force(id, { currency_code: "EUR" });
  for (const { id: offer_id } of found.offers.slice(0, 3))
    expect(refusal(await accept(shop.customer, found, { offer_id }))).toEqual([409, "INVALID_STATE"]);
  expect((await accept(shop.customer, found, { offer_id: found.offers[3].id })).status).toBe(200);
});

test("a price that was set for one delivery is not offered where a charge pays for several", async () => {
  const shop = await openShop();
  const plan = await addPrepaidPlan(shop);
  const id = await subscribe(shop, { lines: [itemOf(plan)] });
  await setFlow(shop, [offers.SWAP, { ...offers.SWAP, label: { en: "For two" }, selling_plan_ids: [plan] }]);
  const found = await opened(shop.customer, id);
  expect(found.offers.map(({ label }: Json) => label.en)).toEqual(["For two"]);
});

test("a customer swaps nothing that is paid for, though it was offered before; staff may", async () => {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  const plan = await addPrepaidPlan(shop);
  await setFlow(shop, [{ ...offers.SWAP, selling_plan_ids: [plan] }]);
  const id = await linked(shop, worker, { lines: [itemOf(plan)] });
  const found = await opened(shop.customer, id);
  const body = { offer_id: found.offers[0].id };
  await advance(shop, worker, 0.5);
  const refused = await accept(shop.customer, found, body);
  expect([refusal(refused), refused.body.error]).toEqual([
    [409, "INVALID_STATE"],
    expect.stringContaining("deliveries that are paid for"),
  ]);
  expect((await accept(shop.api, found, body)).status).toBe(200);
});

test("a charge that succeeds while its subscription is paused has saved nobody; the next one has", async () => {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  await setFlow(shop, [offers.SWAP]);
  const id = await linked(shop, worker, { store_payment_method_id: "pm_pending" });
  await take(shop.customer, id, "SWAP");
  expect((await shipNow(shop, worker, id)).status).toBe(200);
  await worker.drain({ soon: false });
  await done(shop.customer, "POST", id, "pause", {});
  await advance(shop, worker, 1);
  expect(await read(shop, id)).toMatchObject({ status: "PAUSED", current_billing_cycle: 2 });
  expect(await casesOf(shop, id)).toMatchObject([{ outcome: "PENDING" }]);
  await done(shop.customer, "POST", id, "resume", {});
  await advance(shop, worker, 9);
  expect(await casesOf(shop, id)).toMatchObject([{ outcome: "SAVED" }]);
});

test("a discount costs what a charge is less because of it, and nothing of what others take off", async () => {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  await setFlow(shop, [offers.DISCOUNT]);
  const id = await linked(shop, worker);
  const half = { title: "Half", value: 50, value_type: "PERCENTAGE", target_type: "ORDER" };
  await done(shop.api, "POST", id, "discounts", half);
  await take(shop.customer, id, "DISCOUNT");
  await advance(shop, worker, 1);
  expect((await chargesOf(id)).map(({ amount }) => amount)).toEqual([400]);
  expect(await caseRows(id)).toMatchObject([{ cost: 100, revenue_after: 400 }]);
});

test("a product that is offered without a price of its own is at that of the line which it replaces", async () => {
  const shop = await openShop();
  const { price: _, ...to } = offers.SWAP.terms.to;
  await setFlow(shop, [{ ...offers.SWAP, terms: { ...offers.SWAP.terms, to } }]);
  const id = await subscribe(shop);
  await take(shop.customer, id, "SWAP");
  expect((await read(shop, id)).lines).toMatchObject([{ store_variant_id: "variant-2", price: 10 }]);
});
