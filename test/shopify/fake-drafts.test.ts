import { describe, expect, test } from "vitest";
import {
  addDraftDiscount,
  addDraftLine,
  beginDraft,
  cancelContract,
  changeDraft,
  changeDraftLine,
  commitDraft,
  readContract,
  removeDraftDiscount,
  removeDraftLine,
  setNextBillingDate,
} from "../../src/store/shopify/documents.ts";
import { type Json, opened } from "./store.ts";

/** A contract, and a draft of it. */
const drafted = async (change?: (input: Json) => void) => {
  const of = opened();
  const id = await of.contract(change);
  const begin = async (): Promise<string> => (await of.answer(beginDraft, { contract: id })).draft.id;
  const draft = await begin();
  const commit = (which = draft): Promise<Json> => of.answer(commitDraft, { draft: which });
  const codeOf = async (query: string, variables: Json): Promise<string | undefined> =>
    (await of.answer(query, { draft, ...variables })).userErrors[0]?.code;
  await of.topics();
  return { ...of, id, begin, draft, commit, codeOf, line: of.store.contract(id).lines[0]!.id };
};

const line = (change: Json = {}) => ({
  productVariantId: "gid://shopify/ProductVariant/41002",
  quantity: 1,
  currentPrice: "7.50",
  ...change,
});

