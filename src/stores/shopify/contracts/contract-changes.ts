import { z } from "zod";
import { toMinor } from "../../../base/lib/money.ts";
import { type CalendarDate, dateIn } from "../../../base/lib/time/dates.ts";
import type { Interval } from "../../../base/lib/time/intervals.ts";
import { isChosenAtStore } from "../../chosen-method.ts";
import { type Kind, plainIdOf } from "../../global-ids.ts";
import { isSameStoreId } from "../../ids.ts";
import { contractStatuses, type DesiredContract } from "../../port/contracts.ts";
import { contractTerms } from "./contract-input.ts";

/** The id of a payment method, unless it was revoked. */
export function livingMethodId(method: z.output<typeof methodSchema>): string | null {
  return method && method.revokedAt === null ? plainIdOf("CustomerPaymentMethod", method.id) : null;
}

/**
 * The changes that bring a contract to the desired state. The address is sent only unless Shopify has it already
 * (`isDeliveryKnown`), because Shopify spells addresses in its own way and they cannot be compared.
 */
export function findChanges(
  contract: Contract,
  desired: DesiredState,
  calendar: AccountToday,
  isDeliveryKnown: boolean,
): Changes {
  const currency = desired.currency_code;
  const asDesired: Record<string, boolean> = {
    paymentMethodId:
      desired.store_payment_method_id === null ||
      isSameId(
        "CustomerPaymentMethod",
        contract.customerPaymentMethod?.id ?? null,
        desired.store_payment_method_id,
      ) ||
      isChosenAtStore(livingMethodId(contract.customerPaymentMethod), desired.own_payment_method_ids),
    billingPolicy: isPolicy(contract.billingPolicy, desired.billing),
    deliveryPolicy: isPolicy(contract.deliveryPolicy, desired.delivery),
    deliveryPrice: isAmount(contract.deliveryPrice, desired.delivery_price, currency),
    deliveryMethod: isDeliveryKnown,
    note: (contract.note ?? "").trim() === (desired.note ?? "").trim(),
  };
  const differing = Object.entries(contractTerms(desired)).filter(([term]) => !asDesired[term]);
  const lines = pairLines(contract.lines.nodes, desired.lines);
  return {
    terms: Object.fromEntries(differing),
    lines:
      !hasStoreDiscounts(contract) && lines.every((change) => isAsDesired(change, currency)) ? [] : lines,
    deliveryDiscounts: contract.discounts.nodes
      .filter(({ targetType }) => targetType === "SHIPPING_LINE")
      .map(({ id }) => id),
    nextBillingDate: dateOf(contract, desired, calendar),
  };
}

/** The names of the fields that differ, as Shopify calls them. */
export function namesOf({ terms, lines, deliveryDiscounts, nextBillingDate }: Changes): string[] {
  return [
    ...Object.keys(terms),
    ...(lines.length > 0 ? ["lines"] : []),
    ...(deliveryDiscounts.length > 0 ? ["discounts"] : []),
    ...(nextBillingDate === undefined ? [] : ["nextBillingDate"]),
  ];
}

const amount = z.object({ amount: z.string() });
const policy = z.object({ interval: z.enum(["DAY", "WEEK", "MONTH", "YEAR"]), intervalCount: z.int() });

const line = z.object({
  id: z.string(),
  variantId: z.string().nullable(),
  quantity: z.int(),
  currentPrice: amount,
  lineDiscountedPrice: amount,
  sellingPlanId: z.string().nullable(),
  sellingPlanName: z.string().nullable(),
  discountAllocations: z.array(z.object({ discount: z.object({ __typename: z.string(), id: z.string() }) })),
});

const manualDiscount = z.object({
  id: z.string(),
  targetType: z.string(),
  recurringCycleLimit: z.int().nullable(),
});

export const methodSchema = z.object({ id: z.string(), revokedAt: z.string().nullable() }).nullable();

