/** A plan that is created here is sold at Shopify as it is here, and is changed back where it differs. */
import { describe, expect, test, vi } from "vitest";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { hookedShop, processAll } from "../../edges/webhooks/hooks.ts";
import { api } from "../../support/client.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { fakeShopify, fetchOf } from "../../support/fake-shopify.ts";
import { addPlan, inDays, type Json, openShop, read } from "../../support/shops.ts";
import { openTenant } from "../../support/tenant.ts";
import { openWorker, shipNow } from "../../support/worker.ts";
import { credentialsKey, token, useShop } from "./shop.ts";
import { soldAtCheckout } from "./sold.ts";

const shop = useShop(hookedShop);
const path = "/api/subscriptions/selling-plans";

function gid(kind: string, id: string | number) {
  return `gid://shopify/${kind}/${id}`;
}
const monthly = { name: "Monthly", billing_interval: "MONTH", billing_interval_count: 1 };

async function call(method: string, at: string, body?: Json): Promise<Json> {
  const answer = await shop.worker.call(shop.merchant.api, method, at, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body?.data;
}

async function create(body: Json = {}): Promise<Json> {
  await call("POST", path, { id: "monthly", ...monthly, ...body });
  await shop.worker.drain();
  return shown();
}

function shown(id = "monthly"): Promise<Json> {
  return call("GET", `${path}/${id}`);
}

async function change(body: Json): Promise<Json> {
  await call("PUT", `${path}/monthly`, body);
  await shop.worker.drain();
  return shown();
}

function groupsOf(id = "monthly") {
  return shop.store.planGroups().filter(({ merchantCode }) => merchantCode === id);
}

function mutations(): string[] {
  return shop.store.requests.flatMap(({ operation }) =>
    operation && /^(Create|Update|Delete)PlanGroup$|GroupProducts$/.test(operation) ? [operation] : [],
  );
}

/** How often the store was asked to create the plan; cron sends it the shop's other plan too. */
function creations(): number {
  return shop.store.requests.filter(
    ({ operation, variables }) =>
      operation === "CreatePlanGroup" && (variables.input as Json).merchantCode === "monthly",
  ).length;
}

/** Lets cron look again after so many seconds, and does what it finds. */
async function later(seconds: number): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ["Date"] });
  await shop.worker.tick();
}

