/** The fake Shopify bills a contract's cycles as Shopify documents it. */
import { describe, expect, test } from "vitest";
import { readAttempts } from "../../../src/stores/shopify/documents.ts";
import { allFailures, outcomes } from "../../support/fake-shopify.ts";
import { type Json, openStore } from "../shopify/store.ts";

function eur(amount: string) {
  return { presentmentMoney: { amount, currencyCode: "EUR" } };
}

describe("an attempt", () => {
  test("is pending at first; a read finds it settled, with its order", async () => {
    const { store, contract, bill, look } = openStore();
    const id = await contract();
    const { subscriptionBillingAttempt: made, userErrors } = await bill(id, "k");
    expect(userErrors).toEqual([]);
    expect(made).toMatchObject({
      idempotencyKey: "k",
      state: { __typename: "SubscriptionBillingAttemptPendingState" },
    });
    expect(store.charges).toEqual([]);
    const { state } = await look(made.id);
    expect(state).toMatchObject({
      __typename: "SubscriptionBillingAttemptSuccessState",
      order: { name: "#1001", totalPriceSet: eur("24.9"), totalTaxSet: eur("0.0"), taxesIncluded: true },
    });
    expect(store.charges).toMatchObject([
      { key: "k", contract: id, order: state.order.id, amount: 2490, currency: "EUR" },
    ]);
  });

  test("with a known key is the same, whatever the other fields say", async () => {
    const { store, contract, bill } = openStore();
    const id = await contract();
    const made = [
      await bill(id, "k"),
      await bill(id, "k", { inventoryPolicy: "ALLOW_OVERSELLING" }),
      await bill(id, "k", { billingCycleSelector: { index: 0 } }),
    ];
    store.contract(id).status = "CANCELLED";
    made.push(await bill(id, "k"));
    expect(new Set(made.map(({ subscriptionBillingAttempt }) => subscriptionBillingAttempt.id)).size).toBe(1);
    expect(store.charges).toHaveLength(1);
    const other = await contract();
    await bill(other, "k");
    store.settle();
    expect(store.charges).toHaveLength(2);
  });

  test("requested concurrently with one key is one", async () => {
    const { store, contract, bill } = openStore();
    const id = await contract();
    await Promise.all(Array.from({ length: 20 }, () => bill(id, "k")));
    store.settle();
    expect(store.attempts).toHaveLength(1);
    expect(store.charges).toHaveLength(1);
  });

  test("settles at the read in the settings, or when the test settles it", async () => {
    const { store, contract, bill, billed, look } = openStore({ settlesAtRead: 3 });
    const id = await contract();
    const { subscriptionBillingAttempt } = await bill(id, "k");
    const read = async () => (await look(subscriptionBillingAttempt.id)).state.__typename;
    expect([await read(), await read(), await read()]).toEqual([
      "SubscriptionBillingAttemptPendingState",
      "SubscriptionBillingAttemptPendingState",
      "SubscriptionBillingAttemptSuccessState",
    ]);
    store.nextOutcomes(outcomes.slow());
    expect((await billed(id, "slow")).__typename).toBe("SubscriptionBillingAttemptPendingState");
    store.settle("slow");
    expect(store.attempt("slow").state.is).toBe("succeeded");
  });

  test.each(allFailures)("fails as $is $code", async (failure) => {
    const { store, contract, billed } = openStore();
    store.nextOutcomes(failure);
    const { error } = await billed(await contract(), "k");
    const codes = [error.generalCode, error.inventoryCode, error.paymentCode, error.message].filter(Boolean);
    expect(codes).toEqual(["code" in failure ? failure.code : (failure as Json).message]);
    expect(error.__typename.toLowerCase()).toContain(`${failure.is}error`);
    expect(store.charges).toEqual([]);
    expect(store.orders).toEqual([]);
  });

  test("has the outcome of its payment method at that moment", async () => {
    const { store, card, contract, billed } = openStore();
    const id = await contract();
    store.method(card).outcome = outcomes.payment("CARD_DECLINED");
    expect(await billed(id, "declined")).toMatchObject({ error: { paymentCode: "CARD_DECLINED" } });
    store.method(card).revokedAt = "2026-01-01T00:00:00Z";
    expect(await billed(id, "revoked")).toMatchObject({ error: { generalCode: "PAYMENT_METHOD_NOT_FOUND" } });
    store.contract(id).method = null;
    expect(await billed(id, "none")).toMatchObject({
      error: { generalCode: "PAYMENT_METHOD_NOT_SPECIFIED" },
    });
  });

  test("fails if a variant is sold out, unless overselling is allowed", async () => {
    const { store, contract, billed, bill } = openStore();
    const id = await contract();
    store.soldOut.add("gid://shopify/ProductVariant/41001");
    expect(await billed(id, "k")).toMatchObject({ error: { inventoryCode: "INSUFFICIENT_INVENTORY" } });
    await bill(id, "oversell", { inventoryPolicy: "ALLOW_OVERSELLING" });
    store.settle();
    expect(store.charges).toMatchObject([{ key: "oversell" }]);
  });

  test("waits for its customer, who confirms or does not", async () => {
    const { store, contract, billed } = openStore();
    const id = await contract();
    store.nextOutcomes(outcomes.challenge(), outcomes.challenge());
    const waits = { __typename: "SubscriptionBillingAttemptActionRequiredState" };
    expect(await billed(id, "a")).toMatchObject({
      ...waits,
      action: { nextActionUrl: expect.stringMatching(/^https:/) },
    });
    expect(await billed(id, "b")).toMatchObject(waits);
    store.confirm("a");
    store.abandon("b");
    expect(await billed(id, "a")).toMatchObject({ order: { name: "#1001" } });
    expect(await billed(id, "b")).toMatchObject({ error: { paymentCode: "EXPIRED_BUYER_ACTION" } });
    expect(store.charges).toMatchObject([{ key: "a" }]);
  });

  test("is refused because of its contract's state, or by the test's script", async () => {
    const { store, contract, bill } = openStore();
    const id = await contract();
    const codeOf = async (contractId = id, key = "k") => (await bill(contractId, key)).userErrors[0]?.code;
    expect(await codeOf("gid://shopify/SubscriptionContract/1")).toBe("CONTRACT_NOT_FOUND");
    store.contract(id).status = "PAUSED";
    expect(await codeOf()).toBe("CONTRACT_PAUSED");
    store.contract(id).status = "EXPIRED";
    expect(await codeOf()).toBe("CONTRACT_TERMINATED");
    store.contract(id).status = "ACTIVE";
    expect(await codeOf(id, " ")).toBe("BLANK");
    store.refuse("subscriptionBillingAttemptCreate", "THROTTLED", "BILLING_CYCLE_SKIPPED");
    expect([await codeOf(), await codeOf(), await codeOf()]).toEqual([
      "THROTTLED",
      "BILLING_CYCLE_SKIPPED",
      undefined,
    ]);
    expect(store.attempts).toHaveLength(1);
  });

  test("is listed with its contract, newest first", async () => {
    const { contract, bill, ask } = openStore();
    const id = await contract();
    for (const key of ["a", "b", "c"]) await bill(id, key);
    const { data } = await ask(readAttempts, { contract: id, first: 2 });
    expect(data.subscriptionContract.billingAttempts.nodes.map((one: Json) => one.idempotencyKey)).toEqual([
      "c",
      "b",
    ]);
  });

  test("may skip payment: an unpaid order without a charge", async () => {
    const { store, contract, bill } = openStore();
    await bill(await contract(), "k", { paymentProcessingPolicy: "SKIP_PAYMENT_AND_CREATE_UNPAID_ORDER" });
    store.settle();
    expect(store.orders).toMatchObject([{ isPaid: false, total: 2490 }]);
    expect(store.charges).toEqual([]);
  });

  test("shows no order once it is deleted", async () => {
    const { store, contract, billed } = openStore();
    const id = await contract();
    await billed(id, "k");
    store.orders[0]!.isDeleted = true;
    expect(await billed(id, "k")).toEqual({
      __typename: "SubscriptionBillingAttemptSuccessState",
      order: null,
    });
  });
});

