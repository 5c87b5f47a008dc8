import type { Account } from "../../base/accounts/tables.ts";
import type { CalendarDate, Instant } from "../../base/lib/time/dates.ts";
import type { ActorType } from "../../kit/context.ts";

export type ViewContext = {
  now: Instant;
  today: CalendarDate;
  /** The last day whose billing is reminded of today; null if the account wants no reminders. */
  remindUntil: CalendarDate | null;
  viewer: ActorType;
  account: Pick<Account, "id" | "timezone" | "closed_days">;
  /** The operations that the merchant's settings forbid to whoever looks. */
  forbidden: { can_cancel?: false; can_pause?: false };
};
