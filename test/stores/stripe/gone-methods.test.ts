/** A payment method that is gone at Stripe is not charged, and its owner is asked for another. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { log, postboxOf } from "../../domain/mail/postbox.ts";
import { switchOn } from "../../edges/portal/visitor.ts";
import { logged } from "../../support/jobs.ts";
import { actionsOf, deliver, type Json, on, read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, setClock } from "../../support/worker.ts";
import { subscribed } from "./account.ts";
import { apiOf } from "./api.ts";
import { expectChargedOnce, intentsOf, shipped } from "./charging.ts";
import { arrive, type HookedAccount, hookedAccount } from "./hooks.ts";

const account = {} as HookedAccount;
beforeEach(async () => {
  Object.assign(account, await hookedAccount());
  account.worker.forget();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

type Loss = [what: string, lose: () => unknown, code: string];
const losses: Loss[] = [
  [
    "a card that was removed at Stripe",
    () => account.stripe.detachAtStripe(account.card),
    "payment_method_revoked",
  ],
  ["a customer who was deleted at Stripe", deleteCustomer, "payment_method_revoked"],
];

function deleteCustomer() {
  return apiOf(account.stripe).delete(`customers/${account.customer}`);
}

async function stateOf(id: string): Promise<Json> {
  const { status, is_in_dunning, billing_blocked_reason } = await read(account.merchant, id);
  const episodes = (await episodesOf(account.merchant, id)).map((episode) => episode.status);
  return { status, is_in_dunning, billing_blocked_reason, episodes };
}

const asked = {
  status: "ACTIVE",
  is_in_dunning: true,
  billing_blocked_reason: null,
  episodes: ["AWAITING_CUSTOMER"],
};

async function methodOf(id: string): Promise<Json> {
  const answer = await account.worker.call<Json>(account.merchant.api, "GET", on(id, "payment-method"));
  return answer.body.data.current;
}

function confirmations(): number {
  return account.stripe.requests.filter(({ operation }) => operation === "payment_intents.confirm").length;
}

describe.each(losses)("%s", (_, lose, code) => {
  test("whose webhook was lost is not charged: its owner is asked for another one, by no fault of the merchant", async () => {
    const id = await subscribed(account);
    await lose();
    const lines = await logged(() => shipped(account, id));
    expect(await stateOf(id)).toEqual(asked);
    const [attempt, ...others] = await attemptsOf(account.merchant, id);
    expect([attempt, others]).toMatchObject([{ status: "FAILED" }, []]);
    expect([code, "resource_missing"]).toContain(attempt!.error_code);
    expect(lines.filter(({ event }) => event === "charge_refused")).toEqual([]);
    expect(confirmations()).toBe(0);
    expect(await methodOf(id)).toMatchObject({ status: "REVOKED" });
    expect(await actionsOf(id)).not.toContain("billing_waiting");
  });

  test("is told by mail as removed, with the way to another one and no payment to try", async () => {
    const postbox = postboxOf(account.merchant, account.worker);
    await switchOn(account.worker, account.merchant);
    await postbox.set(log);
    const id = await subscribed(account);
    await lose();
    await shipped(account, id);
    await account.worker.drain();
    const [mail, ...others] = await postbox.list({ kind: "payment_failed" });
    expect([mail, others]).toMatchObject([{ status: "SENT", subscription_id: id }, []]);
    const { text } = await postbox.content(mail!);
    expect(text).toContain("the payment method was removed");
    expect(text).toContain(`/subscriptions/${id}/payment-method`);
    expect(text).not.toContain("Pay now");
  });

  test("whose webhook has arrived is not sent, and asked for once more before", async () => {
    const id = await subscribed(account);
    await lose();
    await arrive(account);
    const before = account.stripe.requests.length;
    await shipped(account, id);
    expect(await stateOf(id)).toEqual(asked);
    expect(await attemptsOf(account.merchant, id)).toMatchObject([{ status: "FAILED", error_code: code }]);
    const since = account.stripe.requests.slice(before).map(({ operation }) => operation);
    expect(since).toContain("payment_methods.retrieve");
    expect(since).not.toContain("payment_intents.create");
  });

  test("is tried once in twenty days, and another card is charged at once", async () => {
    const id = await subscribed(account);
    await lose();
    const from = Date.now() + 8 * 86_400_000;
    for (let day = 0; day < 20; day++) {
      setClock(from + day * 86_400_000);
      await account.worker.tick();
      await account.worker.drain();
    }
    expect((await attemptsOf(account.merchant, id)).length).toBe(1);
    expect((await read(account.merchant, id)).status).toBe("PAYMENT_FAILED");
  });
});

test("another card is charged at once, under the same key", async () => {
  const id = await subscribed(account);
  account.stripe.detachAtStripe(account.card);
  await shipped(account, id);
  const body = { store_payment_method_id: account.stripe.addPaymentMethod(account.customer).id };
  const { status } = await account.worker.call(account.merchant.api, "PUT", on(id, "payment-method"), {
    body,
  });
  await account.worker.drain();
  expect(status).toBe(200);
  expect(await attemptsOf(account.merchant, id)).toMatchObject([
    { status: "SUCCEEDED", attempt_number: 1 },
    { status: "FAILED", attempt_number: 1 },
  ]);
  expect(await stateOf(id)).toMatchObject({ is_in_dunning: false, episodes: ["RECOVERED"] });
  await expectChargedOnce(account, id);
});

test("a card that is expired by Stripe's word is not charged; one that was renewed meanwhile is", async () => {
  const [id, renewed] = [await subscribed(account), await subscribed(account)];
  account.stripe.expireCard(account.card);
  const job = [
    {
      type: "refresh_payment_method",
      account_id: account.merchant.of.account.id,
      store_payment_method_id: account.card,
    },
  ];
  await deliver(job, account.worker);
  expect(await methodOf(id)).toMatchObject({ status: "EXPIRED" });
  await shipped(account, id);
  expect(await stateOf(id)).toEqual(asked);
  expect(await attemptsOf(account.merchant, id)).toMatchObject([{ error_code: "expired_payment_method" }]);
  expect(intentsOf(account, id)).toEqual([]);
  account.stripe.updateCard(account.card, { exp_month: 1, exp_year: 2041 });
  account.stripe.behave(account.card, { is: "success" });
  await shipped(account, renewed);
  expect(await attemptsOf(account.merchant, renewed)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await methodOf(renewed)).toMatchObject({ status: "VALID", exp_year: 2041 });
});

test("a look that Stripe does not answer is none: the payment is tried as ever", async () => {
  const id = await subscribed(account);
  account.stripe.detachAtStripe(account.card);
  await arrive(account);
  account.stripe.fail({ kind: "http500", on: "payment_methods.retrieve", times: 1 });
  await shipped(account, id);
  expect(await stateOf(id)).toEqual(asked);
});
