/** A date on a closed day goes to the open day that the closed day says, with its packing and its charge. */
import { describe, expect, test } from "vitest";
import { afterOrder, closing, course, startingOn, today } from "../../../../../test/support/closed-days.ts";
import { slotOn } from "../../../../../test/support/slots.ts";
import type { ClosedDay } from "../../../delivery/closed-days.ts";
import type { Subscription } from "../../tables.ts";
import { deliveryFrom, nextAfter } from "../next-after.ts";
import { datesToFollow } from "./open-dates.ts";

function datesOf({ next_delivery_date, next_production_date, next_billing_date }: Subscription) {
  return [next_delivery_date, next_production_date, next_billing_date];
}

test("a delivery that is charged before its packing has followed closed days is packed on an open one", () => {
  const slot = slotOn(5, 3);
  const row = startingOn("2026-12-25", { slot, closed: [], today });
  expect(row.next_production_date).toBe("2026-12-23");
  const closed = [closing("2026-12-22", "2026-12-23", "later", { applies_to: ["production"] })];
  expect(deliveryFrom(row, { slot, closed, today })).toEqual({
    delivery_date: "2026-12-25",
    production_date: "2026-12-21",
  });
});

test("after a charge that came days late, closed days behind it put no charge into the past", () => {
  const row = startingOn(
    "2026-11-20",
    { slot: undefined, closed: [], today },
    { delivery_interval: "DAY", delivery_interval_count: 2, deliveries_per_billing: 2 },
  );
  const [late, delivery] = ["2026-11-27", "2026-11-28"];
  const closed = [closing("2026-11-20", "2026-11-21", "later", { applies_to: ["delivery"] })];
  const next = nextAfter(
    row,
    { slot: undefined, closed, today: late },
    { delivery, owed: 1, isOffSchedule: false },
  );
  expect(next.next_delivery_date! > delivery).toBe(true);
  expect(next.next_billing_date! > next.next_delivery_date!).toBe(true);
});

test("a charge whose day has passed keeps its dates as they are, where none of those to come moves", () => {
  const closed = closing("2026-12-06", "2026-12-12", "earlier", { applies_to: ["billing"] });
  const row = startingOn(
    "2026-11-28",
    { slot: undefined, closed: [closed], today },
    {
      ...({ delivery_interval: "WEEK", deliveries_per_billing: 2 } as const),
      ...{ next_index: 1, next_billed_index: 2, next_delivery_date: "2026-12-05" },
    },
  );
  expect([row.next_delivery_date, row.next_billing_date]).toEqual(["2026-12-05", "2026-12-05"]);
  const shorter = { ...closed, to: "2026-12-08" };
  const late = { slot: undefined, closed: [shorter], today: "2026-12-21" };
  expect(datesToFollow(row, late)).toBeUndefined();
});

test("closed days of another slot leave a delivery where it stayed, its own day passed", () => {
  const slot = slotOn(2);
  const row = startingOn(
    "2026-12-15",
    { slot, closed: [closing("2026-12-13", "2027-01-02", "skip")], today },
    { delivery_interval: "WEEK" },
  );
  expect([row.next_delivery_date, row.scheduled_delivery_date]).toEqual(["2027-01-05", "2026-12-15"]);
  const elsewhere = closing("2026-12-13", "2027-01-02", "later", { slot_ids: [crypto.randomUUID()] });
  const late = "2026-12-19";
  expect(datesToFollow(row, { slot, closed: [], today: late })).toBeUndefined();
  expect(datesToFollow(row, { slot, closed: [elsewhere], today: late })).toBeUndefined();
});

test("a slot that is given other days moves no date, while none is on a closed day", () => {
  const prepaid = { delivery_interval: "WEEK", deliveries_per_billing: 2 } as const;
  const begun = startingOn("2026-12-04", { slot: slotOn(5, 3, 2), closed: [], today }, prepaid);
  const row = afterOrder(begun, { slot: slotOn(5, 3, 2), closed: [], today });
  expect(datesOf(row)).toEqual(["2026-12-11", "2026-12-09", "2026-12-15"]);
  const closed = [closing("2027-02-01", "2027-02-02", "later")];
  expect(datesToFollow(row, { slot: slotOn(5, 2, 1), closed, today })).toBeUndefined();
});

