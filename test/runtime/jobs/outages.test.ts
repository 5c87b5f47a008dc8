/** An outage counts no try of a job, however long it takes. */
import { describe, expect, test } from "vitest";
import { type KindWork, workOnJob } from "../../../src/domain/merchant-jobs/work.ts";
import { pauseSubscription } from "../../../src/domain/subscriptions/actions/pause.ts";
import { StoreThrottledError, UnknownOutcomeError } from "../../../src/stores/port.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import type { Json } from "../../support/shops.ts";
import { jobOf, move, type Opened, openJob, pauseEach, start, work } from "./job-in-hand.ts";

/** Pauses each subscription once the store has answered about it. `fails` throws where that does not. */
function asking(fails: (n: number) => void): KindWork {
  return work(async ({ ctx }, _, { n, record_id }) => {
    fails(n);
    ctx.jobRow!.hasStoreAnswered = true;
    await pauseSubscription(ctx, { id: record_id!, request: {} });
  });
}

const begun = Date.parse("2026-06-01T12:00:00.000Z");
const minutes = (many: number) => new Date(begun + many * 60_000).toISOString();

/** Works on the job as cron would, each minute of a time, wherever its next page is due by then. */
async function pass(opened: Opened, kind: KindWork, [from, to]: [number, number]): Promise<number> {
  let tries = 0;
  for (let minute = from; minute < to; minute++) {
    const realNow = minutes(minute);
    const [{ next_action_at: due = null } = {}] = await select<{ next_action_at: string | null }>(
      "SELECT next_action_at FROM jobs WHERE id = ?",
      opened.job,
    );
    if (due === null || due > realNow) continue;
    tries++;
    await workOnJob({ ...opened.ctx, realNow }, opened.job, { BULK: kind });
  }
  return tries;
}

async function opened(many: number): Promise<Opened> {
  const job = await openJob(many);
  await execute("UPDATE jobs SET next_action_at = ? WHERE id = ?", minutes(0), job.job);
  return job;
}

async function rowsOf({ shop, job }: Opened): Promise<Json[]> {
  return (await api(shop.api, "GET", `/api/jobs/${job}/rows`)).body.data;
}

const silence = () => {
  throw new UnknownOutcomeError("The store did not answer");
};

describe("an outage", () => {
  test("counts no try, however long it takes: the job waits, ten minutes at most, and goes on", async () => {
    const of = await opened(4);
    const down = asking((n) => (n >= 3 ? silence() : undefined));
    const tries = await pass(of, down, [0, 600]);
    expect(tries).toBeGreaterThan(600 / 12);
    expect(tries).toBeLessThan(600 / 10 + 15);
    expect(await jobOf(of)).toMatchObject({
      status: "RUNNING",
      done: 2,
      failed: 0,
      error: "The store does not answer; the job goes on once it does",
    });
    await pass(of, pauseEach, [600, 612]);
    expect(await jobOf(of)).toMatchObject({ status: "DONE", done: 4, failed: 0, error: null });
  });

  test("of the database is none of the row either", async () => {
    const of = await opened(2);
    const down = asking(() => {
      throw new Error("Network connection lost");
    });
    await pass(of, down, [0, 60]);
    expect(await jobOf(of)).toMatchObject({
      status: "RUNNING",
      ...{ done: 0, failed: 0, error: "The database does not answer; the job goes on once it does" },
    });
    await pass(of, pauseEach, [60, 72]);
    expect(await jobOf(of)).toMatchObject({ status: "DONE", done: 2 });
  });

  test("a store that asks for a pause gets it, and no more", async () => {
    const of = await opened(1);
    const throttled = asking(() => {
      throw new StoreThrottledError("Slow down", 7 * 60);
    });
    await pass(of, throttled, [0, 1]);
    const [job] = await select("SELECT next_action_at, error FROM jobs WHERE id = ?", of.job);
    expect(job).toEqual({ next_action_at: minutes(7), error: null });
  });

  test("of one row alone is that row's, once others were answered for ten minutes", async () => {
    const of = await opened(5);
    const down = asking((n) => (n === 2 ? silence() : undefined));
    await pass(of, down, [0, 9]);
    expect(await jobOf(of)).toMatchObject({ status: "RUNNING", done: 1, failed: 0 });
    await pass(of, down, [9, 40]);
    expect(await jobOf(of)).toMatchObject({ status: "DONE", done: 4, failed: 1 });
    expect((await rowsOf(of))[1]).toMatchObject({
      status: "FAILED",
      errors: [{ path: "", message: "The store does not answer about it" }],
    });
  });

  test("is not taken for a row's because rows are done that need no store", async () => {
    const of = await opened(3);
    const down = work(async ({ ctx }, _, { n, record_id }) => {
      if (n === 1) silence();
      await pauseSubscription(ctx, { id: record_id!, request: {} });
    });
    await pass(of, down, [0, 120]);
    expect(await jobOf(of)).toMatchObject({ status: "RUNNING", done: 2, failed: 0 });
    await pass(
      of,
      asking(() => {}),
      [120, 132],
    );
    expect(await jobOf(of)).toMatchObject({ status: "DONE", done: 3, failed: 0 });
  });
});

test("a job that has waited for an hour gives way to another, and can be resumed after it", async () => {
  const of = await opened(2);
  await pass(of, asking(silence), [0, 70]);
  const second = { ...of, ctx: { ...of.ctx, realNow: minutes(50) } };
  await expect(start(second)).rejects.toMatchObject({ code: "INVALID_STATE" });
  second.ctx.realNow = minutes(70);
  second.job = await start(second);
  expect(await jobOf(of)).toMatchObject({
    status: "PAUSED",
    error: "It waited for a store or a database that did not answer, and gave way to another job: resume it",
  });
  const { data } = (await api(of.shop.api, "GET", "/api/events", { query: { types: "job.paused" } })).body;
  expect(data).toMatchObject([{ actor_type: "system", subject: { id: of.job } }]);
  await workOnJob(second.ctx, second.job, { BULK: pauseEach });
  expect((await move(of, "resume")).body.data).toMatchObject({ status: "RUNNING", error: null });
});

test("a row that ends its message again and again is given up, and no other is", async () => {
  const of = await opened(4);
  const dies = work(async ({ ctx }, _, { n, record_id }) => {
    if (n === 3) await new Promise(() => {});
    await pauseSubscription(ctx, { id: record_id!, request: {} });
  });
  for (let minute = 0; minute < 60 && (await jobOf(of)).status === "RUNNING"; minute += 3) {
    const realNow = minutes(minute);
    const done = workOnJob({ ...of.ctx, realNow }, of.job, { BULK: dies });
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 150))]);
  }
  expect(await jobOf(of)).toMatchObject({ status: "DONE", done: 3, failed: 1 });
  expect((await rowsOf(of))[2]).toMatchObject({
    status: "FAILED",
    errors: [{ path: "", message: "Something went wrong on our side" }],
  });
});
