import type { Account } from "../../base/accounts/tables.ts";
import type { CalendarDate } from "../../base/lib/time/calendar.ts";
import type { Ctx } from "../../kit/context.ts";
import { endAfterCycle } from "../subscriptions/bounds/agreed-end.ts";
import {
  type Calendar,
  creditLateCharge,
  datesAfterCycle,
  deliveriesOwed,
} from "../subscriptions/dates/index.ts";
import { isOver, over, unpaused } from "../subscriptions/lifecycle.ts";
import { afterCycle, type Discount, type Line, lineAfterCycle } from "../subscriptions/lines/amounts.ts";
import { pricedColumns } from "../subscriptions/lines/lines.ts";
import { combine, type Part } from "../subscriptions/part.ts";
import { discountsOf, linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { type ChargeSnapshot, snapshotOf } from "./snapshot.ts";
import type { BillingAttempt } from "./tables.ts";

/** A cycle that was charged: whose life it belongs to, and what the charge pays for. */
export type PaidCycle = Pick<BillingAttempt, "activation" | "cycle"> &
  Pick<ChargeSnapshot, "lines" | "discounts" | "deliveries" | "delivery_date" | "isOffSchedule">;

/**
 * Moves the life that a paid cycle belongs to on. In a life that has ended, or begun anew, the charge changes only which
 * deliveries are paid for. Both the record of a charge and the projection of later ones take this step.
 */
export function progressAfterCharge(
  ctx: Pick<Ctx, "now"> & { account: Pick<Account, "prepaid_on_end"> },
  dated: { row: Subscription; calendar: Calendar },
  paid: PaidCycle,
): Part {
  const { row, calendar } = dated;
  const { prepaid_on_end } = ctx.account;
  if (row.activation !== paid.activation) return creditLateCharge(dated, prepaid_on_end, paid);
  const columns = { current_billing_cycle: paid.cycle + 1, ...withoutOrdered(ctx, row, paid) };
  if (isOver(row)) return combine({ columns }, creditLateCharge(dated, prepaid_on_end, paid));
  const isLast = row.max_cycles !== null && paid.cycle >= row.max_cycles;
  const { ends, dates } = datesAfter(row, calendar, { paid, isLast });
  if (ends)
    return {
      columns: { ...columns, ...over, ...unpaused, status: "EXPIRED" },
      ownEntries: [{ action: "subscription_expired", metadata: { cycles: paid.cycle } }],
    };
  const status = row.status === "PAYMENT_FAILED" ? "ACTIVE" : row.status;
  const end = endAfterCycle(row, paid.cycle, calendar.today);
  return { columns: { ...columns, ...dates, ...end, status, dunning_episode_id: null } };
}

/** The date of the delivery after the one that an attempt would pay for; null where none follows. */
export function followingCharge(
  ctx: Parameters<typeof progressAfterCharge>[0],
  { row, calendar }: { row: Subscription; calendar: Calendar },
  attempt: BillingAttempt,
): CalendarDate | null {
  const { columns } = progressAfterCharge(ctx, { row, calendar }, { ...attempt, ...snapshotOf(attempt) });
  return columns?.next_delivery_date ?? null;
}

/** The order takes the one-time lines out of the subscription, and uses up a cycle of each discount. */
function withoutOrdered(
  ctx: Pick<Ctx, "now">,
  row: Subscription,
  { lines, discounts }: PaidCycle,
): Partial<Subscription> {
  const ordered = new Set(lines.filter(({ is_one_time }) => is_one_time).map(({ id }) => id));
  const served = new Set(discounts.filter(({ status }) => status === "ACTIVE").map(({ id }) => id));
  const billed = new Set(lines.map(({ id }) => id));
  const left: Line[] = linesOf(row)
    .filter(({ id }) => !ordered.has(id))
    .map((line) => (billed.has(line.id) ? lineAfterCycle(line) : line));
  const counted: Discount[] = discountsOf(row).map((discount) =>
    served.has(discount.id) ? afterCycle(discount, ctx.now) : discount,
  );
  return pricedColumns(left, counted, row.tax_amount);
}

type Billed = { paid: PaidCycle; isLast: boolean };

/** The dates after the delivery that was billed. After the last cycle only prepaid deliveries are left. */
function datesAfter(row: Subscription, calendar: Calendar, { paid, isLast }: Billed) {
  const owed = deliveriesOwed(row) + paid.deliveries - 1;
  const dates = datesAfterCycle(row, calendar, paid, owed);
  return { ends: isLast && owed === 0, dates: isLast ? { ...dates, next_billing_date: null } : dates };
}
