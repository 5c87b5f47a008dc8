/** A schedule that is moved in keeps its day of the month, its next dates and what is owed. */
import { expect, test } from "vitest";
import { type Dates, scheduleFrom } from "./schedule-from.ts";

const monthly = { unit: "MONTH", count: 1 } as const;
const next: Dates = {
  billing: "2031-03-31",
  delivery: undefined,
  own: undefined,
  anchor: undefined,
  anchorDay: null,
  owed: 0,
};

test.each<[string, Partial<Dates>, object]>([
  [
    "owed before a charge on the 31st",
    { owed: 1 },
    { anchor_date: "2031-02-28", anchor_day: 31, next_delivery_date: "2031-02-28", next_billed_index: 1 },
  ],
  [
    "owed, with the next one's date",
    { owed: 1, delivery: "2031-02-28" },
    { anchor_date: "2031-02-28", anchor_day: 31, next_billing_date: "2031-03-31" },
  ],
  [
    "owed before a charge in a short month",
    { owed: 2, billing: "2031-04-30", anchor: "2031-02-28", anchorDay: 31 },
    { anchor_date: "2031-02-28", anchor_day: 31, next_index: 0, next_delivery_date: "2031-02-28" },
  ],
  [
    "counted from a month that is too short for the day",
    { billing: "2031-04-30", anchor: "2031-02-28", anchorDay: 31 },
    { anchor_date: "2031-02-28", anchor_day: 31, next_index: 2, next_billing_date: "2031-04-30" },
  ],
])("a schedule keeps its day of the month: %s", (_, dates, columns) => {
  expect(scheduleFrom({ ...next, ...dates }, monthly, undefined)).toMatchObject({ dates: columns });
});

test.each<[string, Partial<Dates>, object]>([
  [
    "later",
    { billing: "2031-04-02", own: "2031-03-31", anchor: "2031-01-31" },
    { anchor_date: "2031-01-31", next_index: 2, next_delivery_date: "2031-04-02", next_billed_index: 2 },
  ],
  [
    "earlier",
    { billing: "2031-03-20", own: "2031-03-31", anchor: "2031-01-31" },
    { anchor_date: "2031-01-31", next_index: 2, next_delivery_date: "2031-03-20" },
  ],
  [
    "while deliveries are owed",
    { billing: "2031-05-31", delivery: "2031-04-02", own: "2031-03-31", anchor: "2031-01-31", owed: 2 },
    {
      next_index: 2,
      next_billed_index: 4,
      next_delivery_date: "2031-04-02",
      next_billing_date: "2031-05-31",
    },
  ],
  [
    "from no anchor",
    { billing: "2031-04-02", own: "2031-03-31" },
    { anchor_date: "2031-03-31", next_index: 0, next_delivery_date: "2031-04-02" },
  ],
])("a delivery that was moved alone keeps the schedule of the others: %s", (_, dates, columns) => {
  expect(scheduleFrom({ ...next, ...dates }, monthly, undefined)).toMatchObject({ dates: columns });
});

test.each<[string, Partial<Dates>, object]>([
  [
    "at the one after it",
    { billing: "2031-04-30", own: "2031-03-31", anchor: "2031-01-31" },
    { path: "next_delivery_date", message: "must be before 2031-04-30, the day of the delivery after it" },
  ],
  [
    "from a day that is none of the schedule",
    { billing: "2031-04-02", own: "2031-03-30", anchor: "2031-01-31" },
    { path: "anchor_date" },
  ],
  [
    "from another day than that of the deliveries owed",
    { billing: "2031-05-31", own: "2031-04-30", anchor: "2031-01-31", owed: 2 },
    { path: "scheduled_delivery_date" },
  ],
])("a delivery that was moved alone is refused %s", (_, dates, fault) => {
  expect(scheduleFrom({ ...next, ...dates }, monthly, undefined)).toMatchObject(fault);
});
