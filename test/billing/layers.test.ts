import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { claimAttempt } from "../../src/billing/actions/claim.ts";
import { recordFailure } from "../../src/billing/actions/record-failure.ts";
import { recordSuccess } from "../../src/billing/actions/record-success.ts";
import { settlement } from "../../src/billing/actions/settle.ts";
import { startAttempt } from "../../src/billing/actions/start.ts";
import { waitFor } from "../../src/billing/actions/wait.ts";
import { storeKeyOf } from "../../src/billing/store-key.ts";
import type { BillingAttempt } from "../../src/billing/tables.ts";
import type { Ctx } from "../../src/context.ts";
import { commit } from "../../src/db/commit.ts";
import { notCharged } from "../../src/dunning/policy.ts";
import type { Bindings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { cancelSubscription } from "../../src/subscriptions/actions/cancel.ts";
import { getSubscription } from "../../src/subscriptions/queries.ts";
import { ctxOn } from "../support/ctx.ts";
import { execute, select, testDb } from "../support/database.ts";
import { aContract, deliver, rowOf } from "../support/lives.ts";
import { type Merchant, merchant, orderOf, profileOf, put, subscriptionOf } from "../support/records.ts";
import { interrupted } from "../support/slow-database.ts";

/*
 * Several layers keep a cycle from being charged twice. If one is removed the next still holds, so the simulator (npm run
 * simulate -- --seeded-bugs) cannot notice: these tests show that each layer holds by itself.
 */

const start = Date.parse("2026-03-02T12:00:00.000Z");
/** An instant so many seconds after the start. */
const after = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

let shop: Merchant;
let profileId: string;
beforeAll(async () => {
  shop = await merchant();
  const profile = profileOf(shop.of);
  profileId = profile.id;
  await put("profiles", [profile]);
});

const ctxAt = (seconds: number): Ctx =>
  ctxOn(testDb(), shop.of.account, { now: after(seconds), realNow: after(seconds), send: async () => {} });

const attemptOf = (subscription_id: string, values: Partial<BillingAttempt> = {}): BillingAttempt => {
  const id = newId();
  const day = "2026-03-02";
  const frozen = { billing_date: day, delivery_date: day, payment_method_id: null, lines: [], discounts: [] };
  return {
    id,
    account_id: shop.of.account.id,
    subscription_id,
    activation: 1,
    cycle: 1,
    attempt_number: 1,
    origin: "RECURRING",
    status: "QUEUED",
    store_key: id,
    amount: 1000,
    currency_code: "USD",
    frozen: JSON.stringify(frozen),
    request_hash: null,
    claims: 0,
    unanswered: 0,
    lease_until: null,
    next_action_at: after(60),
    requested_at: after(0),
    first_sent_at: null,
    last_sent_at: null,
    store_reference: null,
    next_action_url: null,
    error_code: null,
    error_message: null,
    order_id: null,
    settled_at: null,
    is_refused: 0,
    open_since: null,
    uncounted_claims: 0,
    created_at: after(0),
    updated_at: after(0),
    ...values,
  };
};

const subscribed = async (values: Parameters<typeof subscriptionOf>[2] = {}): Promise<string> => {
  const row = subscriptionOf(shop.of, profileId, { store_contract_id: aContract(), ...values });
  await put("subscriptions", [row]);
  return row.id;
};

/** A subscription with an attempt in progress. */
const billed = async (): Promise<{ id: string; attempt: BillingAttempt }> => {
  const id = await subscribed();
  const attempt = attemptOf(id);
  await put("billing_attempts", [attempt]);
  await execute("UPDATE subscriptions SET open_attempt_id = ? WHERE id = ?", attempt.id, id);
  return { id, attempt };
};

const stored = async (id: string): Promise<BillingAttempt> =>
  (await select<BillingAttempt>("SELECT * FROM billing_attempts WHERE id = ?", id))[0]!;

/** Two attempts of a subscription, one after the other: what the schema says of the second. */
const refusalOfSecond = async (
  first: Partial<BillingAttempt>,
  second: Partial<BillingAttempt>,
): Promise<string | undefined> => {
  const id = await subscribed();
  await put("billing_attempts", [attemptOf(id, first)]);
  return put("billing_attempts", [attemptOf(id, second)]).then(
    () => undefined,
    (error) => error.kind,
  );
};

describe("the schema", () => {
  test("one attempt of a subscription is open", async () => {
    for (const status of ["QUEUED", "PROCESSING", "ACTION_REQUIRED", "REVIEW"] as const)
      expect(await refusalOfSecond({ status }, { attempt_number: 2 })).toBe("unique");
    expect(await refusalOfSecond({ status: "FAILED" }, { attempt_number: 2 })).toBeUndefined();
  });

  test("one attempt at a cycle succeeds", async () => {
    const status = "SUCCEEDED";
    expect(await refusalOfSecond({ status }, { status, attempt_number: 2 })).toBe("unique");
    expect(await refusalOfSecond({ status }, { status, cycle: 2 })).toBeUndefined();
    expect(await refusalOfSecond({ status }, { status, activation: 2 })).toBeUndefined();
  });

  test("a number is given once", async () => {
    expect(await refusalOfSecond({ status: "FAILED" }, { status: "FAILED" })).toBe("unique");
    expect(await refusalOfSecond({ status: "CANCELLED" }, { status: "FAILED" })).toBeUndefined();
  });

  test("a key is given once", async () => {
    const store_key = newId();
    const another = { status: "FAILED", store_key, attempt_number: 2 } as const;
    expect(await refusalOfSecond({ status: "FAILED", store_key }, another)).toBe("unique");
    expect(await refusalOfSecond({ status: "CANCELLED", store_key: newId() }, another)).toBe("unique");
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
  test("a lease keeps others out until it ends", async () => {
    const { attempt } = await billed();
    expect(await claimAttempt(ctxAt(0), attempt.id)).toMatchObject({ attempt: { claims: 1 }, sends: true });
    expect(await claimAttempt(ctxAt(59), attempt.id)).toBeUndefined();
    expect(await claimAttempt(ctxAt(60), attempt.id)).toMatchObject({ attempt: { claims: 2 } });
  });

  /** Two claims of one attempt: the first has lost it to the second. */
  const lost = async () => {
    const { id, attempt } = await billed();
    const first = await claimAttempt(ctxAt(0), attempt.id);
    const second = await claimAttempt(ctxAt(60), attempt.id);
    return { id, first: first!.attempt, second: second!.attempt };
  };

  test("who has lost the claim postpones nothing", async () => {
    const { first, second } = await lost();
    await waitFor(ctxAt(61), first, { outcome: "unknown" });
    expect(await stored(first.id)).toEqual(await stored(second.id));
    expect((await stored(first.id)).lease_until).toBe(after(120));
  });

  test("who has lost the claim does not even try to record", async () => {
    const { id, first } = await lost();
    const ctx = ctxAt(61);
    const writes: string[] = [];
    const db: Ctx["db"] = {
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
      amount: first.amount,
      currency_code: first.currency_code,
    });
    expect(writes).toEqual([]);
    expect((await rowOf(id)).current_billing_cycle).toBe(1);
  });

  test("a settlement fails its batch where the claim is another's", async () => {
    const { first, second } = await lost();
    const settle = (attempt: BillingAttempt) =>
      commit({ db: testDb() }, settlement(ctxAt(61), attempt, { status: "FAILED" }));
    await expect(settle(first)).rejects.toMatchObject({ on: "guard" });
    expect((await stored(first.id)).status).toBe("PROCESSING");
    await settle(second);
    expect((await stored(first.id)).status).toBe("FAILED");
    await expect(settle(second)).rejects.toMatchObject({ on: "guard" });
  });
});

test("an attempt of an earlier life is looked up, and not sent again", async () => {
  const { id, attempt } = await billed();
  const first = await claimAttempt(ctxAt(0), attempt.id);
  await execute("UPDATE subscriptions SET activation = 2 WHERE id = ?", id);
  const second = await claimAttempt(ctxAt(60), attempt.id);
  expect([first!.sends, second!.sends]).toEqual([true, false]);
  expect(second!.attempt.last_sent_at).toBe(first!.attempt.last_sent_at);
  expect((await rowOf(id)).status).toBe("ACTIVE");
});

test("what the store has never seen gives its number back", async () => {
  const { id, attempt } = await billed();
  const claimed = await claimAttempt(ctxAt(0), attempt.id);
  await recordFailure(ctxAt(1), claimed!.attempt, notCharged);
  const next = await startAttempt(ctxAt(2), await getSubscription(ctxAt(2), id), { origin: "RECURRING" });
  expect(next.attempt.attempt_number).toBe(attempt.attempt_number);
});

test("what the store has never seen gives its number to the try with another payment method that follows", async () => {
  const { id, attempt } = await billed();
  const claimed = await claimAttempt(ctxAt(0), attempt.id);
  const [another, made] = [newId(), { created_at: after(0), updated_at: after(0) }];
  const its = {
    account_id: shop.of.account.id,
    profile_id: profileId,
    store_payment_method_id: "pm_success",
  };
  await put("payment_methods", [{ ...its, ...made, id: another, is_default: 0, status: "VALID" }]);
  await execute("UPDATE subscriptions SET payment_method_id = ? WHERE id = ?", another, id);
  await recordFailure(ctxAt(1), claimed!.attempt, notCharged);
  const { open_attempt_id } = await rowOf(id);
  const next = await stored(open_attempt_id!);
  expect(next.id).not.toBe(attempt.id);
  expect([next.attempt_number, next.store_key]).toEqual([1, await storeKeyOf(next)]);
});

test("a cancel withdraws what has not been sent", async () => {
  const [queued, sent] = [await billed(), await billed()];
  await claimAttempt(ctxAt(0), sent.attempt.id);
  for (const { id } of [queued, sent]) await cancelSubscription(ctxAt(1), id, false, {});
  expect([(await stored(queued.attempt.id)).status, (await rowOf(queued.id)).open_attempt_id]).toEqual([
    "CANCELLED",
    null,
  ]);
  expect([(await stored(sent.attempt.id)).status, (await rowOf(sent.id)).open_attempt_id]).toEqual([
    "PROCESSING",
    sent.attempt.id,
  ]);
});

test("a message is acknowledged after its work", async () => {
  const DB = interrupted(/./, { before: () => Promise.reject(new Error("Network connection lost")) });
  const { attempt } = await billed();
  const body = { type: "charge", account_id: shop.of.account.id, attempt_id: attempt.id };
  const delivered = await deliver([body], { bindings: { ...env, DB } as Bindings });
  expect(delivered).toEqual({ acked: [], retried: ["message-0"] });
});
