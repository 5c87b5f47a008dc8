/** The nightly look records refunds whose webhooks were lost, each once. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { reconcileCommands } from "../../../scripts/account/reconcile.ts";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { dayMs } from "../../../src/base/lib/time/durations.ts";
import { lookAtRefunds } from "../../../src/domain/store-sync/look-at-refunds.ts";
import { openStore } from "../../../src/stores/open.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { entriesOf, type Json, read } from "../../support/shops.ts";
import { ordersOf, setClock } from "../../support/worker.ts";
import { credentialsKey, subscribed, useAccount } from "./account.ts";
import { apiOf } from "./api.ts";
import { charge, intentsOf, nextNight, night, settled, shipped, started } from "./charging.ts";
import { connectWith, type HookedAccount, hookedAccount } from "./hooks.ts";

const account = useAccount(hookedAccount) as HookedAccount;
let id: string;
let intent: string;
beforeEach(async () => {
  id = await subscribed(account);
  await shipped(account, id);
  intent = intentsOf(account, id)[0]!.id;
});

const orders = (of = id): Promise<Json[]> => ordersOf(account.merchant, of);

function asked(operation: string): number {
  return account.stripe.requests.filter((request) => request.operation === operation).length;
}

/** Stripe does not answer for the refunds of a charge, until what this returns is called. */
function silence(charge: string): () => void {
  const atStripe = fetch;
  vi.stubGlobal("fetch", async (...[input, init]: Parameters<typeof fetch>) => {
    const { url } = new Request(input, init);
    const isSilent = url.includes(`payment_intent=${charge}`);
    return isSilent ? new Response(null, { status: 502 }) : atStripe(input, init);
  });
  return () => void vi.stubGlobal("fetch", atStripe);
}

