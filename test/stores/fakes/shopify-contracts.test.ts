/** The fake Shopify creates and shows contracts as Shopify documents it. */
import { describe, expect, test } from "vitest";
import { findContract, readContract, readContractOwner } from "../../../src/stores/shopify/documents.ts";
import { type Json, openStore } from "../shopify/store.ts";

describe("contracts", () => {
  test("keep the input with which they were created", async () => {
    const { store, contract, customer } = openStore();
    const id = await contract((input) => {
      input.lines[0].discounts = [{ title: "10 %", value: { percentage: 10 } }];
    });
    expect(id).toMatch(/^gid:\/\/shopify\/SubscriptionContract\/\d+$/);
    expect(store.contract(id)).toMatchObject({
      customer: { id: customer },
      lines: [{ quantity: 2, price: 1000 }],
      discounts: [{ title: "10 %", percentage: 10, entitled: [store.contract(id).lines[0]!.id] }],
      deliveryPrice: 490,
      customAttributes: [{ key: "subscription", value: "s-1" }],
      billingPolicy: { interval: "MONTH", intervalCount: 1 },
    });
    expect(store.contract(store.contract(id).number)).toBe(store.contract(id));
  });

  test("are created by every call, because there is no idempotency key", async () => {
    const { store, contract } = openStore();
    expect(await contract()).not.toBe(await contract());
    expect(store.contracts()).toHaveLength(2);
  });

  test.each<[code: string, change: (input: Json) => void]>([
    ["CUSTOMER_DOES_NOT_EXIST", (input) => (input.customerId = "gid://shopify/Customer/1")],
    ["INVALID_LINES", (input) => (input.lines = [])],
    ["INVALID", (input) => (input.lines[0].line.productVariantId = "41001")],
    ["GREATER_THAN", (input) => (input.lines[0].line.quantity = 0)],
    ["CURRENCY_NOT_ENABLED", (input) => (input.currencyCode = "USD")],
    ["DELIVERY_METHOD_REQUIRED", (input) => (input.contract.deliveryMethod = null)],
    [
      "DELIVERY_MUST_BE_MULTIPLE_OF_BILLING",
      (input) => (input.contract.deliveryPolicy = { interval: "MONTH", intervalCount: 2 }),
    ],
    [
      "MISSING_LOCAL_DELIVERY_OPTIONS",
      (input) => (input.contract.deliveryMethod = { localDelivery: { address: { city: "Berlin" } } }),
    ],
    ["INVALID_ADJUSTMENT_VALUE", (input) => (input.lines[0].discounts = [{ title: "nothing" }])],
    ["NOT_IN_RANGE", (input) => (input.lines[0].discounts = [{ value: { percentage: 101 } }])],
  ])("are refused: %s", async (code, change) => {
    const { store, create } = openStore();
    expect(await create(change)).toMatchObject({ contract: null, userErrors: [{ code }] });
    expect(store.contracts()).toEqual([]);
  });

  test("need no payment method to be made, and one to be charged", async () => {
    const { store, contract, billed } = openStore();
    const id = await contract((input) => {
      input.contract.paymentMethodId = null;
    });
    expect(store.contract(id)).toMatchObject({ status: "ACTIVE", method: null });
    expect(await billed(id, "k-1")).toMatchObject({ error: { generalCode: "PAYMENT_METHOD_NOT_SPECIFIED" } });
    expect(store.charges).toEqual([]);
  });

  test("need a payment method of their customer", async () => {
    const { store, create } = openStore();
    const other = store.addPaymentMethod(store.addCustomer());
    const { userErrors } = await create((input) => {
      input.contract.paymentMethodId = other;
    });
    expect(userErrors).toMatchObject([{ code: "CUSTOMER_MISMATCH" }]);
  });

  test("a scripted user error refuses one call", async () => {
    const { store, create } = openStore();
    store.refuse("subscriptionContractAtomicCreate", "STALE_CONTRACT");
    expect((await create()).userErrors).toMatchObject([{ code: "STALE_CONTRACT" }]);
    expect((await create()).userErrors).toEqual([]);
  });

  test("invalid dates and decimals are refused before anything is done", async () => {
    const { store, create } = openStore();
    await expect(create((input) => (input.nextBillingDate = "tomorrow"))).rejects.toThrow();
    await expect(create((input) => (input.contract.deliveryPrice = "4,90"))).rejects.toThrow();
    expect(store.contracts()).toEqual([]);
  });

  test("are listed oldest first, page by page", async () => {
    const { contract, ask, customer } = openStore();
    const ids = [await contract(), await contract(), await contract()];
    const page = async (after: string | null): Promise<Json> =>
      (await ask(findContract, { customer, first: 2, after })).data.customer.subscriptionContracts;
    const first = await page(null);
    expect(first.nodes.map(({ id }: Json) => id)).toEqual([ids[0], ids[1]]);
    expect(first.nodes[0]).toMatchObject({
      status: "ACTIVE",
      customAttributes: [{ key: "subscription", value: "s-1" }],
    });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const made = await contract();
    const second = await page(first.pageInfo.endCursor);
    expect(second.nodes.map(({ id }: Json) => id)).toEqual([ids[2], made]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });
});

describe("a contract that is read", () => {
  test("shows every field in which it can differ", async () => {
    const { store, contract, answer, card, customer } = openStore();
    store.variants.set("gid://shopify/ProductVariant/41001", {
      productId: "gid://shopify/Product/31001",
      title: "Kibble",
      variantTitle: "2 kg",
      sku: "KIB-2",
    });
    store.addPlanGroup({ plans: [{ id: "gid://shopify/SellingPlan/4401" }] });
    const id = await contract((input) => {
      input.lines[0].line.sellingPlanId = "gid://shopify/SellingPlan/4401";
      input.lines[0].line.sellingPlanName = "Monthly";
      input.lines[0].discounts = [{ value: { percentage: 10 } }];
      input.contract.note = "Ring";
      const { address } = input.contract.deliveryMethod.shipping;
      Object.assign(address, { countryCode: "US", provinceCode: "NY", firstName: "Ada" });
    });
    expect(await answer(readContract, { id })).toEqual({
      id,
      status: "ACTIVE",
      currencyCode: "EUR",
      nextBillingDate: "2026-12-01T00:00:00Z",
      note: "Ring",
      customAttributes: [{ key: "subscription", value: "s-1" }],
      customerPaymentMethod: { id: card, revokedAt: null },
      billingPolicy: { interval: "MONTH", intervalCount: 1, minCycles: null, maxCycles: null },
      deliveryPolicy: { interval: "MONTH", intervalCount: 1 },
      deliveryPrice: { amount: "4.9" },
      deliveryMethod: {
        __typename: "SubscriptionDeliveryMethodShipping",
        address: {
          address1: "Invalidenstr. 1",
          address2: null,
          city: "Berlin",
          company: null,
          country: "United States",
          countryCodeV2: "US",
          firstName: "Ada",
          lastName: null,
          phone: null,
          province: "New York",
          provinceCode: "NY",
          zip: null,
        },
      },
      lines: {
        nodes: [
          {
            id: expect.stringMatching(/^gid:\/\/shopify\/SubscriptionLine\/[\w-]+$/),
            productId: "gid://shopify/Product/31001",
            variantId: "gid://shopify/ProductVariant/41001",
            title: "Kibble",
            variantTitle: "2 kg",
            sku: "KIB-2",
            quantity: 2,
            currentPrice: { amount: "10.0" },
            lineDiscountedPrice: { amount: "18.0" },
            sellingPlanId: "gid://shopify/SellingPlan/4401",
            sellingPlanName: "Monthly",
            discountAllocations: [
              {
                discount: {
                  __typename: "SubscriptionManualDiscount",
                  id: store.contract(id).discounts[0]!.id,
                },
              },
            ],
          },
        ],
        pageInfo: { hasNextPage: false },
      },
      discounts: {
        nodes: [
          {
            id: store.contract(id).discounts[0]!.id,
            targetType: "LINE_ITEM",
            recurringCycleLimit: null,
          },
        ],
      },
    });
    expect(await answer(readContractOwner, { id })).toEqual({
      id,
      createdAt: store.contract(id).createdAt,
      originOrder: null,
      customer: expect.objectContaining({ id: customer }),
    });
    expect(await answer(readContract, { id: "gid://shopify/SubscriptionContract/1" })).toBeNull();
  });

  test("shows the other delivery methods", async () => {
    const { store, contract, answer } = openStore();
    const id = await contract();
    const readMethod = async () => (await answer(readContract, { id })).deliveryMethod;
    store.contract(id).deliveryMethod = { pickup: { pickupOption: { code: "BERLIN" } } };
    expect(await readMethod()).toEqual({
      __typename: "SubscriptionDeliveryMethodPickup",
      pickupOption: { code: "BERLIN" },
    });
    store.contract(id).deliveryMethod = { localDelivery: { address: { city: "Potsdam" } } };
    expect(await readMethod()).toMatchObject({
      __typename: "SubscriptionDeliveryMethodLocalDelivery",
      address: { city: "Potsdam", province: null },
    });
    store.contract(id).deliveryMethod = null;
    expect(await readMethod()).toBeNull();
  });

  test("shows who its customer is", async () => {
    const { store, contract, answer } = openStore();
    const ada = store.addCustomer({
      email: "ada@customers.test",
      firstName: "Ada",
      phone: "+4930123456",
      defaultAddress: { city: "Berlin", countryCode: "DE" },
    });
    const id = await contract((input) => {
      input.customerId = ada;
      input.contract.paymentMethodId = store.addPaymentMethod(ada);
    });
    expect((await answer(readContractOwner, { id })).customer).toEqual({
      id: ada,
      firstName: "Ada",
      lastName: null,
      defaultEmailAddress: { emailAddress: "ada@customers.test" },
      defaultPhoneNumber: { phoneNumber: "+4930123456" },
      defaultAddress: expect.objectContaining({ city: "Berlin", countryCodeV2: "DE" }),
    });
  });
});
