/** A delivery may be moved alone as far as its neighbours, and its own day stays that of the schedule. */
import { expect, test } from "vitest";
import { calendarIn, slotOn } from "../../../../test/support/slots.ts";
import { invalid } from "../../../base/errors.ts";
import type { Subscription } from "../tables.ts";
import { unmoved } from "./next-dates.ts";
import { dayOfSingleMove, followingDelivery, keepBeforeNext, moveNextAlone, ownDay } from "./single-move.ts";

const today = "2026-11-20";
const calendar = { ...calendarIn(undefined), today };

/** Monthly on the 31st, next on 31 January. */
function monthly(values: Partial<Subscription> = {}): Subscription {
  return {
    ...{ status: "ACTIVE", max_cycles: null, current_billing_cycle: 2, deliveries_per_billing: 1 },
    ...{
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
      anchor_date: "2026-12-31",
      anchor_day: null,
    },
    ...{ next_index: 1, next_billed_index: 1, next_delivery_date: "2027-01-31", no_charge_before: null },
    ...{ next_billing_date: "2027-01-31", next_production_date: null, dunning_episode_id: null },
    ...{ last_payment_reminder_billing_date: null, ...unmoved },
    ...values,
  } as Subscription;
}

test("it stands where it was chosen, and its own day is still that of the schedule", () => {
  const row = monthly({ next_delivery_date: "2027-02-03" });
  expect([dayOfSingleMove(row, undefined), ownDay(row, undefined)]).toEqual(["2027-02-03", "2027-01-31"]);
  const closed = monthly({
    ...{ next_index: 2, next_delivery_date: "2027-02-28" },
    ...{ scheduled_index: 1, scheduled_delivery_date: "2027-02-03" },
  });
  expect([dayOfSingleMove(closed, undefined), ownDay(closed, undefined)]).toEqual([
    "2027-02-03",
    "2027-01-31",
  ]);
  expect(dayOfSingleMove(monthly(), undefined)).toBeUndefined();
  expect(dayOfSingleMove(monthly({ next_delivery_date: null }), undefined)).toBeUndefined();
});

test.each(["2027-01-01", "2027-02-27"])("it may be moved to before the one after it: %s", (day) => {
  expect(moveNextAlone(monthly(), day, calendar)).toEqual({
    ...{ anchor_date: "2026-12-31", anchor_day: null, next_index: 1, next_billed_index: 1 },
    ...{ next_delivery_date: day, next_billing_date: day, next_production_date: null, ...unmoved },
  });
});

test.each(["2027-02-28", "2027-03-15"])("and no further: %s", (day) => {
  const message = "must be before 2027-02-28, the day of the delivery after it";
  expect(() => moveNextAlone(monthly(), day, calendar, "a_field")).toThrow(
    invalid([{ path: "a_field", message }]),
  );
});

test.each<[string, Partial<Subscription>, boolean]>([
  ["the last charge's", { max_cycles: 2 }, true],
  ["one before the last charge's", { max_cycles: 3 }, false],
  ["the last charge's first of two", { max_cycles: 2, deliveries_per_billing: 2 }, false],
  ["the last that is paid for", { max_cycles: 1, next_billed_index: 2, next_billing_date: null }, true],
  ["one of two that are paid for", { max_cycles: 1, next_billed_index: 3, next_billing_date: null }, false],
  ["the last that is paid for, before a charge", { max_cycles: 2, next_billed_index: 2 }, false],
])("only the last delivery has none after it: %s", (_, values, isLast) => {
  const row = monthly(values);
  const far = () => moveNextAlone(row, "2027-06-01", calendar).next_delivery_date;
  if (isLast) expect(far()).toBe("2027-06-01");
  else expect(far).toThrow();
  expect(followingDelivery(row, calendar)).toBe(isLast ? null : "2027-02-28");
});

test.each<Partial<Subscription>>([
  { status: "PAUSED" },
  { status: "PAYMENT_FAILED" },
  { next_delivery_date: null },
  { dunning_episode_id: "e" },
])("the day after it is not known beforehand of %j", (values) => {
  expect(followingDelivery(monthly(values), calendar)).toBeNull();
});

test("weeks that are shorter than a month put none after the one that follows it", () => {
  const before = monthly({
    ...{ anchor_date: "2027-03-01", next_index: 0, next_billed_index: 0 },
    ...{ next_delivery_date: "2027-03-31", next_billing_date: "2027-03-31" },
  });
  const moved = {
    ...before,
    ...{ anchor_date: "2027-04-05", next_delivery_date: "2027-05-05", next_billing_date: "2027-05-05" },
  };
  expect(keepBeforeNext(before, undefined, moved)).toEqual({
    ...moved,
    ...{ next_delivery_date: "2027-05-04", next_billing_date: "2027-05-04" },
  });
  const paid = { ...moved, next_billed_index: 1, next_billing_date: "2027-05-05" };
  expect(keepBeforeNext(before, undefined, paid)).toMatchObject({ next_billing_date: "2027-05-05" });
  const earlier = { ...moved, next_delivery_date: "2027-05-04" };
  expect(keepBeforeNext(before, undefined, earlier)).toBe(earlier);
  const none = { ...moved, next_delivery_date: null };
  expect(keepBeforeNext(before, undefined, none)).toBe(none);
});

test("in a slot it goes a week before", () => {
  const slot = slotOn(3);
  const before = monthly({
    ...{ anchor_date: "2027-03-01", next_index: 0, next_billed_index: 0 },
    ...{ next_delivery_date: "2027-03-31", next_billing_date: "2027-03-31" },
  });
  const moved = { ...before, anchor_date: "2027-04-05", next_delivery_date: "2027-05-05" };
  expect(keepBeforeNext(before, slot, moved).next_delivery_date).toBe("2027-04-28");
});

test("one on its schedule moves with it, however far", () => {
  const before = monthly();
  const moved = { ...before, next_delivery_date: "2027-09-01" };
  expect(keepBeforeNext(before, undefined, moved)).toBe(moved);
});
