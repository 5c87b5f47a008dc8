import type { Entry } from "../../kit/journal/write.ts";
import { type StaffMember, staff } from "./tables.ts";

type StaffAction = "staff_invited" | "staff_updated" | "staff_removed" | "staff_login_requested";

/** An entry about a member of staff: it says what becomes of role and status, and of other fields names alone. */
export function staffEntry(
  action: StaffAction,
  row: StaffMember,
  about: Pick<Entry, "changes" | "metadata"> = {},
): Entry {
  const subject = {
    type: "staff",
    table: staff,
    row,
    subscription_id: null,
    order_id: null,
    profile_id: null,
  } as const;
  return { action, subject, changes: {}, ...about };
}
