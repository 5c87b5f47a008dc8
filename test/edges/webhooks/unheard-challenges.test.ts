/** A challenge that was confirmed unheard pays its cycle in the next night, or is reported once. */
import { beforeEach, describe, expect, test } from "vitest";
import { mostStatements } from "../../../src/runtime/jobs/budget.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { select } from "../../support/database.ts";
import { outcomes } from "../../support/fake-shopify.ts";

import { attemptOf, put } from "../../support/records.ts";
import { deliver, inDays, type Json, read } from "../../support/shops.ts";
import { episodesOf, setClock } from "../../support/worker.ts";
import {
  challengeAgain,
  comparison,
  confirm,
  loseWebhooks,
  night,
  paidBy,
  pass,
  payWithAnotherCard,
  reportedBy,
  statusesOf,
  withExpiredChallenge,
} from "./expired-challenges.ts";
import { hookedShop, logged, processAll } from "./hooks.ts";

/** A challenge that was given up is confirmed at the store, and no webhook says so: the next night sees it. */

const shop = useShop(hookedShop);
let id: string;
beforeEach(async () => {
  id = await withExpiredChallenge(shop);
});

function oneNight(): Promise<void> {
  return night(shop);
}

function send(method: string, path: string, body?: Json) {
  return shop.worker.call(
    shop.merchant.api,
    method,
    `/api/subscriptions/${id}/${path}`,
    body ? { body } : {},
  );
}

describe("confirmed two days after it was given up", () => {
  beforeEach(async () => {
    await pass(shop, 48);
  });
  const confirmUnheard = async (nth = 0): Promise<void> => {
    confirm(shop, nth);
    await loseWebhooks(shop);
  };

  test("while the cycle is owed, it pays it, and nothing is charged", async () => {
    await confirmUnheard();
    expect(await reportedBy(oneNight)).toMatchObject([
      { alert: false, problem: "recorded", subscription_id: id },
    ]);
    expect(await statusesOf(shop, id)).toEqual(["FAILED authentication_expired", "SUCCEEDED"]);
    expect((await paidBy(id))?.store_reference).toBe(shop.store.attempts[0]!.id);
    expect(shop.store.charges).toHaveLength(1);
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
    expect(await reportedBy(oneNight)).toEqual([]);
  });

  test("after the cycle was skipped, it pays that cycle, and the next billing is another", async () => {
    await payWithAnotherCard(shop, id);
    await challengeNextCycle();
    await send("POST", "skip", { skip_weeks: 1 });
    await confirmUnheard(2);
    expect(await reportedBy(oneNight)).toMatchObject([{ problem: "recorded" }]);
    expect((await read(shop.merchant, id)).current_billing_cycle).toBe(3);
    expect(shop.store.charges).toHaveLength(2);
  });

  test("while the subscription is paused, it pays the cycle, and the pause stays", async () => {
    await send("POST", "pause", {});
    await confirmUnheard();
    expect(await reportedBy(oneNight)).toMatchObject([{ problem: "recorded" }]);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "PAUSED", current_billing_cycle: 2 });
  });

  test("the attempt that records it waits for the store while its subscription is cancelled: nothing is reported", async () => {
    await confirmUnheard();
    await deliver([comparison(shop)], shop.worker);
    shop.store.fail({ kind: "timeout", on: "Attempt" });
    await shop.worker.drain({ soon: false });
    await send("POST", "cancel", {});
    expect(await statusesOf(shop, id)).toEqual(["FAILED authentication_expired", "PROCESSING"]);
    expect(await reportedBy(oneNight)).toEqual([]);
    await pass(shop, 1);
    expect(await statusesOf(shop, id)).toEqual(["FAILED authentication_expired", "SUCCEEDED"]);
    expect(shop.store.charges).toHaveLength(1);
  });

  describe("there is nothing for it to pay: it is reported in the first night, and in no other", () => {
    const expectReportedOnce = async (nth = 0): Promise<void> => {
      expect(await reportedBy(oneNight)).toMatchObject([
        {
          alert: true,
          problem: "recorded_as_not_charged",
          reference: shop.store.attempts[nth]!.id,
          subscription_id: id,
        },
      ]);
      expect(await statusesOf(shop, id)).toContain("FAILED confirmed_late");
      expect(await reportedBy(oneNight)).toEqual([]);
      expect(await reportedBy(oneNight)).toEqual([]);
    };

    test("another card has paid", async () => {
      await payWithAnotherCard(shop, id);
      await processAll(shop);
      await confirmUnheard();
      await expectReportedOnce();
      expect(shop.store.charges).toHaveLength(2);
    });

    test("the subscription was cancelled", async () => {
      await send("POST", "cancel", {});
      await processAll(shop);
      await confirmUnheard();
      await expectReportedOnce();
    });

    test("the subscription was reactivated: its new life has cycles of its own", async () => {
      await send("POST", "cancel", {});
      await send("POST", "reactivate", { next_delivery_date: inDays(20) });
      await processAll(shop);
      await confirmUnheard();
      await expectReportedOnce();
      expect((await read(shop.merchant, id)).current_billing_cycle).toBe(1);
    });

    test("the customer has confirmed another challenge of the cycle", async () => {
      await challengeAgain(shop, id);
      await pass(shop, 73);
      await confirmUnheard(1);
      await oneNight();
      await confirmUnheard(0);
      await expectReportedOnce(0);
    });
  });

  const challengeNextCycle = async (): Promise<void> => {
    shop.store.nextOutcomes(outcomes.challenge());
    await send("POST", "ship-now", { allow_repeat: true });
    await shop.worker.drain({ soon: false });
    await pass(shop, 1);
    await pass(shop, 73);
  };
});

