/** The nightly comparison records the store's charges that a restore has undone, and reports what does not agree. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { reconcilePage } from "../../../src/domain/billing/reconcile/page.ts";
import { mostStatements } from "../../../src/runtime/jobs/budget.ts";
import type { Store } from "../../../src/stores/port.ts";
import { sandboxStore } from "../../../src/stores/sandbox/adapter.ts";
import { copiesOf } from "../../support/copies.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { logged, processDue, tickAt } from "../../support/jobs.ts";
import { attemptOf, put } from "../../support/records.ts";
import {
  deliver,
  done,
  force,
  inDays,
  type Json,
  openShop,
  read,
  rowOf,
  type Shop,
} from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { rowsOf } from "../../support/snapshot.ts";
import {
  attemptsOf,
  chargesOf,
  linked,
  openWorker,
  ordersOf,
  setClock,
  shipNow,
  type TestWorker,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const since = inDays(-3);

function accountId() {
  return shop.of.account.id;
}

function sandbox() {
  return sandboxStore(testDb(shop.of.account), shop.of.account.seq, new Date().toISOString());
}

function systemOn(store: Store) {
  return ctxOn(testDb(shop.of.account), shop.of.account, {
    actor: { type: "system", name: null },
    realNow: new Date().toISOString(),
    store,
    send: async () => {},
  });
}

function findings(after: string | null = null) {
  return reconcilePage(systemOn(sandbox()), { since, after });
}

/** A store that forgets every charge as soon as it has listed it: whatever is sent to it would be charged. */
function losingStore(): { store: Store; listed: () => number } {
  const store = sandbox();
  let listed = 0;
  return {
    listed: () => listed,
    store: {
      ...store,
      listCharges: async (page) => {
        const answer = await store.listCharges!(page);
        listed += answer.charges.length;
        await execute(
          "DELETE FROM sandbox_charges WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
          accountId(),
        );
        return answer;
      },
    },
  };
}

/** A subscription that was shipped and paid for. */
async function paid(more: object = {}): Promise<{ id: string; attemptId: string }> {
  const id = await linked(shop, worker, { next_delivery_date: inDays(7), ...more });
  const attemptId: string = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  await worker.drain();
  return { id, attemptId };
}

const billed = ["current_billing_cycle", "last_order_id", "total_revenue", "open_attempt_id"] as const;
const scheduled = [
  "anchor_date",
  "next_index",
  "next_billed_index",
  "next_billing_date",
  "next_delivery_date",
] as const;

/** The database as it was before a charge: the subscription's row as it was, no attempt, no order. */
async function restored(id: string, before: Json): Promise<void> {
  await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
  await execute(
    "DELETE FROM orders WHERE billing_attempt_id IN (SELECT id FROM billing_attempts WHERE subscription_id = ?)",
    id,
  );
  await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
  const columns = [...billed, ...scheduled];
  await execute(
    `UPDATE subscriptions SET ${columns.map((name) => `${name} = ?`)} WHERE id = ?`,
    ...columns.map((name) => before[name]),
    id,
  );
}

/** A subscription that ship-now has charged, of which a restore has lost everything; its row has `values` then. */
async function lostCharge(days: number, values: Json = {}): Promise<string> {
  const id = await linked(shop, worker, { next_delivery_date: inDays(days) });
  const before = await rowOf(id);
  await shipNow(shop, worker, id);
  await worker.drain();
  await restored(id, { ...before, ...values });
  return id;
}

