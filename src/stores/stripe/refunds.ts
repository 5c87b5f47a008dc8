import type Stripe from "stripe";
import { z } from "zod";
import type { ListedRefund, Refund, RefundPage, StoreRefund } from "../port/refunds.ts";
import { StoreRefusalError } from "../port.ts";
import { minorOf, toStripeAmount } from "./amounts.ts";
import { StoredFailureError } from "./client.ts";
import type { AskStripe, SentParams } from "./request.ts";
import { instantIn, pageOf, parseResponse, secondsOf, timeSchema } from "./responses.ts";

/**
 * Pays back part of a charge: https://docs.stripe.com/api/refunds/create. A refund pays at once, so that one whose answer was lost is looked
 * for among all of the charge before it is made: Stripe forgets keys after a day, and a key that has failed is no refund.
 */
export async function makeRefund(ask: AskStripe, refund: Refund): Promise<StoreRefund> {
  const { key, reference, amount, currency_code, reason } = refund;
  const made = (await listRefunds(ask, reference)).find((one) => one.key === key);
  if (made) return made;
  const params: SentParams<Stripe.RefundCreateParams> = {
    payment_intent: reference,
    amount: toStripeAmount(amount, currency_code),
    metadata: { key, ...(reason === null ? {} : { reason: reason.slice(0, longestValue) }) },
  };
  const request = { method: "POST", path: "/v1/refunds", params, key: `refund:${key}` } as const;
  const answer = await ask(request).catch((error) => {
    throw isStoredRefusal(error) ? new StoreRefusalError(error.message) : error;
  });
  return refundOf(parseResponse(refundSchema, answer));
}

/** An earlier request with the key was refused: nothing was paid back under it. */
function isStoredRefusal(error: unknown): error is StoredFailureError {
  return error instanceof StoredFailureError && error.status < 500;
}

/** All refunds of a charge, oldest first. */
export async function listRefunds(ask: AskStripe, reference: string): Promise<StoreRefund[]> {
  const found: z.output<typeof refundSchema>[] = [];
  for (;;) {
    const params: SentParams<Stripe.RefundListParams> = {
      payment_intent: reference,
      limit: 100,
      starting_after: found.at(-1)?.id,
    };
    const answer = await ask({ method: "GET", path: "/v1/refunds", params });
    const { data, has_more } = parseResponse(pageOf(refundSchema), answer);
    found.push(...data);
    if (!has_more || data.length === 0) return found.toReversed().map(refundOf);
  }
}

/** A page of the refunds of an account's charges, the newest first; those of other charges at Stripe are left out. */
export async function listRefundsSince(
  { ask, accountId }: { ask: AskStripe; accountId: string },
  { since, after }: RefundPage,
): Promise<{ refunds: ListedRefund[]; next: string | null }> {
  const params: SentParams<Stripe.RefundListParams> = {
    created: { gte: secondsOf(since) },
    limit: 100,
    starting_after: after ?? undefined,
    expand: ["data.payment_intent"],
  };
  const answer = await ask({ method: "GET", path: "/v1/refunds", params });
  const { data, has_more } = parseResponse(pageOf(listedSchema), answer);
  const refunds = data.flatMap(({ id, status, payment_intent: intent }) =>
    intent?.metadata.account_id === accountId
      ? [{ reference: id, charge_reference: intent.id, status: statusOf(status) }]
      : [],
  );
  return { refunds, next: has_more ? (data.at(-1)?.id ?? null) : null };
}

/** The longest value of metadata: https://docs.stripe.com/api/metadata */
const longestValue = 500;

const refundSchema = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullable(),
  reason: z.string().nullable(),
  created: timeSchema,
  metadata: z.record(z.string(), z.string()).nullable(),
});

const listedSchema = z.object({
  id: z.string(),
  status: z.string().nullable(),
  payment_intent: z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) }).nullable(),
});

/** The states of a refund: https://docs.stripe.com/api/refunds/object#refund_object-status */
const statuses = new Map<string | null, StoreRefund["status"]>([
  ["succeeded", "SUCCEEDED"],
  ["failed", "FAILED"],
  ["canceled", "FAILED"],
]);

function statusOf(status: string | null): StoreRefund["status"] {
  return statuses.get(status) ?? "PENDING";
}

function refundOf({
  id,
  amount,
  currency,
  status,
  reason,
  created,
  metadata,
}: z.output<typeof refundSchema>): StoreRefund {
  return {
    reference: id,
    key: metadata?.key ?? null,
    amount: minorOf(amount, currency.toUpperCase()),
    status: statusOf(status),
    reason: metadata?.reason ?? reason,
    created_at: instantIn(created),
  };
}
