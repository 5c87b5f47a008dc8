/** The schema, the claim and the store's key each stop a second charge by themselves. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import type { Bindings } from "../../../src/base/env.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { takeAttempt } from "../../../src/domain/billing/actions/claim.ts";
import { recordFailure } from "../../../src/domain/billing/actions/record-failure.ts";
import { recordSuccess } from "../../../src/domain/billing/actions/record-success.ts";
import { settlementStatements } from "../../../src/domain/billing/actions/settle.ts";
import { startAttempt } from "../../../src/domain/billing/actions/start.ts";
import { chargeLater } from "../../../src/domain/billing/actions/wait.ts";
import { selectLatestAttempts } from "../../../src/domain/billing/queries.ts";
import { deriveStoreKey } from "../../../src/domain/billing/store-key.ts";
import type { BillingAttempt } from "../../../src/domain/billing/tables.ts";
import { notCharged } from "../../../src/domain/retries/policy.ts";
import { cancelSubscription } from "../../../src/domain/subscriptions/actions/cancel.ts";
import { getSubscriptionAnd } from "../../../src/domain/subscriptions/queries.ts";
import type { Ctx } from "../../../src/kit/context.ts";
import { execute, testDb } from "../../support/database.ts";
import { orderOf, put } from "../../support/records.ts";
import { deliver, rowOf } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { after, readAttempt, useAttempts } from "./layers.setup.ts";

/*
 * Several layers keep a cycle from being charged twice. If one is removed the next still holds, so the simulator (npm run
 * simulate -- --seeded-bugs) cannot notice it. These tests show that each layer holds by itself.
 */

const { shop, customer, ctxAt, createBilling, errorOfSecond } = useAttempts();

describe("the schema", () => {
  test("one attempt of a subscription is open", async () => {
    for (const status of ["QUEUED", "PROCESSING", "ACTION_REQUIRED", "REVIEW"] as const)
      expect(await errorOfSecond({ status }, { attempt_number: 2 })).toBe("unique");
    expect(await errorOfSecond({ status: "FAILED" }, { attempt_number: 2 })).toBeUndefined();
  });

  test("one attempt at a cycle succeeds", async () => {
    const status = "SUCCEEDED";
    expect(await errorOfSecond({ status }, { status, attempt_number: 2 })).toBe("unique");
    expect(await errorOfSecond({ status }, { status, cycle: 2 })).toBeUndefined();
    expect(await errorOfSecond({ status }, { status, activation: 2 })).toBeUndefined();
  });

  test("an attempt number is used once", async () => {
    expect(await errorOfSecond({ status: "FAILED" }, { status: "FAILED" })).toBe("unique");
    expect(await errorOfSecond({ status: "CANCELLED" }, { status: "FAILED" })).toBeUndefined();
  });

  test("a store key is used once", async () => {
    const store_key = newId();
    const another = { status: "FAILED", store_key, attempt_number: 2 } as const;
    expect(await errorOfSecond({ status: "FAILED", store_key }, another)).toBe("unique");
    expect(await errorOfSecond({ status: "CANCELLED", store_key: newId() }, another)).toBe("unique");
  });

  test("an attempt has one order", async () => {
    const billing_attempt_id = newId();
    await put("orders", [orderOf(shop.of, { billing_attempt_id })]);
    await expect(put("orders", [orderOf(shop.of, { billing_attempt_id })])).rejects.toMatchObject({
      kind: "unique",
    });
  });
});

