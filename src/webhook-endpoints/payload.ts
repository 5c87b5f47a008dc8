import type { Ctx } from "../context.ts";
import { needsObject, objectOf } from "../events/object.ts";
import { presentEvent } from "../events/present.ts";
import type { EventRow } from "../events/queries.ts";
import { testType } from "./outbox.ts";
import type { EventDelivery, WebhookEndpoint } from "./tables.ts";

/**
 * The body of a delivery, as Standard Webhooks has it. The record is read when it is sent, not when the event came to be: what
 * was erased meanwhile is not sent. Undefined where there is no such event any more.
 */
export const payloadOf = async (
  ctx: Ctx,
  endpoint: WebhookEndpoint,
  delivery: EventDelivery,
  event: EventRow | undefined,
): Promise<string | undefined> => {
  if (delivery.event_type === testType) return JSON.stringify(testPayload(endpoint, delivery));
  if (!event) return undefined;
  const isShown = endpoint.payload === "full" || needsObject(event);
  const object = isShown ? await objectOf(ctx, event) : {};
  return JSON.stringify({
    type: event.type,
    timestamp: event.created_at,
    data: { ...presentEvent(event), ...object },
  });
};

/** An event of the same form, about the endpoint itself. */
export const testPayload = ({ id }: Pick<WebhookEndpoint, "id">, delivery: EventDelivery) => ({
  type: testType,
  timestamp: delivery.created_at,
  data: {
    id: delivery.event_id,
    sequence: null,
    type: testType,
    created_at: delivery.created_at,
    actor_type: null,
    actor_name: null,
    subject: { type: "webhook_endpoint", id },
    subscription_id: null,
    order_id: null,
    profile_id: null,
    changes: null,
    metadata: null,
  },
});