describe("a draft", () => {
  test("changes nothing until it is committed, then everything in it", async () => {
    const { store, id, draft, answer, commit, topics, customer } = await drafted();
    const card = store.addPaymentMethod(customer);
    const revision = store.contract(id).revision;
    const before = await answer(readContract, { id });
    const input = {
      status: "PAUSED",
      paymentMethodId: card,
      billingPolicy: { interval: "WEEK", intervalCount: 4 },
      deliveryPolicy: { interval: "WEEK", intervalCount: 2 },
      deliveryPrice: "0",
      deliveryMethod: { shipping: { address: { city: "Bonn", countryCode: "DE" } } },
      nextBillingDate: "2027-01-15T00:00:00Z",
      customAttributes: [{ key: "subscription", value: "s-2" }],
      note: "Ring",
    };
    expect(await answer(changeDraft, { draft, input })).toEqual({ draft: { id: draft }, userErrors: [] });
    const added = await answer(addDraftLine, { draft, input: line() });
    expect(added).toMatchObject({ lineAdded: { id: expect.any(String) }, userErrors: [] });
    expect(await answer(readContract, { id })).toEqual(before);
    expect(await commit()).toEqual({ contract: { id }, userErrors: [] });
    const after = await answer(readContract, { id });
    expect(after).toMatchObject({
      status: "PAUSED",
      customerPaymentMethod: { id: card },
      billingPolicy: { interval: "WEEK", intervalCount: 4 },
      deliveryPolicy: { interval: "WEEK", intervalCount: 2 },
      deliveryPrice: { amount: "0.0" },
      deliveryMethod: { address: { city: "Bonn" } },
      nextBillingDate: "2027-01-15T00:00:00Z",
      customAttributes: [{ key: "subscription", value: "s-2" }],
      note: "Ring",
    });
    expect(after.lines.nodes).toMatchObject([
      { id: before.lines.nodes[0].id },
      { id: added.lineAdded.id, quantity: 1, currentPrice: { amount: "7.5" } },
    ]);
    expect(store.contract(id).revision).toBeGreaterThan(revision);
    expect(await topics()).toEqual(["subscription_contracts/update", "subscription_contracts/pause"]);
  });

  test("keeps what its input omits", async () => {
    const { id, draft, answer, commit } = await drafted((input) => {
      input.contract.note = "Ring";
    });
    const before = await answer(readContract, { id });
    await answer(changeDraft, { draft, input: { deliveryPrice: "1" } });
    await commit();
    expect(await answer(readContract, { id })).toEqual({ ...before, deliveryPrice: { amount: "1.0" } });
  });

  test("is committed once", async () => {
    const { line: lineId, commit, codeOf } = await drafted();
    await commit();
    expect(await commit()).toMatchObject({ contract: null, userErrors: [{ code: "COMMITTED" }] });
    expect(await codeOf(changeDraft, { input: { note: "x" } })).toBe("COMMITTED");
    expect(await codeOf(removeDraftLine, { line: lineId })).toBe("COMMITTED");
  });

  test("is stale once another draft was committed or the contract was changed", async () => {
    const { store, id, begin, draft, commit, answer } = await drafted();
    const stale = { contract: null, userErrors: [{ code: "STALE_CONTRACT" }] };
    await answer(changeDraft, { draft, input: { note: "first" } });
    const others = [await begin(), await begin()];
    expect((await commit(others[0])).userErrors).toEqual([]);
    expect(await commit()).toMatchObject(stale);
    expect(await commit(others[1])).toMatchObject(stale);
    const third = await begin();
    store.merchant.pause(id);
    expect(await commit(third)).toMatchObject(stale);
    const fourth = await begin();
    await answer(setNextBillingDate, { id, date: "2027-01-15T00:00:00Z" });
    expect(await commit(fourth)).toMatchObject(stale);
    expect(store.contract(id).note).toBeNull();
    expect((await commit(await begin())).userErrors).toEqual([]);
  });

  test("cannot be begun, changed or committed once the contract has ended", async () => {
    const { store, id, answer, commit, codeOf } = await drafted();
    await answer(cancelContract, { id });
    expect(await answer(beginDraft, { contract: id })).toMatchObject({
      draft: null,
      userErrors: [{ code: "INVALID" }],
    });
    expect(await codeOf(changeDraft, { input: { note: "x" } })).toBe("INVALID");
    expect((await commit()).userErrors).toMatchObject([{ code: "STALE_CONTRACT" }]);
    const other = await drafted();
    other.store.contract(other.id).status = "EXPIRED";
    expect((await other.commit()).userErrors).toMatchObject([{ code: "INVALID" }]);
    expect(store.contract(id).note).toBeNull();
  });

  test("that is unknown, or of an unknown contract, is refused; an id of another kind is an error", async () => {
    const { answer, ask, customer, codeOf } = await drafted();
    const unknown = "gid://shopify/SubscriptionDraft/1";
    expect(await codeOf(changeDraft, { draft: unknown, input: {} })).toBe("INVALID");
    expect(await codeOf(commitDraft, { draft: unknown })).toBe("INVALID");
    const contract = "gid://shopify/SubscriptionContract/1";
    expect((await answer(beginDraft, { contract })).userErrors).toMatchObject([{ code: "INVALID" }]);
    const { errors } = await ask(commitDraft, { draft: customer });
    expect(errors[0].extensions.code).toBe("RESOURCE_NOT_FOUND");
  });

  test("is refused by script", async () => {
    const { store, commit } = await drafted();
    store.refuse("subscriptionDraftCommit", "HAS_FUTURE_EDITS");
    expect(await commit()).toMatchObject({ contract: null, userErrors: [{ code: "HAS_FUTURE_EDITS" }] });
    expect((await commit()).userErrors).toEqual([]);
  });
});

