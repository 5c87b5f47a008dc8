/** The store's selling plans are here as they are sold there, and one that cannot be is an alert. */
import { describe, expect, test } from "vitest";
import { importSellingPlans, refreshSellingPlans } from "../../../src/domain/store-sync/selling-plans.ts";
import { UnknownOutcomeError } from "../../../src/stores/port.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { type Json, read } from "../../support/shops.ts";
import { openTenant } from "../../support/tenant.ts";
import { type Logged, systemOf } from "./refreshing.ts";

const shop = useShop();

const path = "/api/subscriptions/selling-plans";

async function refresh(group: string, logged: Logged = []) {
  return refreshSellingPlans(await systemOf(shop, logged), group);
}

function add(...plans: Json[]): string {
  return shop.store.addPlanGroup({ plans });
}

function planIds(group: string): string[] {
  return shop.store.planGroup(group).plans.map(({ id }) => id.split("/").at(-1)!);
}

/** The account's plans, except the one that its subscriptions are on, by id. */
async function shown(): Promise<Json[]> {
  const { body } = await api<Json>(shop.merchant.api, "GET", path, { query: { limit: 100 } });
  const others: Json[] = body.data.filter(({ id }: Json) => id !== shop.plan && id !== shop.merchant.plan);
  return others.toSorted((a, b) => a.id.localeCompare(b.id));
}

function create(body: Json) {
  return api<Json>(shop.merchant.api, "POST", path, {
    body: { name: "Ours", billing_interval: "MONTH", billing_interval_count: 1, ...body },
  });
}

test("a group's plans are imported as they are sold", async () => {
  const monthly = { interval: "MONTH", intervalCount: 1 } as const;
  const group = add(
    {
      name: "Weekly, 10 % off",
      billing: { interval: "WEEK", intervalCount: 1 },
      prices: [{ percentage: 10 }],
    },
    { name: "Monthly, 1.50 off", prices: [{ off: 150 }] },
    {
      name: "Quarterly, delivered monthly",
      billing: { interval: "MONTH", intervalCount: 3, minCycles: 2, maxCycles: 8 },
      delivery: monthly,
    },
    { name: "Pre-order", category: "PRE_ORDER", billing: null },
  );
  expect(await refresh(group)).toBe("done");
  const [weekly, off, prepaid] = planIds(group);
  expect(await shown()).toMatchObject([
    {
      id: weekly,
      name: "Weekly, 10 % off",
      billing_interval: "WEEK",
      delivery_interval: "WEEK",
      discount_type: "PERCENTAGE",
      discount_value: 10,
      shipping_amount: 0,
      min_cycles: null,
      is_active: true,
    },
    { id: off, billing_interval: "MONTH", discount_type: "FIXED_AMOUNT", discount_value: 1.5 },
    {
      id: prepaid,
      billing_interval_count: 3,
      delivery_interval_count: 1,
      discount_type: null,
      discount_value: null,
      min_cycles: 2,
      max_cycles: 8,
    },
  ]);
  expect(await shown()).toHaveLength(3);
});

test("a plan with a fixed price is imported without a discount: it says so, and its id is an alert", async () => {
  const group = add({ name: "8.00 each", prices: [{ price: 800 }] });
  const logged: Logged = [];
  await refresh(group, logged);
  const [id] = planIds(group);
  expect(await shown()).toMatchObject([
    { id, discount_type: null, discount_value: null, store_sync_error: expect.stringContaining("price") },
  ]);
  expect(logged).toEqual([["selling_plan_priced_otherwise", { alert: true, selling_plan_id: id }]]);
});

test("a plan whose price changes after some cycles says so, until the store has one price for it", async () => {
  const group = add({ name: "Intro", prices: [{ percentage: 50 }, { percentage: 10, afterCycle: 1 }] });
  await refresh(group);
  const [id] = planIds(group);
  expect(await shown()).toMatchObject([{ id, store_sync_error: expect.stringContaining("price") }]);
  shop.store.changePlanGroup(group, {
    plans: [{ id: shop.store.planGroup(group).plans[0]!.id, prices: [{ percentage: 10 }] }],
  });
  await refresh(group);
  expect(await shown()).toMatchObject([{ id, discount_value: 10, store_sync_error: null }]);
});

