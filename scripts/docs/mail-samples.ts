import type { AnyMail } from "../../src/domain/mail/kinds.ts";
import type { OfSubscription } from "../../src/domain/mail/render/facts.ts";
import type { Look } from "../../src/domain/mail/render/look.ts";

/** A shop as its mails show it. */
export const shopLook: Omit<Look, "locale"> = {
  shop_name: "Napf & Co",
  support_email: "help@napf.example",
  logo_url: null,
  accent_color: "#0a6c4b",
  postal_address: "Napf & Co GmbH\nHafenstraße 1, 20457 Hamburg",
  portal_url: "https://pages.napf.example/portal/napf",
  template: null,
};

const everyMail = { first_name: "Ada", timezone: "Europe/Berlin" };

const subscription: OfSubscription = {
  ...everyMail,
  number: "1001",
  lines: [
    { title: "Beef and carrot, 1.5 kg", variant_title: "Large", quantity: 2, amount: 7990 },
    { title: "Salmon oil", variant_title: null, quantity: 1, amount: 1250 },
  ],
  frequency: { interval: "WEEK", interval_count: 4 },
  next_date: "2026-11-24",
  amount: 8735,
  currency_code: "EUR",
  manage_url: "https://portal.napf.example/portal/napf/subscriptions/1001",
};

const page = subscription.manage_url;
const card = { brand: "visa", last4: "4242" };

