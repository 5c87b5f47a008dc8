import { moneyOf } from "./amounts.ts";
import { globalId } from "./ids.ts";
import type { Discount } from "./records.ts";
import type { FakeStore } from "./store.ts";

/** A discount code of the shop: off goods, off the delivery, or of a kind whose terms the API does not show. */
export type Code = {
  code: string;
  title: string;
  is: "basic" | "free_shipping" | "buy_x_get_y" | "app";
  /** In per cent. */
  percentage: number | null;
  /** In minor units, once or off each item. */
  amount: number | null;
  each: boolean;
  /** How many billings it applies to, the checkout's included; 0 for all. */
  recurringCycleLimit: number | null;
  appliesOnSubscription: boolean;
};

export function codeFields(store: FakeStore) {
  return {
    codeDiscountNodeByCode: ({ code }: { code: string }) => {
      const found = store.codes.get(code.toLowerCase());
      return found ? codeNode(found, store.settings.currency) : null;
    },
  };
}

/** The discount by which a code lowers a contract's lines, or its delivery. */
export function appliedCode(code: Code, lineIds: string[]): Discount {
  return {
    id: globalId("SubscriptionAppliedCodeDiscount", crypto.randomUUID()),
    title: null,
    redeemCode: code.code,
    type: "CODE_DISCOUNT",
    target: code.is === "free_shipping" ? "SHIPPING_LINE" : "LINE_ITEM",
    percentage: code.is === "free_shipping" ? 100 : code.percentage,
    fixed: code.amount === null ? null : { amount: code.amount, each: code.each },
    recurringCycleLimit: code.recurringCycleLimit || null,
    entitled: lineIds,
    used: 0,
  };
}

/** The shop's discount codes. */
export function codesOf(store: FakeStore) {
  return {
    addCode(code: string, terms: Partial<Omit<Code, "code">>): void {
      const some: Code = {
        code,
        title: code,
        is: "basic",
        percentage: null,
        amount: null,
        each: false,
        recurringCycleLimit: 1,
        appliesOnSubscription: true,
      };
      store.codes.set(code.toLowerCase(), { ...some, ...terms });
    },
    removeCode(code: string): void {
      store.codes.delete(code.toLowerCase());
    },
  };
}

const types = {
  basic: "DiscountCodeBasic",
  free_shipping: "DiscountCodeFreeShipping",
  buy_x_get_y: "DiscountCodeBxgy",
  app: "DiscountCodeApp",
};

function valueNode(code: Code, currency: string) {
  return code.amount === null
    ? { __typename: "DiscountPercentage", percentage: (code.percentage ?? 0) / 100 }
    : {
        __typename: "DiscountAmount",
        amount: moneyOf(code.amount, currency),
        appliesOnEachItem: code.each,
      };
}

function codeNode(code: Code, currency: string) {
  return {
    codeDiscount: {
      __typename: types[code.is],
      title: code.title,
      recurringCycleLimit: code.recurringCycleLimit,
      appliesOnSubscription: code.appliesOnSubscription,
      customerGets: {
        appliesOnSubscription: code.appliesOnSubscription,
        value: valueNode(code, currency),
      },
    },
  };
}
