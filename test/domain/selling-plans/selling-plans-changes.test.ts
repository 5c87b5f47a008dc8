/** A selling plan is changed field by field, and is deleted only once no subscription uses it. */
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, type Merchant, openMerchant, profileOf, put } from "../../support/records.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { created, lineOf, planned, type Seller } from "../../support/subscriptions.ts";
import { useMerchantPerTest } from "../../support/use-account.ts";

const path = "/api/subscriptions/selling-plans";
type Body = Record<string, unknown>;

const merchant = useMerchantPerTest();

const plain = { id: "plan-1", name: "Monthly", billing_interval: "MONTH", billing_interval_count: 1 };

function create(values: Body = {}, as: Merchant = merchant) {
  return api(as.admin, "POST", path, { body: { ...plain, ...values } });
}

function get(id: string, as: Merchant = merchant) {
  return api(as.admin, "GET", `${path}/${encodeURIComponent(id)}`);
}

function change(body: Body, id = plain.id) {
  return api(merchant.admin, "PUT", `${path}/${encodeURIComponent(id)}`, { body });
}

function remove(id = plain.id) {
  return api(merchant.admin, "DELETE", `${path}/${encodeURIComponent(id)}`);
}

function expectRefused(answer: Answer, at: string) {
  expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", at]);
}
const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("change", () => {
  beforeEach(async () => {
    await create({
      discount_type: "PERCENTAGE",
      discount_value: 10,
      shipping_amount: 5,
      min_cycles: 2,
      max_cycles: 6,
    });
  });

  test("only what is named; an explicit null clears", async () => {
    const before = (await get("plan-1")).body.data;
    const changed = await change({ name: "New", min_cycles: null });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { ...before, name: "New", min_cycles: null, updated_at: stamp },
    ]);
    expect((await get("plan-1")).body).toEqual(changed.body);
    expect((await change({ discount_type: null, discount_value: null })).body.data).toMatchObject({
      discount_type: null,
      discount_value: null,
    });
    expect((await change({})).status).toBe(200);
    expect((await api(merchant.admin, "PUT", `${path}/plan-1`)).status).toBe(200);
  });

  test("a value by itself is of the type that the plan has", async () => {
    expect((await change({ discount_value: 33.33 })).body.data).toMatchObject({
      discount_type: "PERCENTAGE",
      discount_value: 33.33,
    });
    expect((await change({ discount_type: "FIXED_AMOUNT", discount_value: 150 })).body.data).toMatchObject({
      discount_type: "FIXED_AMOUNT",
      discount_value: 150,
    });
    expect((await change({ discount_value: 200.5 })).body.data.discount_value).toBe(200.5);
  });

  test("delivery that goes with billing follows it; one of its own does not", async () => {
    expect((await change({ billing_interval: "week", billing_interval_count: 2 })).body.data).toMatchObject({
      billing_interval: "WEEK",
      delivery_interval: "WEEK",
      delivery_interval_count: 2,
    });
    expect((await change({ billing_interval_count: 4, delivery_interval_count: 2 })).body.data).toMatchObject(
      { billing_interval_count: 4, delivery_interval_count: 2 },
    );
    expect((await change({ billing_interval_count: 6 })).body.data).toMatchObject({
      billing_interval_count: 6,
      delivery_interval_count: 2,
    });
    expectRefused(await change({ billing_interval_count: 5 }), "billing_interval");
  });

  test.each([
    ["id", { id: "plan-2" }],
    ["name", { name: null }],
    ["name", { name: "" }],
    ["billing_interval", { delivery_interval: "WEEK" }],
    ["billing_interval", { delivery_interval_count: 2 }],
    ["discount_value", { discount_value: null }],
    ["discount_value", { discount_type: "FIXED_AMOUNT" }],
    ["discount_value", { discount_value: 101 }],
    ["shipping_amount", { shipping_amount: 1.234 }],
    ["min_cycles", { min_cycles: 7 }],
    ["min_cycles", { max_cycles: 1 }],
    ["is_active", { is_active: null }],
  ] as [string, Body][])("400 that names %s: %o, and nothing changes", async (at, values) => {
    const before = await rowsOf(merchant.of.account.id);
    expectRefused(await change(values), at);
    expect(await rowsOf(merchant.of.account.id)).toBe(before);
  });

  test("404 for an unknown one, and for another account's", async () => {
    const other = await openMerchant();
    await create({ id: "theirs" }, other);
    for (const id of ["none", "theirs", "x".repeat(400)]) {
      expect(faults(await change({ name: "Mine" }, id))).toEqual([404, "NOT_FOUND"]);
      expect(faults(await get(id))).toEqual([404, "NOT_FOUND"]);
      expect(faults(await remove(id))).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("changes at once of different fields: what was answered 200 lasts", async () => {
    for (let n = 0; n < 5; n++) {
      const before = (await get("plan-1")).body.data;
      const changes: Body[] = [{ name: `N${n}` }, { shipping_amount: n }, { max_cycles: 10 + n }];
      const answers = await Promise.all(changes.map((one) => change(one)));
      const made = changes.filter((_, nth) => answers[nth]!.status === 200);
      expect(made.length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body.errorCode)).toEqual(
        Array(3 - made.length).fill("VERSION_CONFLICT"),
      );
      expect((await get("plan-1")).body.data).toMatchObject({
        ...before,
        ...Object.assign({}, ...made),
        updated_at: stamp,
      });
    }
  });
});

describe("delete", () => {
  const shopOf = async (): Promise<Seller> => {
    const profile = profileOf(merchant.of);
    await put("profiles", [profile]);
    return { ...merchant, profileId: profile.id, planId: await planned(merchant.admin, { id: "used" }) };
  };

  test("204, and it is gone; its id is free", async () => {
    await create();
    expect((await remove()).status).toBe(204);
    expect((await get("plan-1")).status).toBe(404);
    expect((await create()).status).toBe(201);
  });

  test.each([
    ["ACTIVE", 409],
    ["PAUSED", 409],
    ["PAYMENT_FAILED", 409],
    ["CANCELLED", 204],
    ["EXPIRED", 204],
  ] as const)("while a subscription that is %s uses it: %i", async (status, expected) => {
    const shop = await shopOf();
    const spare = await planned(merchant.admin);
    const [id] = await created(shop, { lines: [lineOf(spare), lineOf("used")] });
    await execute("UPDATE subscriptions SET status = ? WHERE id = ?", status, id!);
    const answer = await remove("used");
    expect(answer.status).toBe(expected);
    if (expected === 409) expect(answer.body.errorCode).toBe("INVALID_STATE");
  });

  test("once the line is gone it can go; a plan that another account uses is no matter", async () => {
    const shop = await shopOf();
    const spare = await planned(merchant.admin);
    const [id] = await created(shop, { lines: [lineOf(spare), lineOf("used")] });
    const other = await openMerchant();
    await planned(other.admin, { id: "used" });
    expect((await api(other.admin, "DELETE", `${path}/used`)).status).toBe(204);
    const { lines } = (await api(merchant.admin, "GET", `/api/subscriptions/${id}`)).body.data;
    await api(merchant.admin, "DELETE", `/api/subscriptions/${id}/lines/${lines[1].id}`);
    expect((await remove("used")).status).toBe(204);
    expect((await remove(spare)).status).toBe(409);
  });
});