describe("a cycle", () => {
  const codeOf = async (answer: Promise<Json>) => (await answer).userErrors[0]?.code;
  const select = (index: number) => ({ billingCycleSelector: { index } });
  const dayMs = 86_400_000;

  test("can be billed from a day before its end, whatever the contract's next billing date is", async () => {
    const { store, contract, bill } = openStore();
    const id = await contract();
    expect(await codeOf(bill(id, "k", select(1)))).toBe("BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE");
    expect(await codeOf(bill(id, "k", select(0)))).toBe("CYCLE_INDEX_OUT_OF_RANGE");
    store.advance(29 * dayMs - 1);
    expect(await codeOf(bill(id, "k", select(1)))).toBe("BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE");
    store.advance(1);
    expect(await codeOf(bill(id, "k", select(1)))).toBeUndefined();
    expect(await codeOf(bill(id, "l", select(2)))).toBe("BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE");
    expect(store.attempt("k").cycle).toBe(1);
  });

  test("can be moved and skipped", async () => {
    const { store, contract, bill } = openStore();
    const id = await contract();
    store.contract(id).cycleEdits.set(1, { billingDate: store.contract(id).createdAt });
    expect(await codeOf(bill(id, "k", select(1)))).toBeUndefined();
    store.contract(id).cycleEdits.set(1, { skip: true });
    expect(await codeOf(bill(id, "l", select(1)))).toBe("BILLING_CYCLE_SKIPPED");
  });

  test("is the current one if none is selected; a setting says how early it can be billed", async () => {
    const { store, contract, bill } = openStore();
    const id = await contract();
    store.advance(40 * dayMs);
    expect(await codeOf(bill(id, "k"))).toBeUndefined();
    expect(store.attempt("k").cycle).toBe(2);
    store.settings.refusesEarly = "always";
    expect(await codeOf(bill(id, "l"))).toBe("BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE");
    store.settings.refusesEarly = "never";
    expect(await codeOf(bill(id, "m", select(9)))).toBeUndefined();
  });
});

