import type Stripe from "stripe";
import { newId } from "../../base/lib/ids.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import {
  type Charge,
  type ChargeAnswer,
  type Failure,
  type KnownCharge,
  StoreRefusalError,
  UnknownOutcomeError,
} from "../port.ts";
import { toStripeAmount, whyNotChargeable } from "./amounts.ts";
import { findIntent } from "./find-intent.ts";
import { cancelIntent, expand, pathOf, readIntent } from "./intent-requests.ts";
import {
  type Cancellation,
  cancellations,
  type Intent,
  intentSchema,
  interpretIntent,
  isChallenge,
  isLate,
  isPayable,
  isReplaced,
} from "./intents.ts";
import { classifyRefusal, isUntold, refusalAnswer, refusesAccount } from "./refusals.ts";
import { type AskStripe, createOnce, type SentParams } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** The access to an account at Stripe that a charge needs, and what its answer needs besides. */
export type Charging = {
  ask: AskStripe;
  accountId: string;
  realNow: Instant;
  /** The customer at Stripe to whom a contract belongs. */
  findCustomer: (contractId: number) => Promise<string | null>;
  /** The number of an order, which Stripe has none of. */
  numberOrder: (storeOrderId: string) => Promise<string>;
  /** The page on which the customer confirms the payment of an attempt. */
  confirmationUrlOf: (attemptId: string) => string;
};

/**
 * Charges in two steps. An intent is created, which asks nobody for money; its id is noted; and only then it is confirmed. So a lost
 * answer is found by the id for ever, and an intent is charged once, however often it is confirmed. An intent that was created before, and
 * is not noted, has the key in its metadata: it takes the place of a new one.
 */
export function makeCharge(to: Charging, charge: Charge): Promise<ChargeAnswer> {
  return chargeInSteps(to, charge).catch((error) => {
    if (!(error instanceof StoreRefusalError)) throw error;
    if (!isUntold(charge)) throw new UnknownOutcomeError(error.message);
    return refusalAnswer(charge.key, classifyRefusal(error));
  });
}

async function chargeInSteps(to: Charging, charge: Charge): Promise<ChargeAnswer> {
  const customer = await to.findCustomer(charge.store_contract_id);
  const found = await findIntent(to, charge, async () => customer);
  if (charge.amount === 0)
    return (found && (await answerEarlier(to, found, charge))) ?? answerFree(to, charge);
  const request = requestOf(to, charge, customer);
  let intent = found;
  if (intent?.status === "requires_confirmation" && !isAsRequested(intent, request))
    intent = await cancelIntent(to.ask, intent, cancellations.replaced);
  if (intent && intent.status !== "requires_confirmation" && !isReplaced(intent))
    return requireAnswer(await settle(to, intent, charge));
  const why = whyNotChargeable(charge.amount, charge.currency_code) ?? whyUnpayable(request);
  if (why) return refusalAnswer(charge.key, why);
  if (!intent || isReplaced(intent)) {
    const created = await createIntent(to.ask, request, intent);
    if ("outcome" in created) return created;
    intent = created;
  }
  if (intent.id !== charge.reference) await charge.noteReference(intent.id);
  return confirmIntent(to, intent, charge);
}

/** The answer about an intent, by its id or by the key. One that was not confirmed has not reached Stripe. */
export async function findCharge(to: Charging, charge: KnownCharge): Promise<ChargeAnswer | undefined> {
  if (charge.reference?.startsWith(freePrefix))
    return { outcome: "succeeded_without_order", reference: charge.reference, paid: null };
  const intent = await findStanding(to, charge);
  return intent && settle(to, intent, charge);
}

/** Cancels an intent that waits for its customer, who pays in another way. */
export async function withdrawCharge(to: Charging, charge: KnownCharge): Promise<ChargeAnswer | undefined> {
  const intent = await findStanding(to, charge);
  return intent && cancelCharge(to, intent, charge, cancellations.withdrawn);
}

