/** A try that a restore has undone is found at the store, and its answer is recorded as what it is. */
import { beforeEach, describe, expect, test } from "vitest";
import { useShop } from "../../stores/shopify/shop.ts";
import { execute } from "../../support/database.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, ordersOf } from "../../support/worker.ts";
import {
  challengeAgain,
  confirm,
  loseWebhooks,
  night,
  paidBy,
  pass,
  reportedBy,
  retry,
  statusesOf,
  withExpiredChallenge,
} from "./expired-challenges.ts";
import { hookedShop } from "./hooks.ts";

/** A try of a cycle whose challenge has expired was sent, and a restore has undone that it was. */

const shop = useShop(hookedShop);
let id: string;
beforeEach(async () => {
  id = await withExpiredChallenge(shop);
});

const expired = "FAILED authentication_expired";

/** The database is restored to between the claim of the open attempt and the mark that it is sent. */
async function undoRequest(): Promise<void> {
  await execute(
    `UPDATE billing_attempts SET status = 'PROCESSING', unanswered = 1, lease_until = NULL, next_action_at = requested_at,
      first_sent_at = NULL, last_sent_at = NULL, open_since = NULL, challenged_at = NULL, store_reference = NULL, next_action_url = NULL
      WHERE subscription_id = ? AND settled_at IS NULL`,
    id,
  );
  expect(await statusesOf(shop, id)).toEqual([expired, "PROCESSING"]);
}

/** The customer confirms the nth payment that the store was asked for, and no webhook says so. */
async function confirmUnheard(nth: number): Promise<void> {
  confirm(shop, nth);
  await loseWebhooks(shop);
}

async function expectPaidBy(nth: number): Promise<void> {
  expect((await paidBy(id))?.store_reference).toBe(shop.store.attempts[nth]!.id);
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
  expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
}

describe("its own key is a challenge, and the earlier one is confirmed", () => {
  beforeEach(async () => {
    await challengeAgain(shop, id);
    await undoRequest();
  });

  test("it is looked up all the same, and given up like any later challenge", async () => {
    confirm(shop, 0);
    await pass(shop, 1);
    await pass(shop, 1);
    expect(await statusesOf(shop, id)).toEqual([expired, expired, "SUCCEEDED"]);
    await expectPaidBy(0);
  });

  test("its customer confirms it too: that is reported once", async () => {
    confirm(shop, 0);
    await pass(shop, 1);
    await pass(shop, 1);
    confirm(shop, 1);
    expect(await reportedBy(() => pass(shop, 24))).toMatchObject([
      { alert: true, problem: "recorded_as_not_charged", reference: shop.store.attempts[1]!.id },
    ]);
    expect(await reportedBy(() => pass(shop, 24))).toEqual([]);
  });

  test("without a webhook it waits for its customer until the night gives it up, and a later confirmation is reported", async () => {
    await confirmUnheard(0);
    for (let hour = 0; hour < 3; hour++) {
      await pass(shop, 1);
      expect(await statusesOf(shop, id)).toEqual([expired, "ACTION_REQUIRED"]);
    }
    expect(await reportedBy(() => night(shop))).toMatchObject([{ problem: "recorded" }]);
    expect(await statusesOf(shop, id)).toEqual([expired, expired, "SUCCEEDED"]);
    await expectPaidBy(0);
    await confirmUnheard(1);
    expect(await reportedBy(() => night(shop))).toMatchObject([
      { alert: true, problem: "recorded_as_not_charged", reference: shop.store.attempts[1]!.id },
    ]);
    expect(await reportedBy(() => night(shop))).toEqual([]);
  });

  test("without a webhook it pays the cycle if its customer confirms it as well, and only the earlier one is reported, once", async () => {
    await confirmUnheard(0);
    await confirmUnheard(1);
    await pass(shop, 1);
    expect(await statusesOf(shop, id)).toEqual([expired, "SUCCEEDED"]);
    await expectPaidBy(1);
    expect(await reportedBy(() => night(shop))).toMatchObject([
      { alert: true, problem: "recorded_as_not_charged", reference: shop.store.attempts[0]!.id },
    ]);
    expect(await reportedBy(() => night(shop))).toEqual([]);
    expect(shop.store.charges).toHaveLength(2);
  });

  test("while its subscription is paused, it waits for its customer, who pays the cycle", async () => {
    await shop.worker.call(shop.merchant.api, "POST", `/api/subscriptions/${id}/pause`, { body: {} });
    for (let hour = 0; hour < 3; hour++) {
      await pass(shop, 1);
      expect(await statusesOf(shop, id)).toEqual([expired, "ACTION_REQUIRED"]);
    }
    await confirmUnheard(1);
    await pass(shop, 1);
    expect(await statusesOf(shop, id)).toEqual([expired, "SUCCEEDED"]);
    await expectPaidBy(1);
    expect(await reportedBy(() => night(shop))).toEqual([]);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "PAUSED" });
  });
});

describe("its own key is pending at the store, and is declined", () => {
  beforeEach(async () => {
    shop.store.nextOutcomes(outcomes.slow(Number.POSITIVE_INFINITY, outcomes.payment("INSUFFICIENT_FUNDS")));
    await retry(shop, id);
    shop.worker.forget();
    await undoRequest();
  });
  const expectDeclined = async (): Promise<void> => {
    await pass(shop, 1);
    expect(await statusesOf(shop, id)).toEqual([expired, "PROCESSING"]);
    shop.store.settle();
    await loseWebhooks(shop);
    await pass(shop, 1);
    expect((await attemptsOf(shop.merchant, id))[0]).toMatchObject({
      status: "FAILED",
      error_code: "insufficient_funds",
    });
  };

  test("while its subscription is paused, the decline is recorded as what it is", async () => {
    await shop.worker.call(shop.merchant.api, "POST", `/api/subscriptions/${id}/pause`, { body: {} });
    await expectDeclined();
  });

  test("the earlier challenge is confirmed: the decline is recorded as what it is, and the night finds what pays", async () => {
    await confirmUnheard(0);
    await expectDeclined();
    expect(await reportedBy(() => night(shop))).toMatchObject([{ problem: "recorded" }]);
    await expectPaidBy(0);
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
  });
});
