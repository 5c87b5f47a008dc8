import { expect, test, vi } from "vitest";
import { readAccount } from "../../src/base/accounts/queries.ts";
import { parseEnv } from "../../src/base/env.ts";
import { openStore } from "../../src/stores/open.ts";
import type { MadeCharge, Store } from "../../src/stores/port.ts";
import { execute, testDb } from "../support/database.ts";
import { logged } from "../support/jobs.ts";
import { ordersOf } from "../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { apiOf } from "./api.ts";
import { attemptRows, expectChargedOnce, intentsOf, newestOf, shipped } from "./charging.ts";

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

/** The night after, in which charges are compared. */
async function night(): Promise<object[]> {
  return logged(async () => {
    await execute(
      "UPDATE reconciliations SET next_at = '2026-01-01T00:00:00.000Z', since = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      new Date(Date.now() - 3 * dayMs).toISOString(),
      account.merchant.of.account.id,
    );
    await account.worker.tick(Date.now(), { reconciles: true });
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
  expect((await night()).filter((line) => "problem" in line)).toEqual([]);
});

test("a charge that a restored database has lost is recorded in the night", async () => {
  const id = await subscribed(account);
  await shipped(account, id);
  const [attempt] = await attemptRows(id);
  await execute(
    "UPDATE subscriptions SET current_billing_cycle = 1, open_attempt_id = NULL, last_order_id = NULL WHERE id = ?",
    id,
  );
  await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
  await execute("DELETE FROM orders WHERE billing_attempt_id = ?", attempt!.id);
  await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
  expect(await night()).toContainEqual(
    expect.objectContaining({ event: "charge_not_reconciled", problem: "recorded" }),
  );
  expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
  expect(await ordersOf(account.merchant, id)).toHaveLength(1);
  expect(intentsOf(account, id)).toHaveLength(1);
  await expectChargedOnce(account, id);
});

test("a free charge is not missed at Stripe", async () => {
  const id = await subscribed(account);
  await shipped(account, id);
  const [attempt] = await attemptRows(id);
  await execute(
    "UPDATE billing_attempts SET store_reference = 'free-' || store_key WHERE id = ?",
    attempt!.id,
  );
  expect((await night()).filter((line) => "problem" in line)).toEqual([]);
});