test("a charge that another comparison records at the same time is not reported as unknown", async () => {
  const id = await lostCharge(7);
  const compare = (by: TestWorker) =>
    deliver([{ type: "reconcile", account_id: accountId(), since, after: null }], by);
  const DB = interrupted(/AS wanted/, { after: () => compare(worker), once: true });
  const lines = await logged(() => compare(openWorker({ DB })));
  const found = lines.filter(({ event }) => event === "charge_not_reconciled");
  expect(found).toMatchObject([{ problem: "recorded", subscription_id: id }]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("what agrees is not reported, and nothing is written", async () => {
  await paid();
  await paid({ store_payment_method_id: "pm_card_declined" });
  const before = await rowsOf(accountId());
  expect(await findings()).toEqual({ findings: [], next: null });
  expect(await rowsOf(accountId())).toBe(before);
});

test("a charge that cannot be compared keeps none of the others, and is looked at again", async () => {
  const [broken, well] = [await lostCharge(7), await lostCharge(7)];
  await force(broken, { discounts: "[" });
  const lines = await logged(() =>
    deliver([{ type: "reconcile", account_id: accountId(), since, after: null }], worker),
  );
  const found = lines.filter(({ event }) => event === "charge_not_reconciled");
  expect(found.map(({ problem, subscription_id }) => [problem, subscription_id])).toEqual([
    ["not_yet_recorded", broken],
    ["recorded", well],
  ]);
  expect(lines.filter(({ event }) => event === "record_failed")).toMatchObject([
    { alert: true, task: "compare_charge", cause: expect.stringContaining("SyntaxError") },
  ]);
  await force(broken, { discounts: "[]" });
  expect((await findings()).findings).toMatchObject([{ problem: "recorded", subscription_id: broken }]);
});

describe("after a restore", () => {
  test("two charges by ship-now are recorded with their orders, in turn, and nothing is charged", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
    const before = await rowOf(id);
    for (const nth of [1, 2]) {
      await shipNow(shop, worker, id, nth === 1 ? {} : { allow_repeat: true });
      await worker.drain();
    }
    const orders = (await ordersOf(shop, id)).map(({ store_order_id }) => store_order_id);
    const charges = await chargesOf(id);
    await restored(id, before);
    expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 1, total_revenue: 0 });
    await worker.tick();
    expect(await ordersOf(shop, id)).toEqual([]);

    const { findings: found } = await findings();
    expect(found).toMatchObject([
      { problem: "recorded", subscription_id: id },
      { problem: "recorded", subscription_id: id },
    ]);
    expect((await ordersOf(shop, id)).map(({ store_order_id }) => store_order_id)).toEqual(orders);
    expect(await attemptsOf(shop, id)).toMatchObject([
      { status: "SUCCEEDED", cycle: 2, trigger: "SHIP_NOW" },
      { status: "SUCCEEDED", cycle: 1 },
    ]);
    expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 3, total_revenue: 20 });
    expect(await chargesOf(id)).toEqual(charges);
    expect((await findings()).findings).toEqual([]);
  });

  test("a page of missing charges takes several messages, each within what an invocation may run", async () => {
    const first = await linked(shop, worker, { next_delivery_date: inDays(7) });
    await force(first, {
      next_billing_date: inDays(0),
      next_delivery_date: inDays(0),
      anchor_date: inDays(0),
    });
    const ids = [first, ...(await copiesOf(first, 29))];
    const before = await Promise.all(ids.map(rowOf));
    await deliver([processDue(shop, ...ids)], worker);
    await worker.drain();
    for (const [nth, id] of ids.entries()) await restored(id, before[nth] as Json);
    const job = { type: "reconcile", account_id: accountId(), since, after: null };
    const lines = await logged(async () => {
      await deliver([job], worker);
      expect(worker.sent()).toEqual([job]);
      await worker.drain();
    });
    const jobs = lines.filter(({ event, type }) => event === "job" && type === "reconcile");
    expect(jobs.length).toBeGreaterThan(1);
    for (const { db_statements } of jobs) expect(db_statements).toBeLessThanOrEqual(mostStatements.reconcile);
    for (const id of ids) expect(await ordersOf(shop, id)).toHaveLength(1);
    expect((await findings()).findings).toEqual([]);
  });

  test("a charge of another amount than the subscription has now is recorded as what was paid, not charged again", async () => {
    const id = await lostCharge(30);
    const line = (await read(shop, id)).lines[0].id;
    await done(shop.api, "PUT", id, `lines/${line}`, { price: 12 });
    expect((await findings()).findings).toMatchObject([{ problem: "recorded" }]);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", amount: 10 }]);
    expect(await ordersOf(shop, id)).toMatchObject([{ total: 10 }]);
    expect(await chargesOf(id)).toHaveLength(1);
  });

  test("an attempt that is made anew is never sent, whatever has become of its charge", async () => {
    const id = await lostCharge(30);
    const { store, listed } = losingStore();
    await reconcilePage(systemOn(store), { since, after: null });
    expect(listed()).toBe(1);
    expect(
      await select(
        "SELECT COUNT(*) AS count FROM sandbox_charges WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        accountId(),
      ),
    ).toEqual([{ count: 0 }]);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  });

  describe("a charge whose attempt is still to come is no alert, and is compared until it is recorded", () => {
    /** One charge that the restored database does not know, of a subscription whose row has these values then. */
    async function unknownCharge(values: Json): Promise<string> {
      const id = await lostCharge(7, { open_attempt_id: null });
      await force(id, values);
      return id;
    }
    async function night(from = since): Promise<Json[]> {
      const lines = await logged(async () => {
        await deliver([{ type: "reconcile", account_id: accountId(), since: from, after: null }], worker);
        await worker.drain();
      });
      return lines.filter(({ event }) => event === "charge_not_reconciled");
    }
    async function nextSince(): Promise<string> {
      const [row] = await select<{ since: string }>(
        "SELECT since FROM reconciliations WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        accountId(),
      );
      return row!.since;
    }

    test("because another attempt is open", async () => {
      const id = await unknownCharge({ open_attempt_id: newId() });
      const from = inDays(-9);
      expect(await night(from)).toMatchObject([
        { problem: "not_yet_recorded", alert: false, subscription_id: id },
      ]);
      expect(await nextSince()).toBe(from);
      await force(id, { open_attempt_id: null });
      expect(await night(from)).toMatchObject([{ problem: "recorded", subscription_id: id }]);
      expect(await chargesOf(id)).toHaveLength(1);
      expect(await ordersOf(shop, id)).toHaveLength(1);
      expect((await nextSince()) > inDays(-4)).toBe(true);
    });

    test("because its contract is not linked yet", async () => {
      const contract = (await rowOf(await unknownCharge({}))).store_contract_id;
      await execute(
        "UPDATE subscriptions SET store_contract_id = NULL WHERE store_contract_id = ?",
        contract,
      );
      expect((await findings()).findings).toMatchObject([{ problem: "not_yet_recorded" }]);
    });

    test("because an earlier cycle, or an earlier try, has its turn first", async () => {
      const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
      const before = await rowOf(id);
      for (const more of [{}, { allow_repeat: true }]) {
        await shipNow(shop, worker, id, more);
        await worker.drain();
      }
      await restored(id, before);
      await execute(
        `DELETE FROM sandbox_charges WHERE charge_number = (SELECT MIN(charge_number) FROM sandbox_charges
          WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?1)) AND account_seq = (SELECT seq FROM accounts WHERE id = ?1)`,
        accountId(),
      );
      expect((await findings()).findings).toMatchObject([{ problem: "not_yet_recorded" }]);
      expect(await ordersOf(shop, id)).toEqual([]);
    });

    test("but an alert after thirty days without it", async () => {
      await unknownCharge({ open_attempt_id: newId() });
      await execute("UPDATE sandbox_charges SET created_at = ?", `${inDays(-31)}T00:00:00.000Z`);
      expect(await night(inDays(-40))).toMatchObject([{ problem: "unknown_charge", alert: true }]);
      expect((await nextSince()) > inDays(-4)).toBe(true);
    });
  });

  test("a charge under a key that no next attempt has is reported", async () => {
    const { id } = await paid();
    await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
    await execute(
      "DELETE FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
    expect((await findings()).findings).toMatchObject([
      { problem: "unknown_charge", subscription_id: id, attempt_id: null },
    ]);
    expect(await ordersOf(shop, id)).toEqual([]);
  });
});

