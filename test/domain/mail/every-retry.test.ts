/** An account that notifies of every retry writes one mail for each failure that is the customer's. */
import { describe, expect, test } from "vitest";
import { done, type Json, openShop, type Shop } from "../../support/shops.ts";
import { advance, attemptsOf, linked, startClock, useWorker } from "../../support/worker.ts";
import { log, postboxOf } from "./postbox.ts";

const worker = useWorker();

/** A shop whose customer's payments are declined, on the first of the year. */
async function opened(account: object = {}) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set(log);
  await set(shop, account);
  await startClock(shop, "2030-01-01T12:00:00.000Z");
  const id = await linked(shop, worker, { store_payment_method_id: "pm_card_declined" });
  const failed = (): Promise<Json[]> => postbox.list({ kind: "payment_failed" });
  return { shop, postbox, id, failed };
}

async function set({ api }: Shop, body: object): Promise<void> {
  expect((await worker.call(api, "PUT", "/api/account", { body })).status).toBe(200);
}

describe("an account that notifies of every retry", () => {
  test("writes one mail for each failure, and another kind of the last", async () => {
    const { shop, postbox, id, failed } = await opened({ notify_every_retry: true });
    await advance(shop, worker, 8);
    expect((await attemptsOf(shop, id)).map(({ status }: Json) => status)).toEqual(Array(4).fill("FAILED"));
    const mails = await failed();
    expect(mails.map(({ status }) => status)).toEqual(["SENT", "SENT", "SENT"]);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      "Your payment of $10.00 failed. Next try: Fri, Jan 4, 2030",
      "Your payment of $10.00 failed. Next try: Tue, Jan 8, 2030",
      "Your payment of $10.00 failed. Next try: Wed, Jan 2, 2030",
    ]);
    expect(new Set(mails.map(({ event_id }) => event_id)).size).toBe(3);
    expect(await postbox.list({ kind: "payment_ended" })).toMatchObject([{ status: "SENT" }]);
    expect(await postbox.list()).toHaveLength(4);
  });

  test("writes none of a retry that succeeds, nor of a failure that is not the customer's", async () => {
    const { shop, id, failed } = await opened({ notify_every_retry: true });
    await advance(shop, worker, 0.1);
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" });
    await worker.drain();
    await advance(shop, worker, 3);
    expect(await failed()).toHaveLength(1);
    const other = await linked(shop, worker, { store_payment_method_id: "pm_out_of_stock" });
    await advance(shop, worker, 3);
    expect((await failed()).filter(({ subscription_id }) => subscription_id === other)).toEqual([]);
  });

  test("writes of none that failed before the setting was on", async () => {
    const { shop, failed } = await opened();
    await advance(shop, worker, 2);
    expect(await failed()).toHaveLength(1);
    await set(shop, { notify_every_retry: true });
    await advance(shop, worker, 1);
    expect(await failed()).toHaveLength(2);
    await set(shop, { notify_every_retry: false });
    await advance(shop, worker, 5);
    expect(await failed()).toHaveLength(2);
  });
});

test("an account that does not is the usual one: its customers are told of the first failure, and of the end", async () => {
  const { shop, postbox, failed } = await opened();
  await advance(shop, worker, 8);
  expect(await failed()).toHaveLength(1);
  expect(await postbox.list({ kind: "payment_ended" })).toHaveLength(1);
});

test("the setting's change is an entry of the account's history, with the values of the API", async () => {
  const { shop } = await opened({ notify_every_retry: true });
  const query = { types: "account.updated" };
  const { body } = await worker.call<Json>(shop.api, "GET", "/api/events", { query });
  expect(body.data.map(({ changes }: Json) => changes)).toContainEqual({
    notify_every_retry: { from: false, to: true },
  });
});