describe("an order's amount", () => {
  const price = async (options: Json, change?: (input: Json) => void) => {
    const { store, contract, billed } = openStore(options);
    await billed(await contract(change), "k");
    const { total, tax } = store.orders[0]!;
    return { total, tax };
  };
  const discounts =
    (...all: Json[]) =>
    (input: Json) => {
      input.lines[0].discounts = all;
    };

  test("has discounts by percentage and by amount, for the line or for each item", async () => {
    const percentage = { value: { percentage: 15 } };
    const fixed = { value: { fixedAmount: { amount: 1.5 } } };
    const each = { value: { fixedAmount: { amount: 1.5, appliesOnEachItem: true } } };
    const most = { value: { fixedAmount: { amount: 99 } } };
    expect((await price({}, discounts(percentage))).total).toBe(1700 + 490);
    expect((await price({}, discounts(fixed))).total).toBe(1850 + 490);
    expect((await price({}, discounts(each))).total).toBe(1700 + 490);
    expect((await price({}, discounts(percentage, fixed))).total).toBe(1550 + 490);
    expect((await price({}, discounts(most))).total).toBe(490);
  });

  test("has tax included or added", async () => {
    expect(await price({ taxRate: 0.19 })).toEqual({ total: 2490, tax: 398 });
    expect(await price({ taxRate: 0.19, taxesIncluded: false })).toEqual({ total: 2963, tax: 473 });
  });

  test("follows the contract of that moment, and a discount's limit", async () => {
    const { store, contract, billed } = openStore();
    const id = await contract(discounts({ recurringCycleLimit: 1, value: { percentage: 50 } }));
    await billed(id, "first");
    await billed(id, "second");
    store.contract(id).lines[0]!.quantity = 3;
    await billed(id, "third");
    expect(store.charges.map(({ amount }) => amount)).toEqual([1490, 2490, 3490]);
  });

  test("has the currency's decimals", async () => {
    const { contract, billed } = openStore({ currency: "JPY" });
    const { order } = await billed(
      await contract((input) => {
        input.currencyCode = "JPY";
        input.lines[0].line.currentPrice = "500";
        input.contract.deliveryPrice = "0";
      }),
      "k",
    );
    expect(order.totalPriceSet.presentmentMoney).toEqual({ amount: "1000.0", currencyCode: "JPY" });
  });
});
