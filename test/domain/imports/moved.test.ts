/** The export of an account can be moved in elsewhere, each ref once, wherever an invocation dies. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import type { Bindings } from "../../../src/base/env.ts";
import { sha256Hex } from "../../../src/base/lib/encoding.ts";
import { erasePersonalData } from "../../../src/domain/privacy/erase-personal-data.ts";
import { switchOn } from "../../edges/portal/visitor.ts";
import { api } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import {
  addPlan,
  deliver,
  done,
  entriesOf,
  inDays,
  type Json,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { later, ordersOf, startClock, useWorker } from "../../support/worker.ts";
import { log, postboxOf } from "../mail/postbox.ts";
import {
  begin,
  fileOf,
  jobOf,
  jsonLines,
  moveIn,
  must,
  outcomesOf,
  putPart,
  release,
  rowOf,
  rowsOf,
  stage,
  start,
} from "./imports.ts";

const worker = useWorker();

/** The fields that a subscription keeps when it is moved from one account into another; a plan's discount is in the imported price. */
const kept = [
  ...["status", "currency_code", "shipping_amount", "total", "billing_interval"],
  ...["billing_interval_count", "delivery_interval", "delivery_interval_count", "current_billing_cycle"],
  ...["next_billing_date", "next_delivery_date", "pause_until", "delivery_address", "delivery_instructions"],
  ...["note", "custom_attributes", "created_at", "entity_label"],
];

test("what an account exports is equal in another account, but for ids; in its own it doubles nothing", async () => {
  const [from, to] = [await openShop(), await openShop()] as const;
  const monthly = {
    name: "Monthly",
    billing_interval: "MONTH",
    discount_type: "PERCENTAGE",
    discount_value: 10,
  };
  const plan = await addPlan(from, monthly);
  for (const terms of [{ ...monthly, id: plan }, { id: from.plan }]) await addPlan(to, terms);
  const line = { store_product_id: "p", store_variant_id: "v", product_title: "P", price: 19.9, quantity: 3 };
  const ids = [
    await subscribe(from),
    await subscribe(from, {
      note: "'=first",
      custom_attributes: { a: [1, "x"] },
      next_delivery_date: inDays(31),
    }),
    await subscribe(from, {
      lines: [
        { ...line, selling_plan_id: plan },
        { ...line, price: 5, quantity: 1, selling_plan_id: plan },
      ],
    }),
    await subscribe(from, { lines: [{ ...line, selling_plan_id: plan }], next_delivery_date: inDays(40) }),
  ];
  await done(from.api, "POST", ids[1]!, "discounts", {
    title: "T",
    value: 5,
    value_type: "FIXED_AMOUNT",
    target_type: "ORDER",
  });
  await done(from.api, "POST", ids[3]!, "pause", { pause_until: inDays(9) });
  await done(from.api, "PUT", ids[0]!, "delivery-instructions", { delivery_instructions: "Ring\ntwice" });
  const exported = await Promise.all(ids.map((id) => read(from, id)));
  const lines = exported.map((one) => `${JSON.stringify(one)}\n`).join("");
  const file = `${lines}{"end":true,"rows":4,"sha256":"${await sha256Hex(lines)}"}\n`;
  const moveFile = async (shop: Shop): Promise<Json> => {
    const id = await begin(shop, { format: "perennial", charge_from: inDays(1) });
    must(await putPart(shop, id, file, { type: jsonLines }));
    return start(shop, worker, id, true);
  };
  const moved = await moveFile(to);
  expect(moved).toMatchObject({ done: 4, failed: 0, summary: { differing: 0, errors: 0 } });
  for (const { key, record_id } of await rowsOf(to, moved.id)) {
    const [before, after] = [await read(from, key), await read(to, record_id)];
    const of = (one: Json) => kept.map((field) => [field, one[field]]);
    expect(of(after)).toEqual(of(before));
    expect(after.migration_source_ref).toBe(key);
  }
  expect(await moveFile(from)).toMatchObject({ done: 0, skipped: 4, failed: 0 });
});

test("a discount that has counted already does not count for all of its cycles anew", async () => {
  const [from, to] = [await openShop(), await openShop()];
  await addPlan(to, { id: from.plan });
  const id = await subscribe(from, { next_delivery_date: inDays(20) });
  const discount = { title: "T", value: 5, value_type: "FIXED_AMOUNT", target_type: "ORDER" };
  await done(from.api, "POST", id, "discounts", { ...discount, recurring_cycle_limit: 6 });
  const object = await read(from, id);
  const moveObject = async (more: object) => {
    const job = await begin(to, { format: "perennial", charge_from: inDays(1) });
    must(await putPart(to, job, JSON.stringify({ ...object, ...more }), { type: jsonLines }));
    await start(to, worker, job, true);
    return (await rowsOf(to, job))[0];
  };
  expect(await moveObject({})).toMatchObject({
    status: "FAILED",
    errors: [{ path: "discount_cycles_left", message: expect.stringContaining("export it instead") }],
  });
  const moved = await moveObject({ import_values: { discount_cycles_left: 2 } });
  expect(moved, JSON.stringify(moved.errors)).toMatchObject({ status: "OK" });
  expect((await read(to, moved.record_id)).discounts).toMatchObject([{ recurring_cycle_limit: 2 }]);
});