describe("a draft's terms", () => {
  test.each<[code: string, input: Json]>([
    ["GREATER_THAN", { billingPolicy: { interval: "WEEK", intervalCount: 0 } }],
    ["INVALID", { paymentMethodId: "gid://shopify/CustomerPaymentMethod/0" }],
    ["MISSING_CUSTOMER_PAYMENT_METHOD", { paymentMethodId: null }],
    ["INVALID_BILLING_DATE", { nextBillingDate: "2026-11-19T00:00:00Z" }],
  ])("are refused at once: %s", async (code, input) => {
    const { id, codeOf, commit, answer } = await drafted();
    const before = await answer(readContract, { id });
    expect(await codeOf(changeDraft, { input: { note: "x", ...input } })).toBe(code);
    await commit();
    expect(await answer(readContract, { id })).toEqual(before);
  });

  test.each<[code: string, input: Json]>([
    ["DELIVERY_MUST_BE_MULTIPLE_OF_BILLING", { billingPolicy: { interval: "WEEK", intervalCount: 1 } }],
    ["MISSING_LOCAL_DELIVERY_OPTIONS", { deliveryMethod: { localDelivery: { address: {} } } }],
  ])("are refused when committed: %s", async (code, input) => {
    const { store, id, codeOf, commit } = await drafted();
    expect(await codeOf(changeDraft, { input: { note: "x", ...input } })).toBeUndefined();
    expect(await commit()).toMatchObject({ contract: null, userErrors: [{ code }] });
    expect(store.contract(id).note).toBeNull();
  });

  test("can change the payment method only to one of the customer that is not revoked", async () => {
    const { store, id, customer, card, codeOf, commit, begin } = await drafted();
    const other = store.addPaymentMethod(store.addCustomer());
    expect(await codeOf(changeDraft, { input: { paymentMethodId: other } })).toBe("CUSTOMER_MISMATCH");
    const next = store.addPaymentMethod(customer);
    expect(await codeOf(changeDraft, { input: { paymentMethodId: next } })).toBeUndefined();
    store.method(next).revokedAt = "2026-11-20T00:00:00Z";
    expect((await commit()).userErrors).toMatchObject([{ code: "INVALID" }]);
    expect(store.contract(id).method!.id).toBe(card);
    store.method(card).revokedAt = "2026-11-20T00:00:00Z";
    expect((await commit(await begin())).userErrors).toEqual([]);
  });

  test("need a delivery method if a line is shipped", async () => {
    const { store, contract, answer } = opened();
    store.digital.add("gid://shopify/ProductVariant/41001");
    const id = await contract((input) => {
      input.contract.deliveryMethod = null;
    });
    const draft = (await answer(beginDraft, { contract: id })).draft.id;
    await answer(addDraftLine, { draft, input: line() });
    expect((await answer(commitDraft, { draft })).userErrors).toMatchObject([
      { code: "DELIVERY_METHOD_REQUIRED" },
    ]);
  });
});

describe("a draft's lines", () => {
  test.each<[code: string, change: Json]>([
    ["INVALID", { productVariantId: "gid://shopify/ProductVariant/666" }],
    ["GREATER_THAN", { quantity: 0 }],
    ["GREATER_THAN_OR_EQUAL_TO", { currentPrice: "-1" }],
  ])("are refused as those of a new contract are: %s", async (code, change) => {
    const { store, codeOf, line: lineId } = await drafted();
    store.unknownVariants.add("gid://shopify/ProductVariant/666");
    expect(await codeOf(addDraftLine, { input: line(change) })).toBe(code);
    expect(await codeOf(changeDraftLine, { line: lineId, input: change })).toBe(code);
  });

  test("keep their id and unchanged fields when they are changed", async () => {
    const { id, draft, line: lineId, answer, commit } = await drafted();
    const input = { quantity: 5, sellingPlanName: "Weekly" };
    expect(await answer(changeDraftLine, { draft, line: lineId, input })).toEqual({
      lineUpdated: { id: lineId },
      userErrors: [],
    });
    await commit();
    expect((await answer(readContract, { id })).lines.nodes).toMatchObject([
      { id: lineId, quantity: 5, sellingPlanName: "Weekly", currentPrice: { amount: "10.0" } },
    ]);
  });

  test("are removed with the discounts for them alone, and cannot be removed twice", async () => {
    const {
      store,
      id,
      draft,
      line: lineId,
      answer,
      commit,
      codeOf,
    } = await drafted((input) => {
      input.lines[0].discounts = [{ value: { percentage: 10 } }];
    });
    const all = { title: "all", value: { percentage: 5 }, entitledLines: { all: true } };
    await answer(addDraftDiscount, { draft, input: all });
    await answer(addDraftLine, { draft, input: line() });
    expect(await answer(removeDraftLine, { draft, line: lineId })).toEqual({
      lineRemoved: { id: lineId },
      userErrors: [],
    });
    expect(await codeOf(removeDraftLine, { line: lineId })).toBe("ALREADY_REMOVED");
    const unknown = "gid://shopify/SubscriptionLine/1";
    expect(await codeOf(removeDraftLine, { line: unknown })).toBe("INVALID");
    expect(await codeOf(changeDraftLine, { line: unknown, input: {} })).toBe("INVALID");
    await commit();
    expect(store.contract(id).discounts).toMatchObject([{ title: "all" }]);
    expect(store.contract(id).lines).toMatchObject([{ price: 750 }]);
  });

  test("cannot all be removed", async () => {
    const { store, id, draft, line: lineId, answer, commit } = await drafted();
    await answer(removeDraftLine, { draft, line: lineId });
    expect(await commit()).toMatchObject({ contract: null, userErrors: [{ code: "INVALID_LINES" }] });
    expect(store.contract(id).lines).toHaveLength(1);
  });
});

