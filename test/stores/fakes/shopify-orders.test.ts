/** The fake Shopify has orders, payments, returns and fulfillments as Shopify documents them. */
import type { GraphQLEnumType } from "graphql";
import { describe, expect, test } from "vitest";
import { returnStatuses } from "../../../src/domain/orders/tables.ts";
import { readContract, readContractOwner, readOrder } from "../../../src/stores/shopify/documents.ts";
import { schema } from "../../support/fake-shopify/schema.ts";
import { type Json, openStore } from "../shopify/store.ts";

function eur(amount: string) {
  return { presentmentMoney: { amount, currencyCode: "EUR" } };
}

function sold(change: Json = {}) {
  const of = openStore();
  const id = of.store.addOrder({ customer: of.customer, total: 2490, ...change });
  const read = (): Promise<Json> => of.answer(readOrder, { id });
  return { ...of, id, read };
}

describe("an order", () => {
  test("of a billing attempt shows its contract, amounts and source", async () => {
    const { store, contract, billed, answer, customer } = openStore({ taxRate: 0.19, taxesIncluded: false });
    const id = await contract((input) => {
      input.lines[0].line.sellingPlanName = "Monthly";
      input.lines[0].discounts = [{ value: { percentage: 10 } }];
    });
    const { order } = await billed(id, "k");
    expect(await answer(readOrder, { id: order.id })).toEqual({
      id: order.id,
      name: "#1001",
      createdAt: store.order(order.id).createdAt,
      cancelledAt: null,
      test: false,
      sourceName: "subscription_contract",
      tags: [],
      displayFinancialStatus: "PAID",
      displayFulfillmentStatus: "UNFULFILLED",
      returnStatus: "NO_RETURN",
      customer: { id: customer },
      subtotalPriceSet: eur("18.0"),
      totalDiscountsSet: eur("2.0"),
      totalPriceSet: eur("27.25"),
      totalRefundedSet: eur("0.0"),
      fulfillments: [],
      lineItems: { nodes: [{ contract: { id }, sellingPlan: { name: "Monthly" } }] },
    });
    store.settings.billingSource = "subscription_contract_checkout_one";
    const { order: next } = await billed(id, "l");
    expect((await answer(readOrder, { id: next.id })).sourceName).toBe("subscription_contract_checkout_one");
  });

  test("of a one-time purchase has a line without a contract", async () => {
    const { read, topics } = sold({ total: 1900, subtotal: 1500, discounts: 300, tags: ["upsell", "vip"] });
    expect(await read()).toMatchObject({
      sourceName: "web",
      tags: ["upsell", "vip"],
      subtotalPriceSet: eur("15.0"),
      totalDiscountsSet: eur("3.0"),
      totalPriceSet: eur("19.0"),
      lineItems: { nodes: [{ contract: null, sellingPlan: null }] },
    });
    expect(await topics()).toEqual(["orders/create", "orders/paid"]);
  });

  test("may have several contracts, and belong to a guest", async () => {
    const { store, contract, answer } = openStore();
    const contracts = [await contract(), await contract()];
    const id = store.addOrder({ total: 4000, contracts, sourceName: null });
    const { lineItems, customer, sourceName } = await answer(readOrder, { id });
    expect(lineItems.nodes.map((one: Json) => one.contract.id)).toEqual(contracts);
    expect([customer, sourceName]).toEqual([null, null]);
  });

  test("that is unknown or deleted is null, an id of another kind an error", async () => {
    const { store, id, read, answer, ask, customer } = sold();
    expect(await answer(readOrder, { id: "gid://shopify/Order/1" })).toBeNull();
    store.order(id).isDeleted = true;
    expect(await read()).toBeNull();
    const { errors } = await ask(readOrder, { id: customer });
    expect(errors[0].extensions.code).toBe("RESOURCE_NOT_FOUND");
    expect(() => store.order("gid://shopify/Order/1")).toThrow("no order");
  });

  test("is named by its ids in webhooks", async () => {
    const { store, id, customer } = sold({ tags: ["a", "b"] });
    const [created] = await store.webhooks();
    const { number } = store.order(id);
    expect(JSON.parse(created!.body)).toMatchObject({
      id: number,
      admin_graphql_api_id: id,
      financial_status: "paid",
      fulfillment_status: null,
      source_name: "web",
      tags: "a, b",
      total_price: "24.90",
      customer: { admin_graphql_api_id: customer },
    });
  });
});

