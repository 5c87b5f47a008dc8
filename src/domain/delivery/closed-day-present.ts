import type { z } from "@hono/zod-openapi";
import { closedDayOf } from "./closed-day-actions.ts";
import type { ClosedDayBody } from "./closed-day-schemas.ts";
import type { ClosedDayRow } from "./tables.ts";

export function presentClosedDay(row: ClosedDayRow): z.input<typeof ClosedDayBody> {
  const { id, from, to, applies_to, slot_ids, rule, label } = closedDayOf(row);
  return {
    id,
    from,
    to,
    applies_to,
    slot_ids,
    rule,
    label,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
