import { beforeEach, describe, expect, test, vi } from "vitest";
import { markContractChanged } from "../../src/contracts/outbox.ts";
import { withContractLease } from "../../src/store/shopify/contract-lease.ts";
import { ctxOn } from "../support/ctx.ts";
import { select, testDb } from "../support/database.ts";
import { outcomes } from "../support/fake-shopify.ts";
import { deliver, entriesOf, feedOf, inDays, type Json, life, read, subscribe } from "../support/lives.ts";
import { attemptsOf, ordersOf, shipNow } from "../support/machine.ts";
import { contractOf, expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";

const shop = useShop();
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
});

const asked = async (method: string, path: string, body?: Json): Promise<Json> => {
  const {
    status,
    text,
    body: answer,
  } = await shop.worker.call(
    shop.own.api,
    method,
    `/api/subscriptions/${id}/${path}`,
    body === undefined ? {} : { body },
  );
  if (status >= 300) throw new Error(`${status} ${text}`);
  return answer;
};
const firstLine = async (): Promise<string> => (await read(shop.own, id)).lines[0].id;
const refusals = async (): Promise<Json[]> =>
  (await entriesOf(id)).filter(({ action }) => action === "integration_store_refused");

/** A quarter of an hour later a webhook of Shopify has the contract checked. */
const noticed = async (): Promise<void> => {
  vi.useFakeTimers({ now: Date.now() + 15 * 60_000, toFake: ["Date"] });
  const { store_contract_id } = await read(shop.own, id);
  const realNow = new Date().toISOString();
  if (store_contract_id !== null)
    await markContractChanged(ctxOn(testDb(), shop.own.of.account, { realNow }), store_contract_id);
  await shop.worker.tick(Date.now() + 1000);
};

const line = (variant: string, more: Json = {}): Json => ({
  store_product_id: "31002",
  store_variant_id: variant,
  product_title: "Treats",
  selling_plan_id: shop.plan,
  price: 5,
  quantity: 1,
  ...more,
});

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

test.each(changes)("the contract follows the subscription: %s", async (_what, change) => {
  await change();
  await shop.worker.drain();
  await expectMirrored(shop, id);
  expect(shop.store.contracts()).toHaveLength(1);
});

test("the contract follows pause, resume, cancel and reactivate, which creates another contract", async () => {
  await asked("POST", "pause", {});
  await shop.worker.drain();
  await asked("POST", "resume", {});
  await shop.worker.drain();
  const first = await expectMirrored(shop, id);
  await asked("POST", "cancel", {});
  await shop.worker.drain();
  await asked("POST", "reactivate", {});
  expect((await read(shop.own, id)).store_contract_id).toBeNull();
  expect((await shipNow(shop.own, shop.worker, id)).body).toMatchObject({ errorCode: "NOT_BILLABLE" });
  await shop.worker.drain();
  const second = await expectMirrored(shop, id);
  expect(second.number).not.toBe(first.number);
  expect(first.status).toBe("CANCELLED");
});