/** One mail of each kind, and of those that say different things one of each. */
export const samples: Record<string, AnyMail> = {
  login_link: {
    kind: "login_link",
    facts: {
      ...everyMail,
      login_url: "https://portal.napf.example/portal/napf/enter?secret=8f2c1d",
      expires_at: "2026-11-20T13:05:00.000Z",
    },
  },
  welcome: {
    kind: "welcome",
    facts: {
      ...subscription,
      next_charge_date: "2026-11-21",
      cancelling: { is_allowed: true, payments_before: 0, from: null },
    },
  },
  welcome_with_a_minimum: {
    kind: "welcome",
    facts: {
      ...subscription,
      next_charge_date: "2026-11-21",
      cancelling: { is_allowed: true, payments_before: 2, from: "2027-01-16" },
    },
  },
  upcoming_charge: {
    kind: "upcoming_charge",
    facts: {
      ...subscription,
      charge_date: "2026-11-21",
      change_until: "2026-11-20T22:59:00.000Z",
      cancelling: { is_allowed: true, payments_before: 0, from: null },
      card,
    },
  },
  receipt: {
    kind: "receipt",
    facts: {
      ...subscription,
      order_number: "#D10001",
      placed_at: "2026-11-21T06:02:00.000Z",
      is_prepaid: false,
      discount_amount: 1000,
      shipping_amount: 495,
      tax_amount: null,
      card,
      delivery_date: "2026-11-24",
    },
  },
  receipt_of_a_prepaid_delivery: {
    kind: "receipt",
    facts: {
      ...subscription,
      lines: subscription.lines.map((line) => ({ ...line, amount: 0 })),
      amount: 0,
      order_number: null,
      placed_at: "2026-11-21T06:02:00.000Z",
      is_prepaid: true,
      discount_amount: 0,
      shipping_amount: 0,
      tax_amount: 0,
      card: null,
      delivery_date: "2026-11-24",
    },
  },
  payment_failed: {
    kind: "payment_failed",
    facts: {
      ...subscription,
      failed_at: "2026-11-21T06:02:00.000Z",
      reason: "funds",
      card,
      next_try: "2026-11-24T06:02:00.000Z",
      ends_at: "2026-11-28T06:02:00.000Z",
      final_action: "fail",
      pay_url: `${page}/retry-payment`,
    },
  },
  payment_failed_for_good: {
    kind: "payment_failed",
    facts: {
      ...subscription,
      failed_at: "2026-11-21T06:02:00.000Z",
      reason: "expired",
      card,
      next_try: null,
      ends_at: "2026-11-28T06:02:00.000Z",
      final_action: "cancel",
      pay_url: `${page}/payment-method`,
    },
  },
  payment_failed_at_the_shop: {
    kind: "payment_failed",
    facts: {
      ...subscription,
      failed_at: "2026-11-21T06:02:00.000Z",
      reason: "shop",
      card: null,
      next_try: null,
      ends_at: null,
      final_action: "pause",
      pay_url: page,
    },
  },
  confirm_payment: {
    kind: "confirm_payment",
    facts: {
      ...subscription,
      confirm_url: "https://bank.example/3ds/8f2c1d",
      expires_at: "2026-11-24T06:02:00.000Z",
    },
  },
  address_missing: {
    kind: "address_missing",
    facts: { ...subscription, missing: ["address1", "zip"], address_url: `${page}/address` },
  },
  payment_ended: {
    kind: "payment_ended",
    facts: {
      ...subscription,
      ended_at: "2026-11-28T06:02:00.000Z",
      reason: "declined",
      final_action: "fail",
      return_url: `${page}/retry-payment`,
    },
  },
  payment_ended_in_a_pause: {
    kind: "payment_ended",
    facts: {
      ...subscription,
      ended_at: "2026-11-28T06:02:00.000Z",
      reason: "unconfirmed",
      final_action: "pause",
      return_url: `${page}/resume`,
    },
  },
  payment_ended_for_good: {
    kind: "payment_ended",
    facts: {
      ...subscription,
      ended_at: "2026-11-28T06:02:00.000Z",
      reason: "stock",
      final_action: "cancel",
      return_url: `${page}/reactivate`,
    },
  },
  card_expiring: {
    kind: "card_expiring",
    facts: {
      ...everyMail,
      card,
      expires_on: "2026-11-30",
      subscriptions: [
        {
          number: "1001",
          lines: subscription.lines,
          next_charge: { date: "2026-12-19", amount: 8735, currency_code: "EUR" },
        },
      ],
      card_url: `${page}/payment-method`,
    },
  },
  changed: {
    kind: "changed",
    facts: {
      ...subscription,
      change: "rescheduled",
      changed_at: "2026-11-18T09:30:00.000Z",
      by: "shop",
      changes: [
        { field: "next_delivery_date", before: "2026-11-24", after: "2026-12-01" },
        { field: "next_charge_date", before: "2026-11-21", after: "2026-11-28" },
      ],
      next_charge_date: "2026-11-28",
      way_back: null,
    },
  },
  changed_in_all: {
    kind: "changed",
    facts: {
      ...subscription,
      change: "lines",
      changed_at: "2026-11-18T09:30:00.000Z",
      by: "shop",
      changes: [
        { field: "status", before: "PAUSED", after: "ACTIVE" },
        { field: "pause_until", before: "2026-11-24", after: null },
        {
          field: "frequency",
          before: { interval: "WEEK", interval_count: 2 },
          after: { interval: "WEEK", interval_count: 4 },
        },
        {
          field: "delivery_address",
          before: {
            first_name: "Ada",
            last_name: "Lovelace",
            address1: "Hafenstraße 1",
            zip: "20457",
            city: "Hamburg",
            country: "Germany",
            country_code: "DE",
          },
          after: {
            first_name: "Ada",
            last_name: "Lovelace",
            address1: "Donaudampfschifffahrtsgesellschaftsstraße 114",
            zip: "94032",
            city: "Passau",
            country: "Germany",
            country_code: "DE",
          },
        },
        { field: "lines", before: subscription.lines.slice(0, 1), after: subscription.lines },
        { field: "amount", before: 7485, after: 8735 },
      ],
      next_charge_date: "2026-11-28",
      way_back: null,
    },
  },
  cancelled: {
    kind: "changed",
    facts: {
      ...subscription,
      change: "cancelled",
      changed_at: "2026-11-18T09:30:00.000Z",
      by: "customer",
      changes: [{ field: "status", before: "ACTIVE", after: "CANCELLED" }],
      next_date: null,
      next_charge_date: null,
      way_back: { kind: "undo", url: `${page}?done=cancel&undo=01930000-0000-7000-8000-000000000000` },
    },
  },
  annual_notice: {
    kind: "annual_notice",
    facts: {
      ...subscription,
      next_charge_date: "2026-11-21",
      cancelling: { is_allowed: true, payments_before: 0, from: null },
      cancel_url: `${page}/cancel`,
    },
  },
  price_change: {
    kind: "price_change",
    facts: {
      ...subscription,
      amount: 9145,
      line: { title: "Beef and carrot, 1.5 kg", variant_title: "Large", quantity: 2, amount: null },
      old_prices: [3995],
      new_price: 4200,
      first_charge_date: "2026-12-19",
      change_until: "2026-12-18T22:59:00.000Z",
      cancelling: { is_allowed: true, payments_before: 0, from: null },
      cancel_url: `${page}/cancel`,
    },
  },
  price_change_that_falls: {
    kind: "price_change",
    facts: {
      ...subscription,
      amount: 8610,
      line: { title: "Salmon oil", variant_title: null, quantity: 1, amount: null },
      old_prices: [1250],
      new_price: 1125,
      first_charge_date: "2026-12-19",
      change_until: "2026-12-18T22:59:00.000Z",
      cancelling: { is_allowed: true, payments_before: 2, from: "2027-01-16" },
      cancel_url: `${page}/cancel`,
    },
  },
  price_change_in_a_pause: {
    kind: "price_change",
    facts: {
      ...subscription,
      amount: 8860,
      line: { title: "Salmon oil", variant_title: null, quantity: 1, amount: null },
      old_prices: [1250],
      new_price: 1375,
      first_charge_date: null,
      change_until: null,
      cancelling: { is_allowed: true, payments_before: 0, from: null },
      cancel_url: `${page}/cancel`,
    },
  },
  shipped: {
    kind: "shipped",
    facts: {
      ...subscription,
      order_number: "#D10001",
      delivery_date: "2026-11-24",
      tracking: { company: "UPS", number: "1Z10000001", url: "https://tracking.example.com/1Z10000001" },
    },
  },
  declaration: {
    kind: "declaration",
    facts: {
      ...everyMail,
      declared: "cancellation",
      received_at: "2026-11-20T12:05:00.000Z",
      number: "1001",
      wants_on: null,
      is_for_cause: false,
      reason: null,
      is_carried_out: true,
      is_taken_back: false,
      effective_on: "2026-11-20",
      not_me_url: "https://portal.napf.example/portal/napf/leave/not-me/019a.8f2c1d",
      not_me_until: "2026-11-27T12:05:00.000Z",
    },
  },
  declaration_of_a_stranger: {
    kind: "declaration",
    facts: {
      ...everyMail,
      first_name: null,
      declared: "cancellation",
      received_at: "2026-11-20T12:05:00.000Z",
      number: "77",
      wants_on: "2026-12-31",
      is_for_cause: true,
      reason: "Twice delivered broken",
      is_carried_out: false,
      is_taken_back: false,
      effective_on: null,
      not_me_url: "",
      not_me_until: "2026-11-27T12:05:00.000Z",
    },
  },
  declaration_of_withdrawal: {
    kind: "declaration",
    facts: {
      ...everyMail,
      declared: "withdrawal",
      received_at: "2026-11-20T12:05:00.000Z",
      number: null,
      wants_on: null,
      is_for_cause: false,
      reason: null,
      is_carried_out: false,
      is_taken_back: false,
      effective_on: null,
      not_me_url: "",
      not_me_until: "2026-11-27T12:05:00.000Z",
    },
  },
};

/** The mail with another text in each member that people fill in. */
export function withText(mail: AnyMail, text: string): AnyMail {
  const free =
    /^(title|variant_title|number|order_number|company|brand|last4|first_name|last_name|address\d|zip|city|country)$/;
  return JSON.parse(
    JSON.stringify(mail, (name, value) => (free.test(name) && typeof value === "string" ? text : value)),
  );
}
