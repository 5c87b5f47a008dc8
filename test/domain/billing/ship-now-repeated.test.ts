/** A ship-now that is repeated within ten minutes answers its attempt, and charges once. */
import { expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import type { Answer } from "../../support/client.ts";
import {
  actionsOf,
  addPlan,
  done,
  inDays,
  itemOf,
  type Json,
  on,
  openShop,
  refusal,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  linked,
  ordersOf,
  setClock,
  shipNow,
  useShop,
} from "../../support/worker.ts";

const { shop, worker } = useShop();

const minutes = 60_000;

function withKey(key = newId()) {
  return { headers: { "Idempotency-Key": key } };
}

function answeredBy({ body }: Answer<Json>, status: string, what: string) {
  return {
    ...body,
    message: `No new billing attempt was started: the last one ${what}`,
    status,
  };
}

function dueLater(more: object = {}) {
  return linked(shop, worker, { next_delivery_date: inDays(30), ...more });
}

test.each([20, 50])("%i at once are one attempt, one charge, one order", async (count) => {
  const id = await dueLater();
  const answers = await Promise.all(Array.from({ length: count }, () => shipNow(shop, worker, id)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.billing_attempt_id)).size).toBe(1);
  await worker.drain();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
  expect(await chargesOf(id)).toHaveLength(1);
  expect((await actionsOf(id)).slice(2)).toEqual(["ship_now_requested", "billing_succeeded"]);
});

