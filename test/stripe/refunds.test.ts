import { beforeEach, describe, expect, test } from "vitest";
import { readAccount } from "../../src/base/accounts/queries.ts";
import { parseEnv } from "../../src/base/env.ts";
import { openStore } from "../../src/stores/open.ts";
import type { Refund } from "../../src/stores/port/refunds.ts";
import { type Store, StoreRefusalError } from "../../src/stores/port.ts";
import { testDb } from "../support/database.ts";
import { subscribed, useAccount } from "./account.ts";
import { intentsOf, shipped } from "./charging.ts";

const account = useAccount();
let store: Store;
let reference: string;

beforeEach(async () => {
  const id = await subscribed(account);
  await shipped(account, id);
  reference = intentsOf(account, id)[0]!.id;
  const realNow = new Date();
  store = await openStore({
    env: parseEnv(account.worker.bindings),
    db: testDb(),
    account: (await readAccount(testDb(), account.merchant.of.account.id))!,
    now: realNow.toISOString(),
    realNow,
    log: () => {},
  });
});

const refundOf = (more: Partial<Refund> = {}): Refund => ({
  key: "refund-1",
  reference,
  amount: 500,
  currency_code: "EUR",
  reason: "broken",
  ...more,
});

describe("a refund", () => {
  test("pays back once, however often its key is sent", async () => {
    const first = await store.refund!(refundOf());
    expect(first).toMatchObject({ key: "refund-1", amount: 500, status: "SUCCEEDED", reason: "broken" });
    account.stripe.advance(2 * 86_400_000);
    expect(await store.refund!(refundOf())).toEqual(first);
    expect(await store.listRefunds!(reference)).toEqual([first]);
  });

  test.each([
    { kind: "network", effect: "done" },
    { kind: "network", effect: "none" },
    { kind: "http500", effect: "done" },
    { kind: "http502" },
    { kind: "lock_timeout" },
  ] as const)("whose answer was lost by %o pays back once", async (fault) => {
    account.stripe.fail({ ...fault, on: "refunds.create" });
    await expect(store.refund!(refundOf())).rejects.toThrow();
    await store.refund!(refundOf());
    expect((await store.listRefunds!(reference)).map(({ amount }) => amount)).toEqual([500]);
  });

  test("above the rest is refused, and pays back nothing", async () => {
    await store.refund!(refundOf({ amount: 1500 }));
    const more = refundOf({ key: "refund-2", amount: 600 });
    await expect(store.refund!(more)).rejects.toThrow(StoreRefusalError);
    await expect(store.refund!(more)).rejects.toThrow(StoreRefusalError);
    expect(await store.listRefunds!(reference)).toHaveLength(1);
  });

  test("that was made at Stripe is listed without a key", async () => {
    await store.refund!(refundOf());
    account.stripe.refundAtStripe(reference, 300);
    expect((await store.listRefunds!(reference)).map(({ key, amount }) => [key, amount])).toEqual([
      ["refund-1", 500],
      [null, 300],
    ]);
  });
});
