/** A payment method of the store is known here as it is there, and a new one is charged at once for what is owed. */
import { describe, expect, test } from "vitest";
import type { JobOutcome } from "../../../src/base/job.ts";
import { paymentMethods } from "../../../src/domain/payment-methods/tables.ts";
import { refreshPaymentMethod } from "../../../src/domain/store-sync/payment-methods.ts";
import { UnknownOutcomeError } from "../../../src/stores/port.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { execute, insert, select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { actionsOf, done, entriesOf, type Json, on, read } from "../../support/shops.ts";
import { openTenant, profile } from "../../support/tenant.ts";
import { attemptsOf, episodesOf, shipNow } from "../../support/worker.ts";
import { systemOf } from "./refreshing.ts";

const shop = useShop();

async function refresh(id: string): Promise<JobOutcome> {
  return refreshPaymentMethod(await systemOf(shop), id);
}

function kept(): Promise<Json[]> {
  return select(
    "SELECT * FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY id",
    shop.merchant.of.account.id,
  );
}

function customerId(): string {
  return shop.store.method(shop.card).customer.id;
}

async function currentOf(id: string): Promise<Json> {
  const { body } = await shop.worker.call<Json>(
    shop.merchant.api,
    "GET",
    `/api/subscriptions/${id}/payment-method`,
  );
  return body.data.current;
}

async function changesOf(id: string): Promise<Json[]> {
  return (await entriesOf(id)).filter(({ action }) => action === "payment_method_changed");
}

const visa = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 };
const another = { brand: "mastercard", lastDigits: "4444", expiryMonth: 1, expiryYear: 2035 };

describe("a payment method that is not known here", () => {
  test("is stored once for each of its customer's profiles", async () => {
    const { id: second } = await profile(shop.merchant.of, { store_customer_id: plain(customerId()) });
    const card = shop.store.createPaymentMethod(customerId());
    expect(await refresh(card)).toBe("done");
    expect((await kept()).map(({ profile_id }) => profile_id).toSorted()).toEqual(
      [shop.profileId, second].toSorted(),
    );
    expect(await kept()).toMatchObject(
      [1, 2].map(() => ({ store_payment_method_id: plain(card), ...visa, status: "VALID" })),
    );
    const before = await kept();
    await refresh(card);
    expect(await kept()).toEqual(before);
  });

  test("can be chosen for a subscription", async () => {
    const id = await subscribed(shop);
    const card = shop.store.createPaymentMethod(customerId(), {
      instrument: { __typename: "CustomerCreditCard", ...another },
    });
    await refresh(card);
    const { body } = await shop.worker.call<Json>(
      shop.merchant.api,
      "GET",
      `/api/subscriptions/${id}/payment-method`,
    );
    expect(body.data).toMatchObject({
      current: { store_payment_method_id: plain(shop.card) },
      alternatives: [{ store_payment_method_id: plain(card), last4: "4444" }],
    });
    expect(await changesOf(id)).toEqual([]);
  });

  test("of a customer without a profile, already revoked, or unknown to the store, is not stored", async () => {
    const strangers = shop.store.createPaymentMethod(shop.store.addCustomer());
    const revoked = shop.store.createPaymentMethod(customerId());
    shop.store.revokePaymentMethod(revoked);
    for (const id of [strangers, revoked, "gid://shopify/CustomerPaymentMethod/0", "pm_success"])
      expect(await refresh(id)).toBe("done");
    expect(await kept()).toEqual([]);
  });
});

describe("a payment method that subscriptions are paid with", () => {
  test("is replaced by another card: each subscription that has not ended shows it and has an entry", async () => {
    const ids = [await subscribed(shop), await subscribed(shop)];
    const cancelled = await subscribed(shop);
    await done(shop.merchant.api, "POST", cancelled, "cancel");
    await shop.worker.drain();
    shop.store.replaceInstrument(shop.card, another);
    await refresh(shop.card);
    for (const id of ids) {
      expect(await currentOf(id)).toMatchObject({ brand: "mastercard", last4: "4444", status: "VALID" });
      expect(await changesOf(id)).toMatchObject([
        {
          actor_type: "system",
          metadata: { brand: "mastercard", last4: "4444", status: "VALID" },
          changes: {
            brand: { from: "visa", to: "mastercard" },
            last4: { from: "4242", to: "4444" },
            exp_month: { from: 12, to: 1 },
            exp_year: { from: 2034, to: 2035 },
          },
        },
      ]);
    }
    expect(await changesOf(cancelled)).toEqual([]);
    expect(await attemptsOf(shop.merchant, ids[0]!)).toEqual([]);
    await refresh(shop.card);
    expect(await changesOf(ids[0]!)).toHaveLength(1);
  });

  test("that is revoked, or deleted at the store, can no longer be used", async () => {
    const id = await subscribed(shop);
    shop.store.revokePaymentMethod(shop.card);
    await refresh(shop.card);
    expect(await currentOf(id)).toMatchObject({ ...visa, status: "REVOKED" });
    expect((await changesOf(id))[0]).toMatchObject({
      metadata: { brand: "visa", last4: "4242", status: "REVOKED" },
      changes: { status: { from: "VALID", to: "REVOKED" } },
    });
    const gone = "gid://shopify/CustomerPaymentMethod/gone";
    await execute(
      "UPDATE payment_methods SET store_payment_method_id = ?, status = 'VALID' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      plain(gone),
      shop.merchant.of.account.id,
    );
    await refresh(gone);
    expect(await currentOf(id)).toMatchObject({ ...visa, status: "REVOKED" });
    expect(await changesOf(id)).toHaveLength(2);
  });

  test("that is the default remains the default", async () => {
    await subscribed(shop);
    await execute(
      "UPDATE payment_methods SET is_default = 1 WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.merchant.of.account.id,
    );
    shop.store.replaceInstrument(shop.card, another);
    await refresh(shop.card);
    expect(await kept()).toMatchObject([{ is_default: 1, last4: "4444" }]);
  });
});

