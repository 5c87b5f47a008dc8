import { describe, expect, test } from "vitest";
import { findContract, readPaymentMethod, readShop } from "../../src/store/shopify/documents.ts";
import { type Json, opened, shop } from "./store.ts";

describe("contracts", () => {
  test("keep what they were made with", async () => {
    const { store, contract, customer } = opened();
    const id = await contract((input) => {
      input.lines[0].discounts = [{ title: "10 %", value: { percentage: 10 } }];
    });
    expect(id).toMatch(/^gid:\/\/shopify\/SubscriptionContract\/\d+$/);
    expect(store.contract(id)).toMatchObject({
      customer: { id: customer },
      lines: [{ quantity: 2, price: 1000, discounts: [{ title: "10 %", percentage: 10 }] }],
      deliveryPrice: 490,
      customAttributes: [{ key: "subscription", value: "s-1" }],
      billingPolicy: { interval: "MONTH", intervalCount: 1 },
    });
    expect(store.contract(store.contract(id).number)).toBe(store.contract(id));
  });

  test("are made anew by every call: there is no key", async () => {
    const { store, contract } = opened();
    expect(await contract()).not.toBe(await contract());
    expect(store.contracts()).toHaveLength(2);
  });

  test.each<[code: string, change: (input: Json) => void]>([
    ["CUSTOMER_DOES_NOT_EXIST", (input) => (input.customerId = "gid://shopify/Customer/1")],
    ["INVALID_LINES", (input) => (input.lines = [])],
    ["INVALID", (input) => (input.lines[0].line.productVariantId = "41001")],
    ["GREATER_THAN", (input) => (input.lines[0].line.quantity = 0)],
    ["MISSING_CUSTOMER_PAYMENT_METHOD", (input) => (input.contract.paymentMethodId = null)],
    ["CURRENCY_NOT_ENABLED", (input) => (input.currencyCode = "USD")],
    ["DELIVERY_METHOD_REQUIRED", (input) => (input.contract.deliveryMethod = null)],
    [
      "DELIVERY_MUST_BE_MULTIPLE_OF_BILLING",
      (input) => (input.contract.deliveryPolicy = { interval: "MONTH", intervalCount: 2 }),
    ],
    ["INVALID_ADJUSTMENT_VALUE", (input) => (input.lines[0].discounts = [{ title: "nothing" }])],
    ["NOT_IN_RANGE", (input) => (input.lines[0].discounts = [{ value: { percentage: 101 } }])],
  ])("are refused: %s", async (code, change) => {
    const { store, create } = opened();
    expect(await create(change)).toMatchObject({ contract: null, userErrors: [{ code }] });
    expect(store.contracts()).toEqual([]);
  });

  test("need a payment method of their own customer", async () => {
    const { store, create } = opened();
    const other = store.addPaymentMethod(store.addCustomer());
    const { userErrors } = await create((input) => {
      input.contract.paymentMethodId = other;
    });
    expect(userErrors).toMatchObject([{ code: "CUSTOMER_MISMATCH" }]);
  });

  test("a scripted user error refuses one call", async () => {
    const { store, create } = opened();
    store.refuse("subscriptionContractAtomicCreate", "STALE_CONTRACT");
    expect((await create()).userErrors).toMatchObject([{ code: "STALE_CONTRACT" }]);
    expect((await create()).userErrors).toEqual([]);
  });

  test("dates and decimals that are none are refused before anything is done", async () => {
    const { store, create } = opened();
    await expect(create((input) => (input.nextBillingDate = "tomorrow"))).rejects.toThrow();
    await expect(create((input) => (input.contract.deliveryPrice = "4,90"))).rejects.toThrow();
    expect(store.contracts()).toEqual([]);
  });

  test("are listed newest first, page by page", async () => {
    const { contract, ask, customer } = opened();
    const made = [await contract(), await contract(), await contract()];
    const page = async (after: string | null): Promise<Json> =>
      (await ask(findContract, { customer, first: 2, after })).data.customer.subscriptionContracts;
    const first = await page(null);
    expect(first.nodes.map(({ id }: Json) => id)).toEqual([made[2], made[1]]);
    expect(first.nodes[0].customAttributes).toEqual([{ key: "subscription", value: "s-1" }]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    await contract();
    const second = await page(first.pageInfo.endCursor);
    expect(second.nodes.map(({ id }: Json) => id)).toEqual([made[0]]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });
});

describe("what else is there", () => {
  test("a shop", async () => {
    const { ask } = opened();
    expect((await ask(readShop)).data.shop).toEqual({
      myshopifyDomain: shop,
      currencyCode: "EUR",
      ianaTimezone: "Europe/Berlin",
    });
  });

  test("payment methods of every kind, revoked ones too", async () => {
    const { store, ask, customer, card } = opened();
    const read = async (id: string) => (await ask(readPaymentMethod, { id })).data.customerPaymentMethod;
    expect(await read(card)).toMatchObject({
      id: card,
      revokedAt: null,
      instrument: { __typename: "CustomerCreditCard", brand: "visa", lastDigits: "4242" },
    });
    const instrument = {
      __typename: "CustomerPaypalBillingAgreement",
      paypalAccountEmail: "a@b.test",
      inactive: false,
    };
    const revokedAt = "2026-01-01T00:00:00Z";
    const revoked = store.addPaymentMethod(customer, { instrument, revokedAt });
    expect(await read(revoked)).toEqual({ id: revoked, revokedAt, instrument });
    expect(await read("gid://shopify/CustomerPaymentMethod/0")).toBeNull();
  });

  test("an id of another kind, or none at all, is an error", async () => {
    const { ask, customer } = opened();
    const codeOf = async (id: string) => (await ask(readPaymentMethod, { id })).errors[0].extensions.code;
    expect(await codeOf(customer)).toBe("RESOURCE_NOT_FOUND");
    expect(await codeOf("card")).toBe("INVALID_VARIABLE");
  });
});
