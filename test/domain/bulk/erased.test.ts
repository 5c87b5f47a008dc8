/** A bulk job keeps nothing of a customer who is erased. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { customerOf, done, openShop, type Shop } from "../../support/shops.ts";
import { jobOf, rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, bulk } = useBulk();
const text = "Ring at Canary's";
const action = "set_instructions";
const input = { delivery_instructions: text };

/** Two customers of a shop with a subscription each; the first is the one who is erased. */
async function opened() {
  const shop = await openShop();
  const { profileId: other } = await customerOf(shop.of);
  return { shop, own: await addOne(shop), others: await addOne(shop, { profile_id: other }) };
}

/** Cancels the customer's subscription, and erases the customer. */
async function erase(shop: Shop, subscription: string): Promise<void> {
  await done(shop.api, "POST", subscription, "cancel", {});
  const query = { erase: "true" };
  const { status } = await worker.call(shop.admin, "DELETE", `/api/profiles/${shop.profileId}`, { query });
  expect(status).toBe(202);
  await worker.drain();
}

/** Begins a bulk job and pauses it before its first row. */
async function paused(shop: Shop, ids: string[]): Promise<string> {
  const { body } = await worker.call(shop.api, "POST", "/api/bulk", { body: { action, input, ids } });
  worker.forget();
  expect((await api(shop.api, "POST", `/api/jobs/${body.data.id}/pause`)).status).toBe(200);
  return body.data.id;
}

async function inputOf(id: string): Promise<unknown> {
  const [row] = await select<{ input: string }>("SELECT input FROM jobs WHERE id = ?", id);
  return JSON.parse(row!.input);
}

test("the input of a bulk job that is over is erased with each customer on its list", async () => {
  const { shop, own, others } = await opened();
  const { id } = await bulk(shop, { action, input, ids: [own, others] });
  const { id: dry } = await bulk(shop, { action, input, ids: [own] }, { dry_run: true });
  const { id: unconcerned } = await bulk(shop, { action, input, ids: [others] });
  expect(await inputOf(id)).toMatchObject({ input });
  await erase(shop, own);
  expect([await inputOf(id), await inputOf(dry)]).toEqual([{ action }, { action }]);
  expect(await inputOf(unconcerned)).toMatchObject({ input });
  expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: 2 });
});

test("a job that has the customer alone on its list does nothing more, and one with others goes on for them", async () => {
  const { shop, own, others } = await opened();
  const alone = await paused(shop, [own]);
  const shared = await paused(shop, [own, others]);
  await erase(shop, own);
  expect(await inputOf(alone)).toEqual({ action });
  expect(await inputOf(shared)).toMatchObject({ input });
  for (const id of [alone, shared]) {
    const resumed = await worker.call(shop.api, "POST", `/api/jobs/${id}/resume`);
    expect(resumed.status).toBe(200);
    await worker.drain();
  }
  expect(await jobOf(shop, alone)).toMatchObject({ status: "DONE", done: 0, skipped: 1 });
  expect((await rowsOf(shop, shared)).map(({ record_id, status }) => [record_id, status])).toEqual([
    [own, "SKIPPED"],
    [others, "OK"],
  ]);
  const { body } = await api(shop.api, "GET", `/api/subscriptions/${others}`);
  expect(body.data.delivery_instructions).toBe(text);
});

test("a filter that names a customer is kept no longer than its list is made", async () => {
  const { shop } = await opened();
  const filter = { profile_id: shop.profileId };
  const { id, total } = await bulk(shop, { action: "pause", filter });
  expect([total, JSON.stringify(await inputOf(id))]).toEqual([
    1,
    expect.not.stringContaining(shop.profileId),
  ]);
});
