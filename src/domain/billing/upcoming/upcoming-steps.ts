import type { Account } from "../../../base/accounts/tables.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import { type Calendar, calendarOf, deliveriesOwed, nextAfter } from "../../subscriptions/dates/index.ts";
import {
  type Amounts,
  calculateAmounts,
  type Line,
  recurringLines,
} from "../../subscriptions/lines/amounts.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { discountsOf, linesOf } from "../../subscriptions/row-codec.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { type PaidCycle, progressAfterCharge } from "../after-cycle.ts";
import type { NextTry, Standing } from "../next-try.ts";
import { repeatedDelivery } from "../repeated-delivery.ts";
import { type ChargeSnapshot, type PlannedDelivery, plannedDelivery, snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";

/** A delivery that will be made if nothing else happens. */
export type UpcomingDelivery = {
  cycle: number;
  billing: CalendarDate;
  delivery: CalendarDate;
  production: CalendarDate | null;
  slotId: string | null;
  isBilled: boolean;
  isAtRisk: boolean;
  lines: Line[];
  amounts: Amounts;
};

/** A subscription at a moment of its account, with all that decides what billing does next. */
export type Prospect = Standing & {
  view: Pick<SubscriptionView, "row" | "slot">;
  /** The latest attempt at the cycle. */
  latest: BillingAttempt | undefined;
  account: Account;
  now: Instant;
};

/** The subscription as it will be on a day, and the try at its cycle that the schedule did not plan. */
export type Course = { row: Subscription; today: CalendarDate; pending: NextTry | null | undefined };

type Step = { made: Omit<UpcomingDelivery, "isAtRisk">; next: Course };

/** The next cycle is charged on that day, and its first delivery ordered. */
export function makeCharge(prospect: Prospect, course: Course, day: CalendarDate): Step {
  const { latest, account } = prospect;
  const at = { row: course.row, calendar: calendarOn(prospect, day) };
  const attempt = course.pending?.attempt;
  const delivery = course.pending ? repeatedDelivery(at, latest) : plannedDelivery(at.row, at.calendar);
  const charge = attempt ? chargeUnderWay(attempt) : chargeOf(at.row, delivery);
  const { lines, discounts, shipping_amount, tax_amount } = charge;
  const { columns } = progressAfterCharge({ now: `${day}T00:00:00.000Z`, account }, at, charge);
  return {
    made: {
      cycle: charge.cycle,
      ...plannedFor(charge, day),
      isBilled: true,
      lines,
      amounts: calculateAmounts(lines, discounts, shipping_amount, tax_amount),
    },
    next: { row: { ...at.row, ...columns }, today: day, pending: undefined },
  };
}

/** A delivery that is paid for is ordered on that day. */
export function makePaidDelivery(prospect: Prospect, course: Course, day: CalendarDate): Step {
  const { row } = course;
  const calendar = calendarOn(prospect, day);
  const delivery = plannedDelivery(row, calendar);
  const lines = recurringLines(linesOf(row));
  const last = { delivery: delivery.delivery_date, owed: deliveriesOwed(row) - 1, isOffSchedule: false };
  return {
    made: {
      cycle: row.current_billing_cycle - 1,
      ...plannedFor(delivery, day),
      isBilled: false,
      lines,
      amounts: zeroAmounts(lines),
    },
    next: { ...course, row: { ...row, ...nextAfter(row, calendar, last) }, today: day },
  };
}

type Charge = PaidCycle & PlannedDelivery & Pick<ChargeSnapshot, "shipping_amount" | "tax_amount">;

/** An attempt in progress charges what it has frozen. */
function chargeUnderWay(attempt: BillingAttempt): Charge {
  const { activation, cycle } = attempt;
  return { ...snapshotOf(attempt), activation, cycle };
}

/** The charge that an attempt would snapshot if it started with the subscription as it is. */
function chargeOf(row: Subscription, delivery: PlannedDelivery): Charge {
  const { activation, current_billing_cycle: cycle, deliveries_per_billing: deliveries } = row;
  const { shipping_amount, tax_amount } = row;
  const contents = { lines: linesOf(row), discounts: discountsOf(row), shipping_amount, tax_amount };
  return { ...delivery, ...contents, activation, cycle, deliveries };
}

/** The subscription's calendar as it will be on a day. */
export function calendarOn({ account, view: { slot } }: Prospect, today: CalendarDate): Calendar {
  return calendarOf({ account, slot, today });
}

function plannedFor(
  { delivery_date, production_date, delivery_slot_id }: PlannedDelivery,
  day: CalendarDate,
) {
  return {
    billing: day,
    delivery: delivery_date,
    production: production_date,
    slotId: delivery_slot_id,
  };
}

function zeroAmounts(lines: Line[]): Amounts {
  return {
    subtotal: 0,
    discount_amount: 0,
    shipping_amount: 0,
    tax_amount: 0,
    total: 0,
    lines: lines.map(({ id }) => ({ id, line_total: 0, discount_amount: 0 })),
  };
}
