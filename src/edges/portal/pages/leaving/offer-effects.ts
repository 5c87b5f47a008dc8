import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { day, money } from "../../../../base/language/format.ts";
import type { CaseBody } from "../../../../domain/cancellation/case-schemas.ts";
import type { Html } from "../../../pages/document.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import { noLine } from "../contents/content-changes.ts";
import { frequencyOf, type ShownSubscription } from "../summary.ts";
import type { SignedIn } from "../visit.ts";

export type CaseOffer = z.output<typeof CaseBody>["offers"][number];
type Effect = Pick<CaseOffer, "terms" | "preview">;

/** The changes that an offer makes, in one line: the frequencies that it leaves to choose, else the next charge as it becomes. */
export function summaryOf(visit: SignedIn, subscription: ShownSubscription, offer: Effect): string {
  const options = optionsOf(offer);
  if (options.length > 1)
    return options
      .map(({ interval, interval_count }) => visit.texts.every(interval, interval_count))
      .join(" · ");
  return rowsOf(visit, subscription, offer)
    .filter(([, before, after]) => before !== after)
    .map(([label, , after]) => `${label}: ${after}`)
    .join(" · ");
}

/** The reach of an offer, whatever the customer adds after taking it; nothing where it has no bound. */
export function boundOf(
  { texts, locale }: SignedIn,
  subscription: ShownSubscription,
  { terms }: Effect,
): Html {
  const { atMost, priceFor } = texts.leaving;
  if ("to" in terms) return html`<p>${priceFor(lineToReplace(subscription, terms)?.quantity ?? 1)}</p>`;
  if (!("max_amount" in terms) || terms.max_amount == null) return html``;
  return html`<p>${atMost(money(locale, terms.max_amount, subscription.currency_code))}</p>`;
}

type Option = { interval: ShownSubscription["billing_interval"]; interval_count: number };

export function optionsOf({ terms }: Pick<Effect, "terms">): Option[] {
  return "options" in terms ? (terms.options as Option[]) : [];
}

/** The effects of an offer, as its preview says. */
export function rowsOf(
  visit: SignedIn,
  subscription: ShownSubscription,
  { terms, preview }: Effect,
): ChangeRow[] {
  const { texts, locale } = visit;
  const { before, after, next_charge_before: charge, next_charge_after: then } = preview;
  const amount = (value: number | undefined) =>
    value === undefined ? texts.none.amount : money(locale, value, subscription.currency_code);
  const dateOr = (nothing: string) => (value: string | null | undefined) =>
    value ? day(locale, value) : nothing;
  const [deliveryOf, chargeOf] = [dateOr(texts.none.delivery), dateOr(texts.none.charge)];
  const [option, ...others] = "options" in terms ? (terms.options as Option[]) : [];
  const product = "to" in terms ? productRow(visit, subscription, terms) : [];
  const often: ChangeRow[] =
    option && others.length === 0
      ? [
          [
            texts.frequency,
            frequencyOf(visit, subscription),
            texts.every(option.interval, option.interval_count),
          ],
        ]
      : [];
  const status: ChangeRow[] =
    before.status === after.status
      ? []
      : [[texts.status, texts.statuses[before.status], texts.statuses[after.status]]];
  const delivery: ChangeRow[] =
    after.status === "PAUSED"
      ? []
      : [[texts.nextDelivery, deliveryOf(before.next_delivery_date), deliveryOf(after.next_delivery_date)]];
  return [
    ...status,
    ...product,
    ...often,
    ...delivery,
    [texts.nextCharge, chargeOf(charge?.date), chargeOf(then?.date)],
    [texts.amount, amount(charge?.amount), amount(then?.amount)],
  ];
}

type Swap = Extract<CaseOffer["terms"], { to: unknown }>;

function productRow({ texts }: SignedIn, subscription: ShownSubscription, terms: Swap): ChangeRow[] {
  const replaced = lineToReplace(subscription, terms);
  return [[texts.leaving.product, replaced?.product_title ?? noLine, terms.to.product_title]];
}

function lineToReplace({ lines }: ShownSubscription, { from_variant_id }: Swap) {
  return lines.find(
    ({ store_variant_id, is_one_time }) => !is_one_time && store_variant_id === from_variant_id,
  );
}
