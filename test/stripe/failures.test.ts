import { describe, expect, test } from "vitest";
import {
  classifyFailure,
  declineClasses,
  errorClasses,
  merchantCodes,
} from "../../src/stores/stripe/declines.ts";
import type { Consequence } from "../shopify/stated-consequences.ts";
import { outcomes } from "../support/fake-stripe.ts";
import { read } from "../support/shops.ts";
import { attemptsOf, episodesOf, shipNow } from "../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { statedConsequences, statedOfErrors } from "./stated-consequences.ts";

const account = useAccount();

async function shipped(id: string): Promise<void> {
  const { status, text } = await shipNow(account.merchant, account.worker, id, { allow_repeat: true });
  if (status !== 200) throw new Error(text);
  await account.worker.drain();
}

/** The state that a failed payment has left. */
async function stateOf(id: string): Promise<[unknown, string[]]> {
  const { billing_blocked_reason } = await read(account.merchant, id);
  return [
    billing_blocked_reason,
    (await episodesOf(account.merchant, id)).map((episode) => episode.status as string),
  ];
}

function stateAfter(consequence: Consequence, code: string): [unknown, string[]] {
  if (consequence === "waits for others") return [code, []];
  return [null, [consequence === "tries again" ? "OPEN" : "AWAITING_CUSTOMER"]];
}

test("every code that is stated has a class, and no other", () => {
  expect(Object.keys(declineClasses).toSorted()).toEqual(Object.keys(statedConsequences).toSorted());
  const others = [...Object.keys(errorClasses), ...merchantCodes].filter(
    (code) => !Object.hasOwn(statedConsequences, code) && code !== "invalid_request_error",
  );
  expect(others.toSorted()).toEqual(Object.values(statedOfErrors).flat().toSorted());
});

/** The customer is asked for an authentication, which is no decline (challenges.test.ts). */
const declines = Object.entries(statedConsequences).filter(([code]) => code !== "authentication_required");

test.each(declines.map(([code, [consequence, says]]) => [code, consequence, says] as const))(
  "a payment that is declined with %s: the subscription %s, as Stripe says: %s",
  async (code, consequence) => {
    const id = await subscribed(account);
    account.stripe.nextOutcomes(outcomes.decline(code));
    await shipped(id);
    expect(await attemptsOf(account.merchant, id)).toMatchObject([
      { status: "FAILED", error_code: code, attempt_number: 1 },
    ]);
    expect(await stateOf(id)).toEqual(stateAfter(consequence, code));
    expect(account.stripe.intents()).toMatchObject([{ status: "canceled" }]);
  },
);

const errors = (["tries again", "waits for the customer"] as const).flatMap((consequence) =>
  statedOfErrors[consequence]
    .filter((code) => code !== "card_declined" && code !== "resource_missing")
    .map((code) => [code, consequence] as const),
);

test.each(errors)("a payment that fails with %s: the subscription %s", async (code, consequence) => {
  const id = await subscribed(account);
  account.stripe.nextOutcomes(outcomes.failure(code));
  await shipped(id);
  expect(await stateOf(id)).toEqual(stateAfter(consequence, code));
});

describe("a failure that Stripe's own codes do not settle", () => {
  test.each(statedOfErrors["waits for others"])("%s is the merchant's, and never final", (code) => {
    expect(classifyFailure({ code }, true)).toMatchObject({
      failure: "merchant",
      isFinal: false,
      isRefused: true,
    });
  });

  test("an error without a code is the request's", () => {
    expect(classifyFailure({ code: "invalid_request_error" }, true).failure).toBe("merchant");
  });

  test("a code that nobody has published is declined, and tried again", () => {
    expect(classifyFailure({ code: "card_declined", decline_code: "constructor" }, false)).toMatchObject({
      failure: "customer",
      isFinal: false,
      code: "constructor",
    });
  });

  test("the issuer's advice not to try again is final, whatever the reason was", async () => {
    const id = await subscribed(account);
    account.stripe.nextOutcomes(outcomes.decline("generic_decline", { advice_code: "do_not_try_again" }));
    await shipped(id);
    expect(await stateOf(id)).toEqual([null, ["AWAITING_CUSTOMER"]]);
  });
});
