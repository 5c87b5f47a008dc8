/** The rows of a job are each done once, under a lease, and one job of an account changes subscriptions at a time. */
import { describe, expect, test } from "vitest";
import type { Db } from "../../../src/base/db/port.ts";
import { DomainError } from "../../../src/base/errors.ts";
import { type KindWork, workOnJob, workOnPage } from "../../../src/domain/merchant-jobs/work.ts";
import { pauseSubscription } from "../../../src/domain/subscriptions/actions/pause.ts";
import { resumeSubscription } from "../../../src/domain/subscriptions/actions/restart.ts";
import type { Ctx } from "../../../src/kit/context.ts";
import { mostStatements } from "../../../src/runtime/jobs/budget.ts";
import { api } from "../../support/client.ts";
import { select, testDb } from "../../support/database.ts";
import { type Json, on, type Shop } from "../../support/shops.ts";
import {
  ctxOf,
  expire,
  jobOf,
  move,
  type Opened,
  openJob,
  pauseEach,
  start,
  totals,
  work,
} from "./job-in-hand.ts";

async function pausesOf(shop: Shop): Promise<Json[]> {
  const query = { types: "subscription.paused", limit: 100 };
  return (await api(shop.api, "GET", "/api/events", { query })).body.data;
}

/** The work of a job that is moved while a row, its third one by default, is under way. */
function moving(opened: Opened, verb: string, at = 3): KindWork {
  return work(async ({ ctx, note }, _, { n, record_id }) => {
    if (n === at) await move(opened, verb);
    note({ summary: totals });
    await pauseSubscription(ctx, { id: record_id!, request: {} });
  });
}

