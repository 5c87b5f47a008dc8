import type { z } from "@hono/zod-openapi";
import type { DeliveryBody, EndpointBody } from "./schemas.ts";
import type { EventDelivery, WebhookEndpoint } from "./tables.ts";

export function presentEndpoint(row: WebhookEndpoint): z.input<typeof EndpointBody> {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: JSON.parse(row.event_types) as string[],
    payload: row.payload,
    is_enabled: row.is_enabled === 1,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since,
    last_success_at: row.last_success_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function presentDelivery(row: EventDelivery): z.input<typeof DeliveryBody> {
  return {
    id: row.event_id,
    event_id: row.event_id,
    event_type: row.event_type,
    sequence: row.sequence,
    status: row.status,
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at,
    last_status: row.last_status,
    last_error: row.last_error,
    last_duration_ms: row.last_duration_ms,
    created_at: row.created_at,
    delivered_at: row.delivered_at,
  };
}
