import type { finalActions } from "../../../base/accounts/tables.ts";
import type { Address } from "../../../base/language/names.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { IntervalUnit } from "../../../base/lib/time/intervals.ts";
import type { SubscriptionStatus } from "../../subscriptions/tables.ts";

export const changeKinds = [
  "paused",
  "resumed",
  "skipped",
  "unskipped",
  "rescheduled",
  "frequency",
  "address",
  "lines",
  "cancelled",
  "reactivated",
  "undone",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The page on which a customer who does not want a change undoes it, or goes on from there. */
export type WayBack = { kind: "undo" | "resume" | "unskip" | "reactivate"; url: string };

/** A field before and after. */
export type Change =
  | { field: "status"; before: SubscriptionStatus; after: SubscriptionStatus }
  | ({ field: "next_delivery_date" | "next_charge_date" | "pause_until" } & Pair<CalendarDate | null>)
  | ({ field: "frequency" } & Pair<Frequency>)
  | ({ field: "delivery_address" } & Pair<Address | null>)
  | ({ field: "lines" } & Pair<LetterLine[]>)
  | ({ field: "amount" } & Pair<number>);

export type Frequency = { interval: IntervalUnit; interval_count: number };

export type LetterLine = {
  title: string;
  variant_title: string | null;
  quantity: number;
  /** The total of the line before discounts; null where it is not known or of no interest. */
  amount: number | null;
  /** The variant by which the shop's catalogue knows the line; absent where its picture is of no interest. */
  store_variant_id?: string;
};

/** A product's picture in the shop's catalogue, and what it shows. */
export type MailPicture = { picture_url: string; title: string };

export type Card = { brand: string | null; last4: string | null };

export type FinalAction = (typeof finalActions)[number];

/** When a customer may cancel. Not at all by themselves: the shop cancels for them. */
export type Cancelling =
  | { is_allowed: false }
  | { is_allowed: true; payments_before: number; from: CalendarDate | null };

/**
 * The facts of every mail. In those of each kind (kinds/) amounts are minor units of `currency_code`, dates are calendar dates in the
 * account's time zone, instants are shown by its clocks. Texts may hold anything: the rendering makes them harmless. Addresses of the
 * portal's pages are empty while it is switched off.
 */
export type EveryMail = {
  first_name: string | null;
  timezone: string;
  /** Pictures of the goods; absent where the shop has none. */
  pictures?: MailPicture[];
};

/** A mail about one subscription. */
export type OfSubscription = EveryMail & {
  number: string;
  lines: LetterLine[];
  frequency: Frequency;
  /** The next delivery, paid for or not; null if there is none. */
  next_date: CalendarDate | null;
  /** The amount that the mail is about: of the charge, of the payment, of the order, or of the next charge. */
  amount: number;
  currency_code: string;
  /** The subscription's page in the portal. */
  manage_url: string;
};

/** A mail about one order. */
export type OfOrder = OfSubscription & {
  order_number: string | null;
  delivery_date: CalendarDate | null;
};

type Pair<Value> = { before: Value; after: Value };
