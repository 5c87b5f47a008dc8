import { z } from "@hono/zod-openapi";
import { eventFilterPattern, isEventFilter } from "../event-types.ts";
import { listOf, pageQuery } from "../http/pagination.ts";
import { idIn, instant, instantIn, int64, orNull, queryList, text } from "../http/params.ts";
import { deliveryStatuses, disabledReasons, payloads } from "./tables.ts";

const mostTypes = 100;

/** A public host name; a local deployment also takes http and loopback addresses. */
const publicHttps =
  "^https://([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+(?!(localhost|local|internal|test)([:/?]|$))[a-z]{2,62}(:(443|8443))?([/?][A-Za-z0-9._~!$&'()*+,;=:@/?-]*)?$";

const url = z.string().max(2048).openapi({
  format: "uri",
  description:
    "Where events are sent by POST: https, on port 443 or 8443, with a public host name; no user, no fragment. A local deployment also takes http and loopback addresses.",
  example: "https://hooks.example.com/perennial",
});
const urlIn = url.openapi({ pattern: publicHttps });
const description = text({ max: 255 }).nullable().openapi({
  description: "What the endpoint is for, in the merchant's own words; null for nothing.",
  example: "Warehouse",
});
const eventTypes = z
  .array(
    z
      .string()
      .refine(
        (name) => name === "*" || isEventFilter(name),
        "must be a type of event, such as billing.failed, a kind, such as subscription.*, or *",
      )
      .openapi({ pattern: `^(\\*|${eventFilterPattern})$` }),
  )
  .min(1)
  .max(mostTypes)
  .openapi({
    description:
      "Which events are sent: types, kinds such as `subscription.*`, or `*` for all, also those of types to come.",
    example: ["subscription.*", "billing.failed"],
  });
const payload = z.enum(payloads).openapi("WebhookPayload", {
  description:
    "`full`: with the subscription, order or profile as it is when the event is sent; `thin`: the event alone.",
  example: "full",
});
const isEnabled = z
  .boolean()
  .openapi({ description: "Whether events are sent. While false none are kept for it.", example: true });

const DisabledReason = z.enum(disabledReasons).openapi("WebhookDisabledReason");

const fields = {
  id: z.string().openapi({ description: "The endpoint's id." }),
  url,
  description,
  event_types: z.array(z.string()).openapi({
    description: "Which events are sent: types, kinds such as `subscription.*`, or `*` for all.",
    example: ["*"],
  }),
  payload,
  is_enabled: isEnabled,
  disabled_reason: orNull(DisabledReason).openapi({
    description:
      "Why nothing is sent: `gone` (it answered 410), `failing` (for five days), `by_hand`; null while it is enabled.",
  }),
  failing_since: instant.nullable().openapi({
    description: "When it first failed after it last succeeded; null while it does not fail.",
  }),
  last_success_at: instant
    .nullable()
    .openapi({ description: "When it last accepted an event; null if never." }),
  created_at: instant.openapi({ description: "When it was created." }),
  updated_at: instant.openapi({ description: "When it was last changed, by whomever." }),
};

export const EndpointBody = z.strictObject(fields).openapi("WebhookEndpoint");
export const EndpointData = z.strictObject({ data: EndpointBody }).openapi("WebhookEndpointData");
export const EndpointList = listOf(EndpointBody, "WebhookEndpointList");
export const EndpointQuery = z.strictObject(pageQuery);

export const EndpointWithSecret = z
  .strictObject({
    data: z
      .strictObject({
        ...fields,
        secret: z.string().openapi({
          description: "What deliveries are signed with (Standard Webhooks). It is shown here only: keep it.",
          example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1QJzq3o5TrA=",
        }),
      })
      .openapi("WebhookEndpointWithSecretBody"),
  })
  .openapi("WebhookEndpointWithSecret");

export const EndpointCreate = z
  .strictObject({
    url: urlIn,
    description: description.optional(),
    event_types: eventTypes.optional(),
    payload: payload.optional(),
    is_enabled: isEnabled.optional(),
  })
  .openapi("WebhookEndpointCreate", {
    example: {
      url: "https://hooks.example.com/perennial",
      description: "Warehouse",
      event_types: ["order.*", "subscription.cancelled"],
    },
  });

export const EndpointUpdate = z
  .strictObject({
    url: urlIn.optional(),
    description: description.optional(),
    event_types: eventTypes.optional(),
    payload: payload.optional(),
    is_enabled: isEnabled.optional(),
  })
  .openapi("WebhookEndpointUpdate", { example: { is_enabled: false } });

export const DeliveryBody = z
  .strictObject({
    id: z.string().openapi({ description: "The delivery's id." }),
    event_id: z
      .string()
      .openapi({ description: "The event's id, which the receiver gets as `webhook-id` with each try." }),
    event_type: z.string().openapi({ description: "The event's type.", example: "order.placed" }),
    sequence: int64.nullable().openapi({ description: "The event's place in the stream; null for a test." }),
    status: z.enum(deliveryStatuses).openapi("EventDeliveryStatus", {
      description:
        "PENDING: to be tried; DELIVERED: accepted; FAILED: ten tries failed; CANCELLED: the endpoint was disabled or deleted first.",
    }),
    attempt_count: z.int().openapi({ description: "Tries so far; a resend begins anew." }),
    next_attempt_at: instant
      .nullable()
      .openapi({ description: "When it is tried next at the earliest; null unless it is PENDING." }),
    last_status: z.int().nullable().openapi({
      description: "The HTTP status that the last try was answered with; null for none.",
      example: 503,
    }),
    last_error: z
      .string()
      .nullable()
      .openapi({ description: "Why the last try failed; null where it did not.", example: "answered 503" }),
    last_duration_ms: z
      .int()
      .nullable()
      .openapi({ description: "How long the last try took, in milliseconds." }),
    created_at: instant.openapi({ description: "When the event came to be, in real time." }),
    delivered_at: instant
      .nullable()
      .openapi({ description: "When the endpoint last accepted it; null if never." }),
  })
  .openapi("EventDelivery");

export const DeliveryData = z.strictObject({ data: DeliveryBody }).openapi("EventDeliveryData");
export const DeliveryList = listOf(DeliveryBody, "EventDeliveryList");
export const DeliveryQuery = z.strictObject({
  ...pageQuery,
  status: queryList(deliveryStatuses).optional(),
});

export const Recovery = z
  .strictObject({
    since: instantIn.openapi({
      description: "Events since then, in the account's own time: at most 30 days ago.",
    }),
  })
  .openapi("Recovery");
export const RecoveryData = z
  .strictObject({
    data: z.strictObject({
      since: instant.openapi({ description: "Events since then are being recovered." }),
    }),
  })
  .openapi("RecoveryData");

const endpointId = idIn.openapi({ param: { name: "id", in: "path" } });
export const endpointParams = z.object({ id: endpointId });
export const deliveryParams = z.object({
  id: endpointId,
  deliveryId: idIn.openapi({ param: { name: "deliveryId", in: "path" } }),
});

export type NewEndpoint = z.output<typeof EndpointCreate>;
export type EndpointChanges = z.output<typeof EndpointUpdate>;
