import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { eventFilterPattern, isEventFilter, ownEventTypes } from "../../base/event-types.ts";
import { outwardUrl } from "../../base/lib/public-host.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import {
  idInPath,
  instant,
  instantIn,
  int64,
  orNull,
  queryList,
  text,
} from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";
import { deliveryStatuses, disabledReasons, payloads } from "./tables.ts";

const mostTypes = 100;

/** A public host name; a local deployment also takes http and loopback addresses. */
const publicHttps = `${outwardUrl}([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,62}(:(443|8443))?([/?][A-Za-z0-9._~!$&'()*+,;=:@/?-]*)?$`;

const url = z.string().max(2048).openapi({
  format: "uri",
  description:
    "Where events are sent by POST: https, on port 443 or 8443, with a public host name, at most 2,048 characters; no user, no fragment. A local deployment also takes http and loopback addresses.",
  example: "https://hooks.example.com/perennial",
});
const urlIn = url.openapi({ pattern: publicHttps });
const description = text({ max: 255 }).nullable().openapi({
  description:
    "What the endpoint is for, in the merchant's own words, at most 255 characters; null for nothing.",
  example: "Warehouse",
});
const eventTypes = z
  .array(
    z
      .string()
      .refine((name) => name === "*" || isEventFilter(name), {
        error: ({ input }) => unknownTypeMessage(String(input)),
      })
      .openapi({ pattern: `^(\\*|${eventFilterPattern})$` }),
  )
  .min(1)
  .max(mostTypes)
  .openapi({
    description:
      "Which events are sent: 1 to 100 types, kinds such as `subscription.*`, or `*` for all, also those of types to come. `*` by default.",
    example: ["subscription.*", "billing.failed"],
  });

function unknownTypeMessage(sent: string): string {
  const message = "must be a type of event, such as billing.failed, a kind, such as subscription.*, or *";
  return withSuggestion(message, ownEventTypes, sent);
}

const payload = z.enum(payloads).openapi("WebhookPayload", {
  description:
    "What an endpoint is sent. full, the default: the event, and the subscription, order or profile as it is when the event is sent. thin: the event alone.",
  example: "full",
});
const isEnabled = z.boolean().openapi({
  description: "Whether events are sent, true by default. While it is false none are kept for the endpoint.",
  example: true,
});

const DisabledReason = z.enum(disabledReasons).openapi("WebhookDisabledReason", {
  description:
    "Why nothing is sent to an endpoint. gone: it answered 410. failing: it has failed for five days. by_hand: somebody disabled it.",
});

const fields = {
  id: idOut.openapi({ description: "The endpoint's id.", example: demoId("webhook_endpoint", 1) }),
  url,
  description,
  event_types: z.array(z.string()).openapi({
    description: "Which events are sent: types, kinds such as `subscription.*`, or `*` for all.",
    example: ["*"],
  }),
  payload,
  is_enabled: isEnabled,
  disabled_reason: orNull(DisabledReason).openapi({
    description: "Why nothing is sent; null while it is enabled.",
  }),
  failing_since: instant.nullable().openapi({
    description: "When it first failed after it last succeeded; null while it does not fail.",
  }),
  last_success_at: instant
    .nullable()
    .openapi({ description: "When it last accepted an event, to the minute; null if never." }),
  created_at: instant.openapi({ description: "When it was created." }),
  updated_at: instant.openapi({ description: "When it was last changed, by whomever." }),
};

export const EndpointBody = z.strictObject(fields).openapi("WebhookEndpoint", {
  description: "An address of the merchant's to which events are sent.",
});
export const EndpointData = dataOf(EndpointBody, "WebhookEndpointData", "The endpoint.");
export const EndpointList = listOf(EndpointBody, "WebhookEndpointList");
export const EndpointQuery = z.strictObject(pageQuery);

export const EndpointWithSecret = dataOf(
  z
    .strictObject({
      ...fields,
      secret: z.string().openapi({
        description: "What deliveries are signed with (Standard Webhooks). It is shown here only: keep it.",
        example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1QJzq3o5TrA=",
      }),
    })
    .openapi("WebhookEndpointWithSecretBody", { description: "An endpoint, with its secret." }),
  "WebhookEndpointWithSecret",
  "The endpoint, with its secret.",
);

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
    id: idOut.openapi({ description: "The delivery's id.", example: demoId("event_delivery", 1) }),
    event_id: idOut.openapi({
      description: "The event's id, which the receiver gets as `webhook-id` with each try.",
      example: demoId("activity_log", 8),
    }),
    event_type: z.string().openapi({ description: "The event's type.", example: "order.placed" }),
    sequence: int64
      .nullable()
      .openapi({ description: "The event's place in the stream; null for a test.", example: 1042 }),
    status: z.enum(deliveryStatuses).openapi("EventDeliveryStatus", {
      description:
        "PENDING: to be tried; DELIVERED: accepted; FAILED: ten tries failed; CANCELLED: the endpoint was disabled or deleted first.",
    }),
    attempt_count: z
      .int()
      .openapi({ description: "How many tries were made; a resend begins anew.", example: 1 }),
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
    last_duration_ms: z.int().nullable().openapi({
      description: "How long the last try took, in milliseconds; null before the first.",
      example: 120,
    }),
    created_at: instant.openapi({ description: "When the event came to be, in real time." }),
    delivered_at: instant
      .nullable()
      .openapi({ description: "When the endpoint last accepted it; null if never." }),
  })
  .openapi("EventDelivery");

export const DeliveryData = dataOf(DeliveryBody, "EventDeliveryData", "The delivery.");
export const DeliveryList = listOf(DeliveryBody, "EventDeliveryList");
export const DeliveryQuery = z.strictObject({
  ...pageQuery,
  status: queryList(deliveryStatuses).optional(),
});

export const Recovery = named("Recovery", z.strictObject({ since: instantIn }), {
  since: [
    "Events since then, in the account's own time, are sent: a date-time with an offset, at most 30 days ago.",
    "2026-11-20T12:00:00.000Z",
  ],
});
const RecoveryStarted = named("RecoveryStarted", z.strictObject({ since: instant }), {
  since: ["Events since then are being sent: UTC.", "2026-11-20T12:00:00.000Z"],
});
export const RecoveryData = dataOf(RecoveryStarted, "RecoveryData", "The recovery that has begun.");

const endpointId = idInPath("id", "webhook endpoint", demoId("webhook_endpoint", 1));
export const endpointParams = z.object({ id: endpointId });
export const deliveryParams = z.object({
  id: endpointId,
  deliveryId: idInPath("deliveryId", "delivery", demoId("event_delivery", 1)),
});

export type NewEndpoint = z.output<typeof EndpointCreate>;
export type EndpointChanges = z.output<typeof EndpointUpdate>;
