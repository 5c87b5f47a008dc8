/** A refund at Stripe whose answer was lost pays back once. */
import { beforeEach, describe, expect, test } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { openStore } from "../../../src/stores/open.ts";
import type { Refund } from "../../../src/stores/port/refunds.ts";
import type { Store } from "../../../src/stores/port.ts";
import { testDb } from "../../support/database.ts";
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
});
