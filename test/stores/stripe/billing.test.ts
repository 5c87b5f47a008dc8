/** A charge at Stripe is created, noted and then confirmed, and a decline can be confirmed no more. */
import { describe, expect, test, vi } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, ordersOf, shipNow } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";

const account = useAccount();

async function shipped(id: string): Promise<void> {
  const { status, text } = await shipNow(account.merchant, account.worker, id, { allow_repeat: true });
  if (status !== 200) throw new Error(text);
  await account.worker.drain();
}

test("a charge is an intent that is created, noted and then confirmed, and its order has a number of ours", async () => {
  const id = await subscribed(account);
  await shipped(id);
  const [attempt] = await attemptsOf(account.merchant, id);
  const [intent] = account.stripe.intents();
  expect(attempt).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
  expect(intent).toMatchObject({
    status: "succeeded",
    amount: 2000,
    currency: "eur",
    customer: account.customer,
    payment_method: account.card,
    metadata: {
      account_id: account.merchant.of.account.id,
      subscription_id: id,
      billing_attempt_id: attempt.id,
    },
  });
  expect(await ordersOf(account.merchant, id)).toMatchObject([
    { store_order_id: intent!.id, store_order_number: "#1", total: 20, status: "PAID" },
  ]);
  expect(account.stripe.requests.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(["payment_intents.list", "payment_intents.create", "payment_intents.confirm"]),
  );
});

test("a card that is declined opens an episode, and its intent can be confirmed no more", async () => {
  const card = account.stripe.addPaymentMethod(account.customer, "pm_card_chargeCustomerFail").id;
  const id = await subscribed({ ...account, card });
  await shipped(id);
  expect(await attemptsOf(account.merchant, id)).toMatchObject([
    { status: "FAILED", error_code: "generic_decline" },
  ]);
  expect(account.stripe.intents()).toMatchObject([{ status: "canceled" }]);
  expect((await episodesOf(account.merchant, id)).map(({ status }) => status)).toEqual(["OPEN"]);
  expect(await read(account.merchant, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: true });
});

test("what costs nothing asks Stripe for no payment, and its order has a number like others", async () => {
  const card = account.stripe.addPaymentMethod(account.customer, "pm_card_chargeCustomerFail").id;
  const id = await subscribed({ ...account, card });
  await api(account.merchant.api, "POST", `/api/subscriptions/${id}/discounts`, {
    body: { title: "On the house", value: 100, value_type: "PERCENTAGE", target_type: "ORDER" },
  });
  await shipped(id);
  expect(account.stripe.intents()).toEqual([]);
  const [attempt] = await attemptsOf(account.merchant, id);
  expect(attempt).toMatchObject({ status: "SUCCEEDED", amount: 0 });
  expect(await ordersOf(account.merchant, id)).toMatchObject([
    { store_order_number: "#1", total: 0, status: "PAID" },
  ]);
});

describe("an amount below Stripe's minimum", () => {
  const cheap = (id: string) =>
    execute("UPDATE subscriptions SET total = 49, subtotal = 49 WHERE id = ?", id);

  test("is refused before it is charged, and by a dry run", async () => {
    const id = await subscribed(account);
    await cheap(id);
    for (const query of [{ dry_run: true }, {}]) {
      const answer = await shipNow(account.merchant, account.worker, id, undefined, { query });
      expect([answer.status, answer.body.errorCode]).toEqual([409, "NOT_BILLABLE"]);
      expect(answer.body.details).toEqual([{ path: "total", message: "Stripe charges 0.50 EUR or more" }]);
    }
    expect(await attemptsOf(account.merchant, id)).toEqual([]);
  });

  test("that falls due waits for the merchant, with an alert and without dunning", async () => {
    const id = await subscribed(account);
    await shipNow(account.merchant, account.worker, id);
    account.worker.forget();
    await execute("UPDATE billing_attempts SET amount = 49 WHERE subscription_id = ?", id);
    const lines = await logged(async () => {
      vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ["Date"] });
      await account.worker.tick();
      vi.useRealTimers();
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "charge_refused", alert: true, code: "amount_not_chargeable" }),
    );
    expect(await read(account.merchant, id)).toMatchObject({
      is_in_dunning: false,
      billing_blocked_reason: "amount_not_chargeable",
    });
    expect(account.stripe.intents()).toEqual([]);
  });
});

test("what the merchant has set up wrongly at Stripe is tried again under the same key, and then charged", async () => {
  account.stripe.settings.paymentMethodTypes = ["sepa_debit"];
  const id = await subscribed(account);
  await shipped(id);
  expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: false, status: "ACTIVE" });
  expect((await read(account.merchant, id)).billing_blocked_reason).not.toBeNull();
  account.stripe.settings.paymentMethodTypes = ["card"];
  await shipped(id);
  const attempts = await attemptsOf(account.merchant, id);
  expect(attempts.map(({ status, attempt_number }) => [status, attempt_number])).toEqual([
    ["SUCCEEDED", 1],
    ["FAILED", 1],
  ]);
  expect(account.stripe.charges()).toHaveLength(1);
});