/** A contract as the document readContract selects it. */
export const contractSchema = z.object({
  id: z.string(),
  status: z.enum(contractStatuses),
  nextBillingDate: z.string().nullable(),
  note: z.string().nullable(),
  customerPaymentMethod: methodSchema,
  billingPolicy: policy,
  deliveryPolicy: policy,
  deliveryPrice: amount,
  lines: z.object({ nodes: z.array(line), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
  discounts: z.object({ nodes: z.array(manualDiscount) }),
});
export type Contract = z.output<typeof contractSchema>;
type ContractLine = Contract["lines"]["nodes"][number];

/** A contract as it should be. A next billing date of null leaves the date unchanged. */
export type DesiredState = Omit<DesiredContract, "next_billing_date"> & {
  next_billing_date: CalendarDate | null;
};
type DesiredLine = DesiredContract["lines"][number];

/** A line and its desired content. A line to add has no `line`, a line to remove has no `desired`. */
export type LineChange = { line: ContractLine | undefined; desired: DesiredLine | undefined };

/** The differences between a contract and the desired one. */
export type Changes = {
  /** SubscriptionDraftInput: the terms that differ. */
  terms: Partial<ReturnType<typeof contractTerms>>;
  /** All lines, if any of them differs. */
  lines: LineChange[];
  /** The discounts on its delivery, which has its price from the subscription. */
  deliveryDiscounts: string[];
  nextBillingDate: CalendarDate | undefined;
};

/** The account's date and time zone. */
export type AccountToday = { today: CalendarDate; timezone: string };

/** Codes and limited discounts of the checkout, which Shopify counts by itself: the subscription keeps them, as amounts off its lines. */
function hasStoreDiscounts({ lines, discounts }: Contract): boolean {
  const allocated = lines.nodes.flatMap(({ discountAllocations }) => discountAllocations);
  return (
    allocated.some(({ discount }) => discount.__typename === "SubscriptionAppliedCodeDiscount") ||
    discounts.nodes.some(({ recurringCycleLimit }) => recurringCycleLimit !== null)
  );
}

/** A payment method that the customer has chosen at Shopify stays. */
function isAmount({ amount: text }: { amount: string }, minor: number, currency: string): boolean {
  return toMinor(Number(text), currency) === minor;
}

function isPolicy({ interval, intervalCount }: z.output<typeof policy>, { unit, count }: Interval): boolean {
  return interval === unit && intervalCount === count;
}

function isSameId(kind: Kind, one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : isSameStoreId(kind, one, other);
}

/** Pairs desired lines with existing lines of the same variant, so that lines keep their ids. */
export function pairLines(lines: ContractLine[], desired: DesiredLine[]): LineChange[] {
  const left = [...lines];
  const pairs = desired.map((line): LineChange => {
    const at = left.findIndex(({ variantId }) =>
      isSameId("ProductVariant", variantId, line.store_variant_id),
    );
    return { line: at < 0 ? undefined : left.splice(at, 1)[0], desired: line };
  });
  return [...pairs, ...left.map((line): LineChange => ({ line, desired: undefined }))];
}

function isAsDesired({ line, desired }: LineChange, currency: string): boolean {
  return (
    line !== undefined &&
    desired !== undefined &&
    line.quantity === desired.quantity &&
    isAmount(line.currentPrice, desired.price, currency) &&
    isAmount(
      line.lineDiscountedPrice,
      desired.price * desired.quantity - desired.discount_amount,
      currency,
    ) &&
    isSamePlan(line, desired)
  );
}

/** A line may have its plan's name alone, where Shopify has no such plan any more. */
function isSamePlan(
  line: ContractLine,
  { selling_plan_id: id, selling_plan_name: name }: DesiredLine,
): boolean {
  return id === null || isNamedAlone(line, name) || isSameId("SellingPlan", line.sellingPlanId, id);
}

function isNamedAlone({ sellingPlanId, sellingPlanName }: ContractLine, name: string): boolean {
  return sellingPlanId === null && sellingPlanName === name;
}

/** Whether an instant of Shopify is on a date: by the date that we sent, or by the shop's time zone. */
function isOn(instant: string, date: CalendarDate, timezone: string): boolean {
  return instant.slice(0, 10) === date || dateIn(instant, timezone) === date;
}

/** Only future dates are sent: Shopify accepts no others, and does not bill by them anyway. */
function dateOf(
  { nextBillingDate: current }: Contract,
  { next_billing_date: date }: DesiredState,
  { today, timezone }: AccountToday,
): CalendarDate | undefined {
  const differs = date !== null && date > today && (current === null || !isOn(current, date, timezone));
  return differs ? date : undefined;
}
