/** Charges at Stripe that a restore has lost are found and recorded, and nothing else is taken for one. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { openStore } from "../../../src/stores/open.ts";
import type { MadeCharge, Store } from "../../../src/stores/port.ts";
import { execute, testDb } from "../../support/database.ts";
import type { PaymentIntent } from "../../support/fake-stripe.ts";
import { logged } from "../../support/jobs.ts";
import { actionsOf, done, force, type Json, rowOf } from "../../support/shops.ts";
import { ordersOf, setClock } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { apiOf } from "./api.ts";
import {
  attemptRows,
  expectChargedOnce,
  intentsOf,
  loseAttempts,
  newestOf,
  night,
  shipped,
  started,
} from "./charging.ts";

const account = useAccount();
const dayMs = 86_400_000;

async function opened(): Promise<Store> {
  const realNow = new Date();
  return openStore({
    env: parseEnv(account.worker.bindings),
    db: testDb(),
    account: (await readAccount(testDb(), account.merchant.of.account.id))!,
    now: realNow.toISOString(),
    realNow,
    log: () => {},
  });
}

/** Makes charges under keys of this account, of a made-up subscription. */
async function charges(count: number): Promise<void> {
  const { post } = apiOf(account.stripe);
  for (let nth = 0; nth < count; nth++)
    await post("payment_intents", {
      ...{ amount: 1000, currency: "eur", customer: account.customer, payment_method: account.card },
      ...{ confirm: true, off_session: true, return_url: "https://shop.example" },
      metadata: { key: `key-${nth}`, account_id: account.merchant.of.account.id },
    });
}

async function listAll(store: Store, since: string): Promise<{ made: MadeCharge[]; pages: number }> {
  const made: MadeCharge[] = [];
  let pages = 0;
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<NonNullable<Store["listCharges"]>>> = await store.listCharges!({
      since,
      after,
    });
    made.push(...page.charges);
    pages++;
    if (page.next === null) return { made, pages };
    if (after !== null) expect(page.next > after).toBe(true);
    after = page.next;
  }
}

test("charges are listed oldest first, each once, however many are in a window", async () => {
  const since = new Date(Date.now() - 2 * dayMs).toISOString();
  account.stripe.advance(-dayMs);
  for (const gap of [0, 1000, 60_000, 3_600_000]) {
    account.stripe.advance(gap);
    await charges(60);
  }
  const { made, pages } = await listAll(await opened(), since);
  expect(made).toHaveLength(240);
  expect(new Set(made.map(({ reference }) => reference)).size).toBe(240);
  expect(made.map(({ created_at }) => created_at)).toEqual(
    made.map(({ created_at }) => created_at).toSorted(),
  );
  expect(pages).toBeGreaterThan(2);
});

test("a second that has more than a page of charges is listed whole", async () => {
  const since = new Date(Date.now() - dayMs).toISOString();
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  await charges(130);
  const { made } = await listAll(await opened(), since);
  vi.useRealTimers();
  expect(made).toHaveLength(130);
});

test("what was charged at Stripe for anything else is none of the account's", async () => {
  const { post } = apiOf(account.stripe);
  const paid = { amount: 1000, currency: "eur", customer: account.customer, payment_method: account.card };
  const { body } = await post("payment_intents", {
    ...paid,
    confirm: true,
    off_session: true,
    return_url: "https://shop.example",
  });
  const store = await opened();
  const since = new Date(Date.now() - dayMs).toISOString();
  expect((await listAll(store, since)).made).toEqual([]);
  expect(await store.findMadeCharge!(body.id)).toBeUndefined();
  expect(await store.findMadeCharge!("pi_none")).toBeUndefined();
  expect((await night(account)).filter((line) => "problem" in line)).toEqual([]);
});

test("a charge that a restored database has lost is recorded in the night", async () => {
  const id = await subscribed(account);
  await shipped(account, id);
  await loseAttempts(id);
  expect(await night(account)).toContainEqual(
    expect.objectContaining({ event: "charge_not_reconciled", problem: "recorded" }),
  );
  expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
  expect(await ordersOf(account.merchant, id)).toHaveLength(1);
  expect(intentsOf(account, id)).toHaveLength(1);
  await expectChargedOnce(account, id);
});

test("a charge of a life that a restore has undone is told as that, and pays for that life once it begins again", async () => {
  const id = await subscribed(account);
  await done(account.merchant.api, "POST", id, "cancel");
  const { status, cancelled_at, activation, next_billing_date, next_delivery_date } = await rowOf(id);
  await done(account.merchant.api, "POST", id, "reactivate");
  await shipped(account, id);
  await loseAttempts(id);
  await force(id, { status, cancelled_at, activation, next_billing_date, next_delivery_date });
  const [{ id: reference }] = intentsOf(account, id) as [PaymentIntent];
  const told = {
    problem: "reactivation_lost",
    alert: true,
    reference,
    attempt_id: null,
    subscription_id: id,
  };
  expect((await night(account)).filter((line) => "problem" in line)).toMatchObject([told]);
  await done(account.merchant.api, "POST", id, "reactivate");
  await shipped(account, id);
  expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", amount: 20 });
  expect(await ordersOf(account.merchant, id)).toMatchObject([{ store_order_id: reference, total: 20 }]);
  expect(intentsOf(account, id)).toHaveLength(1);
  expect((await night(account)).filter((line) => "problem" in line)).toEqual([]);
  await expectChargedOnce(account, id);
});

