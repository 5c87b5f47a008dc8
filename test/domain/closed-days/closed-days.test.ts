/** A date on a closed day is refused or moved, and comes back once the day is open again. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { select } from "../../support/database.ts";
import { faults } from "../../support/records.ts";
import {
  addSlot,
  inDays,
  type Json,
  nextDay,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { advance, clockOf, deliveriesOf, linked, startClock, useShop } from "../../support/worker.ts";

const path = "/api/subscriptions/closed-days";
const { shop, worker } = useShop();

function call(
  method: "GET" | "POST" | "PUT" | "DELETE",
  at: string,
  body?: object,
  query = {},
  as: Shop = shop,
) {
  return worker.call(as.api, method, at, { ...(body ? { body } : {}), query });
}

const holiday = { from: inDays(40), to: inDays(41), rule: "later", label: "Holiday" };

async function close(body: object = {}, as: Shop = shop): Promise<Json> {
  const answer = await call("POST", path, { ...holiday, ...body }, {}, as);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body.data;
}

/** Of each of the account's closed days, whether all dates have followed it once. */
async function walked(as: Shop): Promise<boolean[]> {
  const found = await select<{ walk: string }>(
    "SELECT walk FROM closed_days WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    as.of.account.id,
  );
  return found.map(({ walk }) => JSON.parse(walk).isSecond === true);
}

describe("closed days", () => {
  test("are created, read, listed, changed and deleted, each with an entry of the account", async () => {
    const of = await openShop();
    const made = await close({}, of);
    expect(made).toEqual({
      id: expect.any(String),
      ...holiday,
      applies_to: ["delivery", "production", "billing"],
      slot_ids: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await call("GET", `${path}/${made.id}`, undefined, {}, of)).body.data).toEqual(made);
    expect((await call("GET", path, undefined, {}, of)).body.data).toEqual([made]);
    const changed = await call("PUT", `${path}/${made.id}`, { rule: "earlier", label: "Feast" }, {}, of);
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { ...made, rule: "earlier", label: "Feast", updated_at: expect.any(String) },
    ]);
    expect((await call("DELETE", `${path}/${made.id}`, undefined, {}, of)).status).toBe(204);
    for (const method of ["GET", "DELETE"] as const)
      expect((await call(method, `${path}/${made.id}`, undefined, {}, of)).status).toBe(404);
    expect((await call("GET", path, undefined, {}, of)).body.data).toEqual([]);
    const { data } = (
      await worker.call(of.api, "GET", "/api/events", { query: { types: "account.updated" } })
    ).body;
    expect(
      data.map(({ metadata, changes }: Json) => [
        metadata.label,
        changes.closed_days.from?.label,
        changes.closed_days.to?.label,
      ]),
    ).toEqual([
      ["Holiday", undefined, "Holiday"],
      ["Feast", "Holiday", "Feast"],
      ["Feast", "Feast", undefined],
    ]);
  });

  test.each<[string, object]>([
    ["to", { to: inDays(39) }],
    ["to", { to: inDays(100) }],
    ["from", { from: "soon" }],
    ["rule", { rule: "never" }],
    ["label", { label: "" }],
    ["applies_to", { applies_to: [] }],
    ["applies_to.0", { applies_to: ["packing"] }],
  ])("400 that names %s: %o", async (at, body) => {
    expect(faults(await call("POST", path, { ...holiday, ...body }))).toEqual([400, "VALIDATION_FAILED", at]);
  });

  test("400 for a slot that the account does not have", async () => {
    const body = { ...holiday, slot_ids: [newId()] };
    expect(faults(await call("POST", path, body))).toEqual([400, "UNKNOWN_DELIVERY_SLOT", "slot_ids.0"]);
  });

  test("400 for more than 60 days in a row, of several entries together", async () => {
    const of = await openShop();
    await close({ from: inDays(10), to: inDays(39) }, of);
    await close({ from: inDays(40), to: inDays(69) }, of);
    const more = await call("POST", path, { ...holiday, from: inDays(70), to: inDays(70) }, {}, of);
    expect(faults(more)).toEqual([400, "VALIDATION_FAILED", "to"]);
    await close({ from: inDays(71), to: inDays(71) }, of);
  });

  test("400 for more than 400 days in all", async () => {
    const of = await openShop();
    for (let n = 0; n < 8; n++) await close({ from: inDays(100 * n), to: inDays(100 * n + 49) }, of);
    const more = await call("POST", path, { ...holiday, from: inDays(60), to: inDays(60) }, {}, of);
    expect(faults(more)).toEqual([400, "VALIDATION_FAILED", "to"]);
  });

  test("are no matter of customers", async () => {
    expect((await worker.call(shop.customer, "POST", path, { body: holiday })).status).toBe(403);
  });
});

