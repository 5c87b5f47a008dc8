/** A contract at Shopify follows its subscription's contents, status, address and payment method. */
import { beforeEach, expect, test, vi } from "vitest";
import { outcomes } from "../../support/fake-shopify.ts";
import { inDays, type Json, read } from "../../support/shops.ts";
import { attemptsOf, ordersOf, shipNow } from "../../support/worker.ts";
import { contractOf, expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";
import { syncSteps } from "./sync-steps.ts";

const shop = useShop();
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
});
const { asked, firstLine, line } = syncSteps(shop, () => id);

/** Everything that is mirrored to the store and that customers or staff can change. */
const changes: [string, () => Promise<unknown>][] = [
  ["a line's quantity", async () => asked("PUT", `lines/${await firstLine()}`, { quantity: 5 })],
  ["a line's price", async () => asked("PUT", `lines/${await firstLine()}`, { price: 12.34 })],
  ["another variant", async () => asked("PUT", `lines/${await firstLine()}`, line("41009", { quantity: 3 }))],
  ["another line", () => asked("POST", "lines", line("41002"))],
  ["a line for the next order only", () => asked("POST", "lines", line("41003", { is_one_time: true }))],
  [
    "a line that goes",
    async () => {
      const gone = await firstLine();
      await asked("POST", "lines", line("41002"));
      await shop.worker.drain();
      await asked("DELETE", `lines/${gone}`);
    },
  ],
  [
    "a discount off the order",
    () =>
      asked("POST", "discounts", {
        title: "Sorry",
        value: 10,
        value_type: "PERCENTAGE",
        target_type: "ORDER",
      }),
  ],
  [
    "a discount off the delivery",
    () =>
      asked("POST", "discounts", {
        title: "Free",
        value: 100,
        value_type: "PERCENTAGE",
        target_type: "SHIPPING_LINE",
      }),
  ],
  ["the frequency", () => asked("PUT", "frequency", { interval: "MONTH", interval_count: 2 })],
  ["the schedule", () => asked("PUT", "schedule", { next_delivery_date: inDays(11) })],
  ["a skip", () => asked("POST", "skip", { skip_weeks: 2 })],
  ["a pause", () => asked("POST", "pause", {})],
  ["the end", () => asked("POST", "cancel", {})],
];

const ways = ["drafts", "calculations"] as const;

test.each(ways.flatMap((way) => changes.map(([what, change]) => [what, way, change] as const)))(
  "the contract follows the subscription: %s, by %s",
  async (_what, way, change) => {
    shop.store.settings.offers = [way];
    await change();
    await shop.worker.drain();
    await expectMirrored(shop, id);
    expect(shop.store.contracts()).toHaveLength(1);
  },
);

test("the contract follows pause, resume, cancel and reactivate, which creates another contract", async () => {
  await asked("POST", "pause", {});
  await shop.worker.drain();
  await asked("POST", "resume", {});
  await shop.worker.drain();
  const first = await expectMirrored(shop, id);
  await asked("POST", "cancel", {});
  await shop.worker.drain();
  await asked("POST", "reactivate", {});
  expect((await read(shop.merchant, id)).store_contract_id).toBeNull();
  expect((await shipNow(shop.merchant, shop.worker, id)).body).toMatchObject({ errorCode: "NOT_BILLABLE" });
  await shop.worker.drain();
  const second = await expectMirrored(shop, id);
  expect(second.number).not.toBe(first.number);
  expect(first.status).toBe("CANCELLED");
});

test("cancelled and reactivated before the store knows of it: the new life has a contract of its own, and the other ends", async () => {
  const before = await expectMirrored(shop, id);
  await asked("POST", "cancel", {});
  await asked("POST", "reactivate", {});
  await shop.worker.drain();
  expect((await expectMirrored(shop, id)).number).not.toBe(before.number);
  expect(before.status).toBe("CANCELLED");
});

