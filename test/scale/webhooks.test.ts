/** The rows that the work on webhooks reads do not grow with the account. */
import { afterAll, describe, expect, test, vi } from "vitest";
import { hookedShop, sendAccepted } from "../edges/webhooks/hooks.ts";
import { select } from "../support/database.ts";
import { doesNotGrow, grow, readsOfJobs } from "../support/growth.ts";
import type { Read } from "../support/slow-database.ts";
import { ample, cases, openShop, shop } from "./webhooks.setup.ts";

afterAll(() => {
  vi.unstubAllGlobals();
});

describe("what a job reads does not grow with an account on Shopify", () => {
  doesNotGrow(cases, openShop, () => shop.worker.drain());
});

describe("the erasure of a shop", () => {
  const readToForget = async (customers: number): Promise<number> => {
    const leaving = await hookedShop(ample);
    await grow(leaving.merchant.of, customers);
    leaving.store.uninstall();
    const body = { shop_id: 1, shop_domain: leaving.merchant.of.account.shop };
    await sendAccepted(leaving, await leaving.store.webhookOf("shop/redact", body));
    const reads: Read[] = [];
    for (let jobs = leaving.worker.sent(); jobs.length > 0; jobs = leaving.worker.sent()) {
      leaving.worker.forget();
      reads.push(...(await readsOfJobs(leaving.worker, jobs)));
    }
    expect(await select("SELECT id FROM accounts WHERE id = ?", leaving.merchant.of.account.id)).toEqual([]);
    return reads.reduce((total, { rows }) => total + rows, 0);
  };

  test("reads each row of the account a few times, however many there are", { timeout: 30_000 }, async () => {
    const [few, many] = [await readToForget(100), await readToForget(400)];
    expect(many).toBeLessThanOrEqual(few * 4.2);
  });
});
