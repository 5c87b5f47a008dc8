/** The fake Shopify changes the lines and discounts of a draft as Shopify documents it. */
import { describe, expect, test } from "vitest";
import {
  addDraftDiscount,
  addDraftLine,
  changeDraftLine,
  readContract,
  removeDraftDiscount,
  removeDraftLine,
} from "../../../src/stores/shopify/documents.ts";
import { draftLine, openDraft } from "../shopify/drafts.ts";
import type { Json } from "../shopify/store.ts";

describe("a draft's lines", () => {
  test.each<[code: string, change: Json]>([
    ["INVALID", { productVariantId: "gid://shopify/ProductVariant/666" }],
    ["GREATER_THAN", { quantity: 0 }],
    ["GREATER_THAN_OR_EQUAL_TO", { currentPrice: "-1" }],
  ])("are refused as those of a new contract are: %s", async (code, change) => {
    const { store, codeOf, line: lineId } = await openDraft();
    store.unknownVariants.add("gid://shopify/ProductVariant/666");
    expect(await codeOf(addDraftLine, { input: draftLine(change) })).toBe(code);
    expect(await codeOf(changeDraftLine, { line: lineId, input: change })).toBe(code);
  });

  test("keep their id and unchanged fields when they are changed", async () => {
    const { id, draft, line: lineId, answer, commit } = await openDraft();
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
    } = await openDraft((input) => {
      input.lines[0].discounts = [{ value: { percentage: 10 } }];
    });
    const all = { title: "all", value: { percentage: 5 }, entitledLines: { all: true } };
    await answer(addDraftDiscount, { draft, input: all });
    await answer(addDraftLine, { draft, input: draftLine() });
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
    const { store, id, draft, line: lineId, answer, commit } = await openDraft();
    await answer(removeDraftLine, { draft, line: lineId });
    expect(await commit()).toMatchObject({ contract: null, userErrors: [{ code: "INVALID_LINES" }] });
    expect(store.contract(id).lines).toHaveLength(1);
  });
});

describe("a draft's discounts", () => {
  const off = (value: Json, entitledLines: Json): Json => ({ title: "Discount", value, entitledLines });
  const only = (...add: string[]) => ({ lines: { add } });

  test("apply to the lines that they are for", async () => {
    const { id, draft, line: lineId, answer, commit } = await openDraft();
    const added = (await answer(addDraftLine, { draft, input: draftLine({ quantity: 4 }) })).lineAdded.id;
    const fixed = { fixedAmount: { amount: 5, appliesOnEachItem: false } };
    expect(await answer(addDraftDiscount, { draft, input: off(fixed, only(lineId, added)) })).toEqual({
      discountAdded: { id: expect.stringMatching(/SubscriptionManualDiscount/) },
      userErrors: [],
    });
    await answer(addDraftDiscount, { draft, input: off({ percentage: 50 }, only(added)) });
    await commit();
    const { lines, discounts } = await answer(readContract, { id });
    expect(lines.nodes.map((line: Json) => line.lineDiscountedPrice.amount)).toEqual(["18.0", "13.5"]);
    expect(discounts.nodes).toHaveLength(2);
  });

  test("are removed", async () => {
    const { store, id, draft, answer, commit, codeOf } = await openDraft((input) => {
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
    const { store, id, billed, commit } = await openDraft((input) => {
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
    const { codeOf, line: lineId } = await openDraft();
    expect(await codeOf(addDraftDiscount, { input: input(lineId) })).toBe(code);
  });
});
