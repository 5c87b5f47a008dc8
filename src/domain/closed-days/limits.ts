import { invalid } from "../../base/errors.ts";
import { type Day, toDay } from "../../base/lib/time/calendar.ts";
import { type ClosedDay, concerns, listDays } from "../delivery/closed-days.ts";

/** The most days that an account has in its list, and that are closed without an open one between them. */
const [mostListed, mostInARow] = [400, 60];

/**
 * Throws VALIDATION_FAILED where an account would have more closed days than its calendar is made for, once `added` is among `others`:
 * too many in all, or so many in a row that a date is moved too far.
 */
export function requireWithinLimits(others: ClosedDay[], added: ClosedDay): void {
  if (added.to < added.from) throw invalid([{ path: "to", message: "must not be before from" }]);
  const length = toDay(added.to) - toDay(added.from) + 1;
  if (length > mostInARow || longestStretch(others, added) > mostInARow)
    throw invalid([{ path: "to", message: `closes more than ${mostInARow} days in a row` }]);
  const listed = listDays([...others, added]).length;
  if (listed > mostListed)
    throw invalid([
      { path: "to", message: `lists ${listed} closed days; an account has at most ${mostListed}` },
    ]);
}

/** The number of days in a row that are closed around the added ones, for one kind of dates and one slot, or none. */
function longestStretch(others: ClosedDay[], added: ClosedDay): number {
  const named = added.slot_ids.length > 0 ? added.slot_ids : slotsOf(others);
  const lengths = added.applies_to.flatMap((kind) =>
    named.map((slotId) => {
      const closed = others.filter((one) => one.applies_to.includes(kind) && concerns(one, slotId));
      return stretchAround(new Set(listDays([...closed, added])), toDay(added.from));
    }),
  );
  return Math.max(...lengths);
}

/** Every slot that is named, and the subscriptions that have none. */
function slotsOf(closed: ClosedDay[]): (string | undefined)[] {
  return [undefined, ...new Set(closed.flatMap(({ slot_ids }) => slot_ids))];
}

function stretchAround(days: Set<Day>, day: Day): number {
  let [first, last] = [day, day];
  while (days.has(first - 1)) first--;
  while (days.has(last + 1)) last++;
  return last - first + 1;
}