test("one about which the store does not answer holds up no other, and is asked about again the next night", async () => {
  await pass(shop, 48);
  confirm(shop, 0);
  await loseWebhooks(shop);
  shop.store.fail({ kind: "timeout", on: "Attempt" });
  const lines = await logged(oneNight);
  expect(lines.filter(({ event }) => event === "store_outcome_unknown")).toHaveLength(1);
  expect(await reportedBy(oneNight)).toMatchObject([{ problem: "recorded" }]);
});

/** How many challenges a night asks about, which compares the charges since so many days before. */
async function askedBy(days: number): Promise<number> {
  const asked = () => shop.store.requests.filter(({ operation }) => operation === "Attempt").length;
  const before = asked();
  const since = new Date(Date.now() - days * 86_400_000).toISOString();
  await deliver([{ ...comparison(shop), since }], shop.worker);
  await shop.worker.drain({ soon: false });
  return asked() - before;
}

test("challenges that expired more than thirty days ago are not asked about", async () => {
  setClock(Date.now() + 29 * 86_400_000);
  expect(await askedBy(4)).toBe(1);
  setClock(Date.now() + 3 * 86_400_000);
  expect(await askedBy(4)).toBe(0);
});

test("after a month in which no night was done, those are asked about that none could ask about", async () => {
  setClock(Date.now() + 40 * 86_400_000);
  expect(await askedBy(40)).toBe(1);
});

test("a night of many is paged: each is asked about once, and each message stays within what an invocation may run", async () => {
  const { snapshot, store_reference } = await storedChallenge();
  const settled_at = new Date().toISOString();
  const more = Array.from({ length: 119 }, (_, nth) =>
    attemptOf(shop.merchant.of, id, 100 + nth, {
      ...{ status: "FAILED", error_code: "authentication_expired", snapshot, store_reference, settled_at },
      store_key: nth.toString(16).padStart(40, "0"),
    }),
  );
  await put("billing_attempts", more);
  const before = shop.store.requests.filter(({ operation }) => operation === "Attempt").length;
  const lines = await logged(oneNight);
  const jobs = lines.filter(({ event, type }) => event === "job" && type === "reconcile");
  expect(jobs).toHaveLength(3);
  for (const { db_statements, rows_read } of jobs) {
    expect(db_statements).toBeLessThanOrEqual(mostStatements.reconcile);
    expect(rows_read).toBeLessThan(300);
  }
  const asked = shop.store.requests.filter(({ operation }) => operation === "Attempt").length - before;
  expect(asked).toBe(120);
});

async function storedChallenge(): Promise<Json> {
  const [row] = await select<Json>("SELECT * FROM billing_attempts WHERE subscription_id = ?", id);
  return row as Json;
}
