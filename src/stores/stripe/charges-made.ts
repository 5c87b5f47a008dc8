import type Stripe from "stripe";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { ChargePage, MadeCharge } from "../port.ts";
import { type Intent, intentSchema, isPayable } from "./intents.ts";
import { type AskStripe, readIfAny, type SentParams } from "./request.ts";
import { instantIn, pageOf, parseResponse, secondsOf } from "./responses.ts";

type Listing = { ask: AskStripe; accountId: string; realNow: Instant };

/**
 * The charges of a window of time, made or under way, oldest first. Stripe lists the newest first, so the window is halved until one page holds all of it; it
 * grows again after one that is almost empty. Where a page ends is the end of its window, and how wide that was.
 */
export async function listCharges(
  { ask, accountId, realNow }: Listing,
  { since, after }: ChargePage,
): Promise<{ charges: MadeCharge[]; next: string | null }> {
  const [from = since, earlierWidth] = after?.split(" ") ?? [];
  const [begin, now] = [secondsOf(from), secondsOf(realNow) + 1];
  let width = Math.max(1, Math.min(Number(earlierWidth ?? now - begin), now - begin));
  let page = await listIntents(ask, begin, begin + width);
  while (page.has_more && width > 1) {
    width = Math.floor(width / 2);
    page = await listIntents(ask, begin, begin + width);
  }
  const intents = page.has_more ? await listSecond(ask, begin, page.data) : page.data;
  const end = begin + width;
  const nextWidth = intents.length < pageSize / 2 ? width * 2 : width;
  return {
    charges: intents.toReversed().flatMap((intent) => madeChargesOf(intent, accountId)),
    next: end >= now ? null : `${instantIn(end)} ${nextWidth}`,
  };
}

/** A charge that has succeeded, by the id of its intent. */
export async function findMadeCharge(
  { ask, accountId }: Pick<Listing, "ask" | "accountId">,
  reference: string,
): Promise<MadeCharge | undefined> {
  const found = await readIfAny(ask, `/v1/payment_intents/${encodeURIComponent(reference)}`);
  const [charge] = found === undefined ? [] : madeChargesOf(parseResponse(intentSchema, found), accountId);
  return charge?.is_pending ? undefined : charge;
}

const pageSize = 100;
const listSchema = pageOf(intentSchema);

async function listIntents(ask: AskStripe, gte: number, lt: number, starting_after?: string) {
  const params: SentParams<Stripe.PaymentIntentListParams> = {
    created: { gte, lt },
    limit: pageSize,
    starting_after,
  };
  return parseResponse(listSchema, await ask({ method: "GET", path: "/v1/payment_intents", params }));
}

/** All of a second that has more than a page: nothing is narrower. */
async function listSecond(ask: AskStripe, begin: number, first: Intent[]): Promise<Intent[]> {
  const intents = [...first];
  for (;;) {
    const { data, has_more } = await listIntents(ask, begin, begin + 1, intents.at(-1)?.id);
    intents.push(...data);
    if (!has_more) return intents;
  }
}

/** A payment that is of anything else at Stripe, or of another account here, is no charge of this account's. */
function madeChargesOf(intent: Intent, accountId: string): MadeCharge[] {
  const { id, status, created, metadata } = intent;
  const { key, account_id, subscription_id = null } = metadata;
  const is_pending = status === "processing" || isPayable(intent);
  if (!(status === "succeeded" || is_pending) || key === undefined || account_id !== accountId) return [];
  return [
    {
      key,
      reference: id,
      created_at: instantIn(created),
      subscription_id,
      store_contract_id: null,
      store_order_id: is_pending ? null : id,
      ...(is_pending ? { is_pending } : {}),
    },
  ];
}