/**
 * Cancels an intent that nobody here waits for: the one of this id, whichever has taken its place. A challenge leaves its key to another one,
 * and a decline stays what the key has come to.
 */
export async function endCharge(to: Charging, charge: KnownCharge): Promise<ChargeAnswer | undefined> {
  const { reference } = charge;
  const intent = await (reference === null ? findStanding(to, charge) : readIntent(to.ask, reference));
  return intent && cancelCharge(to, intent, charge, cancellations.replaced);
}

/** Cancels a challenge for this reason, and whatever has failed, and returns the answer about it. */
async function cancelCharge(
  to: Charging,
  intent: Intent,
  charge: KnownCharge,
  reason: Cancellation,
): Promise<ChargeAnswer | undefined> {
  const closed = isChallenge(intent) ? await cancelIntent(to.ask, intent, reason) : intent;
  return settle(to, closed, charge);
}

const freePrefix = "free-";

/**
 * A charge of nothing may have had a price once, which a restored database has lost: what its customer has paid or pays for it counts, and an
 * intent that they could still pay is canceled.
 */
async function answerEarlier(
  to: Charging,
  intent: Intent,
  charge: Charge,
): Promise<ChargeAnswer | undefined> {
  const isOpen = isPayable(intent) || intent.status === "requires_confirmation";
  const ended = isOpen ? await cancelIntent(to.ask, intent, cancellations.replaced) : intent;
  return ended.status === "canceled" ? undefined : requireAnswer(await settle(to, ended, charge));
}

/** A charge of nothing asks for no payment, which Stripe would refuse to make. */
async function answerFree(to: Charging, { key, currency_code }: Charge): Promise<ChargeAnswer> {
  const reference = `${freePrefix}${key}`;
  return {
    outcome: "succeeded",
    reference,
    store_order_id: reference,
    store_order_number: await to.numberOrder(reference),
    amount: 0,
    tax_amount: 0,
    fees_amount: 0,
    currency_code,
  };
}

type IntentRequest = {
  amount: number;
  currency: string;
  customer: string | null;
  payment_method: string | null;
  metadata: Record<"key" | "account_id" | "subscription_id" | "billing_attempt_id", string>;
};

function requestOf({ accountId }: Charging, charge: Charge, customer: string | null): IntentRequest {
  const { key, amount, currency_code, subscription_id, attempt_id } = charge;
  return {
    amount: toStripeAmount(amount, currency_code),
    currency: currency_code.toLowerCase(),
    customer,
    payment_method: charge.store_payment_method_id,
    metadata: { key, account_id: accountId, subscription_id, billing_attempt_id: attempt_id },
  };
}

/** An attempt that was withdrawn before it was confirmed leaves its key, and its intent, to one with other figures. */
function isAsRequested(intent: Intent, request: IntentRequest): boolean {
  return (["amount", "currency", "customer", "payment_method"] as const).every(
    (name) => intent[name] === request[name],
  );
}

function whyUnpayable({ customer, payment_method }: IntentRequest): Failure | undefined {
  if (customer !== null && payment_method !== null) return undefined;
  return {
    failure: "customer",
    code: "payment_method_not_found",
    message: "The customer has no payment method at Stripe",
    isFinal: true,
    isRefused: true,
  };
}

/** An intent that charges nothing yet. `replaced` is the one whose place it takes, and whose creation the key stands for. */
async function createIntent(
  ask: AskStripe,
  request: IntentRequest,
  replaced: Intent | undefined,
): Promise<Intent | ChargeAnswer> {
  const { key } = request.metadata;
  const { customer, payment_method, ...rest } = request;
  const who = { customer: customer ?? undefined, payment_method: payment_method ?? undefined };
  const params: SentParams<Stripe.PaymentIntentCreateParams> = {
    ...rest,
    ...who,
    automatic_payment_methods: { enabled: true },
    expand,
  };
  const path = "/v1/payment_intents";
  try {
    const created = await createOnce(ask, {
      path,
      params,
      key: replaced ? `${key}:${replaced.id}` : key,
    });
    return parseResponse(intentSchema, created);
  } catch (error) {
    if (!(error instanceof StoreRefusalError)) throw error;
    return refusalAnswer(key, classifyRefusal(error));
  }
}

