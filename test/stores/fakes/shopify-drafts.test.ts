/** The fake Shopify changes a contract by a draft as Shopify documents it. */
import { describe, expect, test } from "vitest";
import {
  addDraftLine,
  beginDraft,
  cancelContract,
  changeDraft,
  commitDraft,
  readContract,
  removeDraftLine,
  setNextBillingDate,
} from "../../../src/stores/shopify/documents.ts";
import { draftLine, openDraft } from "../shopify/drafts.ts";
import { type Json, openStore } from "../shopify/store.ts";

describe("a draft", () => {
  test("changes nothing until it is committed, and then all its fields", async () => {
    const { store, id, draft, answer, commit, topics, customer } = await openDraft();
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
    const added = await answer(addDraftLine, { draft, input: draftLine() });
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

  test("keeps the fields that its input omits", async () => {
    const { id, draft, answer, commit } = await openDraft((input) => {
      input.contract.note = "Ring";
    });
    const before = await answer(readContract, { id });
    await answer(changeDraft, { draft, input: { deliveryPrice: "1" } });
    await commit();
    expect(await answer(readContract, { id })).toEqual({ ...before, deliveryPrice: { amount: "1.0" } });
  });

  test("is committed once", async () => {
    const { line: lineId, commit, codeOf } = await openDraft();
    await commit();
    expect(await commit()).toMatchObject({ contract: null, userErrors: [{ code: "COMMITTED" }] });
    expect(await codeOf(changeDraft, { input: { note: "x" } })).toBe("COMMITTED");
    expect(await codeOf(removeDraftLine, { line: lineId })).toBe("COMMITTED");
  });

  test("is stale once another draft was committed or the contract was changed", async () => {
    const { store, id, begin, draft, commit, answer } = await openDraft();
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
    const { store, id, answer, commit, codeOf } = await openDraft();
    await answer(cancelContract, { id });
    expect(await answer(beginDraft, { contract: id })).toMatchObject({
      draft: null,
      userErrors: [{ code: "INVALID" }],
    });
    expect(await codeOf(changeDraft, { input: { note: "x" } })).toBe("INVALID");
    expect((await commit()).userErrors).toMatchObject([{ code: "STALE_CONTRACT" }]);
    const other = await openDraft();
    other.store.contract(other.id).status = "EXPIRED";
    expect((await other.commit()).userErrors).toMatchObject([{ code: "INVALID" }]);
    expect(store.contract(id).note).toBeNull();
  });

  test("that is unknown, or of an unknown contract, is refused; an id of another kind is an error", async () => {
    const { answer, ask, customer, codeOf } = await openDraft();
    const unknown = "gid://shopify/SubscriptionDraft/1";
    expect(await codeOf(changeDraft, { draft: unknown, input: {} })).toBe("INVALID");
    expect(await codeOf(commitDraft, { draft: unknown })).toBe("INVALID");
    const contract = "gid://shopify/SubscriptionContract/1";
    expect((await answer(beginDraft, { contract })).userErrors).toMatchObject([{ code: "INVALID" }]);
    const { errors } = await ask(commitDraft, { draft: customer });
    expect(errors[0].extensions.code).toBe("RESOURCE_NOT_FOUND");
  });

  test("is refused while the script refuses it", async () => {
    const { store, commit } = await openDraft();
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
    const { id, codeOf, commit, answer } = await openDraft();
    const before = await answer(readContract, { id });
    expect(await codeOf(changeDraft, { input: { note: "x", ...input } })).toBe(code);
    await commit();
    expect(await answer(readContract, { id })).toEqual(before);
  });

  test.each<[code: string, input: Json]>([
    ["DELIVERY_MUST_BE_MULTIPLE_OF_BILLING", { billingPolicy: { interval: "WEEK", intervalCount: 1 } }],
    ["MISSING_LOCAL_DELIVERY_OPTIONS", { deliveryMethod: { localDelivery: { address: {} } } }],
  ])("are refused when committed: %s", async (code, input) => {
    const { store, id, codeOf, commit } = await openDraft();
    expect(await codeOf(changeDraft, { input: { note: "x", ...input } })).toBeUndefined();
    expect(await commit()).toMatchObject({ contract: null, userErrors: [{ code }] });
    expect(store.contract(id).note).toBeNull();
  });

  test("can change the payment method only to one of the customer that is not revoked", async () => {
    const { store, id, customer, card, codeOf, commit, begin } = await openDraft();
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
    const { store, contract, answer } = openStore();
    store.digital.add("gid://shopify/ProductVariant/41001");
    const id = await contract((input) => {
      input.contract.deliveryMethod = null;
    });
    const draft = (await answer(beginDraft, { contract: id })).draft.id;
    await answer(addDraftLine, { draft, input: draftLine() });
    expect((await answer(commitDraft, { draft })).userErrors).toMatchObject([
      { code: "DELIVERY_METHOD_REQUIRED" },
    ]);
  });
});
