import type { z } from "@hono/zod-openapi";
import { matchedIdsOf } from "./carried-out.ts";
import type { DeclarationBody } from "./schemas.ts";
import type { Declaration } from "./tables.ts";

export function presentDeclaration(row: Declaration): z.input<typeof DeclarationBody> {
  const { email, name, number, wants_on, is_for_cause, reason, locale } = row;
  return {
    id: row.id,
    kind: row.kind,
    received_at: row.received_at,
    given: {
      ...{ email, name, number, from: wants_on },
      ...{ grounds: is_for_cause === 1 ? "cause" : "ordinary", reason, locale },
    },
    matched_subscription_ids: matchedIdsOf(row),
    status: row.status,
    effective_on: row.effective_on,
    note: row.note,
  };
}
