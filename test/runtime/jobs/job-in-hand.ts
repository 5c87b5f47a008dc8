import { readAccount } from "../../../src/base/accounts/queries.ts";
import type { Db } from "../../../src/base/db/port.ts";
import type { DoRow } from "../../../src/domain/merchant-jobs/rows-page.ts";
import { newJob, startJob } from "../../../src/domain/merchant-jobs/start.ts";
import { jobRows } from "../../../src/domain/merchant-jobs/tables.ts";
import type { KindWork } from "../../../src/domain/merchant-jobs/work.ts";
import { pauseSubscription } from "../../../src/domain/subscriptions/actions/pause.ts";
import { resumeSubscription } from "../../../src/domain/subscriptions/actions/restart.ts";
import type { Ctx } from "../../../src/kit/context.ts";
import { api } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, insertOf, testDb } from "../../support/database.ts";
import { type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";

/** Pauses each subscription, and resumes it again to take that back. */
export const pauseEach = work(async ({ ctx, note }, _, { record_id }) => {
  note({ summary: totals });
  await pauseSubscription(ctx, { id: record_id!, request: {} });
});

export const totals = { total_before: 1.1, total_after: 0.7 };

export function work(row: DoRow): KindWork {
  return {
    RUNNING: { takes: "PENDING", done: "OK", row },
    UNDOING: {
      takes: "OK",
      done: "UNDONE",
      row: async ({ ctx }, _, { record_id }) => {
        await resumeSubscription(ctx, { id: record_id!, request: {} });
      },
    },
  };
}

export type Opened = { shop: Shop; ids: string[]; ctx: Ctx; sent: number; job: string };

/** A job of the kind BULK over so many subscriptions, in the hands of the test. */
export async function openJob(many: number): Promise<Opened> {
  const shop = await openShop();
  const ids = [];
  for (let nth = 0; nth < many; nth++) ids.push(await subscribe(shop));
  const opened: Opened = { shop, ids, sent: 0, job: "", ctx: await ctxOf(shop) };
  opened.ctx.send = async (jobs) => {
    opened.sent += jobs.length;
  };
  opened.job = await start(opened);
  return opened;
}

export async function ctxOf(shop: Shop, db: Db = testDb(shop.of.account)): Promise<Ctx> {
  const account = (await readAccount(db, shop.of.account.id))!;
  return ctxOn(db, account, { actor: { type: "api", name: "Bulk" }, send: async () => {} });
}

export async function start({ ctx, ids }: Pick<Opened, "ctx" | "ids">): Promise<string> {
  const job = newJob(ctx, {
    kind: "BULK",
    input: {},
    progress: { after: 0 },
    summary: { total_before: 0, total_after: 0 },
    total: ids.length,
  });
  const rows = ids.map((record_id, nth) =>
    insertOf(jobRows, {
      ...{ account_id: ctx.account.id, job_id: job.id, n: nth + 1, key: record_id, record_id },
      ...{ status: "PENDING", errors: "[]", summary: "{}" },
    }),
  );
  await startJob(ctx, job, [], rows);
  return job.id;
}

export async function jobOf({ shop, job }: Opened, id = job): Promise<Json> {
  return (await api(shop.api, "GET", `/api/jobs/${id}`)).body.data;
}

export async function move({ shop, job }: Opened, verb: string, id = job) {
  return api(shop.api, "POST", `/api/jobs/${id}/${verb}`);
}

/** The end of a page's lease, as if time had passed. */
export async function expire(id: string): Promise<void> {
  const past = "2020-01-01T00:00:00.000Z";
  await execute(
    "UPDATE jobs SET lease_until = ?, next_action_at = ? WHERE id = ? AND next_action_at IS NOT NULL",
    past,
    past,
    id,
  );
}
