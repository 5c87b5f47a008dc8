import { z } from "@hono/zod-openapi";
import type { WebhookOperation } from "../../webhooks.ts";

/** An event's type decides which fields of its object are read; others are ignored. */
export const webhookOperation: WebhookOperation = {
  id: "receiveStripeWebhook",
  summary: "Receive a webhook from Stripe",
  description:
    "Only Stripe calls this. `Stripe-Signature` signs the raw body with the secret of the account's webhook endpoint, at most " +
    "five minutes ago; either of two secrets counts while one is replaced. Nothing but the record's id is read from the event: " +
    "a job reads the record from Stripe later, so that repeated, late and reordered events do no harm.",
  success: "The event is stored, now or earlier, or is of a type that is ignored.",
  payload: {
    name: "StripePayload",
    schema: z.looseObject({
      id: z
        .string()
        .min(1)
        .max(255)
        .regex(/^evt_[A-Za-z0-9_]+$/),
      type: z
        .string()
        .max(255)
        .regex(/^[a-z0-9_.]+$/),
      data: z.looseObject({
        object: z
          .looseObject({})
          .openapi({ description: "The record that the event is about, at the time of the event." }),
      }),
    }),
    texts: {
      id: ["The event's id.", "evt_1Example"],
      type: ["The event's type.", "payment_intent.succeeded"],
      data: "The event's data.",
    },
    about: {
      description: "An event of Stripe's.",
      example: {
        id: "evt_1Example",
        type: "payment_intent.succeeded",
        data: { object: { id: "pi_1Example", object: "payment_intent" } },
      },
    },
  },
};
