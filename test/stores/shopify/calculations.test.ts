/** The fake Shopify calculates and commits a contract's changes as Shopify documents it. */
import { describe, expect, test } from "vitest";
import {
  beginDraft,
  calculateUpdate,
  cancelContract,
  commitCalculation,
  readCalculation,
  readContract,
  setNextBillingDate,
} from "../../../src/stores/shopify/documents.ts";
import { type Json, openStore } from "./store.ts";

/** Shapes and rules: https://shopify.dev/docs/api/admin-graphql/2026-10/mutations/subscriptionContractUpdateCalculate. */

async function openContract(settings: Json = {}) {
  const shop = openStore(settings);
  const id = await shop.contract((input) => {
    input.lines[0].line.customAttributes = [{ key: "engraving", value: "Ada" }];
    input.lines[0].discounts = [
      { title: "Off", value: { fixedAmount: { amount: 3, appliesOnEachItem: false } } },
    ];
  });
  await shop.topics();
  const calculate = async (input: Json): Promise<Json> =>
    shop.answer(calculateUpdate, {
      contract: id,
      input: { withMerchandiseCustomizations: false, discountCodes: [], ...input },
    });
  const begin = async (input: Json): Promise<string> =>
    (await calculate(input)).subscriptionContractCalculation.id;
  const look = (calculation: string): Promise<Json> => shop.answer(readCalculation, { id: calculation });
  const commit = async (calculation: string): Promise<string | undefined> =>
    (await shop.answer(commitCalculation, { id: calculation })).userErrors[0]?.code;
  return { ...shop, id, calculate, begin, look, commit, line: shop.store.contract(id).lines[0]!.id };
}

function euros(amount: string) {
  return { amount, currencyCode: "EUR" };
}

function lineInput(more: Json = {}) {
  return {
    productVariantLine: {
      productVariantId: "gid://shopify/ProductVariant/41001",
      quantity: 2,
      priceOverride: euros("10.00"),
      discounts: [],
      ...more,
    },
  };
}

describe("a calculation", () => {
  test("is pending, then succeeds, and changes nothing before it is committed", async () => {
    const { id, begin, look, commit, answer, topics, store } = await openContract({ calculatesAtRead: 2 });
    const before = await answer(readContract, { id });
    const calculation = await begin({ note: "Ring" });
    expect(await commit(calculation)).toBe("NOT_READY_TO_COMMIT");
    expect((await look(calculation)).__typename).toBe("SubscriptionContractCalculationPending");
    expect(await look(calculation)).toEqual({
      __typename: "SubscriptionContractCalculationSuccess",
      id: calculation,
      warnings: [],
    });
    expect(await answer(readContract, { id })).toEqual(before);
    expect(await commit(calculation)).toBeUndefined();
    expect(await answer(readContract, { id })).toEqual({ ...before, note: "Ring" });
    expect(await topics()).toEqual(["subscription_contracts/update"]);
    expect(store.contract(id).discounts).toHaveLength(1);
  });

  test("replaces a list as a whole: lines that it omits go, and a line keeps nothing but its id", async () => {
    const { store, id, begin, look, commit, line } = await openContract();
    const calculation = await begin({ lines: [lineInput({ id: line, quantity: 3 }), lineInput()] });
    await look(calculation);
    await commit(calculation);
    const { lines, discounts } = store.contract(id);
    expect(lines).toMatchObject([{ id: line, quantity: 3, customAttributes: [] }, { quantity: 2 }]);
    expect(lines[1]!.id).not.toBe(line);
    expect(discounts).toEqual([]);
    const next = await begin({ lines: [lineInput({ id: lines[1]!.id })] });
    await look(next);
    await commit(next);
    expect(store.contract(id).lines.map((one) => one.id)).toEqual([lines[1]!.id]);
  });

  test("is stale once the contract was changed", async () => {
    const { id, begin, look, commit, answer } = await openContract();
    const calculation = await begin({ note: "first" });
    await look(calculation);
    await answer(setNextBillingDate, { id, date: "2027-01-01T12:00:00Z" });
    expect(await commit(calculation)).toBe("STALE_CONTRACT");
    expect(await commit("gid://shopify/SubscriptionContractCalculation/1")).toBe("CALCULATION_NOT_FOUND");
  });

  test("fails for a variant or a payment method that does not exist, and cannot be committed", async () => {
    const { store, begin, look, commit } = await openContract();
    store.unknownVariants.add("gid://shopify/ProductVariant/41001");
    const codesOf = async (input: Json): Promise<string[]> => {
      const calculation = await begin(input);
      const { errors } = await look(calculation);
      expect(await commit(calculation)).toBe("NOT_READY_TO_COMMIT");
      return errors.map(({ code }: Json) => code);
    };
    expect(await codesOf({ lines: [lineInput()] })).toEqual(["MERCHANDISE_NOT_FOUND"]);
    store.unknownVariants.clear();
    const paymentMethod = { customerPaymentMethod: { id: "gid://shopify/CustomerPaymentMethod/none" } };
    expect(await codesOf({ paymentMethod })).toEqual(["PAYMENT_METHOD_NOT_FOUND"]);
  });

  test("is refused for a contract that has ended, and for a quantity of 0", async () => {
    const { id, calculate, answer } = await openContract();
    const refused = async (input: Json) => (await calculate(input)).userErrors[0]?.code;
    expect(await refused({ lines: [lineInput({ quantity: 0 })] })).toBe("INVALID");
    await answer(cancelContract, { id });
    expect(await refused({ note: "late" })).toBe("INVALID");
  });
});

test("a version without drafts does not know their mutations, and executes nothing of the request", async () => {
  const { store, id, ask } = await openContract({ offers: ["calculations"] });
  expect(await ask(beginDraft, { contract: id })).toEqual({
    errors: [
      {
        message: "Field 'subscriptionContractUpdate' doesn't exist on type 'Mutation'",
        extensions: {
          code: "undefinedField",
          typeName: "Mutation",
          fieldName: "subscriptionContractUpdate",
        },
      },
    ],
  });
  expect(store.calculations.all.size).toBe(0);
});
