import { beforeEach, describe, expect, test } from "vitest";
import { execute } from "../support/database.ts";
import { logged } from "../support/jobs.ts";
import type { Json } from "../support/shops.ts";
import { useDisputes } from "./disputing.ts";
import { connectWith } from "./hooks.ts";

const { account, disputed, entries, order, paid, reasonOf } = useDisputes();
let intent: string;
beforeEach(() => {
  ({ intent } = paid);
});

describe("the nightly look", () => {
  async function night(): Promise<Json[]> {
    return logged(async () => {
      await execute(
        "UPDATE reconciliations SET next_at = '2026-01-01T00:00:00.000Z', since = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        new Date(Date.now() - 3 * 86_400_000).toISOString(),
        account.merchant.of.account.id,
      );
      await account.worker.tick(Date.now(), { reconciles: true });
    });
  }
  const lose = () => account.stripe.takeWebhooks();

  test("finds a dispute whose webhooks were lost, how it went on, and writes nothing more", async () => {
    const { id: dispute } = account.stripe.dispute(intent);
    await lose();
    await night();
    expect(await reasonOf()).toBe("disputed");
    account.stripe.changeDispute(dispute, "under_review");
    account.stripe.closeDispute(dispute, "won");
    await lose();
    await night();
    await night();
    expect([await reasonOf(), (await order()).dispute.status, (await entries()).length]).toEqual([
      null,
      "WON",
      2,
    ]);
  });

  test("reads what its list has just shown once more, behind our own records", async () => {
    const { id: dispute } = account.stripe.dispute(intent);
    await lose();
    const asked = account.stripe.requests.length;
    const reads = () =>
      account.stripe.requests.slice(asked).filter(({ operation }) => operation === "disputes.retrieve")
        .length;
    account.stripe.closeDispute(dispute, "lost");
    await lose();
    await night();
    expect([(await order()).dispute.status, reads()]).toEqual(["LOST", 1]);
  });

  test("asks about one that was opened long ago, too", async () => {
    const dispute = await disputed();
    account.stripe.closeDispute(dispute, "won");
    await lose();
    account.stripe.advance(100 * 86_400_000);
    await night();
    expect((await order()).dispute.status).toBe("WON");
  });

  test("says that the key may not read disputes, and compares charges all the same", async () => {
    account.stripe.dispute(intent);
    await lose();
    const { settings: at } = account.stripe;
    const { secretKeys } = at;
    at.secretKeys = [...secretKeys, "rk_test_fake"];
    at.refusedPermissions = new Set(["disputes.list"]);
    await connectWith(account, { secret_key: "rk_test_fake" } as Json);
    const lines = await night();
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "store_access_denied", topic: "disputes", alert: true }),
    );
    at.refusedPermissions = new Set();
    await night();
    expect(await reasonOf()).toBe("disputed");
  });
});