function syncs() {
  return select<Json>(
    "SELECT * FROM selling_plan_syncs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
}

describe("a plan that is created here", () => {
  test("is created at the store with its terms and products, and shows the store's id", async () => {
    const plan = await create({
      billing_interval_count: 3,
      delivery_interval_count: 1,
      delivery_interval: "MONTH",
      discount_type: "PERCENTAGE",
      discount_value: 12.5,
      min_cycles: 2,
      max_cycles: 8,
      product_ids: ["8044010537025", gid("Product", 31001)],
    });
    const [group, ...others] = groupsOf();
    expect(others).toEqual([]);
    expect(group).toMatchObject({ name: "Subscription", appId: "perennial", isOurs: true });
    expect([...group!.products]).toEqual([gid("Product", "8044010537025"), gid("Product", 31001)]);
    expect(group!.plans).toMatchObject([
      {
        name: "Monthly",
        category: "SUBSCRIPTION",
        billing: { interval: "MONTH", intervalCount: 3, minCycles: 2, maxCycles: 8 },
        delivery: { interval: "MONTH", intervalCount: 1 },
        prices: [{ percentage: 12.5 }],
      },
    ]);
    expect(plan).toMatchObject({
      id: "monthly",
      store_plan_id: group!.plans[0]!.id.split("/").at(-1),
      store_sync_error: null,
    });
    expect(mutations()).toEqual(["CreatePlanGroup"]);
  });

  test("takes its amount off in the account's currency", async () => {
    await create({ discount_type: "FIXED_AMOUNT", discount_value: 1.5 });
    expect(groupsOf()[0]!.plans[0]!.prices).toEqual([{ off: 150 }]);
  });

  test("follows each change; what is alike is not sent", async () => {
    await create({ product_ids: ["1", "2"] });
    const { store_plan_id } = await change({
      name: "Each month",
      discount_type: "PERCENTAGE",
      discount_value: 5,
      product_ids: ["2", "3"],
    });
    const [group] = groupsOf();
    expect(group!.plans).toMatchObject([{ name: "Each month", prices: [{ percentage: 5 }] }]);
    expect([...group!.products].sort()).toEqual([gid("Product", 2), gid("Product", 3)]);
    expect((await shown()).store_plan_id).toBe(store_plan_id);
    await change({ name: "Each month" });
    await change({ shipping_amount: 3 });
    expect(mutations()).toEqual([
      "CreatePlanGroup",
      "UpdatePlanGroup",
      "AddGroupProducts",
      "RemoveGroupProducts",
    ]);
  });

  test("is offered for nothing while it is inactive", async () => {
    await create({ product_ids: ["1"] });
    await change({ is_active: false });
    expect(groupsOf()[0]!.products.size).toBe(0);
    await change({ is_active: true });
    expect([...groupsOf()[0]!.products]).toEqual([gid("Product", 1)]);
  });

  test("leaves the products to the store where it names none", async () => {
    await create();
    groupsOf()[0]!.products.add(gid("Product", 77));
    await change({ name: "Each month" });
    expect([...groupsOf()[0]!.products]).toEqual([gid("Product", 77)]);
    expect((await shown()).product_ids).toBeNull();
  });

  test("is deleted at the store when it is deleted here, and nothing is left to do", async () => {
    await create();
    await call("DELETE", `${path}/monthly`);
    await shop.worker.drain();
    expect(groupsOf()).toEqual([]);
    expect((await syncs()).map(({ selling_plan_id }) => selling_plan_id)).not.toContain("monthly");
  });

  test("with the store's own id is the store's plan, and nothing is sent", async () => {
    await create({ id: "4401999" }).catch(() => undefined);
    await create({ id: gid("SellingPlan", 4402) }).catch(() => undefined);
    await shop.worker.tick();
    expect(mutations()).not.toContain("UpdatePlanGroup");
    expect(groupsOf("4401999")).toEqual([]);
  });

  test("is sent by cron if its message was lost", async () => {
    await call("POST", path, { id: "monthly", ...monthly });
    shop.worker.forget();
    await later(70);
    expect(groupsOf()).toHaveLength(1);
  });

  test("is sent to no store from an account on the sandbox", async () => {
    const merchant = await openShop();
    await addPlan(merchant, { product_ids: ["1"] });
    expect(
      await select(
        "SELECT * FROM selling_plan_syncs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        merchant.of.account.id,
      ),
    ).toEqual([]);
  });
});

describe("answers of the store", () => {
  test("a refusal is shown at the plan, repeated after an hour, and its end clears it", async () => {
    shop.store.unknownProducts.add(gid("Product", 9));
    const { store_sync_error, store_plan_id } = await create({ product_ids: ["9"] });
    expect([store_sync_error, store_plan_id]).toEqual(["Product does not exist.", null]);
    await later(600);
    expect(creations()).toBe(1);
    expect((await shown()).store_sync_error).toBe("Product does not exist.");
    shop.store.unknownProducts.clear();
    await later(3700);
    expect(await shown()).toMatchObject({
      store_sync_error: null,
      store_plan_id: expect.stringMatching(/^\d+$/),
    });
  });

  test("a product id that cannot be one of the store is refused without asking", async () => {
    const { store_sync_error } = await create({ product_ids: ["kibble"] });
    expect(store_sync_error).toBe("kibble is not the id of a Product at Shopify");
    expect(mutations()).toEqual([]);
  });

  test("a refused plan is sent at once when it is changed", async () => {
    await create({ product_ids: ["kibble"] });
    expect((await change({ product_ids: ["9"] })).store_sync_error).toBeNull();
  });

  test.each(["done", "late"] as const)("a lost answer (%s) creates no second group", async (effect) => {
    shop.store.fail({ kind: "timeout", effect, on: "CreatePlanGroup" });
    await create();
    await call("PUT", `${path}/monthly`, { name: "Each month" });
    await shop.worker.drain();
    await shop.store.arriveLate();
    await later(200);
    await later(400);
    expect(groupsOf()).toHaveLength(1);
    expect(groupsOf()[0]!.plans).toMatchObject([{ name: "Each month" }]);
    expect((await shown()).store_plan_id).toMatch(/^\d+$/);
  });

  test("two jobs at once create one group", async () => {
    await call("POST", path, { id: "monthly", ...monthly });
    const other = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey });
    vi.useFakeTimers({ now: Date.now() + 90_000, toFake: ["Date"] });
    await Promise.all([shop.worker.drain(), other.tick()]);
    expect(groupsOf()).toHaveLength(1);
  });

  test("what does not become as desired is a refusal", async () => {
    await create();
    const group = groupsOf()[0]!;
    Object.defineProperty(group, "name", { get: () => "Stubborn", set: () => undefined });
    expect((await change({ min_cycles: 2 })).store_sync_error).toBe(
      "Shopify did not apply the change of the plan",
    );
  });
});