test("cancelled and reactivated before the store knows of it: the contract is used again", async () => {
  const before = (await read(shop.own, id)).store_contract_id;
  await asked("POST", "cancel", {});
  await asked("POST", "reactivate", {});
  await shop.worker.drain();
  await expectMirrored(shop, id);
  expect((await read(shop.own, id)).store_contract_id).toBe(before);
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

describe("another address in the meantime", () => {
  const moved = (address1: string) =>
    asked("PUT", "delivery-address", {
      address1,
      city: "Hamburg",
      zip: "20095",
      country: "Germany",
      country_code: "DE",
    });
  const goesTo = async (): Promise<string> => JSON.stringify((await contractOf(shop, id)).deliveryMethod);

  test("is sent to a contract that was created without an answer", async () => {
    shop.store.fail({ kind: "network", effect: "done", on: "CreateContract" });
    id = await subscribed(shop);
    await moved("Neue Str. 2");
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(await goesTo()).toContain("Neue Str. 2");
  });

  test("is sent again if the last request with one had no answer", async () => {
    await moved("Neue Str. 2");
    await shop.worker.drain();
    shop.store.fail({ kind: "network", effect: "late", on: "CommitDraft" });
    await moved("Neue Str. 3");
    await shop.worker.drain({ soon: false });
    await moved("Neue Str. 2");
    await shop.store.arriveLate();
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(await goesTo()).toContain("Neue Str. 2");
  });
});

test("a payment method of another customer is refused", async () => {
  const other = shop.store.addPaymentMethod(shop.store.addCustomer());
  const { status, body } = await shop.worker.call(
    shop.own.api,
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
  const reads = ["ContractStatus", "Contract"];
  expect(shop.store.requests.filter(({ operation }) => !reads.includes(operation ?? ""))).toEqual([]);
});

test("a charge uses the contract of that moment: changed amounts are charged", async () => {
  await asked("PUT", `lines/${await firstLine()}`, { price: 12 });
  shop.worker.forget();
  await shipNow(shop.own, shop.worker, id);
  await shop.worker.drain();
  expect(shop.store.charges).toMatchObject([{ amount: 2890 }]);
  expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "SUCCEEDED", amount: 28.9 }]);
  expect(await ordersOf(shop.own, id)).toMatchObject([{ total: 28.9 }]);
  await expectMirrored(shop, id);
});

test("while it is charged its contents wait, and follow after the settlement", async () => {
  shop.store.nextOutcomes(outcomes.slow());
  await shipNow(shop.own, shop.worker, id);
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
  await shipNow(shop.own, shop.worker, id);
  await shop.worker.drain();
  expect(shop.store.charges).toMatchObject([{ amount: 2990 }]);
  expect((await expectMirrored(shop, id)).lines).toHaveLength(1);
});

test("a payment that finally fails sets the contract to FAILED; one that succeeds activates it", async () => {
  await shop.worker.call(shop.own.api, "PUT", "/api/account", { body: { dunning_retry_days: [1] } });
  shop.store.nextOutcomes(outcomes.payment("EXPIRED_CARD" as never));
  await shipNow(shop.own, shop.worker, id);
  await shop.worker.drain();
  vi.useFakeTimers({ now: Date.now() + 2 * 86_400_000, toFake: ["Date"] });
  await shop.worker.tick();
  expect((await read(shop.own, id)).status).toBe("PAYMENT_FAILED");
  expect((await contractOf(shop, id)).status).toBe("FAILED");
  await asked("POST", "retry-payment");
  await shop.worker.drain();
  expect((await read(shop.own, id)).status).toBe("ACTIVE");
  await expectMirrored(shop, id);
});

describe("a change whose message is lost", () => {
  test("is found by cron", async () => {
    await asked("PUT", `lines/${await firstLine()}`, { quantity: 7 });
    shop.worker.forget();
    await shop.worker.tick(Date.now() + 1000);
    await expectMirrored(shop, id);
  });

  test("also for a subscription without a contract", async () => {
    shop.store.fail({ kind: "network", effect: "none", times: 1, on: "Contracts" });
    id = await subscribed(shop);
    expect((await read(shop.own, id)).store_contract_id).toBeNull();
    shop.worker.forget();
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    await expectMirrored(shop, id);
  });
});

describe("a missing answer", () => {
  const operations = [
    "ContractStatus",
    "Contract",
    "BeginDraft",
    "ChangeDraftLine",
    "CommitDraft",
    "SetNextBillingDate",
  ];
  const effects = ["none", "done", "late"] as const;

  test.each(operations.flatMap((on) => effects.map((effect) => [on, effect] as const)))(
    "%s, its effect %s: the store agrees in the end",
    async (on, effect) => {
      shop.store.fail({ kind: "network", effect, times: 1, on });
      await asked("PUT", `lines/${await firstLine()}`, { quantity: 3 });
      await asked("POST", "skip", { skip_weeks: 1 });
      await shop.worker.drain();
      await shop.store.arriveLate();
      for (let minutes = 3; minutes < 200; minutes += 60) {
        vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ["Date"] });
        await shop.worker.tick();
      }
      await expectMirrored(shop, id);
      expect(await refusals()).toEqual([]);
    },
  );
});

