import { z } from "zod";
import { type CalendarDate, dateIn } from "../../lib/dates.ts";
import type { Interval } from "../../lib/intervals.ts";
import { toMinor } from "../../lib/money.ts";
import { isSameStoreId } from "../ids.ts";
import { contractStatuses, type DesiredContract } from "../port.ts";
import { contractTerms } from "./contract-input.ts";

const amount = z.object({ amount: z.string() });
const policy = z.object({ interval: z.enum(["DAY", "WEEK", "MONTH", "YEAR"]), intervalCount: z.int() });

const line = z.object({
  id: z.string(),
  variantId: z.string().nullable(),
  quantity: z.int(),
  currentPrice: amount,
  lineDiscountedPrice: amount,
  sellingPlanId: z.string().nullable(),
  discountAllocations: z.array(z.object({ discount: z.object({ id: z.string() }) })),
});

/** A contract as the document readContract asks for it. */
export const contractSchema = z.object({
  id: z.string(),
  status: z.enum(contractStatuses),
  nextBillingDate: z.string().nullable(),
  note: z.string().nullable(),
  customerPaymentMethod: z.object({ id: z.string() }).nullable(),
  billingPolicy: policy,
  deliveryPolicy: policy,
  deliveryPrice: amount,
  lines: z.object({ nodes: z.array(line), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
  discounts: z.object({ nodes: z.array(z.object({ id: z.string() })) }),
});
export type Contract = z.output<typeof contractSchema>;
type ContractLine = Contract["lines"]["nodes"][number];

/** A contract's wish; without a date its next billing date stays as it is. */
export type Wish = Omit<DesiredContract, "next_billing_date"> & { next_billing_date: CalendarDate | null };
type WishedLine = DesiredContract["lines"][number];

/** A line of the contract and what it is to be; none of it where it is to come or to go. */
export type LineChange = { line: ContractLine | undefined; wished: WishedLine | undefined };

/** What a contract differs in from its wish. */
export type Changes = {
  /** SubscriptionDraftInput: the terms that differ. */
  terms: Partial<ReturnType<typeof contractTerms>>;
  /** All of the lines, where one of them differs. */
  lines: LineChange[];
  nextBillingDate: CalendarDate | undefined;
};

const isAmount = ({ amount: text }: { amount: string }, minor: number, currency: string): boolean =>
  toMinor(Number(text), currency) === minor;

const isPolicy = ({ interval, intervalCount }: z.output<typeof policy>, { unit, count }: Interval): boolean =>
  interval === unit && intervalCount === count;

const isSameId = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : isSameStoreId(one, other);

/** Pairs what is wished with the lines of the same variant, so that lines keep their ids. */
const paired = (lines: ContractLine[], wished: WishedLine[]): LineChange[] => {
  const left = [...lines];
  const pairs = wished.map((wish): LineChange => {
    const at = left.findIndex(({ variantId }) => isSameId(variantId, wish.store_variant_id));
    return { line: at < 0 ? undefined : left.splice(at, 1)[0], wished: wish };
  });
  return [...pairs, ...left.map((line): LineChange => ({ line, wished: undefined }))];
};

const isAsWished = ({ line: is, wished }: LineChange, currency: string): boolean =>
  is !== undefined &&
  wished !== undefined &&
  is.quantity === wished.quantity &&
  isAmount(is.currentPrice, wished.price, currency) &&
  isAmount(is.lineDiscountedPrice, wished.price * wished.quantity - wished.discount_amount, currency) &&
  isSameId(is.sellingPlanId, wished.selling_plan_id);

/** The account's own day, and where its days begin. */
export type Calendar = { today: CalendarDate; timezone: string };

/** Whether an instant of Shopify's is on a day, as we have set it or as the shop has its days. */
const isOn = (instant: string, date: CalendarDate, timezone: string): boolean =>
  instant.slice(0, 10) === date || dateIn(instant, timezone) === date;

/** Dates that have come are kept: Shopify sets those to come only, and billing is not Shopify's. */
const dateOf = (
  { nextBillingDate: is }: Contract,
  { next_billing_date: date }: Wish,
  { today, timezone }: Calendar,
): CalendarDate | undefined =>
  date !== null && date > today && (is === null || !isOn(is, date, timezone)) ? date : undefined;

/**
 * What is to be changed of a contract. An address is only told again when it is another than was last told
 * (`isDeliveryTold`): Shopify spells it in its own way.
 */
export const changesOf = (
  contract: Contract,
  wish: Wish,
  calendar: Calendar,
  isDeliveryTold: boolean,
): Changes => {
  const currency = wish.currency_code;
  const asWished: Record<string, boolean> = {
    paymentMethodId:
      wish.store_payment_method_id === null ||
      isSameId(contract.customerPaymentMethod?.id ?? null, wish.store_payment_method_id),
    billingPolicy: isPolicy(contract.billingPolicy, wish.billing),
    deliveryPolicy: isPolicy(contract.deliveryPolicy, wish.delivery),
    deliveryPrice: isAmount(contract.deliveryPrice, wish.delivery_price, currency),
    deliveryMethod: isDeliveryTold,
    note: (contract.note ?? "").trim() === (wish.note ?? "").trim(),
  };
  const differing = Object.entries(contractTerms(wish)).filter(([term]) => !asWished[term]);
  const lines = paired(contract.lines.nodes, wish.lines);
  return {
    terms: Object.fromEntries(differing),
    lines: lines.every((change) => isAsWished(change, currency)) ? [] : lines,
    nextBillingDate: dateOf(contract, wish, calendar),
  };
};

/** What differs, in Shopify's words. */
export const namesOf = ({ terms, lines, nextBillingDate }: Changes): string[] => [
  ...Object.keys(terms),
  ...(lines.length > 0 ? ["lines"] : []),
  ...(nextBillingDate === undefined ? [] : ["nextBillingDate"]),
];