describe("an import whose invocations die", () => {
  const batches = {
    lease: /update "jobs" set "lease_until"/i,
    subscription: /insert into "subscriptions"/i,
    page: /update "jobs" set .*"progress"/i,
  };
  const cases = Object.keys(batches).flatMap((what) =>
    ["before", "after"].map((moment) => [what, moment] as const),
  );

  test.each(cases)("with the batch of a %s, %s it, moves each ref in once", async (what, moment) => {
    const shop = await openShop();
    const rows = Array.from({ length: 30 }, (_, nth) => rowOf(shop, `ref-${nth}`));
    const id = await stage(shop, rows);
    await start(shop, worker, id, false);
    must(await worker.call(shop.api, "POST", `/api/jobs/${id}/start`, { body: { commit: true } }));
    worker.forget();
    const message = { type: "work_rows", account_id: shop.of.account.id, job_id: id };
    let left = 2;
    const once = async () => {
      if (left-- > 0) await isolateEnded();
    };
    const DB = interrupted(batches[what as keyof typeof batches], { [moment]: once });
    const broken: Bindings = { ...env, ...worker.bindings, DB };
    for (let times = 0; times < 2; times++) {
      await Promise.all([
        deliver([message], { bindings: broken }),
        deliver([message], { bindings: broken }),
      ]).catch(() => {});
      await execute(
        "UPDATE jobs SET lease_until = NULL, next_action_at = '2020-01-01T00:00:00.000Z' WHERE id = ? AND next_action_at IS NOT NULL",
        id,
      );
    }
    for (let minute = 0; minute < 4; minute++) await later(worker, 300);
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", total: 30, done: 30, failed: 0 });
    const made = await select<{ migration_source_ref: string; id: string }>(
      "SELECT migration_source_ref, id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
    expect(made.map((one) => one.migration_source_ref).sort()).toEqual(
      rows.map((row) => row.subscription_ref).sort(),
    );
    expect((await rowsOf(shop, id)).map((row) => row.record_id).sort()).toEqual(
      made.map((one) => one.id).sort(),
    );
  });
});

test("past orders come once, are neither packed nor receipted, and can be taken back", async () => {
  const shop = await openShop();
  const { ids } = await moveIn(shop, worker, [rowOf(shop, "a")]);
  const orders = [
    { order_ref: "o-1", subscription_ref: "a", ordered_at: "2025-03-04", total: 25, tracking: "1Z" },
    {
      order_ref: "o-2",
      subscription_ref: "a",
      ordered_at: "2025-04-04T10:00:00Z",
      total: 24.5,
      status: "REFUNDED",
    },
    { order_ref: "o-3", subscription_ref: "b", ordered_at: "2099-01-01", total: "x", status: "LOST" },
  ];
  const { id, job } = await moveIn(shop, worker, orders, { format: "orders", charge_from: undefined });
  expect(job).toMatchObject({ status: "DONE", done: 2, failed: 1 });
  expect(await outcomesOf(shop, id)).toMatchObject({
    "o-3": [
      "FAILED",
      "subscription_ref is not a subscription that was moved in from this source",
      "ordered_at must not be after now",
      "total must be a number with a point before its decimals, such as 12.5",
      "status must be one of PENDING, PAID, PARTIALLY_REFUNDED, REFUNDED, CANCELLED",
    ],
  });
  const made = await ordersOf(shop, ids.a!);
  expect(
    made
      .map((order) => [
        order.external_order_id,
        order.status,
        order.fulfillment_status,
        order.total,
        order.billing_date,
      ])
      .sort(),
  ).toEqual([
    ["o-1", "PAID", "FULFILLED", 25, "2025-03-04"],
    ["o-2", "REFUNDED", "FULFILLED", 24.5, "2025-04-04"],
  ]);
  expect((await entriesOf(made[0].id)).map(({ action }) => action)).toEqual(["order_imported"]);
  const latest = made.find((order) => order.external_order_id === "o-2")!;
  expect(await read(shop, ids.a!)).toMatchObject({ total_revenue: 25, last_order: latest.id });
  expect(
    (await moveIn(shop, worker, orders.slice(0, 2), { format: "orders", charge_from: undefined })).job,
  ).toMatchObject({ skipped: 2 });
  must(await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`));
  await worker.drain();
  expect(await jobOf(shop, id)).toMatchObject({ status: "UNDONE", undone: 2 });
  expect(await ordersOf(shop, ids.a!)).toEqual([]);
  expect(await read(shop, ids.a!)).toMatchObject({ total_revenue: 0, last_order: null });
});

const revisionOf = "SELECT revision FROM subscriptions WHERE id = ?";

test("a past order that is taken back leaves the revenue of the others, and the latest of them", async () => {
  const shop = await openShop();
  const { ids } = await moveIn(shop, worker, [rowOf(shop, "a")]);
  const orderOf = (order_ref: string, ordered_at: string, total: number) => [
    { order_ref, subscription_ref: "a", ordered_at, total },
  ];
  const ofOrders = { format: "orders", charge_from: undefined };
  const earlier = await moveIn(shop, worker, orderOf("o-1", "2025-03-04", 25), ofOrders);
  const later = await moveIn(shop, worker, orderOf("o-2", "2025-04-04", 24.5), ofOrders);
  await moveIn(shop, worker, orderOf("o-0", "2025-02-04", 10), ofOrders);
  const { revision } = (await select<Json>(revisionOf, ids.a!))[0]!;
  const cancelled = orderOf("o-cancelled", "2025-01-04", 12).map((one) => ({ ...one, status: "CANCELLED" }));
  const unpaid = await moveIn(shop, worker, cancelled, ofOrders);
  must(await worker.call(shop.api, "POST", `/api/jobs/${unpaid.id}/undo`));
  await worker.drain();
  expect(await select(revisionOf, ids.a!)).toEqual([{ revision }]);
  expect(await read(shop, ids.a!)).toMatchObject({ total_revenue: 59.5, last_order: later.ids["o-2"] });
  must(await worker.call(shop.api, "POST", `/api/jobs/${later.id}/undo`));
  await worker.drain();
  expect(await read(shop, ids.a!)).toMatchObject({ total_revenue: 35, last_order: earlier.ids["o-1"] });
});

test("customers are sent nothing about what is held, and no welcome after its release", async () => {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set({ ...log, kinds: { welcome: { is_enabled: true } } });
  const { ids, id } = await moveIn(shop, worker, [rowOf(shop, "a"), rowOf(shop, "b")]);
  await done(shop.api, "POST", ids.a!, "pause");
  await worker.drain();
  expect(await postbox.list()).toEqual([]);
  await release(shop, worker, id);
  expect(await postbox.list()).toEqual([]);
  must(await worker.call(shop.api, "POST", `/api/subscriptions/${ids.b}/pause`, { body: {} }));
  await worker.drain();
  expect(await postbox.list()).toMatchObject([{ kind: "changed", subscription_id: ids.b }]);
});

test("what is taken back is found by its variant and its plan no more", async () => {
  const shop = await openShop();
  const { id, ids } = await moveIn(shop, worker, [rowOf(shop, "a")]);
  const contents = () =>
    select<{ kind: string }>("SELECT kind FROM subscription_contents WHERE subscription_id = ?", ids.a!);
  expect((await contents()).map(({ kind }) => kind).sort()).toEqual(["plan", "variant"]);
  must(await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`));
  await worker.drain();
  expect(await jobOf(shop, id)).toMatchObject({ status: "UNDONE", undone: 1 });
  expect(await contents()).toEqual([]);
});

