import { z } from "@hono/zod-openapi";
import { type EventType, integrationPrefix, ownEventTypes } from "../../base/event-types.ts";
import { instant, orNull } from "../../kit/http/document/params.ts";
import { DeclarationBody } from "../declarations/schemas.ts";
import { eventFields } from "../events/schemas.ts";
import { JobBody } from "../merchant-jobs/schemas.ts";
import { OrderBody } from "../orders/schemas.ts";
import { ProfileBody } from "../profiles/schemas.ts";
import { StaffBody } from "../staff/schemas.ts";
import { SubscriptionBody } from "../subscriptions/schemas.ts";
import { exampleOf } from "./event-examples.ts";
import { eventMeanings } from "./event-meanings.ts";
import { testType } from "./outbox.ts";

/** The body of each type of event, as endpoints receive it. */
type WebhookDescription = { type: string; summary: string; schema: z.ZodType; example?: object };

const objectText =
  "The record as its GET answers it when the event is sent; null if it is gone. Endpoints with `payload: thin` do not receive it.";

function eventWith<Body extends z.ZodType>(object: Body, name: string) {
  return z
    .strictObject({ ...eventFields, object: orNull(object).optional().openapi({ description: objectText }) })
    .openapi(name);
}

const subscriptionEvent = eventWith(SubscriptionBody, "SubscriptionEvent");
const orderEvent = eventWith(OrderBody, "OrderEvent");
const jobEvent = eventWith(JobBody, "JobEvent");
const staffEvent = eventWith(StaffBody, "StaffEvent");
const declarationEvent = eventWith(DeclarationBody, "DeclarationEvent");
const profileEvent = eventWith(ProfileBody, "ProfileEvent");
const plainEvent = z.strictObject(eventFields).openapi("PlainEvent");
const integrationEvent = z
  .strictObject({
    ...eventFields,
    object: z.union([SubscriptionBody, OrderBody, z.null()]).optional().openapi({ description: objectText }),
  })
  .openapi("IntegrationEvent");
const LoginLink = z
  .strictObject({
    url: z.string().openapi({
      description: "Opens the portal once. Send it to this customer alone.",
      example: "https://api.example.com/portal/demo-store.myshopify.com/enter?token=EXAMPLE",
    }),
    expires_at: instant.openapi({ description: "15 minutes after this try was sent." }),
  })
  .openapi("LoginLink");
const portalEvent = z
  .strictObject({
    ...eventFields,
    object: orNull(LoginLink).optional().openapi({
      description:
        "A link that signs the customer in, made anew for each try and for thin endpoints too; null where the portal is off or the customer is gone.",
    }),
  })
  .openapi("PortalEvent");
const testEvent = z
  .strictObject({
    ...eventFields,
    sequence: z.null().openapi({ description: "Null: a test has no place in the stream.", example: null }),
  })
  .openapi("TestEvent");

/** By the part of a type before the dot. */
const bodies: Record<string, z.ZodType> = {
  subscription: subscriptionEvent,
  billing: subscriptionEvent,
  dunning: subscriptionEvent,
  order: orderEvent,
  profile: profileEvent,
  declaration: declarationEvent,
  payment_method: profileEvent,
  portal: portalEvent,
  account: plainEvent,
  api_key: plainEvent,
  staff: staffEvent,
  job: jobEvent,
};

const timestamp = instant
  .clone()
  .openapi("EventTimestamp", { description: "When the event happened, in the account's own time." });

function envelope(type: z.ZodType, data: z.ZodType) {
  return z.strictObject({
    type: type.openapi({ description: "The event's type." }),
    timestamp,
    data,
  });
}

function describe(type: EventType): WebhookDescription {
  const [kind = ""] = type.split(".");
  const schema = envelope(z.literal(type), bodies[kind] ?? plainEvent);
  return { type, summary: eventMeanings[type], schema, example: exampleOf(type) };
}

/** Every type of event that an endpoint can receive, in the order of the documentation. */
export const webhookDescriptions: WebhookDescription[] = [
  ...ownEventTypes.map(describe),
  {
    type: `${integrationPrefix}*`,
    summary: "An integration's own event.",
    schema: envelope(z.string(), integrationEvent),
  },
  {
    type: testType,
    summary: "A test, by `POST /api/webhook-endpoints/{id}/test`.",
    schema: envelope(z.literal(testType), testEvent),
  },
];