describe("reported, and left alone", () => {
  test.each(["FAILED", "CANCELLED"])("a charge whose attempt is %s here", async (status) => {
    const { attemptId } = await paid();
    await execute("UPDATE billing_attempts SET status = ? WHERE id = ?", status, attemptId);
    const before = await rowsOf(accountId());
    expect((await findings()).findings).toMatchObject([
      { problem: "recorded_as_not_charged", attempt_id: attemptId },
    ]);
    expect(await rowsOf(accountId())).toBe(before);
  });

  test("a success that the store has not charged", async () => {
    const { id, attemptId } = await paid();
    await execute(
      "DELETE FROM sandbox_charges WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    expect((await findings()).findings).toMatchObject([
      { problem: "not_charged", attempt_id: attemptId, subscription_id: id },
    ]);
  });

  test("successes that the store has not charged, however many there are of one time", async () => {
    const { id } = await paid();
    const created_at = new Date().toISOString();
    const more = Array.from({ length: 205 }, (_, nth) =>
      attemptOf(shop.of, id, 100 + nth, { store_key: nth.toString(16).padStart(40, "0"), created_at }),
    );
    await put("billing_attempts", more);
    const { findings: found } = await findings();
    expect(found.map(({ problem }) => problem)).toEqual(more.map(() => "not_charged"));
    expect(found.map(({ attempt_id }) => attempt_id).sort()).toEqual(more.map((one) => one.id).sort());
  });

  test("a success without its order", async () => {
    const { attemptId } = await paid();
    await execute("UPDATE billing_attempts SET order_id = 'lost' WHERE id = ?", attemptId);
    expect((await findings()).findings).toMatchObject([{ problem: "order_missing", attempt_id: attemptId }]);
  });

  test("not an open attempt, which the sweep asks about, nor a charge of another app", async () => {
    const { attemptId } = await paid();
    await execute("UPDATE billing_attempts SET status = 'PROCESSING' WHERE id = ?", attemptId);
    await execute(
      "INSERT INTO sandbox_charges (account_seq, idempotency_key, state, amount, currency_code, created_at) VALUES ((SELECT seq FROM accounts WHERE id = ?), 'other-app', 'SUCCEEDED', 1, 'USD', ?)",
      accountId(),
      new Date().toISOString(),
    );
    expect((await findings()).findings).toEqual([]);
  });
});

