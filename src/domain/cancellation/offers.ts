import type { z } from "@hono/zod-openapi";
import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import type { Line } from "../subscriptions/lines/amounts.ts";
import { discountsOf, linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { OfferPreview } from "./case-schemas.ts";
import type { OfferBody } from "./offer-schemas.ts";
import type { CancellationCase, CancellationFlow } from "./tables.ts";

/** An offer of a flow, as it is stored: amounts are major units, as in requests. */
export type Offer = z.output<typeof OfferBody>;

/** An offer as a case shows it, whatever becomes of the flow. A swap knows its line. */
export type FrozenOffer = Pick<Offer, "id" | "label" | "text"> &
  Choice<Offer> & { line_id: string | null; preview: z.output<typeof OfferPreview> };

/** The kind and the terms of an offer, which go together. */
type Choice<Each extends Offer> = Each extends Offer ? Pick<Each, "kind" | "terms"> : never;
export type Terms = Choice<Offer>;

/**
 * The contents that offers are worked out for: the lines with their numbers and prices, the discounts that count, and the total. An offer holds
 * for these, because what it is worth follows from them.
 */
export function contentsOf(row: Pick<Subscription, "lines" | "discounts" | "total">): string {
  const lines = linesOf(row).map(({ id, store_variant_id, quantity, price }) => [
    ...[id, store_variant_id, quantity, price],
  ]);
  const discounts = discountsOf(row).flatMap(({ id, status }) => (status === "ACTIVE" ? [id] : []));
  return JSON.stringify({ lines, discounts, total: row.total });
}

/** The flow of an account that has none. */
export const emptyFlow: Omit<CancellationFlow, "account_seq" | "created_at"> = {
  version: 0,
  is_enabled: 0,
  offers: "[]",
  cooldown_days: 180,
  max_accepted: 1,
  per: "customer",
  show_at_most: 2,
};

/** A subscription that its customer is about to leave, by what decides on the offers. */
export type Leaving = {
  reasonId: string | null;
  cyclesBilled: number;
  deliveriesPerBilling: number;
  lines: Pick<Line, Matched>[];
};
type Matched = "selling_plan_id" | "store_variant_id" | "is_one_time";

export function leavingOf(row: Subscription, reasonId: string | null): Leaving {
  return {
    reasonId,
    cyclesBilled: row.current_billing_cycle - 1,
    deliveriesPerBilling: row.deliveries_per_billing,
    lines: linesOf(row),
  };
}

export function offersOf({ offers }: Pick<CancellationFlow, "offers">): Offer[] {
  return JSON.parse(offers);
}

export function frozenOffersOf({ offers }: Pick<CancellationCase, "offers">): FrozenOffer[] {
  return JSON.parse(offers);
}

/** Whether an offer is meant for a subscription. What its state forbids is not decided here. */
export function isMeantFor(offer: Offer, leaving: Leaving): boolean {
  const { reasonId, cyclesBilled, lines } = leaving;
  const recurring = lines.filter(({ is_one_time }) => !is_one_time);
  return (
    includes(offer.cancellation_reason_ids, [reasonId]) &&
    cyclesBilled >= (offer.min_cycles_billed ?? 0) &&
    includes(
      offer.selling_plan_ids,
      recurring.map(({ selling_plan_id }) => selling_plan_id),
    ) &&
    includes(
      offer.store_variant_ids,
      recurring.map(({ store_variant_id }) => store_variant_id),
    ) &&
    (offer.kind !== "SWAP" ||
      (recurring.some(({ store_variant_id }) => store_variant_id === offer.terms.from_variant_id) &&
        isPricedFor(offer, leaving)))
  );
}

/** A price that pays for several deliveries is one that the merchant has set for that very plan. */
function isPricedFor(offer: Offer & { kind: "SWAP" }, { deliveriesPerBilling }: Leaving): boolean {
  return (
    typeof offer.terms.to.price !== "number" ||
    deliveriesPerBilling === 1 ||
    offer.selling_plan_ids.length > 0
  );
}

/** The line whose product a swap replaces: the first one that is in every order. */
export function lineToSwap(row: Subscription, offer: Terms): Line | undefined {
  if (offer.kind !== "SWAP") return undefined;
  return linesOf(row).find(
    ({ store_variant_id, is_one_time }) => !is_one_time && store_variant_id === offer.terms.from_variant_id,
  );
}

/** A text in a customer's language, in English where it has none. */
export function textIn(
  text: { en: string } & Partial<Record<PortalLocale, string | null | undefined>>,
  locale: PortalLocale,
): string {
  return text[locale] ?? text.en;
}

/** Whether one of the values is meant; an empty list means all. */
function includes(meant: string[], values: (string | null)[]): boolean {
  return meant.length === 0 || values.some((value) => value !== null && meant.includes(value));
}
