/** A customer whose card was declined for good is e-mailed by Shopify once, whatever is lost. */
import { beforeEach, describe, expect, test } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import type { Bindings } from "../../../src/base/env.ts";
import { connect, logged } from "../../edges/webhooks/hooks.ts";
import { deployment } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { deliver, entriesOf, type Json, read } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { episodesOf, later, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

/** After a decline for good the store e-mails the customer a link to another payment method, once for each episode of dunning. */

const shop = useShop();
let id: string;
beforeEach(async () => {
  shop.store.settings.scopes.push("write_customers");
  await set({ notify_payment_update: true });
  id = await subscribed(shop);
});

async function set(body: object): Promise<void> {
  const { status, text } = await shop.worker.call(shop.merchant.api, "PUT", "/api/account", { body });
  if (status !== 200) throw new Error(text);
}
const expired = outcomes.payment("EXPIRED_CARD");

/** A charge that is declined; its messages are delivered, if the test says nothing else. */
async function declined(outcome = expired, { delivers = true } = {}): Promise<void> {
  shop.store.nextOutcomes(outcome);
  const { status, text } = await shipNow(shop.merchant, shop.worker, id, { allow_repeat: true });
  if (status !== 200) throw new Error(text);
  if (delivers) await shop.worker.drain();
}

/** The decline is recorded, and the message that has the customer notified waits. */
async function waiting(): Promise<Json> {
  await declined(expired, { delivers: false });
  for (let turn = 0; turn < 5; turn++) {
    const sent = shop.worker.sent();
    shop.worker.forget();
    const job = sent.find(({ type }) => type === "notify_customer");
    if (job) return job;
    await deliver(
      sent.filter(({ type }) => type === "charge"),
      { bindings: shop.worker.bindings },
    );
  }
  throw new Error("nobody is to be notified");
}

function emails() {
  return shop.store.updateEmails;
}

function requests() {
  return shop.store.requests.filter(({ operation }) => operation === "SendPaymentMethodEmail").length;
}

async function notices(): Promise<Json[]> {
  return (await entriesOf(id)).filter(({ action }) => /dunning_(customer|notice)/.test(action));
}

async function pass(minutes: number, step = 5): Promise<void> {
  for (let passed = 0; passed < minutes; passed += step) await later(shop.worker, step * 60);
}

function retryPayment(): Promise<unknown> {
  return shop.worker.call(shop.merchant.api, "POST", `/api/subscriptions/${id}/retry-payment`);
}

test("a decline for good: the customer is e-mailed, once, and the history says so", async () => {
  const { updated_at } = await read(shop.merchant, id);
  await declined();
  expect(emails()).toMatchObject([{ method: shop.card, to: "customer@customers.test" }]);
  const [episode] = await episodesOf(shop.merchant, id);
  expect(episode).toMatchObject({ status: "AWAITING_CUSTOMER" });
  expect(await notices()).toMatchObject([
    {
      action: "dunning_customer_notified",
      actor_type: "system",
      metadata: { dunning_episode_id: episode.id, is_certain: true },
    },
  ]);
  const { body } = await shop.worker.call(shop.merchant.api, "GET", "/api/events", {
    query: { types: "dunning.customer_notified" },
  });
  expect(body.data).toMatchObject([{ type: "dunning.customer_notified", subscription_id: id }]);
  expect((await read(shop.merchant, id)).updated_at >= updated_at).toBe(true);
  await pass(60, 15);
  expect(emails()).toHaveLength(1);
});

test("a second decline in the same episode sends no second e-mail; the next episode has its own", async () => {
  await declined();
  shop.store.nextOutcomes(outcomes.payment("INVALID_NUMBER"));
  await retryPayment();
  await shop.worker.drain();
  expect(await episodesOf(shop.merchant, id)).toMatchObject([{ attempt_count: 2 }]);
  expect(emails()).toHaveLength(1);
  await retryPayment();
  await shop.worker.drain();
  expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
  await declined();
  expect(emails()).toHaveLength(2);
});

test("a decline that may pass is tried again, and nobody is e-mailed", async () => {
  await declined(outcomes.payment("INSUFFICIENT_FUNDS"));
  await pass(60, 15);
  expect([requests(), await notices()]).toEqual([0, []]);
});

test("without the setting nobody is e-mailed, and it binds from the next decline on", async () => {
  await set({ notify_payment_update: false });
  await declined();
  await set({ notify_payment_update: true });
  await pass(30);
  expect([requests(), await notices()]).toEqual([0, []]);
});

test("a challenge that nobody answers is a decline for good", async () => {
  await declined(outcomes.challenge(), { delivers: false });
  await shop.worker.drain({ soon: false });
  await pass(75 * 60, 150);
  expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "AWAITING_CUSTOMER" }]);
  expect(emails()).toHaveLength(1);
});

