import type { finalActions } from "../../../base/accounts/tables.ts";
import type { Address } from "../../../base/language/names.ts";
import type { AddressField } from "../../../base/lib/places/postal-codes.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import type { IntervalUnit } from "../../../base/lib/time/intervals.ts";
import type { DeclineReason } from "../../dunning/decline-reason.ts";
import type { SubscriptionStatus } from "../../subscriptions/tables.ts";
import type { MailKind } from "../kinds.ts";

/**
 * The facts of a mail, by its kind. Amounts are minor units of `currency_code`, dates are calendar dates in the account's time zone,
 * instants are shown by its clocks. Texts may hold anything: the rendering makes them harmless. Addresses of the
 * portal's pages are empty while it is switched off.
 */
export type MailFacts = {
  login_link: EveryMail & { login_url: string; expires_at: Instant };
  welcome: OfSubscription & { next_charge_date: CalendarDate | null; cancelling: Cancelling };
  upcoming_charge: OfSubscription & {
    charge_date: CalendarDate;
    /** The last moment at which a change or a cancellation still counts for this charge. */
    change_until: Instant;
    cancelling: Cancelling;
    card: Card | null;
  };
  receipt: OfSubscription & {
    order_number: string | null;
    placed_at: Instant;
    /** Whether an earlier order has paid for this delivery; `amount` is then 0. */
    is_prepaid: boolean;
    discount_amount: number;
    /** Null where it is not known; 0 is not shown either. */
    shipping_amount: number | null;
    tax_amount: number | null;
    /** The payment method that was charged; null where it is not known or nothing was charged. */
    card: Card | null;
    delivery_date: CalendarDate | null;
  };
  payment_failed: OfSubscription & {
    failed_at: Instant;
    reason: DeclineReason;
    card: Card | null;
    /** When the payment is tried again by itself; null if it is not, or billing waits for the shop. */
    next_try: Instant | null;
    /** When the last try or the customer's time comes; null while billing waits for the shop. */
    ends_at: Instant | null;
    /** The account's setting for a payment that is not made by then. */
    final_action: FinalAction;
    /** Where the customer pays, or chooses another payment method. */
    pay_url: string;
  };
  confirm_payment: OfSubscription & { confirm_url: string; expires_at: Instant };
  address_missing: OfSubscription & {
    missing: AddressField[];
    /** Where the customer gives the address. */
    address_url: string;
  };
  payment_ended: OfSubscription & {
    ended_at: Instant;
    reason: DeclineReason;
    final_action: FinalAction;
    /** Where the customer pays (fail), resumes (pause) or starts again (cancel). */
    return_url: string;
  };
  card_expiring: EveryMail & {
    card: Card;
    /** The last day of the card's month. */
    expires_on: CalendarDate;
    /** The living subscriptions that are paid with it. */
    subscriptions: {
      number: string;
      lines: LetterLine[];
      next_charge: { date: CalendarDate; amount: number; currency_code: string } | null;
    }[];
    /** Where the customer chooses another payment method. */
    card_url: string;
  };
  changed: OfSubscription & {
    change: ChangeKind;
    changed_at: Instant;
    /** How many deliveries a skip leaves out; absent for one, and for other changes. */
    skipped_count?: number;
    by: "shop" | "customer";
    /** Each field that differs, in the order in which it is shown. */
    changes: Change[];
    next_charge_date: CalendarDate | null;
    way_back: WayBack | null;
  };
  price_change: OfSubscription & {
    /** The line whose price changes; `lines` are all. Several lines of one product are one, of all their pieces. */
    line: LetterLine;
    /** The prices of one piece, before discounts. Several lines may have had different ones, the lowest first. */
    old_prices: [number, ...number[]];
    new_price: number;
    /** The first charge at the new price, of which `amount` is; null while nobody knows its day. */
    first_charge_date: CalendarDate | null;
    /** The last moment at which a cancellation still counts for it. */
    change_until: Instant | null;
    cancelling: Cancelling;
    /** Where the customer cancels. */
    cancel_url: string;
  };
  shipped: OfSubscription & {
    order_number: string | null;
    delivery_date: CalendarDate | null;
    tracking: { company: string | null; number: string | null; url: string | null } | null;
  };
};

/** The facts of one mail, with its kind. */
export type AnyMail = { [Kind in MailKind]: { kind: Kind; facts: MailFacts[Kind] } }[MailKind];

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
};

export type Card = { brand: string | null; last4: string | null };

export type FinalAction = (typeof finalActions)[number];

/** When a customer may cancel. Not at all by themselves: the shop cancels for them. */
export type Cancelling =
  | { is_allowed: false }
  | { is_allowed: true; payments_before: number; from: CalendarDate | null };

export type EveryMail = { first_name: string | null; timezone: string };

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

type Pair<Value> = { before: Value; after: Value };
