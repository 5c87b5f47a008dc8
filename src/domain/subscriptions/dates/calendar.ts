import type { Account } from "../../../base/accounts/tables.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { type ClosedDay, closedDaysOf } from "../../delivery/closed-days.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";

/** The surroundings of a subscription's schedule: its slot, the account's closed days, and the account's today. */
export type Calendar = { slot: SlotWithDay | undefined; closed: ClosedDay[]; today: CalendarDate };

/** The calendar of an account's subscription in a slot, or in none. */
export function calendarOf({ account, slot, today }: Surroundings): Calendar {
  return { slot, closed: closedDaysOf(account), today };
}

type Surroundings = Omit<Calendar, "closed"> & { account: Pick<Account, "closed_days"> };
