/** Undoing a change of the shop's never overwrites a date that the customer has chosen since. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Bindings } from "../../../../src/base/env.ts";
import { api, deployment } from "../../../support/client.ts";
import {
  actionsOf,
  deliver,
  done,
  inDays,
  type Json,
  on,
  openShop,
  read,
  type Shop,
} from "../../../support/shops.ts";
import { interrupted } from "../../../support/slow-database.ts";
import { advance, ordersOf, startClock } from "../../../support/worker.ts";
import { jobOf, rowsOf, useBulk } from "../../bulk/bulk-jobs.ts";

const { worker, addOne, bulk } = useBulk();

/** The bindings of a deployment in which something happens before the first change of a subscription is written. */
function meeting(happens: () => Promise<unknown>): Bindings {
  let isFirst = true;
  const before = async () => {
    if (!isFirst) return;
    isFirst = false;
    await happens();
  };
  return { ...env, ...worker.bindings, DB: interrupted(/update "?subscriptions"? set/i, { before }) };
}

type Change = { undo: (bindings: Bindings) => Promise<void> };

/** Moves a subscription to another date by a request of its own; how that is undone. */
async function moveAlone(shop: Shop, id: string, date: string): Promise<Change> {
  const moved = await api(shop.api, "PUT", on(id, "schedule"), { body: { next_delivery_date: date } });
  const undo = async (bindings: Bindings) => {
    const body = { entry_id: moved.headers.get("Entry-Id") };
    const answer = await deployment(bindings)<Json>(shop.api, "POST", on(id, "undo"), { body });
    expect([answer.status, answer.body.errorCode]).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toContain("changed since by Cy");
  };
  return { undo };
}

/** Moves it with a bulk job. */
async function moveByJob(shop: Shop, id: string, date: string): Promise<Change> {
  const { id: job_id } = await bulk(shop, { action: "reschedule", input: { date }, ids: [id] });
  const undo = async (bindings: Bindings) => {
    expect((await worker.call(shop.api, "POST", `/api/jobs/${job_id}/undo`)).status).toBe(200);
    worker.forget();
    await deliver([{ type: "work_rows", account_id: shop.of.account.id, job_id }], { bindings });
    await worker.drain();
    expect(await jobOf(shop, job_id)).toMatchObject({ status: "UNDONE", undone: 0 });
    expect(await rowsOf(shop, job_id)).toMatchObject([
      { status: "OK", errors: [{ message: expect.stringContaining("changed since by Cy") }] },
    ]);
  };
  return { undo };
}

test.each([
  ["a change", "before it is undone", moveAlone, false],
  ["a change", "while it is undone", moveAlone, true],
  ["a bulk job", "before it is undone", moveByJob, false],
  ["a bulk job", "while it is undone", moveByJob, true],
] as const)(
  "undoing %s leaves the date that its customer has chosen %s, and delivers on it",
  async (_, __, move, isRace) => {
    const shop = await openShop();
    await startClock(shop, new Date().toISOString());
    const id = await addOne(shop, { next_delivery_date: inDays(5) });
    const { undo } = await move(shop, id, inDays(20));
    const choose = () =>
      done(shop.customer, "PUT", id, "schedule", { next_delivery_date: inDays(9), scope: "this" });
    if (!isRace) await choose();
    await undo(isRace ? meeting(choose) : worker.bindings);
    expect(await read(shop, id)).toMatchObject({
      next_delivery_date: inDays(9),
      next_billing_date: inDays(9),
    });
    expect(await actionsOf(id)).not.toContain("subscription_change_undone");
    await advance(shop, worker, 10);
    expect(await ordersOf(shop, id)).toMatchObject([{ billing_date: inDays(9), delivery_date: inDays(9) }]);
  },
);
