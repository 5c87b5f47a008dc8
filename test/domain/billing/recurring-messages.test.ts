/** A billing message that is lost, doubled, late or foreign leads to one charge and one order. */
import { describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { select } from "../../support/database.ts";
import { actionsOf, deliver, done, openShop, rowOf, type Shop, subscribe } from "../../support/shops.ts";
import { attemptsOf, chargesOf, later, linked, ordersOf, setClock, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

function dueOn(at: Shop, next_delivery_date: string, more: object = {}) {
  return linked(at, worker, { next_delivery_date, ...more });
}

describe("messages", () => {
  /** An attempt whose message has been lost. */
  const unsent = async (): Promise<{ id: string; attempt_id: string }> => {
    setClock("2026-03-03T00:00:00.000Z");
    const id = await dueOn(shop, "2026-03-20");
    const { body } = await worker.call(shop.api, "POST", `/api/subscriptions/${id}/ship-now`);
    worker.forget();
    return { id, attempt_id: body.billing_attempt_id };
  };
  const charge = (attempt_id: string) => ({ type: "charge", account_id: shop.of.account.id, attempt_id });

  test("a lost one is sent again by a tick after a minute, not before", async () => {
    const { id } = await unsent();
    await later(worker, 59);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "QUEUED" }]);
    await later(worker, 1);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    await later(worker, 120);
    expect(await chargesOf(id)).toHaveLength(1);
  });

  test("delivered twice, in parallel and late: one charge, one order", async () => {
    const { id, attempt_id } = await unsent();
    const job = charge(attempt_id);
    await Promise.all([deliver([job, job]), deliver([job]), deliver([job, job])]);
    await later(worker, 61);
    expect(await deliver([job])).toEqual({ acked: ["message-0"], retried: [] });
    vi.useRealTimers();
    expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
    expect(await ordersOf(shop, id)).toHaveLength(1);
    expect((await actionsOf(id)).slice(2)).toEqual(["ship_now_requested", "billing_succeeded"]);
  });

  test("of an attempt nobody knows, or of another account's: acknowledged", async () => {
    const { id, attempt_id } = await unsent();
    const other = await openShop();
    const foreign = { ...charge(attempt_id), account_id: other.of.account.id };
    expect(await deliver([charge(newId()), foreign])).toEqual({
      acked: ["message-0", "message-1"],
      retried: [],
    });
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "QUEUED" }]);
  });

  test("a message that comes too early, or names another account's record, does nothing", async () => {
    setClock("2026-03-02T08:00:00.000Z");
    const id = await dueOn(shop, "2026-03-03");
    const other = await openShop();
    const processDue = (account_id: string) => ({
      type: "process_due",
      account_id,
      subscription_ids: [id, newId()],
    });
    await deliver([processDue(shop.of.account.id)]);
    setClock("2026-03-03T08:00:00.000Z");
    await deliver([processDue(other.of.account.id)]);
    expect(await attemptsOf(shop, id)).toEqual([]);
    await done(shop.api, "POST", id, "cancel");
  });

  test("45 due at once, more than a message names, are all billed, once each", async () => {
    const other = await openShop();
    setClock("2026-03-02T08:00:00.000Z");
    const ids: string[] = [];
    for (let nth = 0; nth < 45; nth++) ids.push(await subscribe(other, { next_delivery_date: "2026-03-03" }));
    setClock("2026-03-03T08:00:00.000Z");
    await worker.tick();
    await worker.tick();
    const orders = await select(
      "SELECT id FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      other.of.account.id,
    );
    expect(orders).toHaveLength(45);
    expect(new Set((await Promise.all(ids.map(rowOf))).map((row) => row.next_billing_date))).toEqual(
      new Set(["2026-03-10"]),
    );
  });
});