describe("what the merchant changes at the store", () => {
  test("of a plan of ours is changed back, also if the group is deleted", async () => {
    await create({ product_ids: ["1"] });
    await processAll(shop);
    const [group] = groupsOf();
    shop.store.changePlanGroup(group!.id, { plans: [{ ...group!.plans[0]!, name: "Mine" }] });
    await processAll(shop);
    expect(group!.plans).toMatchObject([{ name: "Monthly" }]);
    shop.store.removePlanGroup(group!.id);
    await processAll(shop);
    expect(groupsOf()).toHaveLength(1);
    expect((await shown()).store_plan_id).toBe(groupsOf()[0]!.plans[0]!.id.split("/").at(-1));
  });

  test("to a group that is just being made is changed back, also if the group is deleted", async () => {
    const answered = fetchOf(shop.store);
    let reads = 0;
    vi.stubGlobal("fetch", async (...of: Parameters<typeof fetch>) => {
      const answer = await answered(...of);
      const { operation } = shop.store.requests.at(-1)!;
      if (operation === "OwnPlanGroup" && ++reads === 2) {
        shop.store.removePlanGroup(groupsOf()[0]!.id);
        await processAll(shop);
      }
      return answer;
    });
    await create({ product_ids: ["1"] });
    expect([reads >= 2, groupsOf()]).toEqual([true, []]);
    await later(60);
    expect(groupsOf()).toHaveLength(1);
    expect((await shown()).store_plan_id).toBe(groupsOf()[0]!.plans[0]!.id.split("/").at(-1));
    expect((await syncs()).filter(({ next_action_at }) => next_action_at !== null)).toEqual([]);
  });

  test("adds no second plan here for a group of ours", async () => {
    const before = (await call("GET", path)).length;
    await create();
    await processAll(shop);
    expect(await call("GET", path)).toHaveLength(before + 1);
  });
});

test("groups of other apps are invisible, and their plans are unknown", async () => {
  const theirs = shop.store.addPlanGroup({ isOurs: false, merchantCode: "monthly", plans: [{}] });
  await create();
  expect(groupsOf()).toHaveLength(2);
  expect(shop.store.planGroup(theirs).plans).toMatchObject([{ name: "Monthly" }]);
  expect((await shop.store.webhooks()).filter(({ body }) => body.includes(theirs))).toEqual([]);
});

test("another account's plan of the same id is neither sent nor changed", async () => {
  const other = await openTenant({ currency: "EUR" });
  await api(other, "POST", path, { body: { id: "monthly", ...monthly, product_ids: ["1"] } });
  await create();
  const [theirs] = await select<Json>(
    "SELECT * FROM selling_plans WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    other.account.id,
  );
  expect([theirs.store_plan_id, theirs.store_sync_error]).toEqual([null, null]);
});

