/** A price that counts is told before, and its customer can leave until the day of its first charge. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { execute } from "../../support/database.ts";
import { deliver, entriesOf, openShop, read } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { later, startClock } from "../../support/worker.ts";
import { jobOf, useBulk } from "../bulk/bulk-jobs.ts";
import { log, postboxOf } from "./postbox.ts";

const { worker, addOne, bulk, openBulk } = useBulk();
const kind = "price_change";

/** Subscriptions of two lines of 10, billed weekly, the first time in 40 days, and the mails about their prices. */
async function opened(many: number) {
  const { shop, ids } = await openBulk(many);
  const postbox = postboxOf(shop, worker);
  await postbox.set(log);
  const told = async () => (await postbox.list({ kind })).map(({ subscription_id }) => subscription_id);
  return { shop, ids, told };
}

const raise = { action: "change_price", input: { store_variant_id: "old", price: 12, from_cycle: 1 } };

async function announcedTo(ids: string[]): Promise<string[]> {
  const all = await Promise.all(ids.map(async (id) => ({ id, entries: await entriesOf(id) })));
  return all.flatMap(({ id, entries }) =>
    entries.filter(({ action }) => action === "price_change_announced").map(() => id),
  );
}

const batches = {
  lease: /update "jobs" set "lease_until"/i,
  change: /insert into "new_entries"/i,
  page: /update "jobs" set .*"progress"/i,
};

test.each(
  Object.keys(batches).flatMap((what) => ["before", "after"].map((moment) => [what, moment] as const)),
)(
  "where a job dies with the batch of a %s, %s it, customers are told once of a price that counts, and of no other",
  async (what, moment) => {
    const { shop, ids, told } = await opened(3);
    const { body } = await worker.call(shop.api, "POST", "/api/bulk", { body: { ...raise, ids } });
    const { id } = body.data;
    worker.forget();
    let left = 2;
    const once = async () => {
      if (left-- > 0) await isolateEnded();
    };
    const DB = interrupted(batches[what as keyof typeof batches], { [moment]: once });
    const bindings: Bindings = { ...env, ...worker.bindings, DB };
    for (let times = 0; times < 2; times++) {
      const message = { type: "work_rows", account_id: shop.of.account.id, job_id: id };
      await deliver([message], { bindings }).catch(() => {});
      const shown = await Promise.all(ids.map((each) => read(shop, each)));
      const raised = ids.filter((_, nth) => shown[nth].lines[0].price === 12);
      expect(await announcedTo(ids), "told of what is committed alone").toEqual(raised);
      expect((await told()).toSorted()).toEqual(raised.toSorted());
      await execute(
        "UPDATE jobs SET lease_until = NULL, next_action_at = '2020-01-01T00:00:00.000Z' WHERE id = ? AND next_action_at IS NOT NULL",
        id,
      );
    }
    for (let minute = 0; minute < 3; minute++) await later(worker, 300);
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: 3 });
    expect(await announcedTo(ids)).toEqual(ids);
    expect((await told()).toSorted()).toEqual(ids.toSorted());
  },
);

test("a dry run of a higher price tells nobody, and one with too little notice is not told either", async () => {
  const { shop, ids, told } = await opened(1);
  expect(await bulk(shop, { ...raise, ids }, { dry_run: true })).toMatchObject({ done: 1 });
  expect(await bulk(shop, { ...raise, ids, notice_days: 41 })).toMatchObject({ skipped: 1 });
  await later(worker, 300);
  expect(await told()).toEqual([]);
});

test("who does not want a new price can leave until the minute before the day of its first charge, by the shop's clocks", async () => {
  const shop = await openShop({ timezone: "America/New_York" });
  const postbox = postboxOf(shop, worker);
  await postbox.set(log);
  await startClock(shop, "2034-01-01T17:00:00.000Z");
  const id = await addOne(shop, { next_delivery_date: "2034-02-10" });
  await bulk(shop, { ...raise, ids: [id] });
  const [mail] = await postbox.list({ kind });
  const { text } = await postbox.content(mail!);
  expect(text).toContain("First charge at the new price: Fri, Feb 10, 2034");
  expect(text).toMatch(/Changes until: Thu, Feb 9, 2034, 11:59\sPM EST/);
});