describe("a decline for good on the last of the days", () => {
  const lastDay = async (final: string): Promise<void> => {
    await set({ dunning_retry_days: [1], dunning_final_action: final });
    await declined(outcomes.payment("INSUFFICIENT_FUNDS"));
    shop.store.nextOutcomes(expired);
    await later(shop.worker, 25 * 3600);
    await pass(20);
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "EXHAUSTED" }]);
  };

  test("tells the customer where the payment is still owed", async () => {
    await lastDay("fail");
    expect(emails()).toHaveLength(1);
  });

  test.each(["pause", "cancel"])("tells nobody where the subscription ends by %s", async (final) => {
    await lastDay(final);
    expect(emails()).toEqual([]);
  });
});

describe("the message", () => {
  test("lost: the sweep finds the notice", async () => {
    await waiting();
    expect(emails()).toEqual([]);
    await pass(5);
    expect(emails()).toHaveLength(1);
  });

  test("delivered many times, at once and later: one e-mail", async () => {
    const job = await waiting();
    const again = () => deliver([job], { bindings: shop.worker.bindings });
    await Promise.all([again(), again(), again()]);
    await again();
    await pass(20);
    expect(emails()).toHaveLength(1);
    expect(await notices()).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["was paid", async () => retryPayment().then(() => shop.worker.drain())],
    ["was cancelled", () => shop.worker.call(shop.merchant.api, "POST", `/api/subscriptions/${id}/cancel`)],
    ["has its setting off", () => set({ notify_payment_update: false })],
  ])("late, after it %s: no e-mail", async (_, act) => {
    const job = await waiting();
    await act();
    forgetAccount(shop.merchant.of.account.id);
    await deliver([job], { bindings: shop.worker.bindings });
    await pass(20);
    expect([emails(), await notices()]).toEqual([[], []]);
  });
});

describe("never twice, even when", () => {
  /** The deployment whose isolate ends around the first batch that matches. */
  const broken = (matching: RegExp, moment: "before" | "after"): Bindings => {
    let isBroken = false;
    const once = async (): Promise<void> => {
      if (isBroken) return;
      isBroken = true;
      await isolateEnded();
    };
    return { ...shop.worker.bindings, DB: interrupted(matching, { [moment]: once }) };
  };
  const take = /update "customer_notices" set "state" = \?.* returning/i;
  const record =
    /insert into "new_entries".*dunning|update "customer_notices" set "state" = \?(?!.* returning)/i;

  test.each([
    ["it dies before it has taken the notice", take, "before", 1, true],
    ["it dies after it has taken the notice, before it asks", take, "after", 0, false],
    ["it dies between the store's answer and the commit", record, "before", 1, false],
    ["it dies after the commit", record, "after", 1, true],
  ] as const)("%s", async (_, matching, moment, sent, isCertain) => {
    const job = await waiting();
    await deliver([job], { bindings: broken(matching, moment) });
    expect(emails()).toHaveLength(moment === "before" && matching === take ? 0 : sent);
    await deliver([job], { bindings: shop.worker.bindings });
    await pass(30);
    expect(emails()).toHaveLength(sent);
    expect(requests()).toBe(sent);
    expect(await notices()).toMatchObject([
      { action: "dunning_customer_notified", metadata: { is_certain: isCertain } },
    ]);
  });

  test.each([
    ["timeout", "done", 1],
    ["timeout", "none", 0],
    ["http500", "done", 1],
    ["malformed", "done", 1],
    ["internal", "none", 0],
  ] as const)("the answer is lost (%s, %s)", async (kind, effect, sent) => {
    shop.store.fail({ kind, effect, on: "SendPaymentMethodEmail" });
    await declined();
    await pass(3 * 60, 30);
    expect([emails().length, requests()]).toEqual([sent, 1]);
    expect(await notices()).toMatchObject([
      { action: "dunning_customer_notified", metadata: { is_certain: false } },
    ]);
  });
});

