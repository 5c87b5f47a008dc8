/** An account with a bad row is an alert, and does not stop the tick for the others. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job } from "../../../src/base/job.ts";
import { sendDueJobs } from "../../../src/runtime/jobs/tick.ts";
import { execute, testDb } from "../../support/database.ts";
import { logged, tickAt } from "../../support/jobs.ts";
import { deliver, inDays, type Json, openShop, outbox, type Shop } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { attemptsOf, linked, openWorker, shipNow, type TestWorker } from "../../support/worker.ts";

let well: Shop;
let ill: Shop;
let worker: TestWorker;
beforeEach(async () => {
  [well, ill] = [await openShop(), await openShop()];
  worker = openWorker();
});
afterEach(() => execute("UPDATE accounts SET timezone = 'UTC', clock_at = NULL"));

function dueIn(shop: Shop) {
  return linked(shop, worker, { next_delivery_date: inDays(0) });
}

function alertsIn(lines: Json[]): Json[] {
  return lines.filter(({ alert }) => alert);
}

function accountsIn(jobs: Json[]): string[] {
  return jobs.map(({ account_id }) => account_id);
}

describe("one account with a bad row does not stop the tick for the others", () => {
  test.each([
    ["timezone = 'Mars/Olympus'", "RangeError"],
    ["timezone = ''", "RangeError"],
    ["clock_at = 'tomorrow'", "RangeError"],
  ])(
    "%s: an account whose time cannot be told is logged as an alert, and the others are found",
    async (bad) => {
      await dueIn(well);
      await dueIn(ill);
      await execute(`UPDATE accounts SET ${bad} WHERE id = ?`, ill.of.account.id);
      let jobs: Json[] = [];
      const lines = await logged(async () => {
        jobs = await tickAt(Date.now());
      });
      expect(accountsIn(jobs)).toContain(well.of.account.id);
      expect(accountsIn(jobs)).not.toContain(ill.of.account.id);
      expect(alertsIn(lines)).toEqual([
        {
          event: "account_not_searched",
          alert: true,
          account_id: ill.of.account.id,
          cause: expect.stringContaining("RangeError"),
        },
      ]);
    },
  );

  test("an account whose time zone is unknown is logged as an alert, and the others are billed", async () => {
    const id = await dueIn(well);
    await dueIn(ill);
    await execute("UPDATE accounts SET timezone = 'Mars/Olympus' WHERE id = ?", ill.of.account.id);
    const lines = await logged(() => worker.tick());
    expect(alertsIn(lines).map(({ account_id }) => account_id)).toEqual([ill.of.account.id]);
    expect(await attemptsOf(well, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  });

  test("discounts that are no JSON: the job fails and names the account; the others are billed", async () => {
    const [id, broken] = [await dueIn(well), await dueIn(ill)];
    await execute("UPDATE subscriptions SET discounts = '[' WHERE id = ?", broken);
    const lines = await logged(async () => {
      for (let jobs: Json[] = await tickAt(Date.now()); jobs.length > 0; ) {
        const { sent, bindings } = outbox();
        await deliver(jobs, { bindings });
        jobs = sent;
      }
    });
    expect(await attemptsOf(well, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(lines.filter(({ event }) => event === "queue_job_failed")).toMatchObject([
      { type: "process_due", account_id: ill.of.account.id, attempts: 1 },
    ]);
    await execute("UPDATE subscriptions SET status = 'CANCELLED', discounts = '[]' WHERE id = ?", broken);
  });
});

test("a part that fails keeps none of the others from being done, and the tick fails in the end", async () => {
  const id = await linked(well, worker, { next_delivery_date: inDays(9) });
  await shipNow(well, worker, id);
  worker.forget();
  await dueIn(ill);
  const { account } = well.of;
  await execute(
    "INSERT INTO profile_erasures SELECT seq, ?, '2026-01-01', '2026-01-01' FROM accounts WHERE id = ?",
    ...[well.profileId, account.id],
  );
  const DB = interrupted(/UPDATE billing_attempts SET next_action_at/, {
    before: () => Promise.reject(new Error("malformed JSON")),
  });
  const { sent, bindings } = outbox();
  const lines = await logged(() =>
    expect(tickAt(Date.now(), { ...bindings, DB })).rejects.toThrow("malformed JSON"),
  );
  expect(accountsIn(sent)).toContain(ill.of.account.id);
  expect(sent).toContainEqual({ type: "erase_profile", account_id: account.id, profile_id: well.profileId });
  expect(lines).toContainEqual({
    event: "swept_apart",
    cause: expect.stringContaining("malformed JSON"),
  });
  expect(alertsIn(lines)).toEqual([
    { event: "tick_failed", alert: true, part: "attempts", cause: expect.stringContaining("malformed JSON") },
  ]);
});

test("a later page that fails has nothing found again that the pages before it have found", async () => {
  const id = await linked(well, worker, { next_delivery_date: inDays(9) });
  await execute(
    "UPDATE subscriptions SET store_contract_id = NULL, created_at = '2026-01-01T00:00:00.000Z' WHERE id = ?",
    id,
  );
  const { account } = ill.of;
  await execute(
    "INSERT INTO profile_erasures SELECT seq, ?, '2026-01-01', '2026-01-01' FROM accounts WHERE id = ?",
    ...[ill.profileId, account.id],
  );
  let pages = 0;
  const DB = interrupted(/UPDATE profile_erasures SET next_action_at/, {
    before: async () => {
      if (++pages === 2) throw new Error("timed out");
    },
  });
  const { sent, bindings } = outbox();
  const lines = await logged(() => tickAt(Date.now(), { ...bindings, DB }));
  expect(lines).toContainEqual({ event: "swept_apart", cause: expect.stringContaining("timed out") });
  expect(sent.filter(({ type }) => type === "sync_contract")).toEqual([
    { type: "sync_contract", account_id: well.of.account.id, subscription_id: id },
  ]);
  expect(sent.filter(({ type }) => type === "erase_profile")).toHaveLength(1);
  expect(pages).toBe(3);
});

test("a tick that finds nothing has looked for everything in five trips", async () => {
  const db = testDb();
  const jobs: Job[] = [];
  const now = new Date(Date.UTC(2026, 0, 1));
  await sendDueJobs({ db, now, send: async (found) => void jobs.push(...found), log: () => {} });
  expect(jobs).toEqual([]);
  expect(db.usage.db_round_trips).toBe(5);
});
