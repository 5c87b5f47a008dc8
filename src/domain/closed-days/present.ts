import type { z } from "@hono/zod-openapi";
import type { ClosedDayRow } from "../delivery/tables.ts";
import { closedDayOf } from "./actions.ts";
import type { ClosedDayBody } from "./schemas.ts";

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
