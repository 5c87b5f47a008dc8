/** Dunning ends by a new payment method, a payment, a pause or a cancellation, and what is owed is then settled. */
import { describe, expect, test } from "vitest";
import { execute } from "../../support/database.ts";
import {
  actionsOf,
  done,
  inDays,
  type Json,
  on,
  openShop,
  read,
  rowOf,
  type Shop,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  episodesOf,
  linked,
  ordersOf,
  shipNow,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;

/** A subscription in dunning, of an account of its own. */
async function inDunning(store_payment_method_id = "pm_card_declined"): Promise<string> {
  shop = await openShop();
  const id = await linked(shop, worker, { store_payment_method_id });
  await advance(shop, worker, 1 / 24);
  return id;
}

async function failedFor(store_payment_method_id = "pm_card_declined"): Promise<string> {
  const id = await inDunning(store_payment_method_id);
  await advance(shop, worker, 8);
  expect((await read(shop, id)).status).toBe("PAYMENT_FAILED");
  return id;
}

function retry(id: string, options = {}) {
  return worker.call(shop.api, "POST", on(id, "retry-payment"), options);
}

function switchTo(id: string, store_payment_method_id: string) {
  return worker.call(shop.customer, "PUT", on(id, "payment-method"), { body: { store_payment_method_id } });
}

async function episodeOf(id: string): Promise<Json> {
  return (await episodesOf(shop, id))[0];
}

async function recovered(id: string, attempts: number): Promise<void> {
  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: false,
    can_retry_payment: false,
    current_dunning_episode: null,
    current_billing_cycle: 2,
  });
  expect(await ordersOf(shop, id)).toHaveLength(1);
  expect(await attemptsOf(shop, id)).toHaveLength(attempts);
  expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
  expect((await actionsOf(id)).filter((action) => action === "dunning_recovered")).toHaveLength(1);
}

describe("a new payment method", () => {
  test("retries at once, and the episode has recovered", async () => {
    const id = await inDunning();
    expect((await switchTo(id, "pm_success")).status).toBe(200);
    await worker.drain();
    await recovered(id, 2);
    expect(await episodeOf(id)).toMatchObject({
      status: "RECOVERED",
      closed_at: expect.any(String),
      next_retry_at: null,
    });
    expect((await actionsOf(id)).slice(-4)).toEqual([
      "payment_method_changed",
      "billing_started",
      "billing_succeeded",
      "dunning_recovered",
    ]);
    expect((await attemptsOf(shop, id))[0]).toMatchObject({
      trigger: "DUNNING",
      attempt_number: 2,
      cycle: 1,
    });
  });

  test("of a subscription whose retries have run out makes it ACTIVE again", async () => {
    const id = await failedFor();
    await switchTo(id, "pm_success");
    await worker.drain();
    await recovered(id, 5);
    expect((await read(shop, id)).next_billing_date > inDays(8)).toBe(true);
  });

  test("after a hard decline", async () => {
    const id = await inDunning("pm_expired_card");
    await switchTo(id, "pm_success");
    await worker.drain();
    await recovered(id, 2);
  });

  test("that is refused too: the episode goes on with the same days", async () => {
    const id = await inDunning();
    const { opened_at, next_retry_at } = await episodeOf(id);
    await switchTo(id, "pm_insufficient_funds");
    await worker.drain();
    expect(await episodeOf(id)).toMatchObject({
      status: "OPEN",
      attempt_count: 2,
      opened_at,
      next_retry_at,
      last_error_code: "insufficient_funds",
    });
    expect(await episodesOf(shop, id)).toHaveLength(1);
  });

  test("while a retry with the old one is open: tried as soon as that has failed", async () => {
    const id = await inDunning();
    await retry(id);
    await switchTo(id, "pm_success");
    await worker.drain();
    await worker.tick();
    await recovered(id, 3);
  });

  test("while a retry of a PAYMENT_FAILED one is open: tried as soon as that has failed", async () => {
    const id = await failedFor();
    await retry(id);
    await switchTo(id, "pm_success");
    await worker.drain();
    await worker.tick();
    await worker.tick();
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", current_billing_cycle: 2 });
  });

  test("while a challenge of a PAYMENT_FAILED one is open: that is withdrawn, and the new one is tried", async () => {
    const id = await failedFor();
    await switchTo(id, "pm_requires_action");
    await worker.drain();
    expect((await attemptsOf(shop, id))[0].status).toBe("ACTION_REQUIRED");
    await switchTo(id, "pm_success");
    await worker.drain();
    await worker.tick();
    await worker.tick();
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", current_billing_cycle: 2 });
  });

  test("as a dry run starts nothing", async () => {
    const id = await inDunning();
    const body = { store_payment_method_id: "pm_success" };
    await worker.call(shop.api, "PUT", on(id, "payment-method"), { body, query: { dry_run: true } });
    expect(worker.sent()).toEqual([]);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
  });

  test("where nothing is owed starts nothing", async () => {
    shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
    await switchTo(id, "pm_other");
    expect(worker.sent()).toEqual([]);
    expect(await attemptsOf(shop, id)).toEqual([]);
  });
});

