import type Stripe from "stripe";
import { z } from "zod";
import type { DisputePage, StoreDispute } from "../port/disputes.ts";
import { nearestMinorOf } from "./amounts.ts";
import { type AskStripe, readIfAny, type SentParams } from "./request.ts";
import { instantIn, pageOf, parseResponse, referenceSchema, secondsOf, timeSchema } from "./responses.ts";

/** A dispute by its id: https://docs.stripe.com/api/disputes/retrieve */
export async function findDispute(ask: AskStripe, reference: string): Promise<StoreDispute | undefined> {
  const found = await readIfAny(ask, `/v1/disputes/${encodeURIComponent(reference)}`);
  return found === undefined ? undefined : disputeOf(parseResponse(disputeSchema, found));
}

/** A page of the disputes that were opened since an instant, the newest first: https://docs.stripe.com/api/disputes/list */
export async function listDisputes(
  ask: AskStripe,
  { since, after }: DisputePage,
): Promise<{ disputes: StoreDispute[]; next: string | null }> {
  const params: SentParams<Stripe.DisputeListParams> = {
    created: { gte: secondsOf(since) },
    limit: 100,
    starting_after: after ?? undefined,
  };
  const answer = await ask({ method: "GET", path: "/v1/disputes", params });
  const { data, has_more } = parseResponse(pageOf(disputeSchema), answer);
  return { disputes: data.map(disputeOf), next: has_more ? (data.at(-1)?.id ?? null) : null };
}

const disputeSchema = z.object({
  id: z.string(),
  payment_intent: referenceSchema,
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  created: timeSchema,
});

/**
 * The states of a dispute (https://docs.stripe.com/api/disputes/object#dispute_object-status), without the `warning_` of those of an
 * inquiry. One that Stripe may have added since counts as open: nothing is charged until it is over.
 */
const statuses = new Map<string, StoreDispute["status"]>([
  ["needs_response", "NEEDS_RESPONSE"],
  ["under_review", "UNDER_REVIEW"],
  ["won", "WON"],
  ["lost", "LOST"],
  ["closed", "CLOSED"],
  ["prevented", "PREVENTED"],
]);

const ofInquiry = "warning_";

function disputeOf(found: z.output<typeof disputeSchema>): StoreDispute {
  const currency_code = found.currency.toUpperCase();
  const is_inquiry = found.status.startsWith(ofInquiry);
  const status = is_inquiry ? found.status.slice(ofInquiry.length) : found.status;
  return {
    reference: found.id,
    charge_reference: found.payment_intent,
    amount: nearestMinorOf(found.amount, currency_code),
    currency_code,
    status: statuses.get(status) ?? "UNDER_REVIEW",
    is_inquiry,
    reason: found.reason,
    opened_at: instantIn(found.created),
  };
}