describe("the nightly look at refunds", () => {
  test("records those whose webhooks were lost, each once: the order, the revenue and the history say so", async () => {
    account.stripe.refundAtStripe(intent, 500);
    account.stripe.refundAtStripe(intent, 250);
    await night(account);
    const [order] = await orders();
    expect(order).toMatchObject({ status: "PARTIALLY_REFUNDED", refunded_amount: 7.5, total: 20 });
    expect(await read(account.merchant, id)).toMatchObject({ total_revenue: 12.5 });
    const before = await entriesOf(order!.id);
    expect(before.filter(({ action }) => action === "order_refunded")).toMatchObject([
      { actor_type: "system", metadata: { amount: 5 } },
      { actor_type: "system", metadata: { amount: 2.5 } },
    ]);
    const lists = asked("refunds.list");
    await night(account);
    expect([await entriesOf(order!.id), asked("refunds.list") - lists]).toEqual([before, 1]);
  });

  test("goes on behind one that cannot be recorded, and records it the next night", async () => {
    const second = await subscribed(account);
    await shipped(account, second);
    account.stripe.refundAtStripe(intent, 500);
    account.stripe.refundAtStripe(intentsOf(account, second)[0]!.id, 250);
    const [order] = (await orders()) as [{ id: string }];
    await execute(
      `CREATE TRIGGER unrecorded BEFORE UPDATE OF refunded_amount ON orders WHEN NEW.id = '${order.id}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    const lines = await night(account);
    await execute("DROP TRIGGER unrecorded");
    const refunded = async () =>
      [...(await orders()), ...(await orders(second))].map((one) => one.refunded_amount);
    expect(await refunded()).toEqual([0, 2.5]);
    expect(lines.filter(({ event }) => event === "record_failed")).toMatchObject([
      { alert: true, task: "refunds", charge_reference: intent },
    ]);
    await night(account);
    expect(await refunded()).toEqual([5, 2.5]);
  });

  test("leaves nothing to pay back twice where a restore has undone what staff have paid back", async () => {
    const [{ id: order }] = (await orders()) as [{ id: string }];
    const refunds = `/api/subscriptions/orders/${order}/refunds`;
    const { worker, merchant } = account;
    const refund = (amount: number) =>
      worker.call<Json>(merchant.admin, "POST", refunds, { body: { amount } });
    const made = await refund(15);
    expect(made.status).toBe(201);
    await worker.drain();
    await execute("DELETE FROM order_refunds WHERE order_id = ?", order);
    await execute("UPDATE orders SET status = 'PAID', refunded_amount = 0 WHERE id = ?", order);
    await night(account);
    expect((await orders())[0]).toMatchObject({ status: "PARTIALLY_REFUNDED", refunded_amount: 15 });
    expect((await worker.call<Json>(merchant.admin, "GET", refunds)).body.data).toMatchObject([
      { id: made.body.data.id, amount: 15, status: "SUCCEEDED", is_made_at_store: false },
    ]);
    const again = await refund(15);
    expect([again.status, again.body.details]).toMatchObject([400, [{ path: "amount" }]]);
  });

  test("looks at all pages", async () => {
    const other = await subscribed(account);
    await shipped(account, other);
    account.stripe.refundAtStripe(intentsOf(account, other)[0]!.id, 500);
    account.stripe.advance(1000);
    for (let nth = 0; nth < 100; nth++) account.stripe.refundAtStripe(intent, 10);
    await night(account);
    expect(await orders()).toMatchObject([{ refunded_amount: 10 }]);
    expect(await orders(other)).toMatchObject([{ refunded_amount: 5 }]);
  });

  test("follows one whose end was not heard of", async () => {
    account.stripe.settings.refundsPend = true;
    const { id: refund } = account.stripe.refundAtStripe(intent, 500);
    await night(account);
    expect((await orders())[0]).toMatchObject({ refunded_amount: 0 });
    account.stripe.settleRefund(refund, "succeeded");
    await night(account);
    expect((await orders())[0]).toMatchObject({ refunded_amount: 5 });
  });

  test("looks again at one whose charge is recorded days later", async () => {
    const other = await subscribed(account);
    const attempt = await started(account, other);
    account.stripe.fail({ kind: "network", effect: "done", on: "payment_intents.confirm" });
    await charge(account, attempt);
    account.worker.forget();
    account.stripe.refundAtStripe(intentsOf(account, other)[0]!.id, 500);
    const tryNext = (at: number) =>
      execute(
        "UPDATE billing_attempts SET next_action_at = ?, lease_until = NULL WHERE subscription_id = ?",
        new Date(at).toISOString(),
        other,
      );
    const refunded = Date.now();
    await tryNext(refunded + 6 * dayMs);
    for (const days of [2, 4]) {
      setClock(refunded + days * dayMs);
      await nextNight(account);
    }
    await tryNext(Date.now());
    await settled(account, 2, Date.now());
    expect(await orders(other)).toMatchObject([{ status: "PAID", refunded_amount: 0 }]);
    setClock(refunded + 5 * dayMs);
    await nextNight(account);
    expect(await orders(other)).toMatchObject([{ status: "PARTIALLY_REFUNDED", refunded_amount: 5 }]);
  });

  test("is not held up by a charge about which Stripe does not answer, and looks at it again", async () => {
    const other = await subscribed(account);
    await shipped(account, other);
    account.stripe.refundAtStripe(intent, 500);
    account.stripe.refundAtStripe(intentsOf(account, other)[0]!.id, 250);
    const refunded = async () => [
      (await orders())[0]!.refunded_amount,
      (await orders(other))[0]!.refunded_amount,
    ];
    const answering = silence(intentsOf(account, other)[0]!.id);
    await night(account);
    expect(await refunded()).toEqual([5, 0]);
    answering();
    await night(account);
    expect(await refunded()).toEqual([5, 2.5]);
  });

  test("leaves refunds of other charges at Stripe alone, and asks for nothing else of them", async () => {
    const { post } = apiOf(account.stripe);
    const { body } = await post("payment_intents", {
      ...{ amount: 1000, currency: "eur", customer: account.customer, payment_method: account.card },
      ...{ confirm: true, off_session: true, return_url: "https://shop.example" },
      metadata: { key: "a-key", account_id: "another-account" },
    });
    account.stripe.refundAtStripe(body.id, 500);
    const operations = ["refunds.list", "payment_intents.retrieve"];
    const before = operations.map(asked);
    await night(account);
    expect(operations.map((operation, nth) => asked(operation) - before[nth]!)).toEqual([1, 0]);
  });

  test("says that the key may not read refunds, and compares the charges all the same", async () => {
    account.stripe.refundAtStripe(intent, 500);
    const { settings: at } = account.stripe;
    at.secretKeys = [...at.secretKeys, "rk_test_fake"];
    at.refusedPermissions = new Set(["refunds.list"]);
    await connectWith(account, { secret_key: "rk_test_fake" } as Json);
    const lines = await night(account);
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "store_access_denied", topic: "refunds", alert: true }),
    );
    const [next] = (await select(
      "SELECT next_at FROM reconciliations WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      account.merchant.of.account.id,
    )) as [{ next_at: string }];
    expect(Date.parse(next.next_at)).toBeGreaterThan(Date.now());
    expect((await orders())[0]).toMatchObject({ refunded_amount: 0 });
    at.refusedPermissions = new Set();
    await night(account);
    expect((await orders())[0]).toMatchObject({ refunded_amount: 5 });
  });
});

test("a look that has done enough goes on with the same page, of which little is left", async () => {
  const other = await subscribed(account);
  await shipped(account, other);
  account.stripe.refundAtStripe(intent, 500);
  account.stripe.refundAtStripe(intentsOf(account, other)[0]!.id, 250);
  const [db, realNow] = [testDb(), new Date()];
  const own = (await readAccount(db, account.merchant.of.account.id))!;
  const at = {
    env: parseEnv(account.worker.bindings),
    db,
    account: own,
    now: realNow.toISOString(),
    realNow,
  };
  const ctx = ctxOn(db, own, { store: await openStore({ ...at, log: () => {} }) });
  const page = { since: new Date(Date.now() - dayMs).toISOString(), after: null };
  let asked = 0;
  const looks = [await lookAtRefunds(ctx, page, () => asked++ > 0), await lookAtRefunds(ctx, page)];
  expect(looks).toEqual([
    { next: null, recorded: 1, open: [], isCut: true },
    { next: null, recorded: 1, open: [] },
  ]);
});

describe("account -- reconcile", () => {
  const run = async () => {
    vi.stubEnv("STORE_CREDENTIALS_KEY", credentialsKey);
    const since = new Date(Date.now() - dayMs).toISOString();
    const call = { now: new Date().toISOString(), say: () => {} };
    const { reconcile } = reconcileCommands;
    const lines = await reconcile!
      .run(testDb(), { account: account.merchant.of.account.id, since }, call)
      .finally(vi.unstubAllEnvs);
    return { lines: lines.slice(0, -1), summary: lines.at(-1), leavesOpen: reconcile!.leavesOpen!(lines) };
  };

  test("records refunds, counts them, and records nothing the next time", async () => {
    account.stripe.refundAtStripe(intent, 500);
    expect(await run()).toMatchObject({
      lines: [],
      summary: { recorded: 0, refunds: 1, unresolved: 0 },
      leavesOpen: false,
    });
    expect((await orders())[0]).toMatchObject({ refunded_amount: 5 });
    expect(await run()).toMatchObject({ summary: { refunds: 0, unresolved: 0 } });
  });

  test("names a charge about which Stripe does not answer, and fails", async () => {
    account.stripe.refundAtStripe(intent, 500);
    silence(intent);
    expect(await run()).toMatchObject({
      lines: [{ problem: "refunds_not_recorded", reference: intent }],
      summary: { refunds: 0, unresolved: 1 },
      leavesOpen: true,
    });
  });

  test("is refused where the key may not read refunds", async () => {
    const { settings: at } = account.stripe;
    at.secretKeys = [...at.secretKeys, "rk_test_fake"];
    at.refusedPermissions = new Set(["refunds.list"]);
    await connectWith(account, { secret_key: "rk_test_fake" } as Json);
    await expect(run()).rejects.toThrow(/permission/i);
  });
});