describe("a subscription's date on closed days", () => {
  test("is refused where somebody chooses it, naming the field, the label and the next open day", async () => {
    const of = await openShop();
    await close({}, of);
    const refused = await worker.call(of.api, "POST", "/api/subscriptions", {
      body: {
        profile_id: of.profileId,
        store_payment_method_id: "pm_success",
        next_delivery_date: inDays(40),
        lines: [
          {
            store_product_id: "p",
            store_variant_id: "v",
            product_title: "K",
            selling_plan_id: of.plan,
            price: 10,
            quantity: 1,
          },
        ],
      },
    });
    expect(faults(refused)).toEqual([400, "VALIDATION_FAILED", "next_delivery_date"]);
    expect(refused.body.details[0].message).toBe(
      `is a closed day (Holiday); the next open day is ${inDays(42)}`,
    );
    const id = await subscribe(of);
    const moved = await worker.call(of.api, "PUT", `/api/subscriptions/${id}/schedule`, {
      body: { next_delivery_date: inDays(41) },
    });
    expect(faults(moved)).toEqual([400, "VALIDATION_FAILED", "next_delivery_date"]);
    const day = nextDay(3);
    const other = await subscribe(of, { next_delivery_date: day });
    const slot = await addSlot(of, { day_of_week: 3 });
    await close({ from: day, to: day, slot_ids: [slot] }, of);
    const chosen = await worker.call(of.api, "PUT", `/api/subscriptions/${other}/schedule`, {
      body: { delivery_slot_id: slot },
    });
    expect(faults(chosen)).toEqual([400, "VALIDATION_FAILED", "delivery_slot_id"]);
  });

  test("is moved once they are closed, with one entry by system, and put back once they are open", async () => {
    const of = await openShop();
    const ids = [
      await subscribe(of, { next_delivery_date: inDays(40) }),
      await subscribe(of, { next_delivery_date: inDays(43) }),
    ];
    const before = await Promise.all(ids.map((id) => read(of, id)));
    const dry = await call("POST", path, holiday, { dry_run: "true" }, of);
    const expected = {
      affected: 1,
      by_rule: { earlier: 0, later: 1, skip: 0 },
      first: [{ subscription_id: ids[0], from: inDays(40), to: inDays(42) }],
    };
    expect([dry.status, dry.body]).toEqual([200, { data: expected }]);
    expect(await walked(of)).toEqual([]);
    const { id } = await close({}, of);
    await worker.drain();
    expect(await walked(of)).toEqual([true]);
    const moved = await Promise.all(ids.map((each) => read(of, each)));
    expect(moved.map((each) => [each.next_delivery_date, each.next_billing_date])).toEqual([
      [inDays(42), inDays(42)],
      [inDays(43), inDays(43)],
    ]);
    const events = async () =>
      (
        await worker.call(of.api, "GET", "/api/events", {
          query: { types: "subscription.delivery_rescheduled" },
        })
      ).body.data;
    expect(await events()).toMatchObject([
      { subscription_id: ids[0], actor_type: "system", metadata: { closed_day_id: id, label: "Holiday" } },
    ]);
    const opening = await call("DELETE", `${path}/${id}`, undefined, { dry_run: "true" }, of);
    expect(opening.body).toEqual({
      data: { ...expected, first: [{ subscription_id: ids[0], from: inDays(42), to: inDays(40) }] },
    });
    await call("DELETE", `${path}/${id}`, undefined, {}, of);
    await worker.drain();
    const after = await Promise.all(ids.map((each) => read(of, each)));
    const plain = ({ updated_at: _, ...rest }: Json) => rest;
    expect(after.map(plain)).toEqual(before.map(plain));
    expect((await events()).length).toBe(2);
  });
});

describe("on a test clock", () => {
  test("what is upcoming over closed days is what is then billed and delivered", async () => {
    const of = await openShop();
    await startClock(of, "2030-12-01T12:00:00.000Z");
    const id = await linked(of, worker, { next_delivery_date: "2030-12-04" });
    for (const [from, to, rule] of [
      ["2030-12-10", "2030-12-12", "earlier"],
      ["2030-12-18", "2030-12-18", "later"],
      ["2030-12-25", "2030-12-26", "skip"],
    ])
      await close({ from, to, rule }, of);
    await worker.drain();
    const upcoming = await worker.call(of.api, "GET", `/api/subscriptions/${id}/upcoming`, {
      query: { count: 5 },
    });
    const foreseen = upcoming.body.data.map((each: Json) => [each.delivery_date, each.total]);
    expect(foreseen.map(([date]: [string]) => date)).toEqual([
      "2030-12-04",
      "2030-12-09",
      "2030-12-19",
      "2031-01-01",
      "2031-01-08",
    ]);
    await advance(of, worker, 45);
    expect((await deliveriesOf(of, id)).slice(0, 5)).toEqual(foreseen);
    expect(await clockOf(of)).toContain("2031-01-15");
  });

  test("billing itself looks at the calendar before the dates have followed", async () => {
    const of = await openShop();
    await startClock(of, "2030-12-01T12:00:00.000Z");
    const id = await linked(of, worker, { next_delivery_date: "2030-12-04" });
    await close({ from: "2030-12-04", to: "2030-12-05" }, of);
    worker.forget();
    await advance(of, worker, 4);
    expect(await deliveriesOf(of, id)).toEqual([]);
    await advance(of, worker, 2);
    expect(await deliveriesOf(of, id)).toEqual([["2030-12-06", 10]]);
  });
});