describe("the rows of a file", () => {
  const linesOf = (id: string) =>
    select<{ ref: string }>("SELECT ref FROM import_lines WHERE job_id = ? ORDER BY part, n", id);

  test("go with the customer whom they name, by address or by id, with the other rows of their subscriptions", async () => {
    const shop = await openShop();
    const id = await begin(shop);
    const more = { store_customer_id: "c-1" };
    must(
      await putPart(
        shop,
        id,
        fileOf([
          rowOf(shop, "a"),
          rowOf(shop, "b"),
          rowOf(shop, "a", { email: "" }),
          rowOf(shop, "c", { email: "", ...more }),
          rowOf(shop, "d", more),
        ]),
      ),
    );
    await start(shop, worker, id, true);
    const account = (await readAccount(testDb(shop.of.account), shop.of.account.id))!;
    const made = await rowsOf(shop, id);
    const profileOf = async (key: string) =>
      (await read(shop, made.find((row) => row.key === key)!.record_id)).profile_id;
    await erasePersonalData(ctxOn(testDb(shop.of.account), account), await profileOf("a"));
    expect((await linesOf(id)).map(({ ref }) => ref)).toEqual(["b", "c", "d"]);
    await erasePersonalData(ctxOn(testDb(shop.of.account), account), await profileOf("d"));
    expect((await linesOf(id)).map(({ ref }) => ref)).toEqual(["b"]);
  });

  test("go 30 days after its end; the import stays while something of it is held", async () => {
    const shop = await openShop();
    const { id } = await moveIn(shop, worker, [rowOf(shop, "a")]);
    const end = async () => {
      await execute("UPDATE jobs SET prune_at = '2020-01-01T00:00:00.000Z' WHERE id = ?", id);
      await worker.tick();
      await worker.tick();
    };
    await end();
    expect(await linesOf(id)).toEqual([]);
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE" });
    await release(shop, worker, id);
    expect((await read(shop, (await rowsOf(shop, id))[0].record_id)).billing_blocked_reason).toBeNull();
    await end();
    expect((await api(shop.api, "GET", `/api/jobs/${id}`)).status).toBe(404);
  });
});
