import { portalUrlOf } from "../../../base/accounts/portal-address.ts";
import { portalSettingsOf } from "../../../base/accounts/portal-settings.ts";
import type { Ctx } from "../../../kit/context.ts";
import { readJson } from "../../../kit/http/json-text.ts";
import { selectOpenOrLatestAttempt } from "../../billing/queries.ts";
import type { BillingAttempt } from "../../billing/tables.ts";
import { prospectOf, readForProspect } from "../../billing/upcoming/prospect.ts";
import type { Prospect } from "../../billing/upcoming/upcoming-steps.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import { minimumTermOf } from "../../subscriptions/bounds/minimum-term.ts";
import { calculateAmounts } from "../../subscriptions/lines/amounts.ts";
import { getSubscriptionAnd, type SubscriptionView } from "../../subscriptions/queries.ts";
import { discountsOf, linesOf } from "../../subscriptions/row-codec.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { Cancelling, Card, LetterLine, OfSubscription } from "../render/facts.ts";
import { nextDatesOf } from "./next-charge.ts";

/** The days to come of a subscription, and the customer that is written to. */
export type MailProspect = Prospect & { view: SubscriptionView };

/** A subscription with what is to come of it, and its attempt in progress, or else the latest, in one trip. Throws NOT_FOUND. */
export async function readWithAttempt(
  ctx: Ctx,
  id: string,
): Promise<{ prospect: MailProspect; attempt: BillingAttempt | undefined }> {
  const alongside = { ...readForProspect(ctx, id), latest: selectOpenOrLatestAttempt(ctx, id) };
  const [view, found] = await getSubscriptionAnd(ctx, id, alongside);
  return { prospect: prospectOf(ctx, view, found), attempt: found.latest[0] };
}

/** The facts of a subscription in every mail about it; `amount` is what its next charge comes to if nothing changes. */
export function factsOfSubscription(ctx: Ctx, prospect: MailProspect): OfSubscription {
  const { row, profile } = prospect.view;
  return {
    first_name: readJson(profile).first_name,
    timezone: ctx.account.timezone,
    number: String(row.number),
    lines: subscriptionLines(row),
    frequency: { interval: row.billing_interval, interval_count: row.billing_interval_count },
    next_date: nextDatesOf(prospect).delivery,
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

function subscriptionLines(row: Subscription): LetterLine[] {
  const lines = linesOf(row);
  const amounts = calculateAmounts(lines, discountsOf(row), row.shipping_amount, row.tax_amount);
  return lines.map(({ product_title, variant_title, store_variant_id, quantity }, nth) => ({
    title: product_title,
    variant_title,
    quantity,
    amount: amounts.lines[nth]?.line_total ?? null,
    store_variant_id,
  }));
}
