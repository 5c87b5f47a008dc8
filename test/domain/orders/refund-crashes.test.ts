/** A refund is paid once and never more than was paid, wherever an isolate ends and however many ask at once. */
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { deployment } from "../../support/client.ts";
import { deliver, read } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { later, useShop } from "../../support/worker.ts";
import { orderActions, ownOrders } from "./own-orders.ts";

const { shop, worker } = useShop();
const { placed, order, refunds, refund, ledgerOf } = ownOrders(shop, worker);

/** The deployment whose isolate ends around the first batch that matches. */
function broken(matching: RegExp, moment: "before" | "after"): Bindings {
  let isBroken = false;
  const once = async () => {
    if (isBroken) return;
    isBroken = true;
    await isolateEnded();
  };
  return { ...env, ...worker.bindings, DB: interrupted(matching, { [moment]: once }) };
}

/** Cron, until nothing is left to do. */
async function settle(): Promise<void> {
  for (let minute = 0; minute < 4; minute++) await later(worker, 130);
  vi.useRealTimers();
}

const methods = ["pm_success", "pm_refund_pending", "pm_refund_timeout", "pm_refund_timeout_not_made"];

describe.each(methods)("ten refunds at once, with %s", (method) => {
  test("pay back no more than the order has cost: three of 3.00 of 10.00", async () => {
    const { id, subscriptionId } = await placed(method);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: 3 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...[201, 201, 201],
      ...Array.from({ length: 7 }, () => 400),
    ]);
    await worker.drain();
    await settle();
    const paid = { amount: 300, state: "SUCCEEDED" };
    expect(await ledgerOf(subscriptionId)).toEqual([paid, paid, paid]);
    expect(await order(id)).toMatchObject({ status: "PARTIALLY_REFUNDED", refunded_amount: 9 });
    expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 1 });
    expect((await orderActions(id)).filter((action) => action === "order_refunded")).toHaveLength(3);
  });

  test("for all that is left: one is paid", async () => {
    const { id, subscriptionId } = await placed(method);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    await worker.drain();
    await settle();
    expect(await ledgerOf(subscriptionId)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
    expect(await order(id)).toMatchObject({ status: "REFUNDED", refunded_amount: 10 });
  });
});

test("its message ten times at once pays once", async () => {
  const { id, subscriptionId } = await placed();
  await refund(id);
  const [job] = worker.sent();
  worker.forget();
  await Promise.all(Array.from({ length: 10 }, () => deliver([job])));
  await deliver([job]);
  await settle();
  expect(await ledgerOf(subscriptionId)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  expect((await orderActions(id)).filter((action) => action === "order_refunded")).toHaveLength(1);
});

test("a refund whose message is lost is found by cron", async () => {
  const { id, subscriptionId } = await placed();
  await refund(id);
  worker.forget();
  await settle();
  expect(await ledgerOf(subscriptionId)).toHaveLength(1);
  expect(await refunds(id)).toMatchObject([{ status: "SUCCEEDED" }]);
});

describe.each(["before", "after"] as const)("an isolate that ends %s", (moment) => {
  test("the request is recorded leaves one refund or none, which is paid once", async () => {
    const { id, subscriptionId } = await placed();
    const call = deployment(broken(/insert into "order_refunds"/i, moment));
    const path = `/api/subscriptions/orders/${id}/refunds`;
    const answer = await call(shop.admin, "POST", path, { body: {} });
    expect(answer.status).toBe(500);
    worker.forget();
    const asked = moment === "after" ? 1 : 0;
    expect(await refunds(id)).toHaveLength(asked);
    await settle();
    expect(await ledgerOf(subscriptionId)).toHaveLength(asked);
    expect(await order(id)).toMatchObject({ refunded_amount: asked * 10 });
  });

  test.each([
    ["the refund is taken", /update "order_refunds" set .*"tries"/i],
    ["the store has heard of it", /insert into sandbox_refunds/i],
    ["the outcome is recorded", /update "order_refunds" set .*"status"/i],
  ])("%s pays it back once", async (_, batch) => {
    const { id, subscriptionId } = await placed();
    await refund(id, { amount: 4 });
    const [job] = worker.sent();
    worker.forget();
    expect((await deliver([job], { bindings: broken(batch, moment) })).retried).toHaveLength(1);
    await deliver([job], { attempts: 2 });
    await settle();
    expect(await ledgerOf(subscriptionId)).toEqual([{ amount: 400, state: "SUCCEEDED" }]);
    expect(await refunds(id)).toMatchObject([{ status: "SUCCEEDED", amount: 4 }]);
    expect(await order(id)).toMatchObject({ status: "PARTIALLY_REFUNDED", refunded_amount: 4 });
    expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 6 });
    expect((await orderActions(id)).filter((action) => action === "order_refunded")).toHaveLength(1);
  });
});
