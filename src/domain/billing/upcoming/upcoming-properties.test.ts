/** Projecting n deliveries gives what n single steps give, billed on the days of the schedule. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discount, line, now, project, today, view } from "../../../../test/support/projection.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import { aSlot, calendarIn } from "../../../../test/support/slots.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { intervalUnits } from "../../../base/lib/time/intervals.ts";
import {
  calculateDates,
  earliestDelivery,
  nthDelivery,
  scheduledBillings,
} from "../../subscriptions/dates/index.ts";
import { afterCycle, recurringLines } from "../../subscriptions/lines/amounts.ts";
import { pricedColumns } from "../../subscriptions/lines/lines.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { discountsOf, linesOf } from "../../subscriptions/row-codec.ts";
import type { UpcomingDelivery } from "./upcoming-steps.ts";

describe("the projection of n deliveries", () => {
  const aView = fc
    .record({
      unit: fc.constantFrom(...intervalUnits),
      count: fc.integer({ min: 1, max: 3 }),
      times: fc.integer({ min: 1, max: 4 }),
      start: fc
        .integer({ min: 0, max: 1500 })
        .map((n) => new Date(Date.UTC(2026, 10, 21 + n)).toISOString().slice(0, 10)),
      slot: aSlot,
      lines: fc.array(
        fc.record({ price: fc.nat(5000), is_one_time: fc.boolean(), plan_shipping: fc.nat(900) }),
        { minLength: 1, maxLength: 4 },
      ),
      discounts: fc.array(
        fc.record({ value: fc.nat(3000), limit: fc.option(fc.integer({ min: 1, max: 6 })) }),
        { maxLength: 3 },
      ),
    })
    .map(({ unit, count, times, start, slot, lines, discounts }) =>
      view({
        start,
        every: [count, unit],
        billed: [count * times, unit],
        lines: lines.map(({ price, ...more }, nth) => line(String(nth), price, more)),
        discounts: discounts.map(({ value, limit }) => discount(value, limit)),
        ...(slot ? { slot: slot } : {}),
      }),
    );

  test("equals stepping n times", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 12 }), (start, count) => {
        const steps: UpcomingDelivery[] = [];
        let at = start;
        for (let n = 0; n < count; n++) {
          steps.push(...project(at, 1));
          at = stepped(at);
        }
        expect(project(start, count)).toEqual(steps);
      }),
      seeded(400),
    );
  });

  test("bills on the days on which the schedule does", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 24 }), (start, count) => {
        const billed = project(start, count).filter(({ isBilled }) => isBilled);
        const scheduled = [
          ...scheduledBillings(start.row, calendarIn(start.slot, today)).take(billed.length),
        ];
        expect(scheduled).toEqual(billed.map(({ cycle, billing }) => ({ cycle, day: billing })));
      }),
      seeded(200),
    );
  });

  test("of more begins with that of fewer, and changes nothing", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 23 }), (start, count) => {
        const before = JSON.stringify(start);
        expect(project(start, 24).slice(0, count)).toEqual(project(start, count));
        expect(JSON.stringify(start)).toBe(before);
      }),
      seeded(200),
    );
  });
});

/**
 * One delivery further: what billing and the schedule make of a subscription when nothing else happens. No two are on
 * one day, and each can still be made.
 */
function stepped({ row, slot, ...rest }: SubscriptionView): SubscriptionView {
  const perBilling = row.deliveries_per_billing;
  const isBilled = row.next_index === row.next_billed_index;
  const interval = { unit: row.delivery_interval, count: row.delivery_interval_count };
  const nth = (n: number) => nthDelivery(row.anchor_date, interval, n, slot?.day);
  const ordered = isBilled ? row.next_billing_date! : (row.next_production_date ?? row.next_delivery_date!);
  const datesAt = (n: number) => calculateDates(nth(n), slot?.day, addDays(ordered, 1));
  let next_index = row.next_index + 1;
  const earliest = earliestDelivery(calendarIn(slot), addDays(ordered, 1));
  while (nth(next_index) <= row.next_delivery_date! || nth(next_index) < earliest) next_index++;
  const owed = row.next_billed_index - row.next_index + (isBilled ? perBilling : 0) - 1;
  const next_billed_index = next_index + owed;
  const discounts = isBilled ? discountsOf(row).map((one) => afterCycle(one, now)) : discountsOf(row);
  const next = datesAt(next_index);
  return {
    ...rest,
    slot,
    row: {
      ...row,
      ...pricedColumns(recurringLines(linesOf(row)), discounts, row.tax_amount),
      next_index,
      next_billed_index,
      current_billing_cycle: row.current_billing_cycle + (isBilled ? 1 : 0),
      next_delivery_date: next.delivery,
      next_production_date: next.production,
      next_billing_date: datesAt(next_billed_index).billing,
    },
  };
}
