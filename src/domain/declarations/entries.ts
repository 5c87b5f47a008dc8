import type { SystemAction } from "../../base/event-types.ts";
import type { Entry } from "../../kit/journal/write.ts";
import { type Declaration, declarations } from "./tables.ts";

type Action = Extract<SystemAction, `declaration_${string}`>;

/** An entry about a declaration, as it is with this revision. Nothing that its sender has typed stands in it. */
export function declarationEntry(
  action: Action,
  row: Pick<Declaration, "id" | "account_seq" | "revision" | "kind" | "profile_id" | "locale">,
): Entry {
  return {
    action,
    subject: {
      type: "declaration",
      table: declarations,
      row,
      subscription_id: null,
      order_id: null,
      profile_id: row.profile_id,
    },
    metadata: { kind: row.kind, locale: row.locale },
  };
}
