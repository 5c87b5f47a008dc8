import type { Ctx } from "../../kit/context.ts";
import { needsObject, prepareEventObject } from "../events/object.ts";
import { presentEvent } from "../events/present.ts";
import type { EventRow } from "../events/queries.ts";
import { testType } from "./outbox.ts";
import type { EventDelivery, WebhookEndpoint } from "./tables.ts";

/**
 * The body of a delivery, by the Standard Webhooks specification. The record is read when the delivery is sent, so personal data
 * that was erased after the event is not sent; for a login that was requested a link is made and written. Undefined if the event no longer
 * exists.
 */
export async function buildPayload(
  ctx: Ctx,
  endpoint: WebhookEndpoint,
  delivery: EventDelivery,
  event: EventRow | undefined,
): Promise<string | undefined> {
  if (delivery.event_type === testType) return JSON.stringify(testPayload(endpoint, delivery));
  if (!event) return undefined;
  const isShown = endpoint.payload === "full" || needsObject(event);
  const object = isShown ? await prepareEventObject(ctx, event) : {};
  return JSON.stringify({
    type: event.type,
    timestamp: event.created_at,
    data: { ...presentEvent(event), ...object },
  });
}

/** A test event has the same form and is about the endpoint itself. */
function testPayload({ id }: Pick<WebhookEndpoint, "id">, delivery: EventDelivery) {
  return {
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
  };
}