test("pages are bounded: the job goes on after each, and all are compared", async () => {
  const { id } = await paid();
  const copies = Array.from({ length: 120 }, (_, nth) => nth.toString(16).padStart(40, "0"));
  for (const key of copies)
    await execute(
      "INSERT INTO sandbox_charges (account_seq, idempotency_key, state, amount, currency_code, created_at, subscription_id) VALUES ((SELECT seq FROM accounts WHERE id = ?), ?, 'SUCCEEDED', 1, 'USD', ?, ?)",
      accountId(),
      key,
      new Date().toISOString(),
      id,
    );
  const found: string[] = [];
  let pages = 0;
  for (let after: string | null = null; ; pages++) {
    const page = await findings(after);
    found.push(...page.findings.map(({ store_key }) => store_key));
    after = page.next;
    if (after === null) break;
  }
  expect(pages).toBe(2);
  expect(found).toEqual(copies);
});

describe("every night", () => {
  const reconciled = async (at: string) =>
    (await tickAt(at)).filter(({ type }) => type === "reconcile").map(({ account_id }) => account_id);
  const nextAt = async () =>
    (
      await select<{ next_at: string; since: string }>(
        "SELECT next_at, since FROM reconciliations WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        accountId(),
      )
    )[0]!;

  test("the tick starts it once, what differs is an alert that names the account, and the next night is set", async () => {
    shop = await openShop({ timezone: "America/New_York" });
    const { attemptId } = await paid();
    await execute(
      "DELETE FROM sandbox_charges WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    await execute("UPDATE reconciliations SET next_at = '2100-01-01'");
    await execute(
      "UPDATE reconciliations SET next_at = '2000-01-01' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    setClock("2027-03-10T12:00:00.000Z");
    const lines = await logged(async () => {
      await worker.tick(Date.now(), { reconciles: true });
      await worker.tick(Date.now(), { reconciles: true });
    });
    vi.useRealTimers();
    expect(lines.filter(({ type }) => type === "reconcile")).toHaveLength(1);
    expect(lines.filter(({ event }) => event === "charge_not_reconciled")).toMatchObject([
      { alert: true, account_id: accountId(), problem: "not_charged", attempt_id: attemptId },
    ]);
    expect(await nextAt()).toEqual({
      next_at: "2027-03-11T08:00:00.000Z",
      since: "2027-03-07T12:00:00.000Z",
    });
  });

  test("a message from before a restore leaves out no charge that is older than it", async () => {
    const id = await lostCharge(30);
    await execute(
      "UPDATE reconciliations SET since = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      since,
      accountId(),
    );
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    setClock(Date.now() + 5 * 86_400_000);
    await deliver([{ type: "reconcile", account_id: accountId(), since: tomorrow, after: null }]);
    expect(await ordersOf(shop, id)).toEqual([]);
    await execute(
      "UPDATE reconciliations SET next_at = CASE WHEN account_seq = (SELECT seq FROM accounts WHERE id = ?) THEN '2000-01-01' ELSE '2100-01-01' END",
      accountId(),
    );
    await worker.tick(Date.now(), { reconciles: true });
    await worker.drain();
    expect(await ordersOf(shop, id)).toHaveLength(1);
    expect(await chargesOf(id)).toHaveLength(1);
  });

  test("a lost message is sent again a day later", async () => {
    await execute("UPDATE reconciliations SET next_at = '2100-01-01'");
    await execute(
      "UPDATE reconciliations SET next_at = '2000-01-01' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    const reconciling = async (at: string) =>
      (await tickAt(at)).filter(({ type, account_id }) => type === "reconcile" && account_id === accountId());
    expect(await reconciling("2027-03-10T12:00:00.000Z")).toHaveLength(1);
    expect(await reconciling("2027-03-11T11:59:00.000Z")).toEqual([]);
    expect(await reconciling("2027-03-11T12:00:00.000Z")).toHaveLength(1);
  });

  test("an account that its store has disconnected waits for another night, and is not looked at by each tick", async () => {
    await execute(
      "UPDATE reconciliations SET next_at = '2000-01-01', since = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      since,
      accountId(),
    );
    await execute(
      `INSERT INTO shopify_connections (account_seq, credentials, shop, created_at, updated_at, disconnected_at)
        VALUES ((SELECT seq FROM accounts WHERE id = ?), '', 'b.myshopify.com', '', '', '2026-01-01')`,
      accountId(),
    );
    expect(await reconciled("2027-03-10T12:00:00.000Z")).toEqual([]);
    expect(await nextAt()).toEqual({ next_at: "2027-03-11T12:00:00.000Z", since });
    await execute(
      "UPDATE shopify_connections SET disconnected_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    expect(await reconciled("2027-03-11T11:59:00.000Z")).toEqual([]);
    expect(await reconciled("2027-03-11T12:00:00.000Z")).toEqual([accountId()]);
  });
});

test("a message that comes twice records once", async () => {
  const id = await lostCharge(30);
  const job = { type: "reconcile", account_id: accountId(), since, after: null };
  await Promise.all([deliver([job]), deliver([job])]);
  await deliver([job]);
  await worker.drain();
  expect(await ordersOf(shop, id)).toHaveLength(1);
  expect(await chargesOf(id)).toHaveLength(1);
  expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 10 });
});
