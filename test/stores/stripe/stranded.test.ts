/** A payment that a restore has left open is made by its own attempt, or can be made no more. */
import { describe, expect, test, vi } from "vitest";
import { execute, select } from "../../support/database.ts";
import { outcomes } from "../../support/fake-stripe.ts";
import { done, read } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { ordersOf } from "../../support/worker.ts";
import { type ConnectedAccount, fetchOf, subscribed, useAccount } from "./account.ts";
import { apiOf } from "./api.ts";
import {
  attemptRows,
  charge,
  expectChargedOnce,
  intentsOf,
  loseAttempts,
  newestOf,
  night,
  settled,
  shipped,
  started,
} from "./charging.ts";

/**
 * A restored database has lost that an attempt was sent, and its intent goes on at Stripe: whoever has its page open could pay it, and
 * nobody here would deliver anything for that.
 */

const account = useAccount();

type Row = Record<string, string | number | null>;
const dayMs = 86_400_000;

const onTheHouse = { title: "On the house", value: 100, value_type: "PERCENTAGE", target_type: "ORDER" };

async function cancel(id: string): Promise<void> {
  await done(account.merchant.api, "POST", id, "cancel", {});
}

/** A day passes, after which Stripe has forgotten its keys and no attempt is sent again. */
async function later(to: ConnectedAccount): Promise<void> {
  to.worker.forget();
  await settled(to, 3, Date.now() + 25 * 3_600_000);
}

/** A subscription whose attempt has left an intent that its customer can confirm; the database has lost that attempt. */
async function challengedAndLost(): Promise<string> {
  const id = await subscribed(account);
  account.stripe.nextOutcomes(outcomes.challenge(outcomes.success, { evenOffSession: true }));
  await shipped(account, id);
  expect(intentsOf(account, id)).toMatchObject([{ status: "requires_action" }]);
  await loseAttempts(id);
  return id;
}

/** A subscription whose attempt was declined, before its intent could be canceled; the database has lost that attempt. */
async function declinedAndLost(): Promise<string> {
  const id = await subscribed(account);
  account.stripe.nextOutcomes(outcomes.decline("insufficient_funds"));
  account.stripe.fail({ kind: "http500", effect: "none", on: "payment_intents.cancel" });
  await charge(account, await started(account, id));
  expect(intentsOf(account, id)).toMatchObject([{ status: "requires_payment_method" }]);
  await loseAttempts(id);
  return id;
}

function statusesOf(id: string): string[] {
  return intentsOf(account, id).map(({ status }) => status);
}

/** The differences that a night reports. */
async function found(): Promise<object[]> {
  return (await night(account)).filter((line) => "problem" in line);
}