describe("a request without an answer that is processed when it is obsolete", () => {
  test("a pause: the contract is active again, and so is the subscription", async () => {
    shop.store.fail({ kind: "network", effect: "late", times: 1, on: "PauseContract" });
    await asked("POST", "pause", {});
    await shop.worker.drain({ soon: false });
    await asked("POST", "resume", {});
    await shop.worker.drain();
    await shop.store.arriveLate();
    await noticed();
    expect((await read(shop.own, id)).status).toBe("ACTIVE");
    await expectMirrored(shop, id);
  });

  test("a cancel: the reactivated subscription has another contract", async () => {
    shop.store.fail({ kind: "network", effect: "late", times: 1, on: "CancelContract" });
    await asked("POST", "cancel", {});
    await shop.worker.drain({ soon: false });
    await asked("POST", "reactivate", {});
    await noticed();
    await shop.store.arriveLate();
    await noticed();
    await noticed();
    expect((await read(shop.own, id)).status).toBe("ACTIVE");
    await expectMirrored(shop, id);
  });
});

test("a contract whose subscription ends before it is linked ends too", async () => {
  shop.store.fail({ kind: "network", effect: "done", times: 1, on: "CreateContract" });
  id = await subscribed(shop);
  const made = shop.store.contracts().at(-1)!;
  expect((await read(shop.own, id)).store_contract_id).toBeNull();
  await asked("POST", "cancel", {});
  vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ["Date"] });
  await shop.worker.tick();
  expect(made.status).toBe("CANCELLED");
});

describe("a refusal of the store", () => {
  const refuse = async (): Promise<void> => {
    shop.store.unknownVariants.add("gid://shopify/ProductVariant/41404");
    await asked("POST", "lines", line("41404"));
    await shop.worker.drain();
  };

  test("shows in the subscription and once in its history, by the system", async () => {
    await refuse();
    const { store_sync_error } = await read(shop.own, id);
    expect(store_sync_error).toEqual(expect.any(String));
    vi.useFakeTimers({ now: Date.now() + 26 * 3_600_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    vi.useRealTimers();
    expect(await refusals()).toHaveLength(1);
    const [entry] = (await feedOf(shop.own, id)).filter(
      ({ action }) => action === "integration_store_refused",
    );
    expect(entry).toMatchObject({
      actor_type: "system",
      changes: { store_sync_error: { from: null, to: store_sync_error } },
      metadata: { codes: [expect.any(String)] },
    });
  });

  test("nothing of the change is applied at the store", async () => {
    await refuse();
    expect((await contractOf(shop, id)).lines).toHaveLength(1);
  });

  test("ends when the store agrees, with an entry", async () => {
    await refuse();
    shop.store.unknownVariants.clear();
    vi.useFakeTimers({ now: Date.now() + 26 * 3_600_000, toFake: ["Date"] });
    await shop.worker.tick();
    await expectMirrored(shop, id);
    expect((await entriesOf(id)).map(({ action }) => action)).toContain("integration_store_agreed");
  });

  test("ends at once when the subscription no longer needs the change", async () => {
    await refuse();
    const added = (await read(shop.own, id)).lines.find((each: Json) => each.store_variant_id === "41404");
    await asked("DELETE", `lines/${added.id}`);
    await shop.worker.drain();
    await expectMirrored(shop, id);
  });

  test("of the contract itself: the subscription says why it has none", async () => {
    shop.store.unknownVariants.add("gid://shopify/ProductVariant/41001");
    id = await subscribed(shop);
    expect(await read(shop.own, id)).toMatchObject({
      store_contract_id: null,
      store_sync_error: expect.any(String),
    });
    expect(await refusals()).toHaveLength(1);
  });

  test("of the content to be charged: the payment fails and nothing is charged", async () => {
    await refuse();
    await shipNow(shop.own, shop.worker, id);
    await shop.worker.drain();
    expect(shop.store.charges).toEqual([]);
    expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "FAILED" }]);
  });
});