test("20 at once, each with a key of its own, are one attempt while it is open", async () => {
  const id = await dueLater();
  await Promise.all(Array.from({ length: 20 }, () => shipNow(shop, worker, id, {}, withKey())));
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  await worker.drain();
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("the same request answers the same attempt while it is open, with a key or without", async () => {
  const id = await dueLater();
  const body = { delivery_date: inDays(3) };
  const first = await shipNow(shop, worker, id, body);
  for (const options of [{}, withKey(), {}])
    expect((await shipNow(shop, worker, id, body, options)).body).toEqual({
      ...first.body,
      message: "No new billing attempt was started: the last one has started",
      status: "QUEUED",
    });
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  await worker.drain();
});

test.each([
  ["while it is open", "QUEUED", "has started", "pm_success", false],
  ["after it has succeeded", "SUCCEEDED", "has succeeded", "pm_success", true],
  ["after it has failed", "FAILED", "has failed: The card was declined", "pm_card_declined", true],
])("the dry run of a repetition %s says so, and names no amount", async (_, status, what, card, runs) => {
  const id = await dueLater({ store_payment_method_id: card });
  await shipNow(shop, worker, id);
  if (runs) await worker.drain();
  const again = await shipNow(shop, worker, id, {}, { query: { dry_run: true } });
  expect([again.status, again.body]).toEqual([
    200,
    {
      success: true,
      message: `Dry run: no billing attempt would start, as the last one ${what}`,
      status,
      dry_run: null,
    },
  ]);
  await worker.drain();
  expect(await attemptsOf(shop, id)).toHaveLength(1);
});

test("the same date sent as a date-time is the same request", async () => {
  const id = await dueLater();
  const first = await shipNow(shop, worker, id, { delivery_date: inDays(3) });
  const again = await shipNow(shop, worker, id, { delivery_date: `${inDays(3)}T12:00:00Z` });
  expect([again.status, again.body.billing_attempt_id]).toEqual([200, first.body.billing_attempt_id]);
  await worker.drain();
});

test("and for ten minutes after, finished or not", async () => {
  setClock("2026-03-02T10:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2026-03-20" });
  const first = await shipNow(shop, worker, id);
  await worker.drain();
  setClock(Date.now() + 10 * minutes - 1);
  const again = await shipNow(shop, worker, id);
  expect([again.status, again.body]).toEqual([200, answeredBy(first, "SUCCEEDED", "has succeeded")]);
  expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
  setClock(Date.now() + 1);
  const another = await shipNow(shop, worker, id);
  expect(another.body.billing_attempt_id).not.toBe(first.body.billing_attempt_id);
  await worker.drain();
  vi.useRealTimers();
  expect(await ordersOf(shop, id)).toHaveLength(2);
});

test("but what is no longer billable is refused", async () => {
  const plan = await addPlan(shop, { max_cycles: 1 });
  const id = await dueLater({ lines: [itemOf(plan)] });
  await shipNow(shop, worker, id);
  await worker.drain();
  const { status, body } = await shipNow(shop, worker, id);
  expect([status, body.error]).toEqual([409, "Subscription is not billable: EXPIRED"]);
});

test("another body within ten minutes is refused, open or finished", async () => {
  const id = await dueLater();
  await shipNow(shop, worker, id);
  const other = () => shipNow(shop, worker, id, { delivery_date: inDays(3) });
  expect(refusal(await other())).toEqual([409, "BILLING_IN_PROGRESS"]);
  await worker.drain();
  const finished = await other();
  expect(refusal(finished)).toEqual([409, "BILLING_IN_PROGRESS"]);
  expect(finished.body.error).toMatch(/started within the last ten minutes; with allow_repeat/);
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("a new Idempotency-Key answers the last attempt; the same one replays", async () => {
  const id = await dueLater();
  const first = await shipNow(shop, worker, id, {}, withKey("click-1"));
  await worker.drain();
  const replayed = await shipNow(shop, worker, id, {}, withKey("click-1"));
  expect([replayed.status, replayed.body]).toEqual([200, first.body]);
  expect(replayed.headers.get("Idempotency-Replayed")).toBe("true");
  expect(replayed.headers.get("Location")).toBe(first.headers.get("Location"));
  const second = await shipNow(shop, worker, id, {}, withKey("click-2"));
  expect([second.status, second.body]).toEqual([200, answeredBy(first, "SUCCEEDED", "has succeeded")]);
  expect(second.headers.get("Idempotency-Replayed")).toBeNull();
  await worker.drain();
  const reused = await shipNow(shop, worker, id, { delivery_date: inDays(3) }, withKey("click-2"));
  expect([reused.status, reused.body.errorCode, reused.body.success]).toEqual([
    422,
    "IDEMPOTENCY_KEY_REUSED",
    false,
  ]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("a ship-now seconds after cron has billed answers what cron has billed", async () => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(0) });
  await worker.tick();
  const [billed] = await attemptsOf(shop, id);
  expect(billed).toMatchObject({ trigger: "RECURRING", status: "SUCCEEDED" });
  for (const options of [{}, withKey()]) {
    const { status, body } = await shipNow(shop, worker, id, {}, options);
    expect([status, body.billing_attempt_id, body.status]).toEqual([200, billed.id, "SUCCEEDED"]);
  }
  await worker.drain();
  expect(await chargesOf(id)).toHaveLength(1);
  expect(await actionsOf(id)).not.toContain("ship_now_requested");
});

test("a repeated ship-now says that the attempt has failed, and why", async () => {
  const id = await dueLater({ store_payment_method_id: "pm_insufficient_funds" });
  const first = await shipNow(shop, worker, id);
  await worker.drain();
  const again = await shipNow(shop, worker, id, {}, withKey());
  expect([again.status, again.body]).toEqual([
    200,
    answeredBy(first, "FAILED", "has failed: The card has insufficient funds"),
  ]);
  expect(await attemptsOf(shop, id)).toHaveLength(1);
});

test("allow_repeat: true is the only way to another attempt, once none is in progress", async () => {
  const id = await dueLater();
  await shipNow(shop, worker, id);
  expect(refusal(await shipNow(shop, worker, id, { allow_repeat: true }))).toEqual([
    409,
    "BILLING_IN_PROGRESS",
  ]);
  await worker.drain();
  const same = await shipNow(shop, worker, id, { allow_repeat: false });
  expect([same.status, same.body.status]).toEqual([200, "SUCCEEDED"]);
  const second = await shipNow(shop, worker, id, { allow_repeat: true });
  const doubled = await shipNow(shop, worker, id, { allow_repeat: true });
  expect([doubled.status, doubled.body.billing_attempt_id]).toEqual([200, second.body.billing_attempt_id]);
  await worker.drain();
  expect(await ordersOf(shop, id)).toHaveLength(2);
  expect(await chargesOf(id)).toHaveLength(2);
});

test("the ten minutes are over sooner where the account's own clock has moved on", async () => {
  const other = await openShop();
  const id = await linked(other, worker, { next_delivery_date: inDays(30) });
  const first = await shipNow(other, worker, id);
  await worker.drain();
  await advance(other, worker, 1);
  const second = await shipNow(other, worker, id);
  expect(second.body.billing_attempt_id).not.toBe(first.body.billing_attempt_id);
});

test("20 at once with one key are one attempt", async () => {
  const id = await dueLater();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => shipNow(shop, worker, id, {}, withKey("one"))),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
  await worker.drain();
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("the sixth new attempt within an hour is refused; repetitions and refusals do not count", async () => {
  setClock("2026-03-03T10:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2026-05-20" });
  const repeat = { allow_repeat: true };
  const wish = (nth: number) => shipNow(shop, worker, id, repeat, withKey(`wish-${nth}`));
  const refusedBefore = await shipNow(shop, worker, id, { slot_id: "nope" });
  expect(refusedBefore.status).toBe(400);
  for (let nth = 1; nth <= 5; nth++) {
    expect((await wish(nth)).status).toBe(200);
    expect((await wish(nth)).status).toBe(200);
    expect((await shipNow(shop, worker, id, repeat)).status).toBe(200);
    await worker.drain();
    setClock(Date.now() + minutes);
  }
  const sixth = await wish(6);
  expect([sixth.status, sixth.body]).toEqual([
    429,
    { success: false, error: expect.any(String), errorCode: "RATE_LIMITED", request_id: expect.any(String) },
  ]);
  expect(Number(sixth.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(refusal(await shipNow(shop, worker, id))).toEqual([409, "BILLING_IN_PROGRESS"]);
  expect(await attemptsOf(shop, id)).toHaveLength(5);
  setClock("2026-03-03T11:00:00.000Z");
  expect((await wish(6)).status).toBe(200);
  await worker.drain();
  vi.useRealTimers();
  expect(await ordersOf(shop, id)).toHaveLength(6);
});

test("an attempt withdrawn by a pause is not answered again", async () => {
  const id = await dueLater();
  const first = await shipNow(shop, worker, id);
  await worker.call(shop.api, "POST", on(id, "pause"));
  await done(shop.api, "POST", id, "resume");
  const again = await shipNow(shop, worker, id);
  expect(again.body.billing_attempt_id).not.toBe(first.body.billing_attempt_id);
  await worker.drain();
  expect(await ordersOf(shop, id)).toHaveLength(1);
});