describe("an intent of an attempt that a restored database has lost", () => {
  test("waits for its customer again, and pays once, where its attempt is the next", async () => {
    const id = await challengedAndLost();
    expect(await found()).toMatchObject([{ problem: "not_yet_recorded", alert: false, subscription_id: id }]);
    expect(await newestOf(account, id)).toMatchObject({ status: "ACTION_REQUIRED", attempt_number: 1 });
    account.stripe.confirmAs(intentsOf(account, id)[0]!.id);
    await settled(account);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
    expect(statusesOf(id)).toEqual(["succeeded"]);
    await expectChargedOnce(account, id);
  });

  test("can be paid by nobody after the night, where the subscription was cancelled since", async () => {
    const id = await challengedAndLost();
    await cancel(id);
    expect(await found()).toEqual([]);
    expect(statusesOf(id)).toEqual(["canceled"]);
    expect(await found()).toEqual([]);
  });

  test("can be paid by nobody after the night, where its key was given to an attempt that was withdrawn unsent", async () => {
    const id = await challengedAndLost();
    await started(account, id);
    await cancel(id);
    expect(await attemptRows(id)).toMatchObject([
      { status: "CANCELLED", store_key: intentsOf(account, id)[0]!.metadata.key },
    ]);
    expect(await found()).toEqual([]);
    expect(statusesOf(id)).toEqual(["canceled"]);
  });

  test("leaves its key to the try that is still to come, which is charged once", async () => {
    const id = await subscribed(account);
    account.stripe.nextOutcomes(
      outcomes.decline("insufficient_funds"),
      outcomes.challenge(outcomes.success, { evenOffSession: true }),
    );
    await shipped(account, id);
    await shipped(account, id);
    await loseAttempts(id);
    const first = await started(account, id);
    expect(await found()).toEqual([]);
    expect(statusesOf(id)).toEqual(["canceled", "canceled"]);
    await charge(account, first);
    expect(await newestOf(account, id)).toMatchObject({ status: "FAILED", attempt_number: 1 });
    await shipped(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 2 });
    expect(statusesOf(id)).toEqual(["canceled", "canceled", "succeeded"]);
    await expectChargedOnce(account, id);
  });

  test("that was declined is recorded as that, where its attempt is the next", async () => {
    const id = await declinedAndLost();
    expect(await found()).toMatchObject([{ problem: "not_yet_recorded", alert: false, subscription_id: id }]);
    expect(await newestOf(account, id)).toMatchObject({ status: "FAILED", error_code: "insufficient_funds" });
    expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: true });
    expect(statusesOf(id)).toEqual(["canceled"]);
  });

  test("that was declined is closed in the night, also where the subscription was cancelled", async () => {
    const id = await declinedAndLost();
    await cancel(id);
    expect(await found()).toEqual([]);
    expect(statusesOf(id)).toEqual(["canceled"]);
  });

  test("is told of the night after, where its customer pays it in the moment in which it is ended", async () => {
    const id = await challengedAndLost();
    await cancel(id);
    const [intent] = intentsOf(account, id);
    const reach = fetchOf(account.stripe);
    vi.stubGlobal("fetch", (async (input, init) => {
      if (String(input).endsWith(`${intent!.id}/cancel`)) account.stripe.confirmAs(intent!.id);
      return reach(input, init);
    }) satisfies typeof fetch);
    expect(await found()).toMatchObject([{ problem: "not_yet_recorded", alert: false }]);
    expect(statusesOf(id)).toEqual(["succeeded"]);
    expect(await found()).toMatchObject([{ problem: "unknown_charge", alert: true, reference: intent!.id }]);
  });

  test("that Stripe does not cancel is ended the night after", async () => {
    const id = await challengedAndLost();
    await cancel(id);
    account.stripe.fail({ kind: "http500", effect: "none", on: "payment_intents.cancel" });
    expect(await found()).toMatchObject([{ problem: "not_yet_recorded", alert: false, subscription_id: id }]);
    expect(statusesOf(id)).toEqual(["requires_action"]);
    expect(await found()).toEqual([]);
    expect(statusesOf(id)).toEqual(["canceled"]);
  });

  test("is ended where the attempt of its key has another charge", async () => {
    const id = await challengedAndLost();
    const attempt = await started(account, id);
    await execute("UPDATE billing_attempts SET noted_reference = 'pi_another' WHERE id = ?", attempt);
    expect(await found()).toEqual([]);
    expect(statusesOf(id)).toEqual(["canceled"]);
  });
});

describe("an intent whose id a restored attempt has noted, and that was replaced since", () => {
  /** An attempt whose intent is noted and not confirmed: its row, as a restore brings it back. */
  async function noted(id: string): Promise<Row> {
    const attempt = await started(account, id);
    const DB = interrupted(/set "noted_reference"/i, { after: isolateEnded });
    await charge(account, attempt, { ...account.worker.bindings, DB });
    const [row] = await select<Row>("SELECT * FROM billing_attempts WHERE id = ?", attempt);
    const [intent] = intentsOf(account, id);
    expect(intent).toMatchObject({ status: "requires_confirmation" });
    expect(row).toMatchObject({ noted_reference: intent!.id });
    return row!;
  }

  /** A day later the attempt is withdrawn, and its cycle is paid under the same key with other figures. */
  async function replacedAndPaid(id: string): Promise<void> {
    await later(account);
    expect(await newestOf(account, id)).toMatchObject({ status: "CANCELLED" });
    const off = { ...onTheHouse, value: 50 };
    await done(account.merchant.api, "POST", id, "discounts", off);
    await shipped(account, id);
    expect(intentsOf(account, id)).toMatchObject([
      { status: "canceled", cancellation_reason: "duplicate" },
      { status: "succeeded" },
    ]);
  }

  async function restored(id: string, row: Row): Promise<void> {
    await loseAttempts(id);
    const names = Object.keys(row);
    await execute(
      `INSERT INTO billing_attempts (${names.join()}) VALUES (${names.map(() => "?").join()})`,
      ...Object.values(row),
    );
    await execute("UPDATE subscriptions SET open_attempt_id = ? WHERE id = ?", row.id as string, id);
  }

  test("leaves the answer to the one that was paid under its key, when its own key is forgotten", async () => {
    const id = await subscribed(account);
    const row = await noted(id);
    await replacedAndPaid(id);
    await restored(id, row);
    await later(account);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1, amount: 10 });
    expect(statusesOf(id)).toEqual(["canceled", "succeeded"]);
    await expectChargedOnce(account, id);
  });

  test("is not replaced again where its attempt is still to be sent, and the one in its place was paid", async () => {
    const id = await subscribed(account);
    const row = await noted(id);
    await replacedAndPaid(id);
    account.stripe.advance(3 * dayMs);
    await restored(id, { ...row, lease_until: null });
    await charge(account, row.id as string);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
    expect(statusesOf(id)).toEqual(["canceled", "succeeded"]);
    await expectChargedOnce(account, id);
  });

  test("is no decline where none is in its place: its key is left to the next attempt, which is charged once", async () => {
    const id = await subscribed(account);
    await noted(id);
    const path = `payment_intents/${intentsOf(account, id)[0]!.id}/cancel`;
    await apiOf(account.stripe).post(path, { cancellation_reason: "duplicate" });
    await later(account);
    expect(await newestOf(account, id)).toMatchObject({ status: "CANCELLED", error_code: "not_charged" });
    expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: false });
    await shipped(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
    expect(statusesOf(id)).toEqual(["canceled", "succeeded"]);
    await expectChargedOnce(account, id);
  });
});