describe("a contract that another job holds", () => {
  const sent = (name: string): number =>
    shop.store.requests.filter(({ operation }) => operation === name).length;

  test("is not charged in the meantime", async () => {
    const accountId = shop.own.of.account.id;
    const lease = { db: testDb(), accountId, subscriptionId: id, realNow: new Date().toISOString() };
    await withContractLease(lease, async () => {
      await shipNow(shop.own, shop.worker, id);
      await shop.worker.drain({ soon: false });
      expect(sent("CreateAttempt")).toBe(0);
    });
    await shop.worker.drain();
    expect(shop.store.charges).toHaveLength(1);
  });

  test("after a missing answer the lease has to expire first", async () => {
    shop.store.fail({ kind: "network", effect: "late", on: "CommitDraft" });
    await asked("PUT", `lines/${await firstLine()}`, { quantity: 7 });
    for (let times = 0; times < 3; times++) await shop.worker.drain();
    expect(sent("CommitDraft")).toBe(1);
    vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
    for (let times = 0; times < 3; times++) await shop.worker.tick();
    expect(sent("CommitDraft")).toBe(2);
    await expectMirrored(shop, id);
  });
});

test("a refusal of the contract is no decline if an earlier request may still arrive", async () => {
  shop.store.fail({ kind: "network", effect: "late", on: "CreateAttempt" });
  await shipNow(shop.own, shop.worker, id);
  await shop.worker.drain({ soon: false });
  shop.store.unknownVariants.add("gid://shopify/ProductVariant/41001");
  (await contractOf(shop, id)).lines[0]!.price = 1;
  vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ["Date"] });
  await shop.worker.tick();
  expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "PROCESSING" }]);
  (await contractOf(shop, id)).lines[0]!.price = 1000;
  await shop.store.arriveLate();
  vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ["Date"] });
  for (let times = 0; times < 3; times++) await shop.worker.tick();
  expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(shop.store.charges).toHaveLength(1);
});

test("a refusal of the charge is no decline if an earlier request may still arrive", async () => {
  shop.store.fail({ kind: "network", effect: "late", on: "CreateAttempt" });
  await shipNow(shop.own, shop.worker, id);
  await shop.worker.drain({ soon: false });
  const { store_contract_id } = await read(shop.own, id);
  const [attempt] = await attemptsOf(shop.own, id);
  shop.store.merchant.pause(store_contract_id);
  vi.useFakeTimers({ now: Date.now() + 65_000, toFake: ["Date"] });
  const { bindings } = shop.worker;
  await deliver([{ type: "charge", account_id: shop.own.of.account.id, attempt_id: attempt!.id }], {
    bindings,
  });
  shop.store.merchant.activate(store_contract_id);
  await shop.store.arriveLate();
  shop.store.settle();
  vi.useFakeTimers({ now: Date.now() + 2 * 86_400_000, toFake: ["Date"] });
  for (let times = 0; times < 3; times++) await shop.worker.tick();
  expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(shop.store.charges).toHaveLength(1);
});

test("a refusal of the charge is final if the store had only throttled before", async () => {
  shop.store.fail({ kind: "http429", times: 1, on: "CreateAttempt" });
  await shipNow(shop.own, shop.worker, id);
  await shop.worker.drain({ soon: false });
  shop.store.refuse("subscriptionBillingAttemptCreate", "CONTRACT_UNDER_REVIEW");
  await shop.worker.tick();
  const { bindings } = shop.worker;
  const [attempt] = await attemptsOf(shop.own, id);
  vi.useFakeTimers({ now: Date.now() + 65_000, toFake: ["Date"] });
  await deliver([{ type: "charge", account_id: shop.own.of.account.id, attempt_id: attempt!.id }], {
    bindings,
  });
  expect(await attemptsOf(shop.own, id)).toMatchObject([
    { status: "FAILED", error_code: "contract_under_review" },
  ]);
});