describe("a pause and a cancellation", () => {
  test("a cancellation closes it in the same batch", async () => {
    const id = await inDunning();
    const closed = await done(shop.api, "POST", id, "cancel");
    expect(closed).toMatchObject({
      ...{ status: "CANCELLED", is_in_dunning: false, current_dunning_episode: null },
    });
    expect(await episodeOf(id)).toMatchObject({
      status: "CLOSED",
      closed_at: expect.any(String),
      next_retry_at: null,
    });
    expect((await actionsOf(id)).at(-1)).toBe("subscription_cancelled");
    await advance(shop, worker, 10);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
  });

  test("resumed later, the same cycle is tried anew on the next day, with another number", async () => {
    const id = await inDunning();
    await done(shop.api, "POST", id, "pause");
    await switchTo(id, "pm_success");
    expect(worker.sent()).toEqual([]);
    await done(shop.api, "POST", id, "resume");
    await advance(shop, worker, 1);
    const attempts = await attemptsOf(shop, id);
    expect(attempts.map(({ cycle, attempt_number, status }) => [cycle, attempt_number, status])).toEqual([
      [1, 2, "SUCCEEDED"],
      [1, 1, "FAILED"],
    ]);
  });
});

test("ship-now while in dunning is the same cycle's next attempt, and recovers it", async () => {
  const id = await inDunning();
  const { revision } = await rowOf(id);
  await switchTo(id, "pm_success");
  worker.forget();
  expect((await shipNow(shop, worker, id)).body.status).toBe("QUEUED");
  expect((await rowOf(id)).revision).toBe(revision + 1);
  await done(shop.api, "POST", id, "pause");
  await done(shop.api, "POST", id, "resume");
  await shipNow(shop, worker, id, { allow_repeat: true });
  await worker.drain();
  expect(
    (await attemptsOf(shop, id)).map(({ cycle, attempt_number, status }) => [cycle, attempt_number, status]),
  ).toEqual([
    [1, 2, "SUCCEEDED"],
    [1, 2, "CANCELLED"],
    [1, 1, "FAILED"],
  ]);
});

test("ship-now that succeeds in dunning ends the episode", async () => {
  const refused = await inDunning();
  await execute(
    "UPDATE payment_methods SET store_payment_method_id = 'pm_cured' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
  await shipNow(shop, worker, refused);
  await worker.drain();
  await recovered(refused, 2);
  expect((await attemptsOf(shop, refused))[0]).toMatchObject({
    trigger: "SHIP_NOW",
    cycle: 1,
    attempt_number: 2,
  });
  expect(await episodeOf(refused)).toMatchObject({ status: "RECOVERED", attempt_count: 1 });
});
