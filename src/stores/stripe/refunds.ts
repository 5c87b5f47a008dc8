import type Stripe from "stripe";
import { z } from "zod";
import type { Refund, StoreRefund } from "../port/refunds.ts";
import { StoreRefusalError } from "../port.ts";
import { minorOf, toStripeAmount } from "./amounts.ts";
import { StoredFailureError } from "./client.ts";
import type { Ask, Sent } from "./request.ts";
import { instantIn, pageOf, parseResponse, timeSchema } from "./responses.ts";

/**
 * Pays back part of a charge: https://docs.stripe.com/api/refunds/create. A refund pays at once, so that one whose answer was lost is looked
 * for among all of the charge before it is made: Stripe forgets keys after a day, and a key that has failed is no refund.
 */
export async function makeRefund(ask: Ask, refund: Refund): Promise<StoreRefund> {
  const { key, reference, amount, currency_code, reason } = refund;
  const made = (await listRefunds(ask, reference)).find((one) => one.key === key);
  if (made) return made;
  const params: Sent<Stripe.RefundCreateParams> = {
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
export async function listRefunds(ask: Ask, reference: string): Promise<StoreRefund[]> {
  const found: z.output<typeof refundSchema>[] = [];
  for (;;) {
    const params: Sent<Stripe.RefundListParams> = {
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

/** The states of a refund: https://docs.stripe.com/api/refunds/object#refund_object-status */
const statuses = new Map<string | null, StoreRefund["status"]>([
  ["succeeded", "SUCCEEDED"],
  ["failed", "FAILED"],
  ["canceled", "FAILED"],
]);

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
    status: statuses.get(status) ?? "PENDING",
    reason: metadata?.reason ?? reason,
    created_at: instantIn(created),
  };
}
