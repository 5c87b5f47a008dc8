import type { Account } from "../../src/base/accounts/tables.ts";
import type { IntervalUnit } from "../../src/base/lib/time/intervals.ts";
import { projectUpcoming } from "../../src/domain/billing/upcoming/upcoming.ts";
import type { Prospect, UpcomingDelivery } from "../../src/domain/billing/upcoming/upcoming-steps.ts";
import type { SlotWithDay } from "../../src/domain/delivery/queries.ts";
import { deliveriesPerBilling, startSchedule } from "../../src/domain/subscriptions/dates/index.ts";
import { notWaiting, unpaused } from "../../src/domain/subscriptions/lifecycle.ts";
import type { Discount, Line } from "../../src/domain/subscriptions/lines/amounts.ts";
import { pricedColumns } from "../../src/domain/subscriptions/lines/lines.ts";
import type { SubscriptionView } from "../../src/domain/subscriptions/queries.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";

export const today = "2026-11-21";
export const now = "2026-11-21T12:00:00.000Z";

export function line(id: string, price: number, more: Partial<Line> = {}): Line {
  return {
    id,
    price,
    quantity: 1,
    is_one_time: false,
    plan_shipping: 0,
    plan_discount: null,
    selection_items: null,
    ...more,
  } as Line;
}

export function discount(value: number, limit: number | null, more: Partial<Discount> = {}): Discount {
  return {
    id: "d",
    status: "ACTIVE",
    reduction: { type: "FIXED_AMOUNT", value },
    target_type: "ORDER",
    recurring_cycle_limit: limit,
    cycles_used: 0,
    exhausted_at: null,
    ...more,
  } as Discount;
}

/** A subscription to project: what it holds, when it starts, and how often it is delivered and billed. */
export type Plan = {
  lines?: Line[];
  discounts?: Discount[];
  start?: string;
  every?: [number, IntervalUnit];
  billed?: [number, IntervalUnit];
  slot?: SlotWithDay;
};

/** The subscription as a view; monthly from the 4th of December where nothing else is said. */
export function view(plan: Plan = {}, values: Partial<Subscription> = {}): SubscriptionView {
  const {
    lines = [line("a", 1000)],
    discounts = [],
    start = "2026-12-04",
    every = [1, "MONTH"],
    billed = every,
    slot,
  } = plan;
  const intervals = {
    delivery_interval: every[1],
    delivery_interval_count: every[0],
    billing_interval: billed[1],
    billing_interval_count: billed[0],
  };
  const row = {
    status: "ACTIVE",
    ...intervals,
    deliveries_per_billing: deliveriesPerBilling(intervals),
    activation: 1,
    current_billing_cycle: 1,
    max_cycles: null,
    dunning_episode_id: null,
    open_attempt_id: null,
    disputed_at: null,
    ...notWaiting,
    ...unpaused,
    ...startSchedule(start, slot, today),
    ...pricedColumns(lines, discounts),
    ...values,
  } as Subscription;
  return { row, slot } as SubscriptionView;
}

export function prospectOf(of: SubscriptionView, more: Partial<Prospect> = {}): Prospect {
  return {
    view: of,
    latest: undefined,
    open: undefined,
    episode: undefined,
    account,
    now,
    ...more,
  };
}

export function project(of: SubscriptionView, count: number): UpcomingDelivery[] {
  return projectUpcoming(prospectOf(of), count);
}

/** The account, whose time zone is UTC. */
const account = { timezone: "UTC", prepaid_on_end: "deliver", dunning_final_action: "fail" } as Account;