describe("a date on a closed day", () => {
  const christmas = (rule: ClosedDay["rule"], more: Partial<ClosedDay> = {}) =>
    closing("2026-12-24", "2026-12-26", rule, more);

  test.each([
    ["goes to the nearest open day before it", christmas("earlier"), "2026-12-23", "2026-12-23", 0],
    ["goes to the nearest open day after it", christmas("later"), "2026-12-27", "2026-12-27", 0],
    ["falls away", christmas("skip"), "2027-01-25", "2027-01-25", 1],
    [
      "moves its charge along to before it",
      christmas("earlier", { applies_to: ["delivery"] }),
      "2026-12-23",
      "2026-12-23",
      0,
    ],
    [
      "leaves its charge on an open day",
      christmas("later", { applies_to: ["delivery"] }),
      "2026-12-27",
      "2026-12-25",
      0,
    ],
    [
      "keeps the delivery where only the charge is closed",
      christmas("earlier", { applies_to: ["billing"] }),
      "2026-12-25",
      "2026-12-23",
      0,
    ],
    [
      "is not charged after its delivery",
      christmas("later", { applies_to: ["billing"] }),
      "2026-12-25",
      "2026-12-23",
      0,
    ],
    [
      "stays in a slot that is open",
      christmas("later", { slot_ids: ["other"] }),
      "2026-12-25",
      "2026-12-25",
      0,
    ],
  ])("%s", (_, closed, delivery, billing, index) => {
    const row = startingOn("2026-12-25", { slot: undefined, closed: [closed], today });
    expect([...datesOf(row), row.next_index, row.anchor_date]).toEqual([
      delivery,
      null,
      billing,
      index,
      "2026-12-25",
    ]);
  });

  test("in a slot goes to a day of the slot, and is packed for it", () => {
    const slot = slotOn(5, 4, 3);
    const row = startingOn("2026-12-25", {
      slot,
      closed: [christmas("later", { applies_to: ["delivery"] })],
      today,
    });
    expect(datesOf(row)).toEqual(["2027-01-01", "2026-12-31", "2026-12-23"]);
  });

  test("is packed on the nearest open day before, and charged by the rule", () => {
    const slot = slotOn(1, 6, 5);
    const closed = [christmas("earlier", { applies_to: ["production", "billing"] })];
    expect(datesOf(startingOn("2026-12-28", { slot, closed, today }))).toEqual([
      "2026-12-28",
      "2026-12-23",
      "2026-12-23",
    ]);
  });

  test("goes past a day on which another delivery of it stands", () => {
    const everyTwoDays = { delivery_interval: "DAY", delivery_interval_count: 2 } as const;
    const calendar = { slot: undefined, closed: [christmas("later")], today };
    const days: (string | null)[] = [];
    let row = startingOn("2026-12-22", calendar, everyTwoDays);
    for (let n = 0; n < 5; n++, row = afterOrder(row, calendar)) days.push(row.next_delivery_date);
    expect(days).toEqual(["2026-12-22", "2026-12-27", "2026-12-28", "2026-12-29", "2026-12-30"]);
  });

  test("falls away where no open day is free", () => {
    const calendar = { slot: undefined, closed: [christmas("later")], today };
    const row = startingOn("2026-12-24", calendar, { delivery_interval: "DAY" });
    expect([row.next_delivery_date, row.next_index]).toEqual(["2026-12-27", 3]);
  });

  test("is the matter of the closed days that were created first", () => {
    const closed = [
      christmas("later", { id: "1" }),
      closing("2026-12-20", "2026-12-31", "earlier", { id: "2" }),
    ];
    expect(datesOf(startingOn("2026-12-25", { slot: undefined, closed, today }))[0]).toBe("2027-01-01");
  });

  test("is not charged before tomorrow: rather is it put off", () => {
    const calendar = { slot: undefined, closed: [christmas("earlier")], today: "2026-12-23" };
    expect(datesOf(startingOn("2026-12-25", calendar))).toEqual(["2026-12-27", null, "2026-12-27"]);
  });

  test("is not charged before a date that a reminder has told", () => {
    const calendar = { slot: undefined, closed: [christmas("earlier")], today };
    const told = { last_payment_reminder_billing_date: "2026-12-25" };
    expect(datesOf(startingOn("2026-12-25", calendar, told))).toEqual(["2026-12-27", null, "2026-12-27"]);
  });
});

test("a delivery falls away rather than be put off to where closed days move a later one that is open on its own day", () => {
  const everyTwoDays = { delivery_interval: "DAY", delivery_interval_count: 2 } as const;
  const before = { slot: undefined, closed: [], today: "2026-03-02" };
  const closed = [
    closing("2026-03-16", "2026-04-05", "earlier"),
    closing("2026-03-06", "2026-03-12", "earlier", { applies_to: ["delivery"] }),
  ];
  const begun = { row: startingOn("2026-03-02", before, everyTwoDays), calendar: { ...before, closed } };
  const all = [...course(begun, 6)].map(({ row }) => [row.scheduled_delivery_date, row.next_delivery_date]);
  expect(all).toEqual([
    [null, "2026-03-02"],
    ["2026-03-04", "2026-03-03"],
    ["2026-03-06", "2026-03-05"],
    ["2026-03-08", "2026-03-13"],
    ["2026-03-16", "2026-03-15"],
    ["2026-03-18", "2026-04-06"],
  ]);
  const late = [...course(begun, 4)].at(-1)!.row;
  expect([late.next_index, late.next_billing_date]).toEqual([6, "2026-03-13"]);
});