describe("an intent for which an attempt waits", () => {
  test("is left to it by the night", async () => {
    const id = await subscribed(account);
    account.stripe.nextOutcomes(outcomes.challenge(outcomes.success, { evenOffSession: true }));
    await shipped(account, id);
    expect(await found()).toEqual([]);
    expect(await newestOf(account, id)).toMatchObject({ status: "ACTION_REQUIRED" });
    expect(statusesOf(id)).toEqual(["requires_action"]);
  });

  test("is left to it where the attempt has not asked for it yet", async () => {
    const id = await challengedAndLost();
    const attempt = await started(account, id);
    await night(account);
    expect(statusesOf(id)).toEqual(["requires_action"]);
    await charge(account, attempt);
    expect(await newestOf(account, id)).toMatchObject({ status: "ACTION_REQUIRED" });
  });
});

test("what is none of the account's is left alone, whoever could pay it", async () => {
  const { post } = apiOf(account.stripe);
  account.stripe.nextOutcomes(outcomes.challenge(), outcomes.challenge());
  const paid = { amount: 1000, currency: "eur", customer: account.customer, payment_method: account.card };
  const confirmed = { ...paid, confirm: true, off_session: true, return_url: "https://shop.example" };
  await post("payment_intents", confirmed);
  await post("payment_intents", { ...confirmed, metadata: { key: "a".repeat(40), account_id: "another" } });
  const before = account.stripe.intents().map(({ status }) => status);
  expect(await found()).toEqual([]);
  expect(account.stripe.intents().map(({ status }) => status)).toEqual(before);
});

describe("a cycle that costs nothing after all", () => {
  test("leaves no earlier intent of its key that can still be paid", async () => {
    const id = await challengedAndLost();
    await done(account.merchant.api, "POST", id, "discounts", onTheHouse);
    await shipped(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", amount: 0 });
    expect(statusesOf(id)).toEqual(["canceled"]);
    expect(await ordersOf(account.merchant, id)).toMatchObject([{ total: 0 }]);
  });

  test("is billed whatever became of an earlier intent that was declined", async () => {
    const id = await declinedAndLost();
    await done(account.merchant.api, "POST", id, "discounts", onTheHouse);
    await shipped(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", amount: 0 });
    expect(statusesOf(id)).toEqual(["canceled"]);
    expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: false });
  });

  test("records what its customer has paid for it before the database was restored", async () => {
    const id = await challengedAndLost();
    const [intent] = intentsOf(account, id);
    account.stripe.confirmAs(intent!.id);
    await done(account.merchant.api, "POST", id, "discounts", onTheHouse);
    await shipped(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", amount: 20 });
    expect(await ordersOf(account.merchant, id)).toMatchObject([{ store_order_id: intent!.id, total: 20 }]);
    await expectChargedOnce(account, id);
  });
});
