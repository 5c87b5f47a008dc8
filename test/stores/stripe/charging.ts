import { expect, vi } from "vitest";
import { execute, select } from "../../support/database.ts";
import type { PaymentIntent } from "../../support/fake-stripe.ts";
import { logged } from "../../support/jobs.ts";
import { deliver, type Json } from "../../support/shops.ts";
import { attemptsOf, setClock, shipNow } from "../../support/worker.ts";
import type { ConnectedAccount } from "./account.ts";

type Attempt = { id: string; status: string; activation: number; cycle: number; store_key: string };

/** Attempts of a subscription as the database has them, oldest first. */
export function attemptRows(id: string): Promise<Attempt[]> {
  return select<Attempt>(
    "SELECT * FROM billing_attempts WHERE subscription_id = ? ORDER BY created_at, id",
    id,
  );
}

export function intentsOf({ stripe }: ConnectedAccount, id: string): PaymentIntent[] {
  return stripe.intents().filter(({ metadata }) => metadata.subscription_id === id);
}

/**
 * Checks, whatever has failed, that a cycle has one succeeded intent at most, and an attempt that is settled as not charged has none.
 * While an attempt is open, its intent may be ahead of it.
 */
export async function expectChargedOnce(account: ConnectedAccount, id: string): Promise<void> {
  const rows = await attemptRows(id);
  const paid = intentsOf(account, id).filter(({ status }) => status === "succeeded");
  const cycles = paid.map(({ metadata }) => {
    const of = rows.find(({ store_key }) => store_key === metadata.key);
    return of ? `${of.activation}/${of.cycle}` : metadata.key;
  });
  expect(cycles, "a cycle was charged twice").toEqual([...new Set(cycles)]);
  const keys = new Set(paid.map(({ metadata }) => metadata.key));
  const settledAs = (statuses: string[]) => rows.filter(({ status }) => statuses.includes(status));
  const isPaidByAnother = ({ store_key, status }: Attempt) =>
    rows.some((row) => row.store_key === store_key && row.status !== status);
  for (const row of settledAs(["FAILED", "CANCELLED"]))
    if (keys.has(row.store_key)) expect(isPaidByAnother(row), "a charge is recorded as not made").toBe(true);
  for (const { store_key } of settledAs(["SUCCEEDED"])) expect(keys).toContain(store_key);
}

/** ship-now, and all that follows from it at once. */
export async function shipped({ merchant, worker }: ConnectedAccount, id: string): Promise<void> {
  const { status, text } = await shipNow(merchant, worker, id, { allow_repeat: true });
  if (status !== 200) throw new Error(text);
  await worker.drain();
}

/** ship-now, whose message waits: the attempt that it has started. */
export async function started({ merchant, worker }: ConnectedAccount, id: string): Promise<string> {
  const { status, text, body } = await shipNow(merchant, worker, id, { allow_repeat: true });
  if (status !== 200) throw new Error(text);
  worker.forget();
  return body.billing_attempt_id;
}

/** Lets the consumer have the message of an attempt; one whose isolate ends comes back. */
export async function charge(account: ConnectedAccount, attempt_id: string, bindings?: Json): Promise<void> {
  const job = { type: "charge", account_id: account.merchant.of.account.id, attempt_id };
  await deliver([job], bindings ? { bindings } : account.worker).catch(() => {});
}

/** Cron for so many minutes, each `step` of them, and the messages that it sends. Afterwards real time runs again. */
export async function settled(
  { worker }: ConnectedAccount,
  minutes = 3,
  from = Date.now(),
  step = 1,
): Promise<void> {
  for (let minute = step; minute <= minutes; minute += step) {
    setClock(from + minute * 61_000);
    await worker.tick();
  }
  vi.useRealTimers();
}

/** The newest attempt, over HTTP. */
export async function newestOf({ merchant }: ConnectedAccount, id: string): Promise<Json> {
  return (await attemptsOf(merchant, id))[0];
}

/** The night after, in which charges are compared: what it logs. */
export function night({ merchant, worker }: ConnectedAccount): Promise<Json[]> {
  return logged(async () => {
    await execute(
      "UPDATE reconciliations SET next_at = '2026-01-01T00:00:00.000Z', since = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      new Date(Date.now() - 3 * 86_400_000).toISOString(),
      merchant.of.account.id,
    );
    await worker.tick(Date.now(), { reconciles: true });
  });
}

/** The next comparison, from where the one before has left off: what it logs. */
export function nextNight({ merchant, worker }: ConnectedAccount): Promise<Json[]> {
  return logged(async () => {
    await execute(
      "UPDATE reconciliations SET next_at = '2026-01-01T00:00:00.000Z' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      merchant.of.account.id,
    );
    await worker.tick(Date.now(), { reconciles: true });
  });
}

/** Leaves of a subscription as much as a restore to before its first attempt. */
export async function loseAttempts(id: string): Promise<void> {
  await execute(
    "UPDATE subscriptions SET current_billing_cycle = 1, open_attempt_id = NULL, last_order_id = NULL WHERE id = ?",
    id,
  );
  await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
  await execute(
    "DELETE FROM orders WHERE billing_attempt_id IN (SELECT id FROM billing_attempts WHERE subscription_id = ?)",
    id,
  );
  await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
}
