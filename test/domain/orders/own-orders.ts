import { expect } from "vitest";
import type { Answer, Caller, RequestOptions } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { inDays, type Json, type Shop } from "../../support/shops.ts";
import { linked, ordersOf, shipNow, type TestWorker } from "../../support/worker.ts";

/** The operations on orders that are kept here, through the Worker under test. */
export function ownOrders(shop: Shop, worker: TestWorker) {
  const call = (
    method: "GET" | "POST" | "PUT",
    id: string,
    part: string,
    body?: object,
    { as = shop.admin, ...options }: RequestOptions & { as?: Caller } = {},
  ): Promise<Answer<Json>> =>
    worker.call(as, method, `/api/subscriptions/orders/${id}${part}`, {
      ...options,
      ...(body === undefined ? {} : { body }),
    });

  /** An order of 10.00 that was charged by a payment method, and its subscription. */
  const placed = async (method = "pm_success", more: object = {}) => {
    const of = { store_payment_method_id: method, next_delivery_date: inDays(7), ...more };
    const subscriptionId = await linked(shop, worker, of);
    await shipNow(shop, worker, subscriptionId);
    await worker.drain();
    const [order] = await ordersOf(shop, subscriptionId);
    return { id: order.id as string, subscriptionId };
  };

  return {
    call,
    placed,
    order: async (id: string): Promise<Json> => (await call("GET", id, "")).body.data,
    refunds: async (id: string): Promise<Json[]> => (await call("GET", id, "/refunds")).body.data,
    refund: (id: string, body: object = {}, options: RequestOptions & { as?: Caller } = {}) =>
      call("POST", id, "/refunds", body, options),
    /** The amount and the state of each refund in the sandbox store's ledger, oldest first. */
    ledgerOf: (subscriptionId: string): Promise<{ amount: number; state: string }[]> =>
      select(
        `SELECT r.amount, r.state FROM sandbox_refunds AS r JOIN sandbox_charges AS c
          ON c.account_seq = r.account_seq AND c.charge_number = r.charge_number
          WHERE c.subscription_id = ? ORDER BY r.refund_number`,
        subscriptionId,
      ),
  };
}

/** The actions of an order's history, oldest first. */
export async function orderActions(id: string): Promise<string[]> {
  const rows = await select<{ action: string }>(
    "SELECT action FROM activity_logs WHERE loggable_id = ? ORDER BY sequence",
    id,
  );
  return rows.map(({ action }) => action);
}

export function expectConflict({ status, body }: Answer<Json>, saying: RegExp): void {
  expect([status, body.errorCode]).toEqual([409, "INVALID_STATE"]);
  expect(body.error).toMatch(saying);
}