test("connecting a store sends it the plans that the account has", async () => {
  const merchant = await openShop({ currency: "EUR" });
  const store = fakeShopify({ shop: merchant.of.account.shop, token, now: () => Date.now() });
  vi.stubGlobal("fetch", fetchOf(shop.store, store));
  await connectShopify(testDb(), credentialsKey, merchant.of.account, { token }, new Date().toISOString());
  const worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey }, merchant.of.account.id);
  for (let minute = 1; minute <= 3; minute++) {
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
    await worker.tick();
  }
  expect(store.planGroups().map(({ merchantCode }) => merchantCode)).toEqual([merchant.plan]);
});

describe("a subscription by a plan that was created here", () => {
  const line = { store_product_id: "31001", store_variant_id: "41001", product_title: "Kibble" };

  test("has the store's plan in its contract, and ours here", async () => {
    await create({ discount_type: "PERCENTAGE", discount_value: 10 });
    const { body } = await shop.worker.call(shop.merchant.api, "POST", "/api/subscriptions", {
      body: {
        profile_id: shop.profileId,
        store_payment_method_id: shop.card,
        next_delivery_date: inDays(7),
        lines: [{ ...line, selling_plan_id: "monthly", price: 10, quantity: 1 }],
      },
    });
    await shop.worker.drain();
    const [id] = body.ids;
    const { store_contract_id, store_sync_error, lines } = await read(shop.merchant, id);
    expect([store_sync_error, lines[0].selling_plan_id]).toEqual([null, "monthly"]);
    const contract = shop.store.contract(store_contract_id);
    expect(contract.lines).toMatchObject([
      { sellingPlanId: gid("SellingPlan", (await shown()).store_plan_id), sellingPlanName: "Monthly" },
    ]);
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    expect(shop.store.charges).toMatchObject([{ amount: 900 }]);
  });

  test("waits for a plan that is not at the store yet", async () => {
    await call("POST", path, { id: "monthly", ...monthly });
    await execute(
      "UPDATE selling_plan_syncs SET next_action_at = '2100-01-01' WHERE selling_plan_id = 'monthly'",
    );
    const { body } = await shop.worker.call(shop.merchant.api, "POST", "/api/subscriptions", {
      body: {
        profile_id: shop.profileId,
        store_payment_method_id: shop.card,
        next_delivery_date: inDays(7),
        lines: [{ ...line, selling_plan_id: "monthly", price: 10, quantity: 1 }],
      },
    });
    await shop.worker.drain();
    expect(shop.store.contracts()).toEqual([]);
    await execute(
      "UPDATE selling_plan_syncs SET next_action_at = '2000-01-01' WHERE selling_plan_id = 'monthly'",
    );
    await later(60);
    await later(60);
    expect((await read(shop.merchant, body.ids[0])).store_contract_id).not.toBeNull();
  });

  test("is sold at the store's checkout, becomes a subscription, and its second cycle is charged", async () => {
    await create({ discount_type: "PERCENTAGE", discount_value: 10, product_ids: ["31001"] });
    await processAll(shop);
    const { store_plan_id } = await shown();
    const due = new Date(Date.now() + 30 * 86_400_000);
    soldAtCheckout(shop, {
      customer: { email: "new@customers.test", firstName: "Noa" },
      nextBillingDate: due.toISOString(),
      line: { quantity: 2, currentPrice: "9.00", sellingPlanId: gid("SellingPlan", store_plan_id) },
    });
    await processAll(shop);
    const [{ id }] = (await call("GET", "/api/subscriptions")) as Json[];
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "ACTIVE",
      store_sync_error: null,
      lines: [{ selling_plan_id: "monthly", selling_plan_name: "Monthly", price: 9 }],
    });
    vi.useFakeTimers({ now: due.getTime() + 2 * 86_400_000, toFake: ["Date"] });
    await shop.worker.tick();
    await processAll(shop);
    expect(shop.store.charges).toMatchObject([{ amount: 1800, currency: "EUR" }]);
    const { current_billing_cycle, total_revenue } = await read(shop.merchant, id);
    expect([current_billing_cycle, total_revenue > 0]).toEqual([3, true]);
  });
});