test.each([
  ["more often delivered than billed does not fit", { interval: "MONTH", intervalCount: 2 }, "MONTH", 3],
  ["weeks in a month do not fit", { interval: "MONTH", intervalCount: 1 }, "WEEK", 1],
  ["too long", { interval: "YEAR", intervalCount: 4 }, "YEAR", 4],
])(
  "what our rules refuse is left out, and logged by its id: %s",
  async (_why, billing, interval, intervalCount) => {
    const group = add({ name: "Odd", billing, delivery: { interval, intervalCount } }, { name: "Fine" });
    const logged: Logged = [];
    await refresh(group, logged);
    const [odd, fine] = planIds(group);
    expect((await shown()).map(({ id }) => id)).toEqual([fine]);
    expect(logged).toEqual([["selling_plan_not_taken", { selling_plan_id: odd }]]);
  },
);

describe("a plan that is known here", () => {
  test("follows the store, except for its shipping and whether it is active", async () => {
    const group = add({ name: "Monthly" });
    await refresh(group);
    const [id] = planIds(group);
    await api(shop.merchant.api, "PUT", `${path}/${id}`, {
      body: { shipping_amount: 3.5, is_active: false },
    });
    shop.store.changePlanGroup(group, {
      plans: [
        {
          ...shop.store.planGroup(group).plans[0]!,
          name: "Every 2 months",
          billing: { interval: "MONTH", intervalCount: 2 },
          delivery: { interval: "MONTH", intervalCount: 2 },
          prices: [{ percentage: 5 }],
        },
      ],
    });
    await refresh(group);
    expect(await shown()).toMatchObject([
      {
        id,
        name: "Every 2 months",
        billing_interval_count: 2,
        delivery_interval_count: 2,
        discount_type: "PERCENTAGE",
        discount_value: 5,
        shipping_amount: 3.5,
        is_active: false,
      },
    ]);
  });

  test.each(["its number", "its global id"])(
    "made here by %s is that one, and no other is added",
    async (how) => {
      const group = add({ name: "The store's", prices: [{ percentage: 5 }] });
      const gid = shop.store.planGroup(group).plans[0]!.id;
      const id = how === "its number" ? gid.split("/").at(-1)! : gid;
      expect((await create({ id, shipping_amount: 2 })).status).toBe(201);
      await refresh(group);
      expect(await shown()).toMatchObject([
        { id: plain(gid), name: "The store's", discount_value: 5, shipping_amount: 2 },
      ]);
    },
  );

  test("that has not changed is not written", async () => {
    const group = add({ name: "Monthly" }, { name: "Also monthly" });
    await refresh(group);
    const before = await shown();
    await refresh(group);
    expect(await shown()).toEqual(before);
  });

  test("that is removed from its group becomes inactive, and its lines keep their terms", async () => {
    const group = add(
      { name: "Monthly" },
      { name: "Weekly", billing: { interval: "WEEK", intervalCount: 1 } },
    );
    await refresh(group);
    const [monthly, weekly] = planIds(group);
    const id = await subscribed({ ...shop, plan: weekly! });
    const before = (await read(shop.merchant, id)).lines;
    shop.store.changePlanGroup(group, { plans: [shop.store.planGroup(group).plans[0]!] });
    await refresh(group);
    expect((await shown()).map(({ id, is_active }) => [id, is_active])).toEqual([
      [monthly, true],
      [weekly, false],
    ]);
    expect((await read(shop.merchant, id)).lines).toEqual(before);
    shop.store.removePlanGroup(group);
    await refresh(group);
    expect((await shown()).map(({ is_active }) => is_active)).toEqual([false, false]);
  });
});