describe("an order's payment", () => {
  test("is paid later", async () => {
    const { store, id, read, topics } = sold({ paid: false });
    expect(await topics()).toEqual(["orders/create"]);
    expect((await read()).displayFinancialStatus).toBe("PENDING");
    store.payOrder(id);
    expect((await read()).displayFinancialStatus).toBe("PAID");
    expect(await topics()).toEqual(["orders/paid", "orders/updated"]);
  });

  test("is refunded in part, then completely, and never more", async () => {
    const { store, id, read } = sold();
    await store.webhooks();
    store.refund(id, 490);
    expect(await read()).toMatchObject({
      displayFinancialStatus: "PARTIALLY_REFUNDED",
      totalRefundedSet: eur("4.9"),
      totalPriceSet: eur("24.9"),
    });
    const [refund, updated] = await store.webhooks();
    expect([refund!.topic, updated!.topic]).toEqual(["refunds/create", "orders/updated"]);
    expect(JSON.parse(refund!.body)).toMatchObject({
      admin_graphql_api_id: expect.stringMatching(/Refund/),
      order_id: store.order(id).number,
      transactions: [{ kind: "refund", amount: "4.90" }],
    });
    store.refund(id, 2000);
    expect((await read()).displayFinancialStatus).toBe("REFUNDED");
    expect(() => store.refund(id, 1)).toThrow("cannot be refunded");
  });

  test("is impossible once it is cancelled", async () => {
    const { store, id, read, topics } = sold({ paid: false });
    await topics();
    store.cancelOrder(id);
    expect(await read()).toMatchObject({
      cancelledAt: store.order(id).cancelledAt,
      displayFinancialStatus: "VOIDED",
    });
    expect(await topics()).toEqual(["orders/cancelled", "orders/updated"]);
    const paid = sold();
    paid.store.cancelOrder(paid.id);
    expect(await paid.read()).toMatchObject({
      cancelledAt: expect.any(String),
      displayFinancialStatus: "PAID",
    });
  });
});

describe("an order's return", () => {
  test("is requested, approved, closed and reopened, each with its webhook, and pays nothing back", async () => {
    const { store, id, read } = sold();
    await store.webhooks();
    expect((await read()).returnStatus).toBe("NO_RETURN");
    const { number } = store.order(id);
    const withOrder = { order: { id: number, admin_graphql_api_id: id } };
    for (const [step, returnStatus, status, named] of [
      ["request", "RETURN_REQUESTED", "requested", withOrder],
      ["approve", "IN_PROGRESS", "open", withOrder],
      ["close", "RETURNED", "closed", { order_id: number }],
      ["reopen", "IN_PROGRESS", "open", { order_id: number }],
      ["cancel", "NO_RETURN", "canceled", { order_id: number }],
    ] as const) {
      store.return(id, step);
      expect(await read()).toMatchObject({ returnStatus, displayFinancialStatus: "PAID" });
      const hooks = await store.webhooks();
      expect(hooks.map(({ topic }) => topic)).toEqual([`returns/${step}`]);
      expect(JSON.parse(hooks[0]!.body)).toEqual({
        id: expect.any(Number),
        admin_graphql_api_id: expect.stringMatching(/Return/),
        status,
        ...named,
      });
    }
  });

  test("is declined, and a further one is shown before one that is over", async () => {
    const { store, id, read } = sold();
    store.return(id, "request");
    store.return(id, "decline");
    expect((await read()).returnStatus).toBe("NO_RETURN");
    store.return(id, "approve");
    store.return(id, "close");
    store.return(id, "request");
    expect((await read()).returnStatus).toBe("RETURN_REQUESTED");
    expect(store.order(id).returns).toHaveLength(3);
  });

  test("has the states of the schema, which are those of an order here", () => {
    const known = (schema.getType("OrderReturnStatus") as GraphQLEnumType).getValues();
    expect(known.map(({ name }) => name).toSorted()).toEqual(["NO_RETURN", ...returnStatuses].toSorted());
  });
});

