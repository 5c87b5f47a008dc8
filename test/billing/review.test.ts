import { expect, test } from "vitest";
import { settleReview } from "../../src/billing/actions/review.ts";
import { sandboxStore } from "../../src/store/sandbox/adapter.ts";
import { ctxOn } from "../support/ctx.ts";
import { execute, testDb } from "../support/database.ts";
import { actionsOf, inDays, read } from "../support/lives.ts";
import { attemptsOf, linked, ordersOf, shipNow, useShop } from "../support/machine.ts";

const { shop, worker } = useShop();

/** The system, as the operator's command acts. */
const operator = () =>
  ctxOn(testDb(), shop.of.account, {
    actor: { type: "system", name: null },
    realNow: new Date().toISOString(),
    store: sandboxStore(testDb(), shop.of.account.id, new Date().toISOString()),
  });

/** A subscription whose attempt waits for people. */
const underReview = async (): Promise<{ id: string; attemptId: string }> => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
  const attemptId: string = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  worker.forget();
  await execute("UPDATE billing_attempts SET status = 'REVIEW', claims = 1 WHERE id = ?", attemptId);
  return { id, attemptId };
};

test("found to be charged: the order is made, and the schedule goes on", async () => {
  const { id, attemptId } = await underReview();
  expect(await settleReview(operator(), attemptId, "gid://order/77")).toMatchObject({ status: "SUCCEEDED" });
  expect(await ordersOf(shop, id)).toMatchObject([{ store_order_id: "gid://order/77", total: 10 }]);
  expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 10 });
});

test("found not to be charged: the cycle is free, without dunning", async () => {
  const { id, attemptId } = await underReview();
  await settleReview(operator(), attemptId, null);
  expect((await attemptsOf(shop, id))[0]).toMatchObject({ status: "CANCELLED", error_code: "not_charged" });
  expect(await read(shop, id)).toMatchObject({ is_in_dunning: false, current_billing_cycle: 1 });
  expect((await actionsOf(id)).at(-1)).toBe("billing_failed");
  const { body } = await shipNow(shop, worker, id, { delivery_date: inDays(3) });
  await worker.drain();
  expect((await attemptsOf(shop, id))[0]).toMatchObject({
    id: body.billing_attempt_id,
    attempt_number: 1,
    status: "SUCCEEDED",
  });
});

test("an attempt that is not under review, or unknown, is refused", async () => {
  const { attemptId } = await underReview();
  await settleReview(operator(), attemptId, null);
  await expect(settleReview(operator(), attemptId, null)).rejects.toMatchObject({ code: "INVALID_STATE" });
  await expect(settleReview(operator(), "unknown", null)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
