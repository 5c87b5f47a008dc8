/** Moving one delivery leaves the days of all others, whatever the schedule, slot and closed days. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closing } from "../../../../test/support/closed-days.ts";
import { prospectOf, today, view } from "../../../../test/support/projection.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import { aSlot } from "../../../../test/support/slots.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import { DomainError } from "../../../base/errors.ts";
import { addDays, dayOfWeek, laterOf } from "../../../base/lib/time/calendar.ts";
import { closedKinds } from "../../delivery/closed-days.ts";
import { closedRules } from "../../delivery/tables.ts";
import {
  type Calendar,
  datesToFollow,
  deliveriesOwed,
  isOpenOn,
  moveNextAlone,
  moveToOpenDays,
} from "../../subscriptions/dates/index.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { projectUpcoming } from "./upcoming.ts";
import { makeCharge, makePaidDelivery } from "./upcoming-steps.ts";

const closedLists = fc.array(
  fc
    .record({
      from: fc.nat(200),
      length: fc.nat(10),
      rule: fc.constantFrom(...closedRules),
      applies_to: fc.subarray([...closedKinds], { minLength: 1 }),
    })
    .map(({ from, length, rule, applies_to }) =>
      closing(addDays("2026-11-25", from), addDays("2026-11-25", from + length), rule, { applies_to }),
    ),
  { maxLength: 4 },
);

/** A subscription from the end of a month on, some deliveries later, in any slot, prepaid or not, with any closed days. */
const cases = fc
  .record({
    day: fc.integer({ min: 28, max: 31 }),
    months: fc.nat(3),
    unit: fc.constantFrom("MONTH" as const, "WEEK" as const),
    count: fc.integer({ min: 1, max: 3 }),
    times: fc.integer({ min: 1, max: 3 }),
    made: fc.nat(4),
    slot: aSlot,
    closed: closedLists,
  })
  .map(({ day, months, unit, count, times, made, slot, closed }) => {
    let start = new Date(Date.UTC(2026, 11 + months, day)).toISOString().slice(0, 10);
    while (slot && dayOfWeek(start) !== slot.day.day_of_week) start = addDays(start, 1);
    const plan = { start, every: [count, unit], billed: [count * times, unit], ...(slot ? { slot } : {}) };
    const calendar: Calendar = { slot, closed, today };
    const begun = view(plan as Parameters<typeof view>[0]);
    const one = { ...begun, row: { ...begun.row, ...moveToOpenDays(begun.row, calendar, today) } };
    return later({ one, calendar }, made);
  });

type Case = { one: SubscriptionView; calendar: Calendar };

/** The subscription on the day of its n-th order from now. */
function later({ one, calendar }: Case, made: number): Case {
  let [row, day] = [one.row, calendar.today];
  for (let n = 0; n < made; n++) {
    const isBilled = deliveriesOwed(row) === 0;
    const ordered = (isBilled ? row.next_billing_date : row.next_production_date) ?? row.next_delivery_date!;
    day = laterOf(ordered, day);
    const prospect = prospectFor({ one: { ...one, row }, calendar });
    const course = { row, today: day, pending: undefined };
    row = (isBilled ? makeCharge : makePaidDelivery)(prospect, course, day).next.row;
  }
  return { one: { ...one, row }, calendar: { ...calendar, today: day } };
}

function prospectFor({ one, calendar }: Case) {
  const account = {
    timezone: "UTC",
    prepaid_on_end: "deliver",
    closed_days: JSON.stringify(calendar.closed),
  } as Account;
  return prospectOf(one, { account, now: `${calendar.today}T12:00:00.000Z` });
}

/** The deliveries, each without the number of its cycle. */
function upcoming(of: Case, count: number) {
  return projectUpcoming(prospectFor(of), count);
}

/** The dates once the next delivery alone is moved; undefined where that is refused. */
function movedAlone({ one, calendar }: Case, to: string): Case | undefined {
  try {
    const row = { ...one.row, ...moveNextAlone(one.row, to, calendar) };
    return { one: { ...one, row }, calendar };
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function mayBeOn({ calendar }: Case, day: string): boolean {
  const { slot } = calendar;
  return isOpenOn(calendar, "delivery", day) && (!slot || dayOfWeek(day) === slot.day.day_of_week);
}

describe("a delivery that is moved alone", () => {
  const isMoved = { done: 0, refused: 0 };

  test("leaves the days of all others, whatever the schedule, slot and closed days", () => {
    fc.assert(
      fc.property(cases, fc.nat(100), (of, days) => {
        const to = addDays(of.calendar.today, days);
        fc.pre(mayBeOn(of, to));
        const moved = movedAlone(of, to);
        isMoved[moved ? "done" : "refused"]++;
        if (!moved) return;
        const [first, ...others] = upcoming(moved, 12);
        expect(others).toEqual(upcoming(of, 12).slice(1));
        expect(first!.delivery >= of.calendar.today && first!.delivery < others[0]!.delivery).toBe(true);
        expect(moved.one.row).toMatchObject({
          anchor_date: of.one.row.anchor_date,
          anchor_day: of.one.row.anchor_day,
        });
      }),
      seeded(700),
    );
    expect(Math.min(isMoved.done, isMoved.refused)).toBeGreaterThan(50);
  });

  test("stays where it is when days are opened", () => {
    fc.assert(
      fc.property(cases, fc.nat(40), (of, days) => {
        const to = addDays(of.calendar.today, days);
        fc.pre(mayBeOn(of, to));
        const moved = movedAlone(of, to);
        fc.pre(moved !== undefined && moved.one.row.next_delivery_date === to);
        const open = { ...of.calendar, closed: [] };
        expect(datesToFollow(moved!.one.row, open)?.next_delivery_date ?? to).toBe(to);
      }),
      seeded(300),
    );
  });

  test("comes back to the chosen day once days that were closed later are opened again", () => {
    fc.assert(
      fc.property(cases, closedLists, fc.nat(40), (of, closed, days) => {
        const open = { ...of, calendar: { ...of.calendar, closed: [] } };
        const to = addDays(of.calendar.today, days);
        fc.pre(of.one.row.scheduled_index === null && mayBeOn(open, to));
        const moved = movedAlone(open, to);
        fc.pre(moved !== undefined);
        const row = moved!.one.row;
        const [ordered] = [row.next_billing_date, row.next_production_date, to].sort() as [string];
        fc.pre(ordered > open.calendar.today);
        const during = { ...row, ...datesToFollow(row, { ...open.calendar, closed }) };
        expect({ ...during, ...datesToFollow(during, open.calendar) }).toEqual(row);
      }),
      seeded(300),
    );
  });
});
