/** A job of many does what its dry run has shown, row by row, or passes a row over that has changed since. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { type Json, on, read, type Shop } from "../../support/shops.ts";
import { makeKey } from "../../support/tenant.ts";
import { discount, jobOf, rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, openBulk } = useBulk();

/** A dry run, done, with the name of its preview. */
async function shown(shop: Shop, body: object): Promise<{ preview: string; preview_job_id: string }> {
  const dry = await worker.call<Json>(shop.api, "POST", "/api/bulk", { body, query: { dry_run: "true" } });
  expect([dry.status, dry.headers.get("Preview")]).toEqual([202, expect.stringMatching(/^"[0-9a-f]{64}"$/)]);
  await worker.drain();
  return { preview: dry.headers.get("Preview")!, preview_job_id: dry.body.data.id };
}

async function send(shop: Shop, body: object, preview?: string, as = shop.api) {
  const headers = preview === undefined ? {} : { headers: { "If-Preview": preview } };
  const answer = await worker.call<Json>(as, "POST", "/api/bulk", { body, ...headers });
  await worker.drain();
  return answer;
}

const moved = { action: "skip_deliveries", input: { count: 1 } };

describe("a job of many by its preview", () => {
  test("does to each what was shown, and passes over what has changed since", async () => {
    const { shop, ids } = await openBulk(3);
    const body = { ...moved, ids };
    const { preview, preview_job_id } = await shown(shop, body);
    await api(shop.api, "PUT", on(ids[1]!, "frequency"), { body: { interval: "WEEK", interval_count: 5 } });
    const dates = await Promise.all(ids.map(async (id) => (await read(shop, id)).next_delivery_date));
    const { status, body: made } = await send(shop, { ...body, preview_job_id }, preview);
    expect(status).toBe(202);
    expect(await jobOf(shop, made.data.id)).toMatchObject({ status: "DONE", done: 2, skipped: 1 });
    const rows = await rowsOf(shop, made.data.id);
    expect(rows[1].summary).toEqual({});
    expect(rows.map((row) => [row.status, row.errors])).toEqual([
      ["OK", []],
      ["SKIPPED", [{ path: "changed_since_preview", message: "It has changed since it was shown" }]],
      ["OK", []],
    ]);
    const after = await Promise.all(ids.map(async (id) => (await read(shop, id)).next_delivery_date));
    expect(after.map((date, nth) => date !== dates[nth])).toEqual([true, false, true]);
  });

  test("a row that the dry run has passed over is passed over, though it would be possible by now", async () => {
    const { shop, ids } = await openBulk(2);
    await api(shop.api, "POST", on(ids[0]!, "cancel"));
    const body = { action: "apply_discount", input: discount, ids };
    const { preview, preview_job_id } = await shown(shop, body);
    await api(shop.api, "POST", on(ids[0]!, "reactivate"));
    const { body: made } = await send(shop, { ...body, preview_job_id }, preview);
    expect((await rowsOf(shop, made.data.id)).map(({ status }) => status)).toEqual(["SKIPPED", "OK"]);
    expect((await read(shop, ids[0]!)).discounts).toEqual([]);
  });

  test("with another list, action or input is 409 with the dry run, and makes no job", async () => {
    const { shop, ids } = await openBulk(2);
    const body = { ...moved, filter: { status: "ACTIVE" } };
    const { preview, preview_job_id } = await shown(shop, body);
    const jobs = async () => (await api<Json>(shop.api, "GET", "/api/jobs")).body.meta.total;
    const before = await jobs();
    for (const other of [
      { ...body, ids: [ids[0]!], filter: undefined },
      { ...body, input: { count: 2 } },
    ]) {
      const refused = await send(shop, { ...other, preview_job_id }, preview);
      expect(refused).toMatchObject({
        status: 409,
        body: { errorCode: "PREVIEW_CHANGED", preview: { data: { id: preview_job_id } } },
      });
    }
    await addOne(shop);
    expect((await send(shop, { ...body, preview_job_id }, preview)).status).toBe(409);
    expect(await jobs()).toBe(before);
  });

  test("needs the dry run beside its hash, which may be left out, and one that is done", async () => {
    const { shop, ids } = await openBulk(1);
    const body = { ...moved, ids };
    const dry = await worker.call<Json>(shop.api, "POST", "/api/bulk", { body, query: { dry_run: "true" } });
    const [preview, preview_job_id] = [dry.headers.get("Preview")!, dry.body.data.id];
    const early = await worker.call<Json>(shop.api, "POST", "/api/bulk", {
      ...{ body: { ...body, preview_job_id }, headers: { "If-Preview": preview } },
    });
    expect([early.status, early.body.errorCode]).toEqual([409, "INVALID_STATE"]);
    await worker.drain();
    expect((await send(shop, body, preview)).body.details).toMatchObject([{ path: "preview_job_id" }]);
    expect((await send(shop, { ...body, input: { count: 2 }, preview_job_id })).status).toBe(409);
    expect((await send(shop, { ...body, preview_job_id })).status).toBe(202);
  });

  test("is all that a credential with limits may do, and charges no more in all than it may", async () => {
    const { shop, ids } = await openBulk(2);
    const limited = async (limits: object) => {
      const { text } = await makeKey(shop.of, { name: "agent", limits });
      return { credentials: { "X-API-Key": text } };
    };
    const careful = await limited({ requires_preview: true });
    const body = { ...moved, ids };
    expect((await send(shop, body, undefined, careful)).status).toBe(428);
    const { preview, preview_job_id } = await shown(shop, body);
    expect((await send(shop, { ...body, preview_job_id }, preview, careful)).status).toBe(202);
    const retry = { action: "retry_payment", ids };
    expect((await send(shop, retry, undefined, await limited({ max_amount: 100 }))).status).toBe(403);
  });
});