describe("the rows of a job", () => {
  test("are each done in a batch of their own, as who asked for it, with the job in its entry", async () => {
    const opened = await openJob(27);
    const { ctx, job, shop, ids } = opened;
    await workOnPage(ctx, job, { BULK: pauseEach });
    expect(await jobOf(opened)).toMatchObject({
      status: "RUNNING",
      total: 27,
      done: 25,
      summary: { total_before: 27.5, total_after: 17.5 },
    });
    await workOnPage(ctx, job, { BULK: pauseEach });
    const done = await jobOf(opened);
    expect(done).toMatchObject({
      status: "DONE",
      done: 27,
      failed: 0,
      skipped: 0,
      undone: 0,
      summary: { total_before: 29.7, total_after: 18.9 },
    });
    const events = await pausesOf(shop);
    expect(events.map(({ subscription_id }) => subscription_id).sort()).toEqual([...ids].sort());
    expect(events[0]).toMatchObject({ actor_type: "api", actor_name: "Bulk", metadata: { job_id: job } });
    const rows = (await api(shop.api, "GET", `/api/jobs/${job}/rows`, { query: { status: "OK", limit: 2 } }))
      .body;
    expect(rows.data[0]).toEqual({
      n: 1,
      key: ids[0],
      record_id: ids[0],
      status: "OK",
      errors: [],
      summary: totals,
    });
    const { body } = await api(shop.api, "GET", "/api/events", { query: { types: "job.*" } });
    expect(body.data.map(({ type, metadata }: Json) => [type, metadata.counts])).toEqual([
      ["job.started", undefined],
      ["job.done", { total: 27, done: 27, failed: 0, skipped: 0, undone: 0 }],
    ]);
  });

  test("are done page after page by one message, as many as fit into it", async () => {
    const opened = await openJob(110);
    const { ctx, job, shop, ids } = opened;
    const messages: { done: number; statements: number }[] = [];
    for (let before = 0; (await jobOf(opened)).status === "RUNNING"; ) {
      const [used, sent] = [ctx.db.usage.db_statements, opened.sent];
      await workOnJob(ctx, job, { BULK: pauseEach });
      const { status, done } = await jobOf(opened);
      messages.push({ done: done - before, statements: ctx.db.usage.db_statements - used });
      expect(opened.sent - sent, "the next message").toBe(status === "RUNNING" ? 1 : 0);
      before = done;
    }
    expect(messages[0]!.done, "more than a page").toBeGreaterThan(25);
    expect(messages.length).toBeGreaterThan(1);
    for (const { done, statements } of messages) {
      expect(statements).toBeLessThanOrEqual(mostStatements.work_rows);
      expect(statements + done, "with a request to the store for each row").toBeLessThan(750);
    }
    expect((await pausesOf(shop)).length, "a page of the list").toBe(100);
    expect(await jobOf(opened)).toMatchObject({ status: "DONE", done: ids.length, failed: 0, skipped: 0 });
  });

  test("are done under a lease that each page renews, and begin no page after ten seconds", async () => {
    const opened = await openJob(60);
    const { ctx, job } = opened;
    const leases: string[] = [];
    let elapsed = 0;
    const slow = work(async ({ ctx: own, note }, _, { n, record_id }) => {
      const [{ lease_until }] = (await select<{ lease_until: string }>(
        "SELECT lease_until FROM jobs WHERE id = ?",
        job,
      )) as [{ lease_until: string }];
      leases.push(lease_until);
      if (n % 25 === 0) elapsed += 6_000;
      note({ summary: totals });
      await pauseSubscription(own, { id: record_id!, request: {} });
    });
    ctx.network = { ...ctx.network, stopwatch: () => () => elapsed };
    const sent = opened.sent;
    await workOnJob(ctx, job, { BULK: slow });
    expect([await jobOf(opened), opened.sent - sent]).toMatchObject([{ status: "RUNNING", done: 50 }, 1]);
    const [first, second] = [leases[0]!, leases[25]!];
    expect(Date.parse(second) - Date.parse(first)).toBe(6_000);
    expect(new Set(leases)).toEqual(new Set([first, second]));
  });

  test.each(["before", "after"])(
    "are all done where a message dies %s the commit that takes a later page",
    async (moment) => {
      const opened = await openJob(60);
      const { job, shop, ids } = opened;
      const db = testDb(shop.of.account);
      let takes = 0;
      const batch: Db["batch"] = async (statements, mode) => {
        const isTake = statements.some(({ sql }) => /update "jobs" set "lease_until" = /i.test(sql));
        const dies = isTake && ++takes === 2;
        if (dies && moment === "before") throw new Error("died");
        const answer = await db.batch(statements, mode);
        if (dies) throw new Error("died");
        return answer;
      };
      const dying = await ctxOf(shop, { engine: db.engine, usage: db.usage, batch });
      await workOnJob(dying, job, { BULK: pauseEach }).catch(() => {});
      expect([takes, await jobOf(opened)]).toMatchObject([2, { status: "RUNNING", done: 25 }]);
      for (let turn = 0; turn < 5; turn++) {
        await expire(job);
        await workOnJob(opened.ctx, job, { BULK: pauseEach });
      }
      expect(await jobOf(opened)).toMatchObject({ status: "DONE", done: 60, failed: 0, skipped: 0 });
      expect((await pausesOf(shop)).map(({ subscription_id }) => subscription_id).sort()).toEqual(
        [...ids].sort(),
      );
    },
  );

  test("are done once, whatever is delivered twice at once or dies before or after a commit", async () => {
    let turn = 0;
    const opened = await openJob(30);
    const { job, shop, ids } = opened;
    /** Dies at another trip to the database in each turn, before it or after it. */
    const dying = async (): Promise<Ctx> => {
      const db = testDb(shop.of.account);
      let left = (turn * 7 + 3) % 25;
      const batch: Db["batch"] = async (statements, mode) => {
        if (left-- !== 0) return db.batch(statements, mode);
        if (turn % 2 === 0) await db.batch(statements, mode);
        throw new Error("died");
      };
      return ctxOf(shop, { engine: db.engine, usage: db.usage, batch });
    };
    for (; turn < 100 && (await jobOf(opened)).status === "RUNNING"; turn++) {
      await expire(job);
      const tries = [
        workOnJob(await dying(), job, { BULK: pauseEach }),
        workOnJob(await dying(), job, { BULK: pauseEach }),
      ];
      await Promise.allSettled(tries);
    }
    expect(await jobOf(opened)).toMatchObject({ status: "DONE", done: 30, failed: 0, skipped: 0 });
    expect((await pausesOf(shop)).map(({ subscription_id }) => subscription_id).sort()).toEqual(
      [...ids].sort(),
    );
  });

  test("a refusal is its row's: 409 SKIPPED with its sentence, any other FAILED, and so is a fault of ours at once", async () => {
    const opened = await openJob(4);
    const [, broken] = opened.ids;
    const refusing = work(async ({ ctx }, _, { n, record_id }) => {
      if (n === 1) throw new DomainError("INVALID_STATE", "Cannot pause what is cancelled");
      if (record_id === broken) throw new TypeError("x is not a function");
      if (n === 3)
        throw new DomainError("VALIDATION_FAILED", "Bad", [{ path: "price", message: "must be positive" }]);
      await pauseSubscription(ctx, { id: record_id!, request: {} });
    });
    await workOnJob(opened.ctx, opened.job, { BULK: refusing });
    expect(await jobOf(opened)).toMatchObject({ status: "DONE", done: 1, skipped: 1, failed: 2 });
    const rows = (await api(opened.shop.api, "GET", `/api/jobs/${opened.job}/rows`)).body.data;
    expect(rows.map(({ status, errors }: Json) => [status, errors])).toEqual([
      ["SKIPPED", [{ path: "", message: "Cannot pause what is cancelled" }]],
      ["FAILED", [{ path: "", message: "Something went wrong on our side" }]],
      ["FAILED", [{ path: "price", message: "must be positive" }]],
      ["OK", []],
    ]);
  });

  test("stop at once when the job is paused or cancelled, and go on when it is resumed", async () => {
    const opened = await openJob(5);
    const { ctx, job } = opened;
    await workOnJob(ctx, job, { BULK: moving(opened, "pause") });
    expect(await jobOf(opened)).toMatchObject({ status: "PAUSED", done: 2 });
    await workOnJob(ctx, job, { BULK: pauseEach });
    expect(await pausesOf(opened.shop)).toHaveLength(2);
    expect((await move(opened, "resume")).body.data).toMatchObject({ status: "RUNNING" });
    await workOnJob(ctx, job, { BULK: pauseEach });
    expect(await jobOf(opened)).toMatchObject({
      status: "DONE",
      done: 5,
      summary: { total_before: 5.5, total_after: 3.5 },
    });
  });

  test.each([
    ["pause", "PAUSED"],
    ["cancel", "CANCELLED"],
  ])("of a later page of the message stop, too: %s", async (verb, status) => {
    const opened = await openJob(60);
    const { ctx, job, sent } = opened;
    await workOnJob(ctx, job, { BULK: moving(opened, verb, 27) });
    expect(await jobOf(opened)).toMatchObject({ status, done: 26 });
    expect(opened.sent - sent, "no message goes on").toBe(0);
  });

  test("that were done before the job was cancelled are in its summary", async () => {
    const opened = await openJob(5);
    await workOnJob(opened.ctx, opened.job, { BULK: moving(opened, "cancel") });
    expect(await jobOf(opened)).toMatchObject({
      ...{ status: "CANCELLED", done: 2 },
      summary: { total_before: 2.2, total_after: 1.4 },
    });
  });

  test("that cannot be taken back by a fault of ours stay, and the others are", async () => {
    const opened = await openJob(3);
    const { ctx, job, shop, ids } = opened;
    await workOnJob(ctx, job, { BULK: pauseEach });
    await move(opened, "undo");
    const broken: KindWork = {
      UNDOING: {
        ...{ takes: "OK", done: "UNDONE" },
        row: async ({ ctx }, _, { n, record_id }) => {
          if (n === 2) throw new TypeError("x is not a function");
          await resumeSubscription(ctx, { id: record_id!, request: {} });
        },
      },
    };
    await workOnJob(ctx, job, { BULK: broken });
    expect(await jobOf(opened)).toMatchObject({ status: "UNDONE", done: 1, undone: 2 });
    const [row] = (await api(shop.api, "GET", `/api/jobs/${job}/rows`, { query: { status: "OK" } })).body
      .data;
    expect(row).toMatchObject({
      record_id: ids[1],
      errors: [{ message: "Something went wrong on our side" }],
    });
  });

  test("are taken back row by row, and counted", async () => {
    const opened = await openJob(3);
    const { ctx, job, shop, ids } = opened;
    await workOnJob(ctx, job, { BULK: pauseEach });
    await api(shop.api, "POST", on(ids[1]!, "cancel"));
    expect((await move(opened, "undo")).body.data).toMatchObject({ status: "UNDOING", done: 3 });
    await workOnJob(ctx, job, { BULK: pauseEach });
    expect(await jobOf(opened)).toMatchObject({ status: "UNDONE", total: 3, done: 1, undone: 2 });
    const rows = (await api(shop.api, "GET", `/api/jobs/${job}/rows`, { query: { status: "OK" } })).body.data;
    expect(rows).toMatchObject([
      { record_id: ids[1], errors: [{ path: "", message: expect.stringContaining("CANCELLED") }] },
    ]);
  });
});

describe("one job of an account changes subscriptions at a time", () => {
  test("a second is refused and named the first, until that is paused or has ended", async () => {
    const opened = await openJob(1);
    const refused = { code: "INVALID_STATE", message: expect.stringContaining(opened.job) };
    await expect(start(opened)).rejects.toMatchObject(refused);
    await move(opened, "pause");
    const second = await start(opened);
    const resumed = await move(opened, "resume");
    expect([resumed.status, resumed.body.error]).toEqual([409, expect.stringContaining(second)]);
    await workOnJob(opened.ctx, second, { BULK: pauseEach });
    expect((await move(opened, "resume")).status).toBe(200);
    const changing =
      "SELECT id FROM jobs WHERE is_changing = 1 AND account_seq = (SELECT seq FROM accounts WHERE id = ?)";
    expect(await select(changing, opened.shop.of.account.id)).toEqual([{ id: opened.job }]);
  });

  test("of two that begin at once one wins", async () => {
    const { ctx, job, shop, ids } = await openJob(1);
    await api(shop.api, "POST", `/api/jobs/${job}/cancel`);
    const begun = await Promise.allSettled([start({ ctx, ids }), start({ ctx, ids })]);
    expect(begun.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