test("a throttled request was not processed, and is repeated", async () => {
  shop.store.fail({ kind: "http429", on: "SendPaymentMethodEmail", times: 3 });
  await declined();
  await pass(5);
  expect(emails()).toHaveLength(1);
  expect(await notices()).toMatchObject([{ metadata: { is_certain: true } }]);
});

describe("a refusal", () => {
  const refusals = async () => (await notices()).filter(({ action }) => action === "dunning_notice_refused");

  test("for want of the scope names it, once, and the e-mail is sent when the app has it", async () => {
    shop.store.settings.scopes = shop.store.settings.scopes.filter((scope) => scope !== "write_customers");
    const lines = await logged(() => declined());
    expect(lines).toContainEqual(expect.objectContaining({ event: "store_refused", alert: true }));
    await pass(4 * 60, 30);
    expect(await refusals()).toMatchObject([
      { metadata: { error_message: "The app lacks the scope write_customers" } },
    ]);
    expect(emails()).toEqual([]);
    shop.store.settings.scopes.push("write_customers");
    await pass(8 * 60, 4 * 60);
    expect(emails()).toHaveLength(1);
    expect(await notices()).toMatchObject([
      { action: "dunning_notice_refused" },
      { action: "dunning_customer_notified" },
    ]);
  });

  test("of a revoked payment method is told once, and given up after some days", async () => {
    shop.store.revokePaymentMethod(shop.card);
    await declined();
    await pass(6 * 24 * 60, 6 * 60);
    expect(await refusals()).toMatchObject([
      { metadata: { error_message: "Customer payment method does not exist" } },
    ]);
    expect(requests()).toBe(7);
    expect(
      await select("SELECT state, next_action_at FROM customer_notices WHERE subscription_id = ?", id),
    ).toEqual([{ state: "REFUSED", next_action_at: null }]);
  });

  test("that was given up does not keep a later decline of the episode from being told", async () => {
    await set({ dunning_retry_days: [30] });
    shop.store.refuse("customerPaymentMethodSendUpdateEmail", ...Array.from({ length: 7 }, () => "INVALID"));
    await declined();
    await pass(6 * 24 * 60, 6 * 60);
    expect(emails()).toEqual([]);
    shop.store.nextOutcomes(expired);
    await retryPayment();
    await shop.worker.drain();
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ attempt_count: 2 }]);
    expect(emails()).toHaveLength(1);
  });
});

describe("connecting", () => {
  beforeEach(() => {
    shop.store.settings.scopes = shop.store.settings.scopes.filter((scope) => scope !== "write_customers");
  });
  const { account } = { account: () => shop.merchant.of.account };

  test("needs write_customers where the setting is on, and names it", async () => {
    account().notify_payment_update = 1;
    await expect(connect(shop)).rejects.toThrow("The app lacks the scopes write_customers");
  });

  test("does not need it otherwise", async () => {
    account().notify_payment_update = 0;
    await connect(shop);
  });
});

test("the history of the account shows the setting as the API does", async () => {
  const { body } = await deployment(shop.worker.bindings)(shop.merchant.api, "GET", "/api/events", {
    query: { types: "account.updated" },
  });
  expect(body.data.at(-1).changes).toEqual({ notify_payment_update: { from: false, to: true } });
});