test("the payment method and the address", async () => {
  const [{ customer }] = shop.store.contracts() as [Json];
  const other = shop.store.addPaymentMethod(customer.id);
  await asked("PUT", "payment-method", { store_payment_method_id: other });
  await asked("PUT", "delivery-address", {
    address1: "Neue Str. 2",
    city: "Hamburg",
    zip: "20095",
    country: "Germany",
    country_code: "DE",
  });
  await shop.worker.drain();
  const contract: Json = await expectMirrored(shop, id);
  expect(contract.method.id).toBe(other);
  expect(JSON.stringify(contract.deliveryMethod)).toContain("Neue Str. 2");
});

test("a payment method of another customer is refused", async () => {
  const other = shop.store.addPaymentMethod(shop.store.addCustomer());
  const { status, body } = await shop.worker.call(
    shop.merchant.api,
    "PUT",
    `/api/subscriptions/${id}/payment-method`,
    { body: { store_payment_method_id: other } },
  );
  expect([status, body.errorCode]).toEqual([400, "UNKNOWN_PAYMENT_METHOD"]);
});

test("a line keeps its id at the store while its quantity changes", async () => {
  const before = (await contractOf(shop, id)).lines.map((each) => each.id);
  await asked("PUT", `lines/${await firstLine()}`, { quantity: 4 });
  await shop.worker.drain();
  expect((await contractOf(shop, id)).lines.map((each) => each.id)).toEqual(before);
});

test("without differences nothing is written at the store", async () => {
  shop.store.requests.length = 0;
  await asked("PUT", "delivery-instructions", { delivery_instructions: "Ring twice" });
  await shop.worker.drain();
  const reads = ["ContractState", "Contract"];
  expect(shop.store.requests.filter(({ operation }) => !reads.includes(operation ?? ""))).toEqual([]);
});

test("a charge uses the contract of that moment: changed amounts are charged", async () => {
  await asked("PUT", `lines/${await firstLine()}`, { price: 12 });
  shop.worker.forget();
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(shop.store.charges).toMatchObject([{ amount: 2890 }]);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", amount: 28.9 }]);
  expect(await ordersOf(shop.merchant, id)).toMatchObject([{ total: 28.9 }]);
  await expectMirrored(shop, id);
});

test("while it is charged its contents wait, and follow after the settlement", async () => {
  shop.store.nextOutcomes(outcomes.slow());
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  await asked("PUT", `lines/${await firstLine()}`, { price: 99 });
  await shop.worker.drain({ soon: false });
  expect((await contractOf(shop, id)).lines).toMatchObject([{ price: 1000 }]);
  shop.store.settle();
  await shop.worker.drain();
  expect(shop.store.charges).toMatchObject([{ amount: 2490 }]);
  await expectMirrored(shop, id);
});

test("a line for one order leaves the contract once it is ordered", async () => {
  await asked("POST", "lines", line("41003", { is_one_time: true }));
  await shop.worker.drain();
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(shop.store.charges).toMatchObject([{ amount: 2990 }]);
  expect((await expectMirrored(shop, id)).lines).toHaveLength(1);
});

test("a payment that finally fails sets the contract to FAILED; one that succeeds activates it", async () => {
  await shop.worker.call(shop.merchant.api, "PUT", "/api/account", { body: { dunning_retry_days: [1] } });
  shop.store.nextOutcomes(outcomes.payment("EXPIRED_CARD" as never));
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  vi.useFakeTimers({ now: Date.now() + 2 * 86_400_000, toFake: ["Date"] });
  await shop.worker.tick();
  expect((await read(shop.merchant, id)).status).toBe("PAYMENT_FAILED");
  expect((await contractOf(shop, id)).status).toBe("FAILED");
  await asked("POST", "retry-payment");
  await shop.worker.drain();
  expect((await read(shop.merchant, id)).status).toBe("ACTIVE");
  await expectMirrored(shop, id);
});
