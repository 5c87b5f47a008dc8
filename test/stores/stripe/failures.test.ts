/** A payment that fails at Stripe has the consequence of its code; stripe-codes.node.test.ts has every code. */
import { expect, test } from "vitest";
import { outcomes } from "../../support/fake-stripe.ts";
import { actionsOf, read } from "../../support/shops.ts";
import { attemptsOf, episodesOf } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { shipped } from "./charging.ts";

const account = useAccount();

/** Each consequence leaves a state of billing and of dunning, and these last entries of the activity feed. */
const consequences = {
  "is tried again": { isBlocked: false, dunning: ["OPEN"], feed: ["billing_failed", "dunning_started"] },
  "waits for the customer": {
    isBlocked: false,
    dunning: ["AWAITING_CUSTOMER"],
    feed: ["billing_failed", "dunning_started"],
  },
  "waits for the merchant": { isBlocked: true, dunning: [], feed: ["billing_failed", "billing_waiting"] },
};

const advised = (code: string) => outcomes.decline(code, { advice_code: "do_not_try_again" });
const declined = (code: string) => outcomes.decline(code);
const failed = (code: string) => outcomes.failure(code);
const failures = [
  ["a temporary reason of the issuer", "insufficient_funds", "is tried again", declined],
  ["a reason that nobody has published", "a_code_of_next_year", "is tried again", declined],
  ["a provider that did not answer", "payment_method_provider_timeout", "is tried again", failed],
  ["an expired card", "expired_card", "waits for the customer", declined],
  ["a suspicion of fraud", "fraudulent", "waits for the customer", declined],
  ["3-D Secure without its customer", "authentication_not_handled", "waits for the customer", declined],
  ["3-D Secure that failed", "payment_intent_authentication_failure", "waits for the customer", failed],
  ["a debit without a mandate", "debit_not_authorized", "waits for the customer", failed],
  ["the issuer's advice not to try again", "generic_decline", "waits for the customer", advised],
  ["a deactivated account of the merchant", "invalid_business_account", "waits for the merchant", declined],
  ["an amount that Stripe does not take", "amount_too_large", "waits for the merchant", failed],
  ["goods that are sold out at Stripe", "out_of_inventory", "waits for the merchant", failed],
] as const;

test.each(failures)("a payment that fails by %s (%s) %s", async (_, code, consequence, outcome) => {
  const id = await subscribed(account);
  account.stripe.nextOutcomes(outcome(code));
  await shipped(account, id);
  const { isBlocked, dunning, feed } = consequences[consequence];
  expect(await attemptsOf(account.merchant, id)).toMatchObject([
    { status: "FAILED", error_code: code, attempt_number: 1 },
  ]);
  expect(await read(account.merchant, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: dunning.length > 0,
    billing_blocked_reason: isBlocked ? code : null,
  });
  expect((await episodesOf(account.merchant, id)).map(({ status }) => status)).toEqual(dunning);
  expect((await actionsOf(id)).slice(-2)).toEqual(feed);
  expect(account.stripe.intents()).toMatchObject([{ status: "canceled" }]);
});
