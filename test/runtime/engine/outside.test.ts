/** The tick outside reads no accounts that have an object, however many there are. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { execute } from "../../support/database.ts";
import { tickAt } from "../../support/jobs.ts";
import { openShop, outbox } from "../../support/shops.ts";
import { measured } from "../../support/slow-database.ts";

/** The rows that a tick of the Worker outside reads. */
async function rowsReadByTick(): Promise<number> {
  const { DB, reads } = measured();
  await tickAt(Date.now(), { ...outbox().bindings, DB });
  return reads.reduce((sum, { rows }) => sum + rows, 0);
}

test("the tick outside reads no accounts that have an object, however many there are", async () => {
  await openShop({ engine: "d1" });
  const before = await rowsReadByTick();
  await execute(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO accounts (id, name, shop, timezone, currency_code, created_at, updated_at, engine)
      SELECT 'account-' || i, 'A', 'shop-' || i || '.example', 'UTC', 'USD', '2026-01-01T00:00:00.000Z',
        '2026-01-01T00:00:00.000Z', 'object' FROM n`,
  );
  await execute(
    "DELETE FROM reconciliations WHERE account_seq IN (SELECT seq FROM accounts WHERE id LIKE 'account-%')",
  );
  expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM accounts").first()).toEqual({ n: 301 });
  const whereAnIndexEnds = 10;
  expect(await rowsReadByTick()).toBeLessThanOrEqual(before + whereAnIndexEnds);
});
