import { describe, expect, test } from "vitest";
import page from "../../docs/scale.md?raw";
import { newId } from "../../src/base/lib/ids.ts";
import { execute, select } from "../support/database.ts";
import { each, operations } from "../support/document.ts";
import { tickAt } from "../support/jobs.ts";
import { usageOf } from "../support/records.ts";
import { openShop } from "../support/shops.ts";
import { call, openWorld } from "../support/world.ts";

/** What docs/scale.md has measured of an invocation: so many statements in so many trips. */
function documented(invocation: string): { statements: number; trips: number } {
  const row = page.split("\n").find((line) => line.startsWith(`| ${invocation} `)) ?? "";
  const [, statements, trips] = /(\d+) statements in (\d+) trips? +\|$/.exec(row) ?? [];
  return { statements: Number(statements), trips: Number(trips) };
}

describe("no request asks for more than docs/scale.md says", () => {
  test.each(each(operations))("%s", async (_, operation) => {
    const world = await openWorld();
    const { answer, db_statements, db_round_trips } = await usageOf(() => call(operation, world));
    expect(answer.status).toBeLessThan(300);
    const { statements, trips } = documented(
      operation.method === "GET" ? "a request that reads" : "a request that writes",
    );
    expect(db_statements).toBeLessThanOrEqual(statements);
    expect(db_round_trips).toBeLessThanOrEqual(trips);
  });
});

describe("the cron tick", () => {
  test("deletes a limited number of sessions that have expired, and the rest in the next", async () => {
    const shop = await openShop();
    await execute(
      `WITH RECURSIVE nth (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < 1050)
        INSERT INTO portal_sessions (id, account_id, profile_id, token_hash, created_at, expires_at)
        SELECT ? || n, ?, ?, ? || n, '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM nth`,
      ...[newId(), shop.of.account.id, shop.profileId, newId()],
    );
    const count = async () =>
      (
        await select<{ n: number }>(
          "SELECT COUNT(*) AS n FROM portal_sessions WHERE account_id = ?",
          shop.of.account.id,
        )
      )[0]?.n;
    await tickAt(Date.now());
    expect(await count()).toBe(50);
    await tickAt(Date.now());
    expect(await count()).toBe(0);
  });
});