/**
 * Confirms an intent, which nobody may have confirmed before: so each try has a key of its own, and the answer that Stripe stores for it
 * holds up no other. A refusal leaves open what has become of the intent.
 */
async function confirmIntent(to: Charging, intent: Intent, charge: Charge): Promise<ChargeAnswer> {
  const params: SentParams<Stripe.PaymentIntentConfirmParams> = {
    off_session: true,
    return_url: to.confirmationUrlOf(charge.attempt_id),
    expand,
  };
  const path = `${pathOf(intent)}/confirm`;
  try {
    const confirmed = await to.ask({ method: "POST", path, params, key: `${intent.id}:${newId()}` });
    return requireAnswer(await settle(to, parseResponse(intentSchema, confirmed), charge));
  } catch (error) {
    if (!(error instanceof StoreRefusalError)) throw error;
    return answerRefused(to, intent, charge, error);
  }
}

/**
 * A refusal to confirm has mostly left a decline, or the charge of somebody who was faster. Else the intent is given up. Where the
 * merchant is the cause, another takes its place under the same key; one that Stripe does not cancel stays, since it asks nobody for money.
 */
async function answerRefused(
  to: Charging,
  intent: Intent,
  charge: Charge,
  refusal: StoreRefusalError,
): Promise<ChargeAnswer> {
  const failure = classifyRefusal(refusal);
  if (refusesAccount(refusal) && isUntold(charge)) return refusalAnswer(intent.id, failure);
  const now = await readIntent(to.ask, intent.id);
  if (now.status !== "requires_confirmation") return requireAnswer(await settle(to, now, charge));
  const isRefused = failure.failure === "merchant";
  const closed = isRefused ? await replaceIntent(to.ask, now) : await cancelIntent(to.ask, now);
  return closed.status === "canceled" || (isRefused && closed.status === now.status)
    ? refusalAnswer(intent.id, { ...failure, isRefused })
    : requireAnswer(await settle(to, closed, charge));
}

/** The intent, canceled if Stripe does that. */
function replaceIntent(ask: AskStripe, intent: Intent): Promise<Intent> {
  return cancelIntent(ask, intent, cancellations.replaced).catch((error) => {
    if (error instanceof UnknownOutcomeError) return intent;
    throw error;
  });
}

/**
 * The answer about an intent. One that has failed is canceled before it is called so, as its customer could confirm it later with another
 * card; where they have just done that, the cancellation fails, and the answer is another.
 */
async function settle(
  to: Charging,
  intent: Intent,
  charge: Pick<KnownCharge, "attempt_id">,
): Promise<ChargeAnswer | undefined> {
  if (isChallenge(intent) && isLate(intent, to.realNow))
    return settle(to, await cancelIntent(to.ask, intent, cancellations.abandoned), charge);
  const answer = interpretIntent(intent, to.confirmationUrlOf(charge.attempt_id));
  if (answer?.outcome === "succeeded")
    return { ...answer, store_order_number: await to.numberOrder(answer.store_order_id) };
  if (answer?.outcome !== "declined" || intent.status === "canceled") return answer;
  const closed = await cancelIntent(to.ask, intent);
  return closed.status === "canceled" ? answer : settle(to, closed, charge);
}

function requireAnswer(answer: ChargeAnswer | undefined): ChargeAnswer {
  if (answer) return answer;
  throw new UnknownOutcomeError("Stripe has not confirmed the payment");
}

/** The intent that stands for a charge. One that was replaced, and has no successor yet, says nothing about its key. */
async function findStanding(to: Charging, charge: KnownCharge): Promise<Intent | undefined> {
  const intent = await findIntent(to, charge, () => to.findCustomer(charge.store_contract_id));
  return intent && isReplaced(intent) ? undefined : intent;
}
