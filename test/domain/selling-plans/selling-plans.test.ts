/** A selling plan is created with its defaults, and an unsound one is refused. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { type Answer, api, nobody } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, listed, type Merchant, openMerchant, walk } from "../../support/records.ts";
import { planned } from "../../support/subscriptions.ts";
import { customer } from "../../support/tenant.ts";
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

describe("create", () => {
  test("201 with the whole plan; what is not said is preset, delivery goes with billing", async () => {
    const answer = await create();
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        data: {
          ...plain,
          account_id: merchant.of.account.id,
          delivery_interval: "MONTH",
          delivery_interval_count: 1,
          discount_type: null,
          discount_value: null,
          shipping_amount: 0,
          min_cycles: null,
          max_cycles: null,
          is_active: true,
          product_ids: null,
          store_plan_id: null,
          store_sync_error: null,
          created_at: stamp,
          updated_at: stamp,
        },
      },
    ]);
    expect((await get("plan-1")).body).toEqual(answer.body);
  });

  test("everything said is kept", async () => {
    const terms = {
      billing_interval: "YEAR",
      billing_interval_count: 1,
      delivery_interval: "MONTH",
      delivery_interval_count: 3,
      discount_type: "FIXED_AMOUNT",
      discount_value: 1.25,
      shipping_amount: 4.99,
      min_cycles: 1,
      max_cycles: 10_000,
      is_active: false,
    };
    expect((await create(terms)).body.data).toMatchObject(terms);
    expect((await get("plan-1")).body.data).toMatchObject(terms);
  });

  test.each<[string, string]>([
    ["gid://shopify/SellingPlan/1", "1"],
    ...["a b", "%", "ü", "x".repeat(255), "gid://shopify/SellingPlan/x"].map((id): [string, string] => [
      id,
      id,
    ]),
  ])("the id is the store's own: %s", async (id, shown) => {
    expect((await create({ id })).status).toBe(201);
    expect((await get(id)).body.data.id).toBe(shown);
    expect((await get(shown)).body.data.id).toBe(shown);
    expect((await change({ name: "Other" }, id)).body.data).toMatchObject({ id: shown, name: "Other" });
    expect((await remove(id)).status).toBe(204);
  });

  test("an id that is taken is 409, also in another case of use; another account may have it too", async () => {
    await create();
    expect(faults(await create({ name: "Again" }))).toEqual([409, "INVALID_STATE"]);
    expect((await get("plan-1")).body.data.name).toBe("Monthly");
    const other = await openMerchant();
    expect((await create({ name: "Theirs" }, other)).status).toBe(201);
    expect((await get("plan-1", other)).body.data.name).toBe("Theirs");
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ id: "raced" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test.each(["month", "Month", "mOnTh"])("intervals are read in any case: %s", async (unit) => {
    expect((await create({ billing_interval: unit, delivery_interval: unit })).body.data).toMatchObject({
      billing_interval: "MONTH",
      delivery_interval: "MONTH",
    });
  });

  test.each([
    ["DAY", 365],
    ["WEEK", 52],
    ["MONTH", 24],
    ["YEAR", 3],
  ])("every %s up to %i", async (billing_interval, most) => {
    expect((await create({ id: "most", billing_interval, billing_interval_count: most })).status).toBe(201);
    const { status, body } = await create({ billing_interval, billing_interval_count: most + 1 });
    expect([status, body.details[0].path]).toEqual([400, "billing_interval_count"]);
  });

  test.each([
    [{ billing_interval_count: 3, delivery_interval_count: 1 }, 201],
    [{ billing_interval: "YEAR", delivery_interval: "MONTH", delivery_interval_count: 1 }, 201],
    [
      {
        billing_interval: "WEEK",
        billing_interval_count: 4,
        delivery_interval: "DAY",
        delivery_interval_count: 14,
      },
      201,
    ],
    [{ billing_interval_count: 3, delivery_interval_count: 2 }, 400],
    [{ delivery_interval_count: 2 }, 400],
    [{ delivery_interval: "WEEK", delivery_interval_count: 1 }, 400],
    [{ billing_interval: "YEAR", delivery_interval: "DAY", delivery_interval_count: 1 }, 400],
  ])("prepaid is a whole multiple: %o is %i", async (terms, status) => {
    const answer = await create(terms);
    expect(answer.status, answer.text).toBe(status);
    if (status === 400) expectRefused(answer, "billing_interval");
  });

  test.each([
    ["id", { id: "" }],
    ["id", { id: "x".repeat(256) }],
    ["id", { id: 1 }],
    ["name", { name: "" }],
    ["name", { name: "x".repeat(256) }],
    ["billing_interval", { billing_interval: "FORTNIGHT" }],
    ["billing_interval", { billing_interval: "MONTHS" }],
    ["billing_interval_count", { billing_interval_count: 0 }],
    ["billing_interval_count", { billing_interval_count: 1.5 }],
    ["billing_interval_count", { billing_interval_count: "1" }],
    ["delivery_interval_count", { delivery_interval_count: -1 }],
    ["discount_type", { discount_type: "percentage", discount_value: 1 }],
    ["discount_value", { discount_type: "PERCENTAGE" }],
    ["discount_value", { discount_value: 5 }],
    ["discount_value", { discount_type: null, discount_value: 5 }],
    ["discount_value", { discount_type: "PERCENTAGE", discount_value: null }],
    ["discount_value", { discount_type: "PERCENTAGE", discount_value: -1 }],
    ["discount_value", { discount_type: "PERCENTAGE", discount_value: 100.01 }],
    ["discount_value", { discount_type: "PERCENTAGE", discount_value: 1.001 }],
    ["discount_value", { discount_type: "FIXED_AMOUNT", discount_value: 1.001 }],
    ["shipping_amount", { shipping_amount: -1 }],
    ["shipping_amount", { shipping_amount: 0.001 }],
    ["shipping_amount", { shipping_amount: null }],
    ["min_cycles", { min_cycles: 0 }],
    ["max_cycles", { max_cycles: 1.5 }],
    ["max_cycles", { max_cycles: 10_001 }],
    ["min_cycles", { min_cycles: 3, max_cycles: 2 }],
    ["is_active", { is_active: "true" }],
    ["price", { price: 5 }],
  ] as [string, Body][])("400 that names %s: %o", async (at, values) => {
    expectRefused(await create(values), at);
    expect((await listed(merchant.admin, path)).meta.total).toBe(0);
  });

  test.each(["id", "name", "billing_interval", "billing_interval_count"])("without %s", async (name) => {
    const { [name]: _, ...body } = plain as Body;
    expectRefused(await api(merchant.admin, "POST", path, { body }), name);
  });

  test.each([
    ["JPY", 500, 0.5],
    ["KWD", 1.234, 1.2345],
  ])("money in %s", async (currency, good, bad) => {
    const shop = await openMerchant({ currency });
    const terms = (amount: number) => ({
      id: newId(),
      discount_type: "FIXED_AMOUNT",
      discount_value: amount,
      shipping_amount: amount,
    });
    expect((await create(terms(good), shop)).body.data).toMatchObject({
      discount_value: good,
      shipping_amount: good,
    });
    expect((await create(terms(bad), shop)).status).toBe(400);
    expect(
      (await create({ ...terms(good), discount_type: "PERCENTAGE", discount_value: 12.34 }, shop)).body.data
        .discount_value,
    ).toBe(12.34);
  });
});

describe("list", () => {
  test("newest first, by page, the account's own, inactive ones too", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++)
      ids.push(await planned(merchant.admin, { id: `p${n}`, is_active: n % 2 === 0 }));
    const at = (n: number) => `2026-01-0${n + 1}T00:00:00.000Z`;
    for (const [n, id] of ids.entries())
      await execute(
        "UPDATE selling_plans SET created_at = ? WHERE id = ? AND account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        at(n),
        id,
        merchant.of.account.id,
      );
    const [newest, all] = [ids.toReversed(), await walk(merchant.admin, path, { limit: 3 })];
    expect(all).toMatchObject({ ids: newest, back: newest, total: 7 });
    expect((await listed((await openMerchant()).admin, path)).meta).toMatchObject({
      total: 0,
      last_page: 1,
      per_page: 25,
    });
  });

  test.each([
    ["limit", { limit: 0 }],
    ["limit", { limit: 101 }],
    ["page", { page: "x" }],
    ["is_active", { is_active: true }],
  ])("400 that names %s", async (name, query) => {
    expectRefused(await api(merchant.admin, "GET", path, { query }), name);
  });
});

test("not for customers, and not for nobody", async () => {
  await create();
  const theirs = await customer(merchant.of);
  for (const [method, at, body] of [
    ["GET", path],
    ["POST", path, plain],
    ["GET", `${path}/plan-1`],
    ["PUT", `${path}/plan-1`, {}],
    ["DELETE", `${path}/plan-1`],
  ] as const) {
    expect((await api(theirs, method, at, { body })).status, method).toBe(403);
    expect((await api(nobody, method, at, { body })).status, method).toBe(401);
    if (method !== "POST" && method !== "DELETE")
      expect((await api(merchant.of, method, at, { body })).status, method).toBe(200);
  }
});
