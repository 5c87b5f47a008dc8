import type Stripe from "stripe";
import { z } from "zod";
import type { WebhookKind } from "../../webhooks.ts";

type StripeTopic = {
  kind: WebhookKind;
  /** Which record a webhook is about; undefined for one that is none of ours. Nothing else of it is read, stored or trusted. */
  subjectOf: (object: unknown, accountId: string) => string | undefined;
};

/** The subject is the intent's id and our key of the charge, by which ours are found. Other payments of the merchant have none. */
const attempt: StripeTopic = {
  kind: "attempt",
  subjectOf: (object, accountId) => {
    const { id, metadata } = read(intentSchema, object) ?? {};
    return metadata?.key && metadata.account_id === accountId ? `${id} ${metadata.key}` : undefined;
  },
};

/** The subject is the setup's id and the profile that it was begun for. */
const setup: StripeTopic = {
  kind: "payment_setup",
  subjectOf: (object, accountId) => {
    const { id, metadata } = read(setupSchema, object) ?? {};
    return metadata?.profile_id && metadata.account_id === accountId
      ? `${id} ${metadata.profile_id}`
      : undefined;
  },
};

const paymentMethod: StripeTopic = {
  kind: "payment_method",
  subjectOf: (object) => read(recordSchema("pm|card|src|ba"), object)?.id,
};

/** The subject is the payment that was refunded, a part of it, or all. */
const refund: StripeTopic = {
  kind: "refund",
  subjectOf: (object) => read(refundSchema, object)?.payment_intent,
};

const dispute: StripeTopic = {
  kind: "dispute",
  subjectOf: (object) => read(recordSchema("du|dp"), object)?.id,
};

const customer: StripeTopic = {
  kind: "customer",
  subjectOf: (object) => read(recordSchema("cus"), object)?.id,
};

/**
 * Stripe's types of events (https://docs.stripe.com/api/events/types), and what each calls for: everything that a charge, a payment method or its
 * customer can become without us.
 */
const topicsByType = {
  "payment_intent.succeeded": attempt,
  "payment_intent.payment_failed": attempt,
  "payment_intent.processing": attempt,
  "payment_intent.requires_action": attempt,
  "payment_intent.canceled": attempt,
  "refund.created": refund,
  "refund.updated": refund,
  "refund.failed": refund,
  "charge.dispute.created": dispute,
  "charge.dispute.updated": dispute,
  "charge.dispute.closed": dispute,
  "charge.dispute.funds_withdrawn": dispute,
  "charge.dispute.funds_reinstated": dispute,
  "setup_intent.succeeded": setup,
  "payment_method.attached": paymentMethod,
  "payment_method.updated": paymentMethod,
  "payment_method.automatically_updated": paymentMethod,
  "payment_method.detached": paymentMethod,
  "customer.deleted": customer,
} satisfies Partial<Record<Stripe.WebhookEndpointCreateParams.EnabledEvent, StripeTopic>>;

/** The events that Stripe is to send. */
export const eventTypes = Object.keys(topicsByType) as (keyof typeof topicsByType)[];
export const topics: ReadonlyMap<string, StripeTopic> = new Map(Object.entries(topicsByType));

function recordSchema(prefixes: string) {
  return z.looseObject({ id: z.string().regex(new RegExp(`^(${prefixes})_\\w{1,250}$`)) });
}

const ours = z.object({
  account_id: z.string().optional(),
  key: z.string().min(1).max(255).optional(),
  profile_id: z.string().min(1).max(64).optional(),
});
const intentSchema = recordSchema("pi").extend({ metadata: ours });
const refundSchema = z.object({ payment_intent: recordSchema("pi").shape.id });
const setupSchema = recordSchema("seti").extend({ metadata: ours });

function read<S extends z.ZodType>(schema: S, object: unknown): z.output<S> | undefined {
  return schema.safeParse(object).data;
}
