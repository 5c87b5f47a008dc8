import type Stripe from "stripe";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import { type KnownCharge, UnknownOutcomeError } from "../port.ts";
import { readIntent } from "./intent-requests.ts";
import { type Intent, intentSchema, isReplaced } from "./intents.ts";
import type { AskStripe, SentParams } from "./request.ts";
import { pageOf, parseResponse, secondsOf } from "./responses.ts";

/**
 * The intent of a charge: by its id, or else the one of the customer that has the key. A restored database has noted the id of one that was
 * replaced since, so that its successor is looked for by the key, too.
 */
export async function findIntent(
  to: Asking,
  { key, reference }: Pick<KnownCharge, "key" | "reference">,
  findCustomer: () => Promise<string | null>,
): Promise<Intent | undefined> {
  const noted = reference === null ? undefined : await readIntent(to.ask, reference);
  if (noted && !isReplaced(noted)) return noted;
  const customer = await findCustomer();
  return (customer === null ? undefined : await findByKey(to, key, customer)) ?? noted;
}

type Asking = { ask: AskStripe; realNow: Instant };

async function findByKey(
  { ask, realNow }: Asking,
  key: string,
  customer: string,
): Promise<Intent | undefined> {
  const created = { gte: secondsOf(later(realNow, -longestLostMs)) };
  const found: Intent[] = [];
  for (let page = 1, starting_after: string | undefined; page <= mostPages; page++) {
    const params: SentParams<Stripe.PaymentIntentListParams> = {
      ...{ customer, created, limit: 100, starting_after },
      expand: ["data.latest_charge"],
    };
    const answer = await ask({ method: "GET", path: "/v1/payment_intents", params });
    const { data, has_more } = parseResponse(listSchema, answer);
    found.push(...data.filter(({ metadata }) => metadata.key === key));
    starting_after = data.at(-1)?.id;
    if (!has_more || starting_after === undefined) return mostAdvanced(found);
  }
  throw new UnknownOutcomeError("The customer has more payments at Stripe than can be read");
}

/** A restored database has lost what was noted since: it goes back thirty days at most, and a charge may be some days older. */
const longestLostMs = 35 * dayMs;
const mostPages = 20;
const listSchema = pageOf(intentSchema);

/**
 * Among several intents under one key at most one was ever confirmed: the others were created by requests whose answer was lost, or have
 * been replaced.
 */
function mostAdvanced(intents: Intent[]): Intent | undefined {
  const rank = (intent: Intent): number =>
    isReplaced(intent) ? 0 : intent.status === "requires_confirmation" ? 1 : 2;
  const isPaid = ({ status }: Intent): number => (status === "succeeded" ? 1 : 0);
  return intents.toSorted((one, other) => isPaid(other) - isPaid(one) || rank(other) - rank(one))[0];
}