describe("the claim", () => {
  test("no second claim is possible until the lease ends", async () => {
    const { attempt } = await createBilling();
    expect(await takeAttempt(ctxAt(0), attempt.id)).toMatchObject({ attempt: { claims: 1 }, sends: true });
    expect(await takeAttempt(ctxAt(59), attempt.id)).toBeUndefined();
    expect(await takeAttempt(ctxAt(60), attempt.id)).toMatchObject({ attempt: { claims: 2 } });
  });

  /** Claims an attempt twice, so that the first claim has lost its lease to the second. */
  const claimTwice = async () => {
    const { id, attempt } = await createBilling();
    const first = await takeAttempt(ctxAt(0), attempt.id);
    const second = await takeAttempt(ctxAt(60), attempt.id);
    return { id, first: first!.attempt, second: second!.attempt };
  };

  test("a claim that has lost its lease postpones nothing", async () => {
    const { first, second } = await claimTwice();
    await chargeLater(ctxAt(61), first, { outcome: "unknown" });
    expect(await readAttempt(first.id)).toEqual(await readAttempt(second.id));
    expect((await readAttempt(first.id)).lease_until).toBe(after(120));
  });

  test("a claim that has lost its lease does not write", async () => {
    const { id, first } = await claimTwice();
    const ctx = ctxAt(61);
    const writes: string[] = [];
    const db: Ctx["db"] = {
      engine: ctx.db.engine,
      usage: ctx.db.usage,
      batch: (statements, mode) => {
        if (mode === "write") writes.push(statements[0]!.sql);
        return ctx.db.batch(statements, mode);
      },
    };
    await recordSuccess({ ...ctx, db }, first, {
      outcome: "succeeded",
      reference: "r",
      store_order_id: newId(),
      store_order_number: null,
      tax_amount: 0,
      fees_amount: 0,
      amount: first.amount,
      currency_code: first.currency_code,
    });
    expect(writes).toEqual([]);
    expect((await rowOf(id)).current_billing_cycle).toBe(1);
  });

  test("the batch of a settlement fails if another claim holds the lease", async () => {
    const { first, second } = await claimTwice();
    const settle = (attempt: BillingAttempt) =>
      commit({ db: testDb() }, settlementStatements(ctxAt(61), attempt, { status: "FAILED" }));
    await expect(settle(first)).rejects.toMatchObject({ on: "guard" });
    expect((await readAttempt(first.id)).status).toBe("PROCESSING");
    await settle(second);
    expect((await readAttempt(first.id)).status).toBe("FAILED");
    await expect(settle(second)).rejects.toMatchObject({ on: "guard" });
  });
});

test("an attempt of an earlier life is looked up, and not sent again", async () => {
  const { id, attempt } = await createBilling();
  const first = await takeAttempt(ctxAt(0), attempt.id);
  await execute("UPDATE subscriptions SET activation = 2 WHERE id = ?", id);
  const second = await takeAttempt(ctxAt(60), attempt.id);
  expect([first!.sends, second!.sends]).toEqual([true, false]);
  expect(second!.attempt.last_sent_at).toBe(first!.attempt.last_sent_at);
  expect((await rowOf(id)).status).toBe("ACTIVE");
});

test("an attempt that the store has never seen frees its number", async () => {
  const { id, attempt } = await createBilling();
  const claimed = await takeAttempt(ctxAt(0), attempt.id);
  await recordFailure(ctxAt(1), claimed!.attempt, notCharged);
  const alongside = { latest: selectLatestAttempts(ctxAt(2), [id]) };
  const [view, { latest }] = await getSubscriptionAnd(ctxAt(2), id, alongside);
  const next = await startAttempt(ctxAt(2), view, { origin: "RECURRING", before: latest[0] });
  expect(next.result.attempt_number).toBe(attempt.attempt_number);
});

test("the number of an attempt that the store has never seen goes to the next attempt, with another payment method", async () => {
  const { id, attempt } = await createBilling();
  const claimed = await takeAttempt(ctxAt(0), attempt.id);
  const [another, stamps] = [newId(), { created_at: after(0), updated_at: after(0) }];
  const fields = {
    account_id: shop.of.account.id,
    profile_id: customer.profileId,
    store_payment_method_id: "pm_success",
  };
  await put("payment_methods", [{ ...fields, ...stamps, id: another, is_default: 0, status: "VALID" }]);
  await execute("UPDATE subscriptions SET payment_method_id = ? WHERE id = ?", another, id);
  await recordFailure(ctxAt(1), claimed!.attempt, notCharged);
  const { open_attempt_id } = await rowOf(id);
  const next = await readAttempt(open_attempt_id!);
  expect(next.id).not.toBe(attempt.id);
  expect([next.attempt_number, next.store_key]).toEqual([
    1,
    await deriveStoreKey({ ...next, account_id: shop.of.account.id }),
  ]);
});

test("cancelling withdraws an attempt that has not been sent", async () => {
  const [queued, sent] = [await createBilling(), await createBilling()];
  await takeAttempt(ctxAt(0), sent.attempt.id);
  for (const { id } of [queued, sent]) await cancelSubscription(ctxAt(1), { id, request: {} });
  expect([(await readAttempt(queued.attempt.id)).status, (await rowOf(queued.id)).open_attempt_id]).toEqual([
    "CANCELLED",
    null,
  ]);
  expect([(await readAttempt(sent.attempt.id)).status, (await rowOf(sent.id)).open_attempt_id]).toEqual([
    "PROCESSING",
    sent.attempt.id,
  ]);
});

test("a message is acknowledged only after its work is done", async () => {
  const lost = () => Promise.reject(new Error("Network connection lost"));
  const DB = interrupted(/^update "billing_attempts"/i, { before: lost });
  const { attempt } = await createBilling();
  const body = { type: "charge", account_id: shop.of.account.id, attempt_id: attempt.id };
  const delivered = await deliver([body], { bindings: { ...env, DB } as Bindings });
  expect(delivered).toEqual({ acked: [], retried: ["message-0"] });
});
