/** A tick deletes a limited number of expired sessions, and the next one the rest. */
import { expect, test } from "vitest";
import { newId } from "../../src/base/lib/ids.ts";
import { execute, select } from "../support/database.ts";
import { tickAt } from "../support/jobs.ts";
import { openShop } from "../support/shops.ts";

test("the cron tick deletes a limited number of sessions that have expired, and the rest in the next", async () => {
  const shop = await openShop();
  await execute(
    `WITH RECURSIVE nth (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < 1050)
        INSERT INTO portal_sessions (id, account_seq, profile_id, token_hash, created_at, expires_at)
        SELECT ? || n, (SELECT seq FROM accounts WHERE id = ?), ?, ? || n, '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM nth`,
    ...[newId(), shop.of.account.id, shop.profileId, newId()],
  );
  const count = async () =>
    (
      await select<{ n: number }>(
        "SELECT COUNT(*) AS n FROM portal_sessions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        shop.of.account.id,
      )
    )[0]?.n;
  await tickAt(Date.now());
  expect(await count()).toBe(50);
  await tickAt(Date.now());
  expect(await count()).toBe(0);
});
