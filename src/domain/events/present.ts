import type { z } from "@hono/zod-openapi";
import { parseStored } from "../../kit/journal/stored-json.ts";
import type { EventRow } from "./queries.ts";
import type { EventBody } from "./schemas.ts";

export function presentEvent(row: EventRow): z.input<typeof EventBody> {
  return {
    id: row.id,
    sequence: row.sequence,
    type: row.type,
    created_at: row.created_at,
    actor_type: row.actor_type,
    actor_name: row.actor_name,
    subject: { type: row.loggable_type, id: row.loggable_id },
    subscription_id: row.subscription_id,
    order_id: row.order_id,
    profile_id: row.profile_id,
    changes: parseStored(row.changes),
    metadata: parseStored(row.metadata),
  };
}
