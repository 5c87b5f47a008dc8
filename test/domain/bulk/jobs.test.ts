/** A bulk job works through a frozen list once, and each row says what became of it. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { callTool } from "../../edges/mcp/session.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { put, subscriptionOf } from "../../support/records.ts";
import { actionsOf, deliver, on, read, refusal } from "../../support/shops.ts";
import { limitedKey } from "../../support/tenant.ts";
import { discount, jobOf, rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, bulk, openBulk } = useBulk();

const boxItem = {
  ...{ slot_id: "1", store_product_id: "p", store_variant_id: "v", product_title: "Beef", quantity: 1 },
  price: 1,
};
const oneTimeLine = {
  ...{ store_product_id: "p", store_variant_id: "v", product_title: "Beef", quantity: 1, price: 1 },
  selling_plan_id: "plan-monthly",
};

describe("a bulk job", () => {
  test("is answered at once with a frozen list, and passes over what the state forbids with its sentence", async () => {
    const { shop, ids } = await openBulk(3);
    const [paused, cancelled, active] = ids as [string, string, string];
    await api(shop.api, "POST", on(cancelled, "cancel"));
    await api(shop.api, "POST", on(paused, "pause"));
    const body = { action: "pause", filter: { status: ["ACTIVE", "PAUSED", "CANCELLED"] } };
    const answer = await worker.call(shop.api, "POST", "/api/bulk", { body });
    const { id } = answer.body.data;
    expect([answer.status, answer.headers.get("Location")]).toEqual([202, `/api/jobs/${id}`]);
    expect(answer.body.data).toMatchObject({ kind: "BULK", status: "RUNNING", total: 3, done: 0 });
    const late = await addOne(shop);
    await worker.drain();
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", total: 3, done: 2, skipped: 1, failed: 0 });
    const rows = await rowsOf(shop, id);
    expect(rows.map(({ n, key, record_id, status }) => [n, key, record_id, status])).toEqual([
      [1, active, active, "OK"],
      [2, cancelled, cancelled, "SKIPPED"],
      [3, paused, paused, "OK"],
    ]);
    expect(rows[1].errors).toEqual([{ path: "", message: "Cannot pause: the subscription is CANCELLED" }]);
    expect((await read(shop, late)).status).toBe("ACTIVE");
    expect(await actionsOf(paused), "it was paused already").not.toContain(
      "subscription_paused,subscription_paused",
    );
  });

  test("by ids fails the rows of what the account does not have, and changes the others", async () => {
    const { shop, ids } = await openBulk(1);
    const unknown = newId();
    const job = await bulk(shop, { action: "pause", ids: [unknown, ...ids] });
    expect(job).toMatchObject({ status: "DONE", total: 2, done: 1, failed: 1 });
    expect((await rowsOf(shop, job.id))[0]).toMatchObject({
      ...{ key: unknown, record_id: null, status: "FAILED" },
      errors: [{ path: "", message: "Subscription not found" }],
    });
  });

  test("as a dry run has the outcomes and sums in its rows, and changes nothing else", async () => {
    const { shop, ids } = await openBulk(2);
    await api(shop.api, "POST", on(ids[1]!, "cancel"));
    const before = await select("SELECT * FROM subscriptions WHERE profile_id = ?", shop.profileId);
    const entries = await select("SELECT * FROM activity_logs WHERE profile_id = ?", shop.profileId);
    const input = { from: "old", to: "new", price: 5 };
    const job = await bulk(shop, { action: "swap_variant", input, ids }, { dry_run: true });
    expect(job).toMatchObject({
      status: "DONE",
      done: 1,
      skipped: 1,
      summary: { total_before: 20, total_after: 15 },
    });
    expect((await rowsOf(shop, job.id)).map(({ status, summary }) => [status, summary])).toEqual([
      ["OK", { total_before: 20, total_after: 15 }],
      ["SKIPPED", {}],
    ]);
    expect(await select("SELECT * FROM subscriptions WHERE profile_id = ?", shop.profileId)).toEqual(before);
    expect(await select("SELECT * FROM activity_logs WHERE profile_id = ?", shop.profileId)).toEqual(entries);
    expect(refusal(await worker.call(shop.api, "POST", `/api/jobs/${job.id}/undo`))).toEqual([
      409,
      "INVALID_STATE",
    ]);
  });

  test("is one at a time, and a dry run may run beside it", async () => {
    const { shop, ids } = await openBulk(1);
    const body = { action: "pause", ids };
    const first = await worker.call(shop.api, "POST", "/api/bulk", { body });
    const second = await worker.call(shop.api, "POST", "/api/bulk", { body });
    expect(refusal(second)).toEqual([409, "INVALID_STATE"]);
    expect(second.body.error).toContain(first.body.data.id);
    expect(
      (await worker.call(shop.api, "POST", "/api/bulk", { body, query: { dry_run: true } })).status,
    ).toBe(202);
    await worker.drain();
    expect((await worker.call(shop.api, "POST", "/api/bulk", { body })).status).toBe(202);
    await worker.drain();
  });

  test("asked for twice under one Idempotency-Key is one job", async () => {
    const { shop, ids } = await openBulk(1);
    const request = { body: { action: "skip_deliveries", ids }, headers: { "Idempotency-Key": "k" } };
    const [one, two] = [
      await worker.call(shop.api, "POST", "/api/bulk", request),
      await worker.call(shop.api, "POST", "/api/bulk", request),
    ];
    expect([two.status, two.body.data.id]).toEqual([202, one.body.data.id]);
    await worker.drain();
    expect((await actionsOf(ids[0]!)).filter((action) => action === "subscription_skipped")).toHaveLength(1);
  });

  test.each([
    ["filter", { action: "pause" }],
    ["filter", { action: "pause", ids: [newId()], filter: {} }],
    ["filter.statsu", { action: "pause", filter: { statsu: "ACTIVE" } }],
    ["filter.status", { action: "pause", filter: { status: "SLEEPING" } }],
    ["input.count", { action: "skip_deliveries", filter: {}, input: { count: 13 } }],
    ["input.from_cycle", { action: "change_price", filter: {}, input: { store_variant_id: "v", price: 1 } }],
    [
      "input.price",
      { action: "change_price", filter: {}, input: { store_variant_id: "v", price: 9.995, from_cycle: 2 } },
    ],
    ["input.price", { action: "swap_variant", filter: {}, input: { from: "v", to: "w", price: 0.001 } }],
    ["input.price", { action: "add_one_time_line", filter: {}, input: { ...oneTimeLine, price: 4.005 } }],
    [
      "input.selection_items.0.price",
      {
        action: "add_one_time_line",
        filter: {},
        input: { ...oneTimeLine, selection_items: [{ ...boxItem, price: 4.005 }] },
      },
    ],
    [
      "input.value",
      {
        action: "apply_discount",
        filter: {},
        input: { ...discount, value_type: "FIXED_AMOUNT", value: 1.005 },
      },
    ],
    ["input.value", { action: "apply_discount", filter: {}, input: { ...discount, value: 101 } }],
    ["input.max_amount", { action: "apply_discount", filter: {}, input: { ...discount, max_amount: 0.001 } }],
    ["input.to_slot_id", { action: "move_slot", filter: {}, input: { from_slot_id: newId() } }],
    [
      "ids.1",
      {
        action: "pause",
        ids: ["01a2189a-51bd-71d8-a5cd-ef3f76effcf2", "01a2189a-51bd-71d8-a5cd-ef3f76effcf2"],
      },
    ],
    ["action", { action: "delete", filter: {} }],
  ])("names what is wrong with a request: %s", async (path, body) => {
    const { shop } = await openBulk(0);
    const { status, body: answer } = await worker.call(shop.api, "POST", "/api/bulk", { body });
    expect([status, answer.details?.[0]?.path], JSON.stringify(answer)).toEqual([400, path]);
  });

  test("needs the scope of its action, and so does whoever pauses or reads it", async () => {
    const { shop, ids } = await openBulk(1);
    const jobsOnly = await limitedKey(shop.of, ["jobs:read", "jobs:write"]);
    const body = { action: "retry_payment", ids };
    const refused = await worker.call(jobsOnly, "POST", "/api/bulk", { body });
    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("billing:write")]);
    const job = await worker.call(shop.api, "POST", "/api/bulk", { body: { action: "pause", ids } });
    for (const [method, part] of [
      ["POST", "pause"],
      ["GET", "rows"],
    ] as const)
      expect((await api(jobsOnly, method, `/api/jobs/${job.body.data.id}/${part}`)).status, part).toBe(403);
    await worker.drain();
  });
});

test("an agent's bulk is a dry run unless it says otherwise", async () => {
  const { shop, ids } = await openBulk(1);
  const call = async (more: object) => {
    const { result } = await callTool(shop.api, "changeManySubscriptions", { action: "pause", ids, ...more });
    const { id } = result.structuredContent.data;
    return (await select<{ is_dry_run: number }>("SELECT is_dry_run FROM jobs WHERE id = ?", id))[0]!
      .is_dry_run;
  };
  expect([await call({}), await call({ dry_run: true }), await call({ dry_run: false })]).toEqual([1, 1, 0]);
});

test.each([{ status: "CANCELLED" }, { search: "legacy" }])(
  "a list longer than a page is frozen by pages, each subscription on it once: %j",
  async (filter) => {
    const { shop } = await openBulk(0);
    const rows = Array.from({ length: 620 }, (_, nth) =>
      subscriptionOf(shop.of, shop.profileId, {
        ...{ number: 2_000 + nth, status: "CANCELLED", lines: "[]", search_text: `legacy ${nth}` },
      }),
    );
    await put("subscriptions", rows);
    const job = await bulk(shop, { action: "pause", filter }, { dry_run: true });
    expect(job).toMatchObject({ status: "DONE", total: 620, skipped: 620 });
    const listed = await select<{ n: number; key: string }>(
      "SELECT n, key FROM job_rows WHERE job_id = ? ORDER BY n",
      job.id,
    );
    expect(listed.map(({ n }) => n)).toEqual(rows.map((_, nth) => nth + 1));
    expect(new Set(listed.map(({ key }) => key))).toEqual(new Set(rows.map(({ id }) => id)));
  },
);

test("takes ten thousand ids and no more, in one short batch", async () => {
  const { shop } = await openBulk(0);
  const ids = Array.from({ length: 10_001 }, () => newId());
  const tooMany = await worker.call(shop.api, "POST", "/api/bulk", { body: { action: "pause", ids } });
  expect([tooMany.status, tooMany.body.details[0].path]).toEqual([400, "ids"]);
  const { body } = await worker.call(shop.api, "POST", "/api/bulk", {
    body: { action: "pause", ids: ids.slice(1) },
  });
  expect(body.data).toMatchObject({ status: "RUNNING", total: 10_000 });
  worker.forget();
  const message = { type: "work_rows", account_id: shop.of.account.id, job_id: body.data.id };
  await deliver([message], { bindings: worker.bindings });
  const { failed } = (await worker.call(shop.api, "POST", `/api/jobs/${body.data.id}/cancel`)).body.data;
  expect(failed, "one message does several pages, and not all of them").toBeGreaterThan(25);
  expect(failed).toBeLessThan(1_000);
});
