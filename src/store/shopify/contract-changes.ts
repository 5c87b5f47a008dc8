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

/** A contract as it should be; without a date its next billing date stays as it is. */
export type DesiredState = Omit<DesiredContract, "next_billing_date"> & {
  next_billing_date: CalendarDate | null;
};
type DesiredLine = DesiredContract["lines"][number];

/** A line of the contract and what it is to be; none of it where it is to come or to go. */
export type LineChange = { line: ContractLine | undefined; desired: DesiredLine | undefined };

/** What a contract differs in from the desired one. */
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

/** Pairs what is desired with the lines of the same variant, so that lines keep their ids. */
const paired = (lines: ContractLine[], desired: DesiredLine[]): LineChange[] => {
  const left = [...lines];
  const pairs = desired.map((line): LineChange => {
    const at = left.findIndex(({ variantId }) => isSameId(variantId, line.store_variant_id));
    return { line: at < 0 ? undefined : left.splice(at, 1)[0], desired: line };
  });
  return [...pairs, ...left.map((line): LineChange => ({ line, desired: undefined }))];
};

const isAsDesired = ({ line: is, desired }: LineChange, currency: string): boolean =>
  is !== undefined &&
  desired !== undefined &&
  is.quantity === desired.quantity &&
  isAmount(is.currentPrice, desired.price, currency) &&
  isAmount(is.lineDiscountedPrice, desired.price * desired.quantity - desired.discount_amount, currency) &&
  isSameId(is.sellingPlanId, desired.selling_plan_id);

/** The account's own day, and where its days begin. */
export type Calendar = { today: CalendarDate; timezone: string };

/** Whether an instant of Shopify's is on a day, as we have set it or as the shop has its days. */
const isOn = (instant: string, date: CalendarDate, timezone: string): boolean =>
  instant.slice(0, 10) === date || dateIn(instant, timezone) === date;

/** Dates that have come are kept: Shopify sets those to come only, and billing is not Shopify's. */
const dateOf = (
  { nextBillingDate: is }: Contract,
  { next_billing_date: date }: DesiredState,
  { today, timezone }: Calendar,
): CalendarDate | undefined =>
  date !== null && date > today && (is === null || !isOn(is, date, timezone)) ? date : undefined;

/**
 * What is to be changed of a contract. An address is only told again when it is another than was last told
 * (`isDeliveryTold`): Shopify spells it in its own way.
 */
export const changesOf = (
  contract: Contract,
  desired: DesiredState,
  calendar: Calendar,
  isDeliveryTold: boolean,
): Changes => {
  const currency = desired.currency_code;
  const asDesired: Record<string, boolean> = {
    paymentMethodId:
      desired.store_payment_method_id === null ||
      isSameId(contract.customerPaymentMethod?.id ?? null, desired.store_payment_method_id),
    billingPolicy: isPolicy(contract.billingPolicy, desired.billing),
    deliveryPolicy: isPolicy(contract.deliveryPolicy, desired.delivery),
    deliveryPrice: isAmount(contract.deliveryPrice, desired.delivery_price, currency),
    deliveryMethod: isDeliveryTold,
    note: (contract.note ?? "").trim() === (desired.note ?? "").trim(),
  };
  const differing = Object.entries(contractTerms(desired)).filter(([term]) => !asDesired[term]);
  const lines = paired(contract.lines.nodes, desired.lines);
  return {
    terms: Object.fromEntries(differing),
    lines: lines.every((change) => isAsDesired(change, currency)) ? [] : lines,
    nextBillingDate: dateOf(contract, desired, calendar),
  };
};

/** What differs, in Shopify's words. */
export const namesOf = ({ terms, lines, nextBillingDate }: Changes): string[] => [
  ...Object.keys(terms),
  ...(lines.length > 0 ? ["lines"] : []),
  ...(nextBillingDate === undefined ? [] : ["nextBillingDate"]),
];
