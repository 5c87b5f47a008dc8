/** A payment at Stripe that its issuer questions waits for the customer, and is canceled after three days. */
import { describe, expect, test, vi } from "vitest";
import { outcomes } from "../../support/fake-stripe.ts";
import { read } from "../../support/shops.ts";
import { setClock } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { apiOf } from "./api.ts";
import { expectChargedOnce, intentsOf, newestOf, settled, shipped } from "./charging.ts";

const account = useAccount();
const hourMs = 3_600_000;

const withChallenge = () =>
  subscribed({
    ...account,
    card: account.stripe.addPaymentMethod(account.customer, "pm_card_authenticationRequired").id,
  });

describe("an issuer that asks for the customer", () => {
  test("is no decline: the payment waits for them on a page of the shop's portal", async () => {
    const id = await withChallenge();
    await shipped(account, id);
    const attempt = await newestOf(account, id);
    const { shop } = account.merchant.of.account;
    expect(attempt).toMatchObject({ status: "ACTION_REQUIRED" });
    expect(attempt.next_action_url).toMatch(new RegExp(`/portal/${shop}/pay/${attempt.id}$`));
    expect(intentsOf(account, id)).toMatchObject([
      { status: "requires_payment_method", last_payment_error: { code: "authentication_required" } },
    ]);
    expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: false });
  });

  test("gets the confirmation, and the payment is recorded", async () => {
    const id = await withChallenge();
    await shipped(account, id);
    const [intent] = intentsOf(account, id);
    const card = account.stripe.addPaymentMethod(account.customer).id;
    await apiOf(account.stripe).post(`payment_intents/${intent!.id}/confirm`, {
      payment_method: card,
      return_url: "https://shop.example",
    });
    await settled(account);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
    await expectChargedOnce(account, id);
  });

  test("is not asked any more after three days: the intent is canceled first", async () => {
    const id = await withChallenge();
    await shipped(account, id);
    setClock(Date.now() + 73 * hourMs);
    await account.worker.tick();
    vi.useRealTimers();
    expect(await newestOf(account, id)).toMatchObject({
      status: "FAILED",
      error_code: "authentication_expired",
    });
    expect(intentsOf(account, id)).toMatchObject([{ status: "canceled", cancellation_reason: "abandoned" }]);
  });

  test("is left alone once the customer pays in another way: the intent is withdrawn, and the next one pays", async () => {
    const id = await withChallenge();
    await shipped(account, id);
    const card = account.stripe.addPaymentMethod(account.customer).id;
    const change = await account.worker.call(
      account.merchant.api,
      "PUT",
      `/api/subscriptions/${id}/payment-method`,
      { body: { store_payment_method_id: card } },
    );
    expect(change.status).toBe(200);
    await account.worker.drain();
    await settled(account);
    expect(intentsOf(account, id).map(({ status }) => status)).toEqual(["canceled", "succeeded"]);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 2 });
    await expectChargedOnce(account, id);
  });

  test("may leave the intent waiting for its customer at Stripe, too", async () => {
    const id = await subscribed(account);
    account.stripe.nextOutcomes(outcomes.challenge(outcomes.success, { evenOffSession: true }));
    await shipped(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "ACTION_REQUIRED" });
    account.stripe.confirmAs(intentsOf(account, id)[0]!.id);
    await settled(account);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
  });

  test("has declined it where the customer fails to authenticate", async () => {
    const id = await subscribed(account);
    account.stripe.nextOutcomes(outcomes.challenge(outcomes.success, { evenOffSession: true }));
    await shipped(account, id);
    account.stripe.failAuthentication(intentsOf(account, id)[0]!.id);
    await settled(account);
    expect(await newestOf(account, id)).toMatchObject({
      status: "FAILED",
      error_code: "payment_intent_authentication_failure",
    });
    expect(intentsOf(account, id)).toMatchObject([{ status: "canceled" }]);
  });
});
