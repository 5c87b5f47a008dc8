/** Of several challenges of one cycle one pays, and whatever else is confirmed is reported. */
import { beforeEach, describe, expect, test } from "vitest";
import { useShop } from "../../stores/shopify/shop.ts";
import { read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, ordersOf } from "../../support/worker.ts";
import {
  challengeAgain,
  confirm,
  paidBy,
  pass,
  reportedBy,
  retry,
  statusesOf,
  withExpiredChallenge,
} from "./expired-challenges.ts";
import { hookedShop, processAll } from "./hooks.ts";

/** A cycle whose customer was challenged more than once, and answers late. */

const shop = useShop(hookedShop);
let id: string;
beforeEach(async () => {
  id = await withExpiredChallenge(shop);
});

function process() {
  return processAll(shop);
}
const expired = "FAILED authentication_expired";

/** The attempt that has paid carries the charge of this payment, and its own key never reached the store. */
async function expectPaidBy(nth: number): Promise<void> {
  const paid = await paidBy(id);
  expect(paid?.store_reference).toBe(shop.store.attempts[nth]!.id);
  expect(shop.store.attempts.map(({ key }) => key)).not.toContain(paid?.store_key);
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
  expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
}

describe("two challenges of a cycle have expired", () => {
  beforeEach(async () => {
    await challengeAgain(shop, id);
    await pass(shop, 73);
    expect(await statusesOf(shop, id)).toEqual([expired, expired]);
  });

  test.each([0, 1])(
    "challenge %d is confirmed: by its webhook it pays the cycle, and nothing is charged",
    async (nth) => {
      confirm(shop, nth);
      expect(await reportedBy(process)).toEqual([]);
      expect(shop.store.charges).toHaveLength(1);
      expect(await statusesOf(shop, id)).toEqual([expired, expired, "SUCCEEDED"]);
      await expectPaidBy(nth);
      expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
    },
  );

  test.each([0, 1])("challenge %d is confirmed: the next try finds it, and is not sent", async (nth) => {
    confirm(shop, nth);
    await retry(shop, id);
    await shop.worker.drain();
    expect(shop.store.charges).toHaveLength(1);
    expect(await statusesOf(shop, id)).toEqual([expired, expired, "CANCELLED not_charged", "SUCCEEDED"]);
    await expectPaidBy(nth);
  });

  test("both are confirmed: one pays the cycle, the other is reported once, and nothing else is charged", async () => {
    confirm(shop, 0);
    confirm(shop, 1);
    const reported = await reportedBy(async () => {
      await process();
      await pass(shop, 2);
    });
    expect(reported).toMatchObject([
      { alert: true, problem: "recorded_as_not_charged", subscription_id: id },
    ]);
    expect(shop.store.charges).toHaveLength(2);
    expect(await statusesOf(shop, id)).toEqual(
      expect.arrayContaining([expired, "FAILED confirmed_late", "SUCCEEDED"]),
    );
    expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
    expect(await reportedBy(() => pass(shop, 24))).toEqual([]);
  });

  test("while the store does not say whether one was confirmed, nothing is sent", async () => {
    confirm(shop, 0);
    shop.store.fail({ kind: "timeout", times: 3, on: "Attempt" });
    await retry(shop, id);
    expect((await statusesOf(shop, id)).at(-1)).toBe("PROCESSING");
    expect(shop.store.attempts).toHaveLength(2);
    await pass(shop, 1);
    await shop.worker.drain();
    expect(shop.store.attempts).toHaveLength(2);
    await expectPaidBy(0);
  });

  test("none is confirmed: the next try charges", async () => {
    await retry(shop, id);
    await shop.worker.drain();
    expect(shop.store.attempts).toHaveLength(3);
    expect(await statusesOf(shop, id)).toEqual([expired, expired, "SUCCEEDED"]);
  });
});

describe("the price was changed before the customer confirms", () => {
  const changePrice = async (): Promise<void> => {
    const [line] = (await read(shop.merchant, id)).lines;
    await shop.worker.call(shop.merchant.api, "PUT", `/api/subscriptions/${id}/lines/${line.id}`, {
      body: { price: 99 },
    });
  };

  test("the store charges what was confirmed: that pays, without a review", async () => {
    await changePrice();
    confirm(shop, 0);
    await retry(shop, id);
    await shop.worker.drain();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "SUCCEEDED", amount: 24.9 },
      { status: "CANCELLED", amount: 202.9 },
      { status: "FAILED", amount: 24.9 },
    ]);
    expect(await ordersOf(shop.merchant, id)).toMatchObject([{ total: 24.9, lines: [{ price: 10 }] }]);
    expect(await read(shop.merchant, id)).toMatchObject({ total: 202.9, billing_blocked_reason: null });
  });

  test("the store charges what its contract has become: that pays, without a review", async () => {
    await changePrice();
    await process();
    confirm(shop, 0);
    await process();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "SUCCEEDED", amount: 202.9 },
      { status: "FAILED", amount: 24.9 },
    ]);
    expect(await ordersOf(shop.merchant, id)).toMatchObject([{ total: 202.9, lines: [{ price: 99 }] }]);
  });
});

describe("a later challenge still waits for the customer", () => {
  beforeEach(async () => {
    await challengeAgain(shop, id);
    expect(await statusesOf(shop, id)).toEqual([expired, "ACTION_REQUIRED"]);
    confirm(shop, 0);
    expect(await reportedBy(process)).toEqual([]);
  });

  test("it is given up when the first is confirmed, so that nobody is asked to pay again", async () => {
    expect(await statusesOf(shop, id)).toEqual([expired, expired, "SUCCEEDED"]);
    await expectPaidBy(0);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("it is reported if the customer confirms it all the same", async () => {
    confirm(shop, 1);
    expect(await reportedBy(process)).toMatchObject([
      { alert: true, problem: "recorded_as_not_charged", reference: shop.store.attempts[1]!.id },
    ]);
    expect(await statusesOf(shop, id)).toEqual([expired, "FAILED confirmed_late", "SUCCEEDED"]);
  });
});

describe("the next try was sent, and has no answer", () => {
  beforeEach(async () => {
    shop.store.fail({ kind: "timeout", effect: "late", on: "CreateAttempt" });
    await retry(shop, id);
    expect(await statusesOf(shop, id)).toEqual([expired, "PROCESSING"]);
    confirm(shop, 0);
  });

  test("it has arrived: it is the charge, and the challenge confirmed meanwhile is reported", async () => {
    await shop.store.arriveLate();
    await process();
    const reported = await reportedBy(() => pass(shop, 1));
    await pass(shop, 1);
    expect(shop.store.charges).toHaveLength(2);
    expect((await paidBy(id))?.store_reference).toBe(shop.store.attempts[1]!.id);
    expect(await statusesOf(shop, id)).toEqual(["FAILED confirmed_late", "SUCCEEDED"]);
    expect(reported.length).toBeLessThanOrEqual(1);
  });

  test("it never arrives: it is looked up until that is certain, then the confirmed challenge pays", async () => {
    await process();
    expect(await statusesOf(shop, id)).toEqual([expired, "PROCESSING"]);
    await pass(shop, 2);
    await shop.worker.drain();
    expect(await statusesOf(shop, id)).toEqual([expired, "CANCELLED not_charged", "SUCCEEDED"]);
    expect(shop.store.charges).toHaveLength(1);
    await expectPaidBy(0);
  });
});