test("a charge of a life that is over is to be refunded, as no reactivation brings it back", async () => {
  const id = await subscribed(account);
  await shipped(account, id);
  await loseAttempts(id);
  await done(account.merchant.api, "POST", id, "cancel");
  expect((await night(account)).filter((line) => "problem" in line)).toMatchObject([
    { problem: "unknown_charge", alert: true, subscription_id: id },
  ]);
});

describe("a charge that was under way when a restore lost it", () => {
  /** The attempt at a charge, which the database then has lost. */
  async function lost(token: string): Promise<string> {
    const card = account.stripe.addPaymentMethod(account.customer, token).id;
    const id = await subscribed({ ...account, card });
    await shipped(account, id);
    await loseAttempts(id);
    return id;
  }
  /** Cron every four hours for so many days, the comparisons of its nights among them: the differences that these report. */
  async function days(count: number): Promise<Json[]> {
    const start = Date.now();
    const lines = await logged(async () => {
      for (let hour = 4; hour <= count * 24; hour += 4) {
        setClock(start + hour * 3_600_000);
        await account.worker.tick(Date.now(), { reconciles: true });
      }
    });
    return lines.filter(({ event }) => event === "charge_not_reconciled");
  }
  beforeEach(async () => {
    setClock(Date.now());
    await execute("UPDATE reconciliations SET next_at = '2100-01-01T00:00:00.000Z'");
    await execute(
      "UPDATE reconciliations SET next_at = ?, since = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      new Date(Date.now() + 3_600_000).toISOString(),
      new Date(Date.now() - dayMs).toISOString(),
      account.merchant.of.account.id,
    );
  });

  test("is waited for by its attempt, made anew, and recorded when it arrives after days", async () => {
    const id = await lost("pm_sepaDebit_success");
    expect(await days(1)).toMatchObject([{ problem: "not_yet_recorded", alert: false, subscription_id: id }]);
    expect(await newestOf(account, id)).toMatchObject({ status: "PROCESSING", attempt_number: 1 });
    expect(await days(4)).toEqual([]);
    account.stripe.settle(intentsOf(account, id)[0]!.id);
    expect(await days(1)).toEqual([]);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
    expect(await ordersOf(account.merchant, id)).toHaveLength(1);
    expect(await actionsOf(id)).toContain("billing_succeeded");
    await expectChargedOnce(account, id);
  });

  test("is kept in mind though its attempt was withdrawn with the subscription, and told when it arrives after days", async () => {
    const id = await lost("pm_sepaDebit_success");
    const withdrawn = await started(account, id);
    await done(account.merchant.api, "POST", id, "cancel");
    expect(await newestOf(account, id)).toMatchObject({ id: withdrawn, status: "CANCELLED" });
    const waited = await days(4);
    expect(waited.length).toBeGreaterThanOrEqual(3);
    for (const line of waited)
      expect(line).toMatchObject({ problem: "not_yet_recorded", alert: false, subscription_id: id });
    const reference = intentsOf(account, id)[0]!.id;
    account.stripe.settle(reference);
    const told = await days(1);
    expect(told[0]).toMatchObject({ problem: "recorded_as_not_charged", alert: true, reference });
    expect(await ordersOf(account.merchant, id)).toEqual([]);
    const later = await days(4);
    expect(later.filter(({ alert }) => alert).length).toBeLessThanOrEqual(3);
    expect(await days(1)).toEqual([]);
  });

  test("and waits for a customer who never comes can be confirmed no more after the night, and nobody is told", async () => {
    const id = await lost("pm_card_authenticationRequired");
    await done(account.merchant.api, "POST", id, "cancel");
    const [intent] = intentsOf(account, id);
    expect(intent).toMatchObject({ last_payment_error: { code: "authentication_required" } });
    expect(await days(1)).toEqual([]);
    expect(intentsOf(account, id)).toMatchObject([{ status: "canceled", cancellation_reason: "duplicate" }]);
    expect(await days(5)).toEqual([]);
  });
});

test("a free charge is not missed at Stripe", async () => {
  const id = await subscribed(account);
  await shipped(account, id);
  const [attempt] = await attemptRows(id);
  await execute(
    "UPDATE billing_attempts SET store_reference = 'free-' || store_key WHERE id = ?",
    attempt!.id,
  );
  expect((await night(account)).filter((line) => "problem" in line)).toEqual([]);
});
