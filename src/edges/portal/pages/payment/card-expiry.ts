import { html } from "hono/html";
import { day, monthOf } from "../../../../base/language/format.ts";
import { addDays } from "../../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../../base/lib/time/dates.ts";
import type { Html } from "../../../pages/document.ts";
import type { ListedDelivery } from "../dates/next-dates.ts";
import { todayOf } from "../dates/today.ts";
import { methodOf, type ShownSubscription } from "../summary.ts";
import type { SignedIn } from "../visit.ts";

/** The part of a payment method that says how long it can be charged. */
export type Validity = {
  status: "VALID" | "EXPIRED" | "REVOKED";
  exp_month: number | null;
  exp_year: number | null;
};

/** The reason why the next charges may fail: of a payment method that is not valid then. */
type Expiry = "revoked" | "expired" | "before_charge" | "soon";

/** A card is valid until the last day of its month. One that expires within these days is told of, as mails do. */
const soonDays = 30;

export function expiryOf(
  { status, exp_month: month, exp_year: year }: Validity,
  { today, charge }: { today: CalendarDate; charge: CalendarDate | null },
): Expiry | undefined {
  if (status === "REVOKED") return "revoked";
  if (status === "EXPIRED") return "expired";
  if (month === null || year === null) return undefined;
  const last = lastDayOf(month, year);
  if (last < today) return "expired";
  if (charge !== null && last < charge) return "before_charge";
  return last <= addDays(today, soonDays) ? "soon" : undefined;
}

/** Whether a payment method can be charged at all, as far as the store says; one that is not known may be. */
export function isChargeable(method: Validity | null): boolean {
  return method === null || method.status === "VALID";
}

type Payer = {
  subscription: ShownSubscription;
  method: Validity | null;
  coming: ListedDelivery[];
  /** The page where another payment method is chosen, if the page does not lead there by itself. */
  href?: string | undefined;
};

/** Says that the card expires before the next charge, or soon, where a charge may come. */
export function expiryAlert(visit: SignedIn, { subscription, method, coming, href }: Payer): Html {
  if (!method || !charged.has(subscription.status)) return html``;
  const charge = chargeOf(subscription, coming);
  const expiry = expiryOf(method, { today: todayOf(visit), charge });
  if (!expiry) return html``;
  const { locale, texts } = visit;
  const card = methodOf(visit, subscription);
  const { exp_month: month, exp_year: year } = method;
  const ends = month === null || year === null ? "" : monthOf(locale, lastDayOf(month, year));
  const words = {
    revoked: () => texts.cards.revoked(card),
    expired: () => texts.cards.expired(card),
    before_charge: () => texts.cards.expiresBefore(card, ends, day(locale, charge ?? "")),
    soon: () => texts.cards.expiresSoon(card, ends),
  };
  return html`<p class="${expiry === "soon" ? "told" : "alert"}">${words[expiry]()}${
    href === undefined ? "" : html` <a href="${href}">${texts.actions["payment-method"]}</a>`
  }</p>`;
}

const charged: ReadonlySet<ShownSubscription["status"]> = new Set(["ACTIVE", "PAUSED", "PAYMENT_FAILED"]);

/** The date of the next charge, which lies behind deliveries that are paid for. */
function chargeOf({ status, next_billing_date }: ShownSubscription, coming: ListedDelivery[]) {
  const billed = coming.find(({ is_billed }) => is_billed)?.billing_date;
  return billed ?? (status === "ACTIVE" ? next_billing_date : null);
}

function lastDayOf(month: number, year: number): CalendarDate {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