describe("a draft's discounts", () => {
  const off = (value: Json, entitledLines: Json): Json => ({ title: "Discount", value, entitledLines });
  const only = (...add: string[]) => ({ lines: { add } });

  test("apply to the lines that they are for", async () => {
    const { id, draft, line: lineId, answer, commit } = await drafted();
    const added = (await answer(addDraftLine, { draft, input: line({ quantity: 4 }) })).lineAdded.id;
    const fixed = { fixedAmount: { amount: 5, appliesOnEachItem: false } };
    expect(await answer(addDraftDiscount, { draft, input: off(fixed, only(lineId, added)) })).toEqual({
      discountAdded: { id: expect.stringMatching(/SubscriptionManualDiscount/) },
      userErrors: [],
    });
    await answer(addDraftDiscount, { draft, input: off({ percentage: 50 }, only(added)) });
    await commit();
    const { lines, discounts } = await answer(readContract, { id });
    expect(lines.nodes.map((one: Json) => one.lineDiscountedPrice.amount)).toEqual(["18.0", "13.5"]);
    expect(discounts.nodes).toHaveLength(2);
  });

  test("are removed", async () => {
    const { store, id, draft, answer, commit, codeOf } = await drafted((input) => {
      input.lines[0].discounts = [{ value: { percentage: 10 } }];
    });
    const discount = store.contract(id).discounts[0]!.id;
    expect(await answer(removeDraftDiscount, { draft, discount })).toEqual({
      draft: { id: draft },
      userErrors: [],
    });
    expect(await codeOf(removeDraftDiscount, { discount })).toBe("INVALID");
    await commit();
    expect((await answer(readContract, { id })).lines.nodes[0].lineDiscountedPrice.amount).toBe("20.0");
  });

  test("keep count of the orders billed while the draft was open", async () => {
    const { store, id, billed, commit } = await drafted((input) => {
      input.lines[0].discounts = [{ recurringCycleLimit: 2, value: { percentage: 50 } }];
    });
    await billed(id, "first");
    await commit();
    await billed(id, "second");
    await billed(id, "third");
    expect(store.charges.map(({ amount }) => amount)).toEqual([1490, 1490, 2490]);
  });

  test.each<[code: string, input: (line: string) => Json]>([
    ["NO_ENTITLED_LINES", () => off({ percentage: 5 }, null)],
    ["INVALID", () => off({ percentage: 5 }, only("gid://shopify/SubscriptionLine/1"))],
    ["INVALID_ADJUSTMENT_VALUE", (lineId) => off({}, only(lineId))],
    ["NOT_IN_RANGE", () => off({ percentage: 101 }, { all: true })],
  ])("are refused: %s", async (code, input) => {
    const { codeOf, line: lineId } = await drafted();
    expect(await codeOf(addDraftDiscount, { input: input(lineId) })).toBe(code);
  });
});
