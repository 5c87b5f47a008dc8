import type { Entry } from "../../kit/journal/write.ts";
import { type Profile, profiles } from "./tables.ts";

type Kept = Pick<Profile, "id" | "account_seq" | "revision">;

/** An entry of a profile's history: it names the fields that have changed, never what they say of the customer. */
export function profileEntry(
  action:
    | "profile_created"
    | "profile_updated"
    | "profile_deleted"
    | "profile_email_suppressed"
    | "portal_login_requested",
  row: Kept,
  fields?: string[],
): Entry {
  return {
    action,
    subject: {
      type: "profile",
      table: profiles,
      row,
      subscription_id: null,
      order_id: null,
      profile_id: row.id,
    },
    changes: {},
    ...(fields ? { metadata: { fields } } : {}),
  };
}

/** The names of the fields in which two states of a profile differ. */
export function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.keys(after)
    .filter((name) => !unnamed.includes(name) && before[name] !== after[name])
    .sort();
}

/** Columns that follow from others, or change with every change. */
const unnamed = [
  "seq",
  "revision",
  "email_folded",
  "search_identity",
  "search_other",
  "updated_at",
  "store_seen",
];
