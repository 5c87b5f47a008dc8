import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { cardOf, nameGoods } from "../../../base/language/names.ts";
import { deliveriesPerBilling } from "../../../domain/subscriptions/dates/index.ts";
import type { SubscriptionBody } from "../../../domain/subscriptions/schemas.ts";
import type { Html } from "../../pages/document.ts";
import type { Visit } from "./page-env.ts";

export type ShownSubscription = z.output<typeof SubscriptionBody>;
type Timed = Pick<ShownSubscription, "billing_interval" | "billing_interval_count">;

/** The title of a subscription: the goods in it. */
export function titleOf(
  { texts }: Pick<Visit, "texts">,
  { lines }: { lines: { product_title: string }[] },
): string {
  return nameGoods(
    texts,
    lines.map(({ product_title }) => product_title),
  );
}

/** The one whom it is for, and its number. */
export function subtitleOf({ number, entity_label }: ShownSubscription): string {
  return entity_label ? `${entity_label} · #${number}` : `#${number}`;
}

export function statusOf({ texts }: Pick<Visit, "texts">, status: ShownSubscription["status"]): Html {
  return html`<span class="status ${status.toLowerCase()}">${texts.statuses[status]}</span>`;
}

export function frequencyOf({ texts }: Pick<Visit, "texts">, timed: Timed): string {
  return texts.every(timed.billing_interval, timed.billing_interval_count);
}

/** The frequency of its deliveries, and that of its payments where one is for several deliveries. */
export function rhythmOf(
  visit: Pick<Visit, "texts" | "locale">,
  subscription: Timed & Pick<ShownSubscription, "delivery_interval" | "delivery_interval_count">,
): string {
  const paid = frequencyOf(visit, subscription);
  if (deliveriesPerBilling(subscription) === 1) return paid;
  const { delivery_interval, delivery_interval_count } = subscription;
  const delivered = visit.texts.every(delivery_interval, delivery_interval_count);
  return visit.texts.deliveredAndPaid(delivered, lowerFirst(visit.locale, paid));
}

/** A text as it stands within a sentence. */
export function lowerFirst(locale: string, text: string): string {
  return text.charAt(0).toLocaleLowerCase(locale) + text.slice(1);
}

export function methodOf({ texts }: Pick<Visit, "texts">, subscription: ShownSubscription): string {
  const { payment_method_brand: brand, payment_method_last4: last4 } = subscription;
  if (brand === null && last4 === null) return texts.none.payment;
  return cardOf(brand, last4, texts);
}

export function slotOf(subscription: ShownSubscription): string {
  const slot = subscription.delivery_slot;
  return slot ? `${slot.label}${slot.is_all_day ? "" : ` ${slot.start_time}–${slot.end_time}`}` : "";
}
