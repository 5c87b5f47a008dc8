import { portalUrlOf } from "../../../base/accounts/portal-address.ts";
import { portalSettingsOf } from "../../../base/accounts/portal-settings.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import { calculateAmounts } from "../../subscriptions/amounts.ts";
import { minimumTermOf } from "../../subscriptions/minimum-term.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { discountsOf, linesOf } from "../../subscriptions/row-codec.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { Cancelling, Card, Line, OfSubscription } from "../render/facts.ts";

/** The facts of a subscription in every mail about it; `amount` is what its next charge comes to if nothing changes. */
export function factsOfSubscription(ctx: Ctx, { row, profile }: SubscriptionView): OfSubscription {
  return {
    first_name: profile.first_name,
    timezone: ctx.account.timezone,
    number: String(row.number),
    lines: subscriptionLines(row),
    frequency: { interval: row.billing_interval, interval_count: row.billing_interval_count },
    next_date: row.next_delivery_date,
    amount: row.total,
    currency_code: row.currency_code,
    manage_url: subscriptionUrl(ctx, row.id),
  };
}

/** A page of a subscription in the portal; empty while that is switched off, as a mail leads nowhere then. */
export function subscriptionUrl(ctx: Ctx, id: string, page = ""): string {
  return portalPage(ctx, `/subscriptions/${id}${page}`);
}

/** The address of a page of the portal; empty while that is switched off. */
export function portalPage(ctx: Ctx, path = ""): string {
  return portalSettingsOf(ctx.account).is_enabled ? portalUrlOf(ctx) + path : "";
}

/** When the customer may cancel, as the portal lets them. */
export function cancellingOf({ account }: Ctx, view: SubscriptionView): Cancelling {
  const { is_enabled, can_cancel } = portalSettingsOf(account);
  if (!is_enabled || !can_cancel) return { is_allowed: false };
  const { cycles, until } = minimumTermOf({ ...view, viewer: "customer" });
  return { is_allowed: true, payments_before: cycles, from: until };
}

export function cardOf(method: PaymentMethod | undefined): Card | null {
  return method ? { brand: method.brand, last4: method.last4 } : null;
}

function subscriptionLines(row: Subscription): Line[] {
  const lines = linesOf(row);
  const amounts = calculateAmounts(lines, discountsOf(row), row.shipping_amount, row.tax_amount);
  return lines.map(({ product_title, variant_title, quantity }, nth) => ({
    title: product_title,
    variant_title,
    quantity,
    amount: amounts.lines[nth]?.line_total ?? null,
  }));
}
