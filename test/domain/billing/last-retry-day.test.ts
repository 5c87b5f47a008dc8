/** A new card is tried on the last retry day before the final action cancels. */
import { expect, test } from "vitest";
import { type Json, on, openShop, read, type Shop } from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  clockOf,
  episodesOf,
  linked,
  startClock,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();

/** A subscription in dunning that is cancelled by its end, on the eve of the last of the account's days. */
async function onTheEve(): Promise<{ shop: Shop; id: string }> {
  const shop = await openShop();
  const body = { dunning_retry_days: [1], dunning_final_action: "cancel" };
  expect((await worker.call(shop.admin, "PUT", "/api/account", { body })).status).toBe(200);
  const id = await linked(shop, worker, { store_payment_method_id: "pm_insufficient_funds" });
  await advance(shop, worker, 1 / 24);
  return { shop, id };
}

async function passLastDay(shop: Shop): Promise<void> {
  await startClock(shop, new Date(Date.parse(await clockOf(shop)) + 1.5 * 86_400_000).toISOString());
}

async function call(shop: Shop, method: "POST" | "PUT", path: string, body?: object): Promise<Json> {
  const answer = await worker.call<Json>(shop.customer, method, path, body ? { body } : {});
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

test("a customer whose new card is tried once the last retry day has passed, and pays, is not cancelled", async () => {
  const { shop, id } = await onTheEve();
  await call(shop, "POST", on(id, "retry-payment"));
  await call(shop, "PUT", on(id, "payment-method"), { store_payment_method_id: "pm_success" });
  await passLastDay(shop);
  await worker.drain();

  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: false,
    current_billing_cycle: 2,
  });
  expect(await attemptsOf(shop, id)).toMatchObject([
    { status: "SUCCEEDED", attempt_number: 3 },
    { status: "FAILED", attempt_number: 2 },
    { status: "FAILED", attempt_number: 1 },
  ]);
  expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
  expect(await episodesOf(shop, id)).toMatchObject([{ status: "RECOVERED" }]);
});

test("one whose new card is declined as well is then cancelled, as the last day has passed", async () => {
  const { shop, id } = await onTheEve();
  await call(shop, "POST", on(id, "retry-payment"));
  await call(shop, "PUT", on(id, "payment-method"), { store_payment_method_id: "pm_card_declined" });
  await passLastDay(shop);
  await worker.drain();
  expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", is_in_dunning: false });
  expect(await episodesOf(shop, id)).toMatchObject([{ status: "EXHAUSTED", attempt_count: 3 }]);
});
