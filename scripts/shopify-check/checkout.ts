import { Temporal } from "temporal-polyfill";
import { confirmed, confirmedIf, contradicted, untestable } from "../store-check/outcome.ts";
import { readSoldContract } from "./documents.ts";
import type { Lab } from "./lab.ts";
import { section } from "./section.ts";

type Policy = { interval: "DAY" | "WEEK" | "MONTH" | "YEAR"; intervalCount: number };

type Sold = {
  createdAt: string;
  currencyCode: string;
  nextBillingDate: string | null;
  billingPolicy: Policy;
  deliveryPolicy: Policy;
  originOrder: {
    discountCodes: string[];
    totalPriceSet: { presentmentMoney: { currencyCode: string } };
  } | null;
  billingAttempts: { nodes: object[] };
  discounts: { nodes: { usageCount: number }[] };
  lines: { nodes: { discountAllocations: { discount: { __typename: string } }[] }[] };
};

/** Reads a contract that somebody has bought at the checkout, and that was not billed since. Writes nothing. */
export const checkoutSection = section({
  name: "checkout",
  writes: {},
  needs: ["soldContract"],
  async prepare({ ask, subjects, shop }: Lab) {
    const id = `gid://shopify/SubscriptionContract/${subjects.soldContract}`;
    const { subscriptionContract: sold } = (await ask(readSoldContract, { id })) as {
      subscriptionContract: Sold | null;
    };
    if (!sold?.originOrder) throw new Error("the store has no such contract of the checkout");
    if (sold.billingAttempts.nodes.length > 0) throw new Error("the contract was billed since the checkout");
    return { sold, order: sold.originOrder, shop };
  },
  checks: {
    "usage-count": async ({ sold }) => {
      const counts = sold.discounts.nodes.map(({ usageCount }) => usageCount);
      if (counts.length === 0) return untestable("the contract has no discount of its own");
      return confirmedIf(
        counts.every((count) => count === 1),
        `used ${counts.join(", ")} times after the checkout`,
      );
    },
    "named-codes": async ({ sold, order }) => {
      if (order.discountCodes.length === 0) return untestable("no code was entered");
      const types = sold.lines.nodes.flatMap(({ discountAllocations }) =>
        discountAllocations.map(({ discount }) => discount.__typename),
      );
      if (types.includes("SubscriptionAppliedCodeDiscount")) return confirmed("the lines name it");
      return untestable("no line names the code, which may be for the first order alone");
    },
    "prepaid-next-date": async ({ sold: { createdAt, nextBillingDate, billingPolicy, deliveryPolicy } }) => {
      const isSame =
        billingPolicy.interval === deliveryPolicy.interval &&
        billingPolicy.intervalCount === deliveryPolicy.intervalCount;
      if (isSame) return untestable("the contract is not prepaid");
      if (nextBillingDate === null) return contradicted("there is no next billing date");
      const off = daysBetween(nextBillingDate, after(createdAt, billingPolicy));
      return confirmedIf(Math.abs(off) <= 1, `${off} days from one billing interval after the checkout`);
    },
    "presentment-currency": async ({ sold: { currencyCode }, order, shop }) => {
      if (currencyCode === shop.currencyCode) return untestable("it was bought in the shop's own currency");
      const paidIn = order.totalPriceSet.presentmentMoney.currencyCode;
      return confirmedIf(paidIn === currencyCode, `a contract in ${currencyCode}, paid in ${paidIn}`);
    },
  },
});

function after(instant: string, { interval, intervalCount }: Policy): Temporal.PlainDate {
  const unit = { DAY: "days", WEEK: "weeks", MONTH: "months", YEAR: "years" }[interval];
  return Temporal.PlainDate.from(instant.slice(0, 10)).add({ [unit]: intervalCount });
}

function daysBetween(instant: string, date: Temporal.PlainDate): number {
  return date.until(instant.slice(0, 10)).days;
}
