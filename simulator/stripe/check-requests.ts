import { dayMs, hourMs, secondMs } from "../../src/base/lib/time/durations.ts";
import type { FakeStripe } from "../../test/support/fake-stripe.ts";
import { attemptSeen } from "../accounts/seen.ts";
import { waitsFor } from "../billing/watch-attempts.ts";
import type { World } from "../kernel/world.ts";
import { isChallenge } from "../stores/stripe/charges.ts";
import type { OpenStripe } from "../stores/stripe/opened.ts";
import { stripeOf } from "../stores/stripe/opened.ts";
import type { Received } from "../stores/stripe/received.ts";

/** An intent is noted with its attempt before it is confirmed: so whatever happens then, it is found by its id. */
export function checkNote(world: World, attemptId: string, intentId: string): void {
  const attempt = attemptSeen(world, attemptId);
  if (attempt?.noted_reference !== intentId && attempt?.store_reference !== intentId)
    world.report("an intent is noted before it is confirmed", `${intentId} is not noted`);
}

/**
 * One request creates one intent, however often it is sent: another takes its place only where the terms are others, where the first was
 * canceled for it, or where Stripe repeats a failure or has forgotten the key.
 */
export function checkCreation({ report, clock }: World, { fake, failedCreations }: OpenStripe): void {
  const created = fake.intents().at(-1)!;
  const { key = "" } = created.metadata;
  const same = fake
    .intents()
    .filter(
      (one) =>
        one !== created &&
        one.metadata.key === key &&
        one.amount === created.amount &&
        one.payment_method === created.payment_method &&
        one.cancellation_reason !== "duplicate" &&
        clock - one.created * secondMs < dayMs,
    );
  if (same.length > 0 && !failedCreations.has(key))
    report("an attempt has one intent", `${created.id} beside ${same.map(({ id }) => id).join()}`);
}

/**
 * Somebody who is asked to confirm a payment has 72 hours, unless they pay in another way, or a restore has undone that an attempt waits
 * for them.
 */
export function checkCancellation(world: World, fake: FakeStripe, { intentId, form }: Received): void {
  const { report, clock, restores } = world;
  const intent = fake.intent(intentId);
  const waited = clock - intent.created * secondMs;
  const isWithdrawn = form.includes("cancellation_reason=requested_by_customer");
  const isForgotten = restores > 0 && !waitsFor(world, intentId);
  if (isChallenge(intent) && !isWithdrawn && !isForgotten && waited < challengeMs)
    report("a challenge waits for its customer", `${intentId} is canceled after ${waited / hourMs} hours`);
}

const challengeMs = 72 * hourMs;

/** The store refuses only what nobody can know before: payments, what has changed meanwhile, and what the merchant has paid back there. */
export async function checkAnswer(world: World, what: string, response: Response): Promise<void> {
  const { report } = world;
  if (response.ok || response.status !== 400) {
    if (unexpected.includes(response.status)) report(accepted, `${what}: ${response.status}`);
    return;
  }
  const { error } = (await response.clone().json()) as { error: StripeError };
  if (isPaidBack(error) && stripeOf(world)?.refunds.entries.some(({ key }) => key === null)) return;
  if (error.type !== "idempotency_error" && !expected.includes(error.code ?? ""))
    report(accepted, `${what}: ${JSON.stringify(error)}`);
}

type StripeError = { type: string; code?: string; message?: string };

/** Whether less is left of a charge than is to be paid back. */
function isPaidBack({ code, message = "" }: StripeError): boolean {
  return code === "charge_already_refunded" || message.includes("greater than unrefunded amount");
}

const accepted = "the store accepts every request";
const expected = ["payment_intent_unexpected_state", "account_invalid"];
const unexpected = [401, 403, 404];
