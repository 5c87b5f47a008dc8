import { updateRow } from "../../src/base/db/row-writes.ts";
import { addDays } from "../../src/base/lib/time/calendar.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { progressAfterCharge } from "../../src/domain/billing/after-cycle.ts";
import { snapshotCharge } from "../../src/domain/billing/snapshot.ts";
import {
  creditLateCharge,
  nextAfter,
  settleOwedOnCancel,
} from "../../src/domain/subscriptions/dates/index.ts";
import { over, requireNotBilling } from "../../src/domain/subscriptions/lifecycle.ts";
import {
  afterCycle,
  calculateAmounts,
  lineAfterCycle,
} from "../../src/domain/subscriptions/lines/amounts.ts";
import { discountsOf } from "../../src/domain/subscriptions/row-codec.ts";
import { todayOf } from "../../src/kit/days.ts";
import { changeStatements } from "../../src/kit/journal/write.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs in dates, and in the deliveries that are paid for. */
const dates: SeededBug[] = [
  {
    name: "every other delivery is left out",
    what: "after a delivery the schedule goes on with the next but one",
    rule: "dates move as agreed",
    replaces: [
      replace(nextAfter, (original) => (row, calendar, last) => {
        return original({ ...row, next_index: row.next_index + 1 }, calendar, last);
      }),
    ],
  },
  {
    name: "the day of Greenwich",
    what: "a subscription is billed on the day that it is in UTC",
    rule: "dates move as agreed",
    replaces: [
      replace(
        todayOf,
        () =>
          ({ now }) =>
            dateIn(now, "UTC"),
      ),
    ],
  },
  {
    name: "a week of the slot is left out",
    what: "after a delivery in a slot the schedule goes on a week later than it can",
    rule: "one billing an interval",
    replaces: [
      replace(nextAfter, (original) => (row, calendar, last) => {
        const today = addDays(calendar.today, calendar.slot ? 7 : 0);
        return original(row, { ...calendar, today }, last);
      }),
    ],
  },
  {
    name: "skip while billing",
    what: "a skip moves the dates of a cycle that is being charged",
    rule: "dates wait for billing",
    replaces: [replace(requireNotBilling, () => () => {})],
  },
  {
    name: "a frequency change alters what a billing pays for",
    what: "a billing pays for as many deliveries as its interval count",
    rule: "deliveries made = paid for",
    replaces: [
      replace(snapshotCharge, (original) => (row, ...planned) => {
        return { ...original(row, ...planned), deliveries: row.billing_interval_count };
      }),
    ],
  },
  {
    name: "a cancel drops owed deliveries",
    what: "a cancelled subscription has no dates even where deliveries are paid for",
    rule: "deliveries made = paid for",
    replaces: [
      replace(settleOwedOnCancel, (original) => (...cancelled) => ({
        ...original(...cancelled),
        columns: over,
      })),
    ],
  },
  {
    name: "a charge of a cancelled life pays for one delivery",
    what: "the further deliveries that it pays for are not owed",
    rule: "deliveries made = paid for",
    replaces: [replace(creditLateCharge, () => () => ({ columns: {}, metadata: {} }))],
  },
];

/** Bugs in what a change of a subscription writes. */
const changes: SeededBug[] = [
  {
    name: "a change without its entry",
    what: "a subscription changes, whoever else has changed it, and its history says nothing of it",
    rule: "history exactly per change",
    replaces: [
      replace(changeStatements, (original) => (...change) => {
        const [, ...others] = original(...change);
        return others as ReturnType<typeof original>;
      }),
    ],
  },
  {
    name: "a change counts twice",
    what: "the revision of a subscription grows by two",
    rule: "one change at a time",
    replaces: [
      replace(changeStatements, (original) => (ctx, entry, extras) => {
        const { table, row } = entry.subject;
        const again = updateRow(
          table,
          { account_seq: row.account_seq, id: row.id },
          { revision: row.revision + 2 },
        );
        return [...original(ctx, entry, extras), again];
      }),
    ],
  },
];

const counted = "a discount's cycles are counted once";
const costs = "prices change with the cycles";

/** Bugs in what a cycle costs: prices and discounts that change with the cycles that were paid. */
const prices: SeededBug[] = [
  {
    name: "a discount lasts a cycle longer",
    what: "a discount for two cycles is given for three",
    rule: counted,
    replaces: [
      replace(afterCycle, (original) => (discount, now) => {
        const { recurring_cycle_limit: limit } = discount;
        const more = { ...discount, recurring_cycle_limit: limit === null ? null : limit + 1 };
        return { ...original(more, now), recurring_cycle_limit: limit };
      }),
    ],
  },
  {
    name: "discounts last beyond the first life",
    what: "in later lives no discount is used up",
    rule: counted,
    replaces: [
      replace(progressAfterCharge, (original) => (ctx, dated, paid) => {
        return original(ctx, dated, dated.row.activation > 1 ? { ...paid, discounts: [] } : paid);
      }),
    ],
    times: 3,
  },
  {
    name: "a discount is used up by a charge from before it",
    what: "a discount that is given while a payment is under way loses a cycle by it",
    rule: counted,
    replaces: [
      replace(progressAfterCharge, (original) => (ctx, dated, paid) => {
        return original(ctx, dated, { ...paid, discounts: discountsOf(dated.row) });
      }),
    ],
    times: 3,
  },
  {
    name: "prices stay as they began",
    what: "a price that was promised for the first cycle is charged for ever",
    rule: costs,
    replaces: [replace(lineAfterCycle, () => (line) => line)],
  },
  {
    name: "a discount counts again for the delivery",
    what: "a discount on the goods takes its share off the delivery too",
    rule: "an attempt costs what its lines cost",
    replaces: [
      replace(calculateAmounts, (original) => (lines, discounts, shipping, tax) => {
        const both = discounts.flatMap((its) => [its, { ...its, target_type: "SHIPPING_LINE" as const }]);
        return original(lines, both, shipping, tax);
      }),
    ],
  },
];

export const subscriptionBugs: SeededBug[] = [...dates, ...changes, ...prices];