describe("what a merchant does at the store", () => {
  test("pauses and resumes the subscription, by the system", async () => {
    const { store_contract_id } = await read(shop.own, id);
    shop.store.merchant.pause(store_contract_id);
    await noticed();
    expect(await read(shop.own, id)).toMatchObject({ status: "PAUSED", pause_reason: "paused at the store" });
    const [entry] = await feedOf(shop.own, id);
    expect(entry).toMatchObject({ action: "subscription_paused", actor_type: "system" });
    shop.store.merchant.activate(store_contract_id);
    await noticed();
    expect(await read(shop.own, id)).toMatchObject({ status: "ACTIVE" });
    await expectMirrored(shop, id);
  });

  test("ends the subscription", async () => {
    shop.store.merchant.cancel((await read(shop.own, id)).store_contract_id);
    await noticed();
    expect(await read(shop.own, id)).toMatchObject({
      status: "CANCELLED",
      cancellation_reason: "cancelled at the store",
    });
  });

  test("does not override a change made here in the meantime", async () => {
    await asked("POST", "pause", {});
    await shop.worker.drain();
    await asked("POST", "resume", {});
    const { store_contract_id } = await read(shop.own, id);
    shop.store.merchant.pause(store_contract_id);
    await shop.worker.drain();
    expect((await read(shop.own, id)).status).toBe("ACTIVE");
    await expectMirrored(shop, id);
  });

  test("is applied even if its webhook arrives while a sync is running", async () => {
    await asked("POST", "pause", {});
    const { store_contract_id } = await read(shop.own, id);
    const answer = shop.store.fetch;
    shop.store.fetch = async (request) => {
      const isPause = (await request.clone().text()).includes("mutation PauseContract");
      const answered = await answer(request);
      if (!isPause) return answered;
      shop.store.merchant.activate(store_contract_id);
      const realNow = new Date().toISOString();
      await markContractChanged(ctxOn(testDb(), shop.own.of.account, { realNow }), store_contract_id);
      return answered;
    };
    await shop.worker.drain();
    await shop.worker.tick(Date.now() + 1000);
    expect(await read(shop.own, id)).toMatchObject({ status: "ACTIVE" });
    await expectMirrored(shop, id);
  });

  test("while it is charged: a subscription paused just now is charged the frozen amount", async () => {
    const { store_contract_id } = await read(shop.own, id);
    await asked("PUT", `lines/${await firstLine()}`, { price: 12 });
    shop.worker.forget();
    shop.store.merchant.pause(store_contract_id);
    const answer = shop.store.fetch;
    shop.store.fetch = async (request) => {
      if ((await request.clone().text()).includes("mutation CreateAttempt"))
        shop.store.merchant.activate(store_contract_id);
      return answer(request);
    };
    await shipNow(shop.own, shop.worker, id);
    shop.worker.forget();
    const [attempt] = await attemptsOf(shop.own, id);
    const { bindings } = shop.worker;
    await deliver([{ type: "charge", account_id: shop.own.of.account.id, attempt_id: attempt!.id }], {
      bindings,
    });
    await shop.worker.tick();
    shop.store.settle();
    expect(shop.store.charges).toMatchObject([{ amount: 2890 }]);
  });

  test("to its contents is reverted", async () => {
    const contract = await contractOf(shop, id);
    contract.lines[0]!.price = 1;
    await noticed();
    await expectMirrored(shop, id);
  });
});

test("an account on the sandbox store has nothing to send", async () => {
  const own = await life();
  await subscribe(own);
  const its = await select("SELECT * FROM contract_syncs WHERE account_id = ?", own.of.account.id);
  expect(its).toEqual([]);
});

test("repeated and concurrent webhooks of one change write it once", async () => {
  await asked("PUT", `lines/${await firstLine()}`, { quantity: 9 });
  const job = { type: "sync_contract", account_id: shop.own.of.account.id, subscription_id: id } as const;
  shop.store.requests.length = 0;
  const { bindings } = shop.worker;
  await Promise.all([deliver([job], { bindings }), deliver([job], { bindings })]);
  await shop.worker.drain();
  await expectMirrored(shop, id);
  expect(shop.store.requests.filter(({ operation }) => operation === "CommitDraft")).toHaveLength(1);
});