describe("an order's fulfillments", () => {
  const tracking = { company: "DHL", number: "00340", url: "https://dhl.test/00340" };

  test("are created in parts, and tracked", async () => {
    const { store, id, read } = sold();
    await store.webhooks();
    store.fulfill(id, { part: true });
    expect(await read()).toMatchObject({
      displayFulfillmentStatus: "PARTIALLY_FULFILLED",
      fulfillments: [{ status: "SUCCESS", trackingInfo: [] }],
    });
    store.track(id, { number: "1" });
    store.fulfill(id, { tracking });
    expect(await read()).toMatchObject({
      displayFulfillmentStatus: "FULFILLED",
      fulfillments: [
        { trackingInfo: [{ company: null, number: "1", url: null }] },
        { status: "SUCCESS", trackingInfo: [tracking] },
      ],
    });
    const sent = await store.webhooks();
    expect(sent.map(({ topic }) => topic)).toEqual([
      "fulfillments/create",
      "orders/partially_fulfilled",
      "orders/updated",
      "fulfillments/update",
      "orders/updated",
      "fulfillments/create",
      "orders/fulfilled",
      "orders/updated",
    ]);
    expect(JSON.parse(sent[5]!.body)).toMatchObject({
      order_id: store.order(id).number,
      tracking_number: "00340",
      tracking_company: "DHL",
    });
    expect(JSON.parse(sent[6]!.body)).toMatchObject({ fulfillment_status: "fulfilled" });
  });

  test("are not tracked before they exist", () => {
    const { store, id } = sold();
    expect(() => store.track(id, tracking)).toThrow("has no fulfillment");
  });

  test("may be held in a status that the test sets", async () => {
    const { store, id, read } = sold();
    store.order(id).fulfillmentStatus = "ON_HOLD";
    expect((await read()).displayFulfillmentStatus).toBe("ON_HOLD");
  });
});

describe("a contract that is sold at the checkout", () => {
  const line = {
    productVariantId: "gid://shopify/ProductVariant/41001",
    quantity: 2,
    currentPrice: "10.00",
    sellingPlanId: "gid://shopify/SellingPlan/4401",
    sellingPlanName: "Weekly",
  };

  test("has its order, and no mark of the app", async () => {
    const { store, customer, card, answer, topics } = openStore();
    const id = store.checkoutContract({
      customer,
      method: card,
      policy: { interval: "WEEK", intervalCount: 2 },
      deliveryPrice: "4.90",
      address: { city: "Berlin", countryCode: "DE" },
      lines: [{ ...line, discounts: [{ value: { percentage: 10 } }] }],
    });
    expect(await answer(readContract, { id })).toMatchObject({
      status: "ACTIVE",
      customAttributes: [],
      billingPolicy: { interval: "WEEK", intervalCount: 2 },
      deliveryPrice: { amount: "4.9" },
      deliveryMethod: { address: { city: "Berlin" } },
      lines: { nodes: [{ lineDiscountedPrice: { amount: "18.0" }, sellingPlanName: "Weekly" }] },
    });
    const { originOrder } = await answer(readContractOwner, { id });
    expect(await answer(readOrder, { id: originOrder.id })).toMatchObject({
      sourceName: "web",
      displayFinancialStatus: "PAID",
      totalPriceSet: eur("22.9"),
      lineItems: { nodes: [{ contract: { id }, sellingPlan: { name: "Weekly" } }] },
    });
    expect(await topics()).toEqual(["orders/create", "orders/paid", "subscription_contracts/create"]);
    store.order(originOrder.id).isDeleted = true;
    expect((await answer(readContractOwner, { id })).originOrder).toBeNull();
  });

  test("sends webhooks with its order", async () => {
    const { store, customer, card } = openStore();
    const id = store.checkoutContract({ customer, method: card, lines: [line] });
    const { originOrder, number } = store.contract(id);
    const sent = await store.webhooks();
    expect(JSON.parse(sent[2]!.body)).toMatchObject({
      id: number,
      origin_order_id: originOrder!.number,
      admin_graphql_api_origin_order_id: originOrder!.id,
      customer_id: originOrder!.customer!.number,
    });
  });
});
