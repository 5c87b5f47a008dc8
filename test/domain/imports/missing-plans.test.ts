/** An import makes the plans that its account lacks once, and only where it is asked to. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { inDays, type Json, openShop, read, type Shop } from "../../support/shops.ts";
import { limitedKey } from "../../support/tenant.ts";
import { useWorker } from "../../support/worker.ts";
import { moveIn, must, outcomesOf, path, rowOf, stage, start } from "./imports.ts";

const worker = useWorker();

const month = { billing_interval: "MONTH", billing_interval_count: 2 };
const prepaid = {
  ...{ billing_interval: "MONTH", billing_interval_count: 6 },
  ...{ delivery_interval: "MONTH", delivery_interval_count: 2 },
};

function rowsOfPlans(shop: Shop) {
  const unnamed = (ref: string, more: object) => rowOf(shop, ref, { selling_plan_id: "", ...more });
  return [
    ...["a", "b", "c"].map((ref) => unnamed(ref, month)),
    unnamed("d", prepaid),
    unnamed("e", { billing_interval_count: 1 }),
  ];
}

async function plansOf(shop: Shop): Promise<Json[]> {
  return must(await api(shop.api, "GET", "/api/subscriptions/selling-plans")).data;
}

async function madeEntries(shop: Shop): Promise<Json[]> {
  return must(await api(shop.api, "GET", "/api/events", { query: { types: "job.plan_created" } })).data;
}

const missing = [
  {
    ...{ name: "Every 2 months", billing_interval: "MONTH", billing_interval_count: 2 },
    ...{ delivery_interval: "MONTH", delivery_interval_count: 2, subscriptions: 3 },
  },
  {
    ...{ name: "Every 6 months, delivered every 2 months", billing_interval: "MONTH" },
    ...{
      billing_interval_count: 6,
      delivery_interval: "MONTH",
      delivery_interval_count: 2,
      subscriptions: 1,
    },
  },
];

test("the plans that an account lacks are listed once each with their rows, which are at fault", async () => {
  const shop = await openShop();
  const id = await stage(shop, rowsOfPlans(shop));
  const { summary, failed } = await start(shop, worker, id, false);
  expect([failed, summary.missing_plans]).toEqual([4, missing]);
  expect(await outcomesOf(shop, id)).toMatchObject({
    a: ["FAILED", "selling_plan_id is required: no active selling plan is every 2 months"],
    d: [
      "FAILED",
      "selling_plan_id is required: no active selling plan is every 6 months, delivered every 2 months",
    ],
    e: "PENDING",
  });
  expect(summary.faults).toMatchObject([{ rows: 3 }, { rows: 1 }]);
});

test("create_plans makes each of them once, with an entry, when rows are written and not when they are checked", async () => {
  const shop = await openShop();
  const rows = rowsOfPlans(shop);
  const before = (await plansOf(shop)).length;
  const checked = await stage(shop, rows, { create_plans: true });
  const { summary, failed } = await start(shop, worker, checked, false);
  expect([failed, summary.missing_plans]).toEqual([0, missing]);
  expect(await plansOf(shop)).toHaveLength(before);
  const job = await start(shop, worker, checked, true);
  expect(job).toMatchObject({ status: "DONE", done: 5, failed: 0 });
  const made = (await plansOf(shop)).slice(0, -before);
  expect(
    made
      .map(({ id, name, is_active, discount_type, shipping_amount }) => [
        id,
        name,
        is_active,
        discount_type,
        shipping_amount,
      ])
      .sort(),
  ).toEqual([
    ["every-2-months", "Every 2 months", true, null, 0],
    ["every-6-months-delivered-every-2-months", "Every 6 months, delivered every 2 months", true, null, 0],
  ]);
  const entries = await madeEntries(shop);
  expect(entries.map(({ metadata }) => metadata.name).sort()).toEqual(missing.map(({ name }) => name));
  expect(entries[0]).toMatchObject({ actor_type: "api", metadata: { job_id: checked } });
  const { id, ids } = await moveIn(shop, worker, rows, { source: "other", create_plans: true });
  expect(await outcomesOf(shop, id)).toMatchObject({ a: ["FAILED", expect.stringContaining("is that of")] });
  expect(ids.a).toBeNull();
  const fresh = rowsOfPlans(shop).map((row) => ({ ...row, subscription_ref: `${row.subscription_ref}2` }));
  const more = await moveIn(shop, worker, fresh, { create_plans: true });
  expect(more.job).toMatchObject({ done: 5, failed: 0 });
  expect(more.job.summary).not.toHaveProperty("missing_plans");
  expect((await plansOf(shop)).length).toBe(before + 2);
  const { lines } = await read(shop, more.ids.a2!);
  expect(lines[0]).toMatchObject({ selling_plan_id: "every-2-months", selling_plan_name: "Every 2 months" });
});

test("a plan of that id that is off, or has another interval, stays as it is, and the new one is numbered", async () => {
  const shop = await openShop();
  const body = {
    id: "every-2-months",
    name: "Old",
    billing_interval: "MONTH",
    billing_interval_count: 2,
    is_active: false,
  };
  must(await api(shop.api, "POST", "/api/subscriptions/selling-plans", { body }));
  const unnamed = rowOf(shop, "a", { selling_plan_id: "", ...month });
  const { ids } = await moveIn(shop, worker, [unnamed], { create_plans: true });
  expect((await read(shop, ids.a!)).lines[0].selling_plan_id).toBe("every-2-months-2");
});

test("a plan that a row names is not made, and making plans needs the scope of plans", async () => {
  const shop = await openShop();
  const named = rowOf(shop, "a", { selling_plan_id: "", selling_plan_name: "Box", ...month });
  const { id } = await moveIn(shop, worker, [named], { create_plans: true });
  expect(await outcomesOf(shop, id)).toEqual({
    a: ["FAILED", "selling_plan_name is not the name of one active selling plan"],
  });
  const mover = await limitedKey(shop.of, ["jobs:write", "subscriptions:write", "profiles:write"]);
  const body = { source: "x", format: "csv", charge_from: inDays(5) };
  expect((await api(mover, "POST", path, { body })).status).toBe(202);
  const refused = await api(mover, "POST", path, { body: { ...body, create_plans: true } });
  expect([refused.status, refused.body.errorCode]).toEqual([403, "FORBIDDEN"]);
});