describe("if a payment is owed", () => {
  /** A subscription whose card has expired: its customer is waited for. */
  const owing = async (): Promise<string> => {
    const id = await subscribed(shop);
    shop.store.nextOutcomes(outcomes.payment("EXPIRED_CARD"));
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "AWAITING_CUSTOMER" }]);
    return id;
  };

  test("another card is charged at once", async () => {
    const id = await owing();
    shop.store.replaceInstrument(shop.card, another);
    await refresh(shop.card);
    expect((await actionsOf(id)).slice(-2).toSorted()).toEqual(["billing_started", "payment_method_changed"]);
    await shop.worker.drain();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "SUCCEEDED", trigger: "DUNNING", attempt_number: 2 },
      { status: "FAILED" },
    ]);
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
    expect(await read(shop.merchant, id)).toMatchObject({ is_in_dunning: false, total_revenue: 24.9 });
  });

  test("repeated webhooks charge it once", async () => {
    const id = await owing();
    shop.store.replaceInstrument(shop.card, another);
    await Promise.all([1, 2, 3].map(() => refresh(shop.card)));
    expect(await changesOf(id)).toHaveLength(1);
    await shop.worker.drain();
    expect(await attemptsOf(shop.merchant, id)).toHaveLength(2);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("a replaced card is charged at once while the hour allows another attempt; the next one waits for dunning", async () => {
    const id = await owing();
    for (let nth = 0; nth < 6; nth++) {
      shop.store.nextOutcomes(outcomes.payment("EXPIRED_CARD"));
      shop.store.replaceInstrument(shop.card, { ...another, lastDigits: `444${nth}` });
      await refresh(shop.card);
      await shop.worker.drain();
    }
    expect(await currentOf(id)).toMatchObject({ last4: "4445" });
    expect(await attemptsOf(shop.merchant, id)).toHaveLength(5);
    expect(await episodesOf(shop.merchant, id)).toMatchObject([
      { status: "OPEN", next_retry_at: expect.any(String) },
    ]);
  });

  test("the same card is not charged, nor one that is expired or revoked", async () => {
    const id = await owing();
    await refresh(shop.card);
    shop.store.replaceInstrument(shop.card, { lastDigits: "4444", expiryMonth: 1, expiryYear: 2020 });
    await refresh(shop.card);
    expect(await currentOf(id)).toMatchObject({ last4: "4444", status: "EXPIRED" });
    shop.store.revokePaymentMethod(shop.card);
    await refresh(shop.card);
    expect(await currentOf(id)).toMatchObject({ status: "REVOKED" });
    expect(await attemptsOf(shop.merchant, id)).toHaveLength(1);
    expect(shop.worker.sent().filter(({ type }) => type === "charge")).toEqual([]);
  });

  test("and an attempt is in progress, no second one starts", async () => {
    const id = await owing();
    await shop.worker.call(shop.merchant.api, "POST", on(id, "retry-payment"));
    expect(await attemptsOf(shop.merchant, id)).toHaveLength(2);
    shop.store.replaceInstrument(shop.card, another);
    await refresh(shop.card);
    expect(await attemptsOf(shop.merchant, id)).toHaveLength(2);
    expect(await changesOf(id)).toHaveLength(1);
  });
});

test("an older answer that arrives later does not undo a newer one", async () => {
  const id = await subscribed(shop);
  shop.store.replaceInstrument(shop.card, another);
  const slow = await systemOf(shop);
  let asked = 0;
  const findPaymentMethod = async (storeId: string) => {
    const answer = await slow.store.findPaymentMethod(storeId);
    if (asked++ === 0) {
      shop.store.replaceInstrument(shop.card, { lastDigits: "1111" });
      await refresh(shop.card);
    }
    return answer;
  };
  await refreshPaymentMethod({ ...slow, store: { ...slow.store, findPaymentMethod } }, shop.card);
  expect(await currentOf(id)).toMatchObject({ last4: "1111" });
  expect(await changesOf(id)).toHaveLength(1);
});

test("while the store does not answer nothing is revoked", async () => {
  const id = await subscribed(shop);
  shop.store.fail({ kind: "http500", times: 1 });
  await expect(refresh(shop.card)).rejects.toThrow(UnknownOutcomeError);
  expect(await currentOf(id)).toMatchObject({ status: "VALID" });
});

test("another account's payment method with the same id does not change", async () => {
  await subscribed(shop);
  const other = await openTenant({ currency: "EUR" });
  const { id: profile_id } = await profile(other, { store_customer_id: plain(customerId()) });
  const [method] = await kept();
  await insert(paymentMethods, { ...method, account_id: other.account.id, profile_id });
  const theirs = () =>
    select(
      "SELECT * FROM payment_methods WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      other.account.id,
    );
  const before = await theirs();
  shop.store.replaceInstrument(shop.card, another);
  await refresh(shop.card);
  shop.store.revokePaymentMethod(shop.card);
  await refresh(shop.card);
  expect(await theirs()).toEqual(before);
  expect(await kept()).toMatchObject([{ last4: "4444", status: "REVOKED" }]);
});
