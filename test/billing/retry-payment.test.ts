import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  actionsOf,
  done,
  entriesOf,
  inDays,
  type Json,
  type Life,
  life,
  on,
  read,
} from "../support/lives.ts";
import {
  advance,
  attemptsOf,
  episodesOf,
  linked,
  type Machine,
  machine,
  setClock,
  shipNow,
} from "../support/machine.ts";

let works: Machine;
let of: Life;
beforeAll(() => {
  works = machine();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A subscription in dunning, of an account of its own. */
const inDunning = async (store_payment_method_id = "pm_card_declined"): Promise<string> => {
  of = await life();
  const id = await linked(of, works, { store_payment_method_id });
  await advance(of, works, 1 / 24);
  return id;
};
const failedFor = async (store_payment_method_id = "pm_card_declined"): Promise<string> => {
  const id = await inDunning(store_payment_method_id);
  await advance(of, works, 8);
  expect((await read(of, id)).status).toBe("PAYMENT_FAILED");
  return id;
};
const retry = (id: string, options = {}) => works.call(of.api, "POST", on(id, "retry-payment"), options);
const episodeOf = async (id: string): Promise<Json> => (await episodesOf(of, id))[0];

describe("retry-payment", () => {
  test("answers as ship-now, and its success is the recovery", async () => {
    const id = await inDunning("pm_card_declined");
    const answer = await retry(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: "The billing attempt has started", billing_attempt_id: expect.any(String) },
    ]);
    expect(answer.headers.get("Location")).toBe(on(id, `billing-attempts/${answer.body.billing_attempt_id}`));
    expect((await attemptsOf(of, id))[0]).toMatchObject({
      trigger: "RETRY",
      status: "QUEUED",
      attempt_number: 2,
    });
    await works.drain();
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
    expect((await works.call(of.customer, "POST", on(id, "retry-payment"))).status).toBe(200);
    await works.drain();
    expect(await attemptsOf(of, id)).toHaveLength(2);
  });

  test("answers the attempt in progress, however many ask at once", async () => {
    const id = await inDunning();
    const answers = await Promise.all(Array.from({ length: 20 }, () => retry(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.billing_attempt_id)).size).toBe(1);
    await works.drain();
    expect(await attemptsOf(of, id)).toHaveLength(2);
  });

  test.each(["ACTIVE", "PAUSED", "CANCELLED"])(
    "where nothing is owed (%s): 409 INVALID_STATE",
    async (status) => {
      of = await life();
      const id = await linked(of, works, { next_delivery_date: inDays(30) });
      if (status === "PAUSED") await done(of.api, "POST", id, "pause");
      if (status === "CANCELLED") await done(of.api, "POST", id, "cancel");
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
      await works.drain();
    }
    const sixth = await retry(id);
    expect([sixth.status, sixth.body.errorCode, sixth.body.success]).toEqual([429, "RATE_LIMITED", false]);
    expect(sixth.headers.get("Retry-After")).not.toBeNull();
    expect((await shipNow(of, works, id)).status).toBe(200);
    await works.drain();
    setClock(Date.now() + 3_600_000);
    expect((await retry(id)).status).toBe(200);
    await works.drain();
  });

  test("of a PAYMENT_FAILED one that is refused again: it stays so, without another episode", async () => {
    const id = await failedFor();
    await retry(id);
    await works.drain();
    expect((await read(of, id)).status).toBe("PAYMENT_FAILED");
    expect(await episodesOf(of, id)).toHaveLength(1);
  });
});
