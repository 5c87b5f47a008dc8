import { beforeAll } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { deriveStoreKey } from "../../../src/domain/billing/store-key.ts";
import type { BillingAttempt } from "../../../src/domain/billing/tables.ts";
import type { Ctx } from "../../../src/kit/context.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, type Given, select, testDb } from "../../support/database.ts";
import { type Merchant, profileOf, put, subscriptionOf } from "../../support/records.ts";
import { aContract } from "../../support/shops.ts";
import { useMerchant } from "../../support/use-account.ts";

/** An instant so many seconds after the start. */
export function after(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString();
}

/** An account with a customer, whose subscriptions and attempts are rows that the tests write. */
export function useAttempts() {
  const shop = useMerchant();
  const customer = {} as { profileId: string };
  beforeAll(async () => {
    const profile = profileOf(shop.of);
    customer.profileId = profile.id;
    await put("profiles", [profile]);
  });

  const createSubscription = async (): Promise<string> => {
    const row = subscriptionOf(shop.of, customer.profileId, { store_contract_id: aContract() });
    await put("subscriptions", [row]);
    return row.id;
  };

  return {
    shop,
    customer,
    /** The context of an action so many seconds after the start. */
    ctxAt: (seconds: number): Ctx =>
      ctxOn(testDb(), shop.of.account, {
        now: after(seconds),
        realNow: after(seconds),
        send: async () => {},
      }),
    /** A subscription with an attempt in progress. */
    createBilling: async (): Promise<{ id: string; attempt: BillingAttempt }> => {
      const id = await createSubscription();
      const attempt = await attemptOf(shop, id);
      await put("billing_attempts", [attempt]);
      await execute("UPDATE subscriptions SET open_attempt_id = ? WHERE id = ?", attempt.id, id);
      return { id, attempt: await readAttempt(attempt.id) };
    },
    /** Inserts two attempts of a subscription, and returns the kind of error that the schema raises for the second. */
    errorOfSecond: async (
      first: Partial<BillingAttempt>,
      second: Partial<BillingAttempt>,
    ): Promise<string | undefined> => {
      const id = await createSubscription();
      await put("billing_attempts", [await attemptOf(shop, id, first)]);
      return put("billing_attempts", [await attemptOf(shop, id, second)]).then(
        () => undefined,
        (error) => error.kind,
      );
    },
  };
}

export async function readAttempt(id: string): Promise<BillingAttempt> {
  return (await select<BillingAttempt>("SELECT * FROM billing_attempts WHERE id = ?", id))[0]!;
}

const start = Date.parse("2026-03-02T12:00:00.000Z");

/** An attempt under the key of its cycle and number. */
async function attemptOf(
  shop: Merchant,
  subscription_id: string,
  values: Partial<BillingAttempt> = {},
): Promise<Given<BillingAttempt>> {
  const id = newId();
  const identity = {
    account_id: shop.of.account.id,
    subscription_id,
    activation: 1,
    cycle: 1,
    attempt_number: 1,
  };
  const day = "2026-03-02";
  const { status = "QUEUED" } = values;
  const isSettled = ["SUCCEEDED", "FAILED", "CANCELLED"].includes(status);
  const snapshot = {
    billing_date: day,
    delivery_date: day,
    payment_method_id: null,
    lines: [],
    discounts: [],
  };
  return {
    id,
    ...identity,
    origin: "RECURRING",
    status,
    store_key: await deriveStoreKey({ ...identity, ...values }),
    amount: 1000,
    currency_code: "USD",
    snapshot: JSON.stringify(snapshot),
    content_attempt_id: null,
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
    settled_at: isSettled ? after(0) : null,
    is_refused: status === "CANCELLED" ? 1 : 0,
    open_since: null,
    challenged_at: null,
    uncounted_claims: 0,
    is_switch: 0,
    noted_reference: null,
    created_at: after(0),
    updated_at: after(0),
    ...values,
  };
}
