import type { z } from "@hono/zod-openapi";
import { fullName } from "../../domain/profiles/rules.ts";
import { parseStored } from "../../kit/journal/stored-json.ts";
import type { LoggableType, NewEntry } from "../../kit/journal/tables.ts";
import type { ActivityRow } from "./queries.ts";
import type { ActivityLogBody, ActivityLogCreated } from "./schemas.ts";

/** An entry of the feed, which shows none about other records than these. */
export function presentEntry(row: NewEntry): z.input<typeof ActivityLogCreated> {
  return {
    id: row.id,
    loggable_type: row.loggable_type as LoggableType,
    loggable_id: row.loggable_id,
    action: row.action,
    description: row.description,
    metadata: parseStored(row.metadata),
    actor_type: row.actor_type,
    actor_name: row.actor_name,
    created_at: row.created_at,
  };
}

export function presentActivity(row: ActivityRow): z.input<typeof ActivityLogBody> {
  return {
    ...presentEntry(row),
    changes: parseStored(row.changes),
    subscription_id: row.subscription_id,
    order_id: row.order_id,
    profile_id: row.profile_id,
    subscription_number: row.subscription_number === null ? null : String(row.subscription_number),
    order_number: row.order_number,
    customer_name:
      row.profile_id === null
        ? null
        : fullName({ first_name: row.customer_first_name, last_name: row.customer_last_name }),
    customer_email: row.customer_email,
  };
}
