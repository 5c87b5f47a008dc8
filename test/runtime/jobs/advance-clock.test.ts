/** Moving a test clock does each day's work on its day, within the figures of a job. */
import { expect, test } from "vitest";
import type { Job } from "../../../src/base/job.ts";
import { findAccountsDue } from "../../../src/domain/billing/due/due.ts";
import { execute, testDb } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { entriesOf, type Json } from "../../support/shops.ts";
import { advance, clockOf, deliveriesOf, linked, startClock, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

test("days without work are passed over, and each day with work comes on its day", async () => {
  await startClock(shop, "2030-01-15T12:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2030-12-01" });
  const lines = await logged(() => advance(shop, worker, 350));
  const trips = lines
    .filter(({ type }) => type === "advance_clock")
    .reduce((sum, { db_round_trips }) => sum + db_round_trips, 0);
  expect(trips).toBeLessThan(350);
  const days = ["2030-12-01", "2030-12-08", "2030-12-15", "2030-12-22", "2030-12-29"];
  expect(await deliveriesOf(shop, id)).toEqual(days.map((day) => [day, 10]));
  const started = (await entriesOf(id)).filter(({ action }) => action === "billing_started") as Json[];
  expect(started.map(({ created_at }) => created_at)).toEqual(days.map((day) => `${day}T12:00:00.000Z`));
});

test("each job's figures are its own: together those that a move does are no more than the move's", async () => {
  await linked(shop, worker, { next_delivery_date: (await clockOf(shop)).slice(0, 10) });
  const lines = (await logged(() => advance(shop, worker, 3))).filter(({ event }) => event === "job");
  const tripsOf = (chosen: Json[]): number =>
    chosen.reduce((sum, { db_round_trips }) => sum + db_round_trips, 0);
  const moves = lines.filter(({ type }) => type === "advance_clock");
  const done = lines.filter(({ type }) => type !== "advance_clock");
  expect(done.length).toBeGreaterThan(3);
  expect(tripsOf(done)).toBeLessThanOrEqual(tripsOf(moves));
  for (const line of lines)
    expect(line).toMatchObject({ account_id: shop.of.account.id, message_id: expect.any(String) });
});

test("while its clock is being moved, cron finds nothing due of an account: the move does it in its order", async () => {
  const { account } = shop.of;
  await linked(shop, worker, { next_delivery_date: (await clockOf(shop)).slice(0, 10) });
  const found = async (): Promise<Job[]> =>
    (await findAccountsDue(testDb(), new Date().toISOString(), () => {})).filter(
      ({ account_id }) => account_id === account.id,
    );
  expect(await found()).toEqual([{ type: "find_due", account_id: account.id, kind: "schedule" }]);
  await execute("UPDATE accounts SET clock_target = '2040-01-01T00:00:00.000Z' WHERE id = ?", account.id);
  expect(await found()).toEqual([]);
  await execute("UPDATE accounts SET clock_target = NULL WHERE id = ?", account.id);
  expect(await found()).toHaveLength(1);
});
