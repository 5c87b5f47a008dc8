/** A payment that is owed can be tried at once by staff or its customer, one attempt at a time. */
import { describe, expect, test } from "vitest";
import {
  actionsOf,
  done,
  entriesOf,
  inDays,
  type Json,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  episodesOf,
  linked,
  setClock,
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

async function episodeOf(id: string): Promise<Json> {
  return (await episodesOf(shop, id))[0];
}

describe("retry-payment", () => {
  test("answers as ship-now, and its success is the recovery", async () => {
    const id = await inDunning("pm_card_declined");
    const answer = await retry(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: "The billing attempt has started", billing_attempt_id: expect.any(String) },
    ]);
    expect(answer.headers.get("Location")).toBe(on(id, `billing-attempts/${answer.body.billing_attempt_id}`));
    expect((await attemptsOf(shop, id))[0]).toMatchObject({
      trigger: "RETRY",
      status: "QUEUED",
      attempt_number: 2,
    });
    await worker.drain();
    expect(await episodeOf(id)).toMatchObject({ status: "OPEN", attempt_count: 2 });
    expect((await actionsOf(id)).slice(-2)).toEqual(["billing_started", "billing_failed"]);
    expect((await entriesOf(id)).at(-2)).toMatchObject({ actor_type: "api", metadata: { trigger: "RETRY" } });
  });

  test("a customer may; a dry run starts nothing", async () => {
    const id = await inDunning();
    const { status, body } = await retry(id, { query: { dry_run: true } });
    expect([status, body]).toMatchObject([
      200,
      {
        success: true,
        message: "Dry run: a billing attempt would start; nothing was charged",
        dry_run: { cycle: 1, amount: 10, delivery_date: expect.any(String) },
      },
    ]);
    expect(body.billing_attempt_id).toBeUndefined();
    expect((await worker.call(shop.customer, "POST", on(id, "retry-payment"))).status).toBe(200);
    await worker.drain();
    expect(await attemptsOf(shop, id)).toHaveLength(2);
  });

  test("answers the attempt in progress, however many ask at once", async () => {
    const id = await inDunning();
    const answers = await Promise.all(Array.from({ length: 20 }, () => retry(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.billing_attempt_id)).size).toBe(1);
    await worker.drain();
    expect(await attemptsOf(shop, id)).toHaveLength(2);
  });

  test("asked for again, sends the message anew that was lost", async () => {
    const id = await inDunning();
    await retry(id);
    worker.forget();
    await retry(id);
    expect(worker.sent().filter(({ type }) => type === "charge")).toHaveLength(1);
    await worker.drain();
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "FAILED" }, { status: "FAILED" }]);
  });

  test.each(["ACTIVE", "PAUSED", "CANCELLED"])(
    "where nothing is owed (%s): 409 INVALID_STATE",
    async (status) => {
      shop = await openShop();
      const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
      if (status === "PAUSED") await done(shop.api, "POST", id, "pause");
      if (status === "CANCELLED") await done(shop.api, "POST", id, "cancel");
      const answer = await retry(id);
      expect([answer.status, answer.body]).toEqual([
        409,
        {
          success: false,
          error: expect.stringContaining(status),
          errorCode: "INVALID_STATE",
          request_id: expect.any(String),
        },
      ]);
    },
  );

  test("five an hour", async () => {
    const id = await inDunning();
    setClock(Date.now());
    for (let nth = 0; nth < 5; nth++) {
      expect((await retry(id)).status).toBe(200);
      expect((await retry(id)).status).toBe(200);
      await worker.drain();
    }
    const sixth = await retry(id);
    expect([sixth.status, sixth.body.errorCode, sixth.body.success]).toEqual([429, "RATE_LIMITED", false]);
    expect(sixth.headers.get("Retry-After")).not.toBeNull();
    expect((await shipNow(shop, worker, id)).status).toBe(200);
    await worker.drain();
    setClock(Date.now() + 3_600_000);
    expect((await retry(id)).status).toBe(200);
    await worker.drain();
  });

  test("of a PAYMENT_FAILED one that is refused again: it stays so, without another episode", async () => {
    const id = await failedFor();
    await retry(id);
    await worker.drain();
    expect((await read(shop, id)).status).toBe("PAYMENT_FAILED");
    expect(await episodesOf(shop, id)).toHaveLength(1);
  });
});
