/** A test clock moves one account's time forward, and everything reads it. */
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { api, deployment } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { done, type Json, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import {
  advance,
  attemptsOf,
  clockOf,
  later,
  linked,
  openWorker,
  setClock,
  startClock,
  type TestWorker,
} from "../../support/worker.ts";

const path = "/api/account/test-clock";
let shop: Shop;
let worker: TestWorker;
beforeAll(async () => {
  shop = await openShop();
  worker = openWorker();
});
afterEach(() => {
  vi.useRealTimers();
});

const begin = "2030-01-15T12:00:00.000Z";

function daysOn(days: number, from = begin): string {
  return new Date(Date.parse(from) + days * 86_400_000).toISOString();
}

/** A merchant whose account has its own time. */
async function apart(options: Parameters<typeof openShop>[0] = {}, instant = begin): Promise<Shop> {
  const of = await openShop(options);
  await startClock(of, instant);
  return of;
}

function move(of: Shop, advance_to: unknown) {
  return worker.call(of.api, "POST", path, { body: { advance_to } });
}

test.each([["off"], [undefined]])(
  "a deployment whose TEST_CLOCKS is %j does not have the paths: 404",
  async (setting) => {
    const send = deployment({ TEST_CLOCKS: setting } as object);
    const body = { advance_to: daysOn(1) };
    for (const caller of [shop.api, { credentials: {} }])
      for (const answer of [await send(caller, "GET", path), await send(caller, "POST", path, { body })])
        expect([answer.status, answer.body.errorCode]).toEqual([404, "NOT_FOUND"]);
    expect((await deployment({ TEST_CLOCKS: "on" })(shop.api, "GET", path)).status).toBe(200);
  },
);

describe("the input it accepts", () => {
  test("it shows real time until it is moved", async () => {
    const { status, body } = await api(shop.api, "GET", path);
    expect([status, body]).toEqual([200, { data: { now: expect.any(String), advancing: false } }]);
    expect(Math.abs(Date.parse(body.data.now) - Date.now())).toBeLessThan(5000);
  });

  test.each<[string, unknown]>([
    ["backwards", daysOn(-1 / 86_400)],
    ["more than 400 days", daysOn(400 + 1 / 86_400)],
    ["a date alone", "2030-01-16"],
    ["no offset", "2030-01-16T12:00:00"],
    ["no date", "soon"],
    ["nothing", undefined],
  ])("%s is 400", async (_, target) => {
    const of = await apart();
    const { status, body } = await move(of, target);
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, "VALIDATION_FAILED", "advance_to"]);
    expect(await clockOf(of)).toBe(begin);
    expect(worker.sent()).toEqual([]);
  });

  test("the past is 400 in real time too", async () => {
    expect((await move(shop, new Date(Date.now() - 60_000).toISOString())).status).toBe(400);
  });

  test("its current time: nothing to do", async () => {
    const of = await apart();
    expect((await move(of, begin)).body).toEqual({ data: { now: begin, advancing: false } });
    expect(worker.sent()).toEqual([]);
  });

  test("an account on a real store has no test clock: 409", async () => {
    const of = await openShop();
    await execute("UPDATE accounts SET store = 'shopify' WHERE id = ?", of.of.account.id);
    for (const answer of [await api(of.api, "GET", path), await move(of, daysOn(1))])
      expect([answer.status, answer.body.errorCode]).toEqual([409, "INVALID_STATE"]);
  });

  test("while it moves the same target is 200 and another one 409", async () => {
    const of = await apart();
    const target = daysOn(3);
    const first = await move(of, target);
    expect([first.status, first.body]).toEqual([200, { data: { now: begin, advancing: true } }]);
    expect((await move(of, target)).body.data.advancing).toBe(true);
    const another = await move(of, daysOn(4));
    expect([another.status, another.body.errorCode]).toEqual([409, "INVALID_STATE"]);
    expect((await api(of.api, "GET", path)).body.data).toEqual({ now: begin, advancing: true });
    await worker.drain();
    expect((await api(of.api, "GET", path)).body.data).toEqual({ now: target, advancing: false });
  });

  test("of ten requests at once one target is accepted", async () => {
    const of = await apart();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => move(of, daysOn(nth + 1))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await worker.drain();
  });
});

describe("everything reads the account's time", () => {
  test("records are created at the account's time", async () => {
    const of = await apart();
    const { id: profile_id } = await profile(of.of);
    const made: Json[] = [
      (await api(of.admin, "POST", "/api/profiles", { body: { email: "ada@customers.test" } })).body.data,
      (await api(of.api, "POST", "/api/subscriptions/skip-reasons", { body: { label: "Away" } })).body.data,
      (
        await api(of.api, "POST", "/api/subscriptions/entities", {
          body: { profile_id, entity_type: "dog", name: "B" },
        })
      ).body.data,
    ];
    for (const { created_at } of made) expect(created_at).toBe(begin);
    const id = await subscribe(of, { next_delivery_date: "2030-01-20" });
    expect((await read(of, id)).created_at).toBe(begin);
    const [entry] = await select<{ created_at: string }>(
      "SELECT created_at FROM activity_logs WHERE loggable_id = ?",
      id,
    );
    expect(entry?.created_at).toBe(begin);
    expect(await done(of.api, "POST", id, "pause")).toMatchObject({ paused_at: begin });
  });

  test("yesterday is the account's yesterday", async () => {
    const of = await apart();
    await expect(subscribe(of, { next_delivery_date: "2030-01-14" })).rejects.toThrow("400");
    expect(await subscribe(of, { next_delivery_date: "2030-01-15" })).toEqual(expect.any(String));
  });

  test("it stands still afterwards, and cron bills nothing that is due later", async () => {
    const of = await apart();
    const id = await linked(of, worker, { next_delivery_date: "2030-01-17" });
    await advance(of, worker, 1);
    await later(worker, 10 * 86_400);
    vi.useRealTimers();
    expect(await clockOf(of)).toBe(daysOn(1));
    expect(await attemptsOf(of, id)).toEqual([]);
    await advance(of, worker, 1);
    expect(await attemptsOf(of, id)).toMatchObject([{ status: "SUCCEEDED", created_at: daysOn(2) }]);
  });

  test("other accounts keep their own time", async () => {
    const of = await apart();
    await advance(of, worker, 30);
    expect(Math.abs(Date.parse(await clockOf(shop)) - Date.now())).toBeLessThan(5000);
  });

  test("tokens read real time, and the ten minutes of ship-now end by the clock that is first", async () => {
    const of = await apart();
    const id = await linked(of, worker, { next_delivery_date: "2030-03-17" });
    const ship = () => worker.call(of.customer, "POST", `/api/subscriptions/${id}/ship-now`);
    const first = await ship();
    expect(first.status).toBe(200);
    await worker.drain();
    expect((await ship()).body.billing_attempt_id).toBe(first.body.billing_attempt_id);
    await advance(of, worker, 2);
    const second = (await ship()).body.billing_attempt_id;
    expect(second).not.toBe(first.body.billing_attempt_id);
    await worker.drain();
    expect((await ship()).body.billing_attempt_id).toBe(second);
    setClock(Date.now() + 11 * 60_000);
    expect((await ship()).body.billing_attempt_id, "the account's own clock stands still").not.toBe(second);
  });
});