test("a group that is unknown here and at the store does nothing", async () => {
  expect(await refresh("gid://shopify/SellingPlanGroup/999")).toBe("done");
  expect(await refresh("gid://shopify/Order/1")).toBe("done");
  expect(await shown()).toEqual([]);
});

test("while the store does not answer the plans do not change", async () => {
  const group = add({ name: "Monthly" });
  await refresh(group);
  shop.store.fail({ kind: "http500", times: 1 });
  await expect(refresh(group)).rejects.toThrow(UnknownOutcomeError);
  expect(await shown()).toMatchObject([{ is_active: true }]);
});

test("concurrent refreshes of a group store each plan once, in its last state", async () => {
  const group = add({ name: "Monthly" }, { name: "Also monthly" });
  await Promise.all([1, 2, 3].map(() => refresh(group)));
  expect(await shown()).toHaveLength(2);
  const slow = await systemOf(shop);
  let asked = 0;
  const findSellingPlans = async (id: string) => {
    const answer = await slow.store.records!.findSellingPlans(id);
    if (asked++ === 0) {
      const [one, two] = shop.store.planGroup(group).plans;
      shop.store.changePlanGroup(group, { plans: [{ ...one!, name: "Newest" }, two!] });
      await refresh(group);
    }
    return answer;
  };
  shop.store.changePlanGroup(group, {
    plans: shop.store.planGroup(group).plans.map((plan) => ({ ...plan, name: "Newer" })),
  });
  const store = { ...slow.store, records: { ...slow.store.records!, findSellingPlans } };
  await refreshSellingPlans({ ...slow, store }, group);
  expect((await shown()).map(({ name }) => name)).toEqual(["Newest", "Newer"]);
});

test("all groups are imported, page by page, and plans of deleted groups become inactive", async () => {
  const gone = add({ name: "Gone" });
  await refresh(gone);
  const [goneId] = planIds(gone);
  shop.store.removePlanGroup(gone);
  const groups = Array.from({ length: 12 }, (_, nth) => add({ name: `Plan ${nth}` }));
  expect(await importSellingPlans(await systemOf(shop))).toBe(groups.length + 1);
  const plans = await shown();
  expect(plans).toHaveLength(13);
  expect(plans.find(({ id }) => id === goneId).is_active).toBe(false);
  expect(plans.filter(({ is_active }) => is_active).map(({ id }) => id)).toEqual(
    groups.flatMap(planIds).toSorted((a, b) => a.localeCompare(b)),
  );
});

test("a group whose plans cannot be stored keeps none of the others, and is named", async () => {
  const [broken, well] = [add({ name: "Broken" }), add({ name: "Well" })];
  const [[brokenId], [wellId]] = [planIds(broken), planIds(well)];
  await execute(
    `CREATE TRIGGER unstored BEFORE INSERT ON selling_plans WHEN NEW.id = '${brokenId}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
  );
  const logged: Logged = [];
  await importSellingPlans(await systemOf(shop, logged));
  await execute("DROP TRIGGER unstored");
  const ids = (await shown()).map(({ id }) => id);
  expect([ids.includes(brokenId), ids.includes(wellId)]).toEqual([false, true]);
  const failed = logged.flatMap(([event, fields]) => (event === "record_failed" ? [fields] : []));
  expect(failed).toMatchObject([{ alert: true, task: "selling_plans" }]);
});

test("another account's plan with the same id does not change", async () => {
  const group = add({ name: "The store's" });
  const [id] = planIds(group);
  const other = await openTenant({ currency: "EUR" });
  await api(other, "POST", path, {
    body: { id, name: "Theirs", billing_interval: "WEEK", billing_interval_count: 1 },
  });
  const theirs = () =>
    select(
      "SELECT * FROM selling_plans WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      other.account.id,
    );
  const before = await theirs();
  await refresh(group);
  shop.store.removePlanGroup(group);
  await refresh(group);
  expect(await theirs()).toEqual(before);
  expect(await shown()).toMatchObject([{ id, name: "The store's", is_active: false }]);
});
