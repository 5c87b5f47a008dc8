/** Dunning stands still while a dispute is open, and a refund of a disputed payment is refused. */
import { beforeEach, describe, expect, test } from "vitest";
import { cellsIn, forecast } from "../../domain/goods/forecasts.ts";
import { select } from "../../support/database.ts";
import {
  addPlan,
  deliver,
  done,
  force,
  inDays,
  itemOf,
  type Json,
  on,
  read,
  refusal,
  rowOf,
} from "../../support/shops.ts";
import { setClock } from "../../support/worker.ts";
import { subscribed } from "./account.ts";
import { intentsOf, newestOf, settled, shipped } from "./charging.ts";
import { dueToday, useDisputes } from "./disputing.ts";
import { arrive } from "./hooks.ts";

const { account, call, closed, disputed, order, paid, reasonOf } = useDisputes();
let id: string;
let intent: string;
beforeEach(() => {
  ({ id, intent } = paid);
});

describe("dunning", () => {
  const declined = async (): Promise<string> => {
    const card = account.stripe.addPaymentMethod(account.customer, "pm_card_chargeCustomerFail").id;
    await call(account.merchant.admin, "PUT", on(id, "payment-method"), {
      body: { store_payment_method_id: card },
    });
    await shipped(account, id);
    const [{ id: episode }] = (await call(account.merchant.api, "GET", on(id, "dunning-episodes"))).body.data;
    return episode;
  };
  const episode = async () =>
    (await call(account.merchant.api, "GET", on(id, "dunning-episodes"))).body.data[0];

  test("stands still while a dispute is open, and goes on as long after as it stood still", async () => {
    await declined();
    const { next_retry_at: before } = await episode();
    const dispute = await disputed();
    expect(await episode()).toMatchObject({ status: "OPEN", next_retry_at: null, attempt_count: 1 });
    setClock(Date.now() + 20 * 86_400_000);
    await account.worker.tick();
    expect(await read(account.merchant, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: true });
    await closed(dispute, "won");
    const { next_retry_at: after } = await episode();
    expect(Math.round((Date.parse(after) - Date.parse(before)) / 86_400_000)).toBe(20);
  });

  test("does not begin by a decline that comes while a dispute is open", async () => {
    await force(id, dueToday);
    const card = account.stripe.addPaymentMethod(account.customer, "pm_card_chargeCustomerFail").id;
    await call(account.merchant.admin, "PUT", on(id, "payment-method"), {
      body: { store_payment_method_id: card },
    });
    await account.worker.call<Json>(account.merchant.admin, "POST", on(id, "ship-now"), {
      body: { allow_repeat: true },
    });
    const [job] = account.worker.sent();
    account.worker.forget();
    account.stripe.fail({ kind: "network", effect: "done", on: "payment_intents.confirm" });
    await deliver([job], account.worker);
    account.worker.forget();
    await account.stripe.takeWebhooks();
    const dispute = await disputed();
    await settled(account, 5);
    expect(await newestOf(account, id)).toMatchObject({ status: "FAILED" });
    expect(await read(account.merchant, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: false });
    await closed(dispute, "won");
    await settled(account, 5);
    expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: true });
  });
});

test("a wait whose try a dispute has withdrawn is tried once that is won", async () => {
  const waiting = { billing_waiting_since: "2026-01-01T00:00:00.000Z", billing_wait_count: 1 };
  const dispute = await disputed();
  await force(id, { ...waiting, billing_blocked_reason: "amount_not_chargeable", billing_retry_at: null });
  await closed(dispute, "won");
  expect((await rowOf(id)).billing_retry_at).toEqual(expect.any(String));
  await settled(account);
  expect(intentsOf(account, id).filter(({ status }) => status === "succeeded")).toHaveLength(2);
});

describe("where a dispute shows", () => {
  test("the list finds it by billing_blocked, among those that other reasons block", async () => {
    const other = await subscribed(account);
    const query = { billing_blocked: true };
    const found = async (): Promise<string[]> =>
      (await call(account.merchant.admin, "GET", "/api/subscriptions", { query })).body.data.map(
        (one: Json) => one.id,
      );
    expect(await found()).toEqual([]);
    await disputed();
    expect(await found()).toEqual([id]);
    expect(
      (
        await call(account.merchant.admin, "GET", "/api/subscriptions", { query: { billing_blocked: false } })
      ).body.data.map((one: Json) => one.id),
    ).toEqual([other]);
  });

  test.each([
    [{ billing_blocked_reason: "import_held" }, "import_held"],
    [{ billing_blocked_reason: "currency_mismatch", open_attempt_id: "review" }, "currency_mismatch"],
    [{ billing_blocked_reason: "amount_not_chargeable" }, "disputed"],
    [{ billing_blocked_reason: "currency_mismatch" }, "disputed"],
  ])("beside %o billing is blocked by %s", async (columns, reason) => {
    await disputed();
    await force(id, columns);
    expect(await reasonOf()).toBe(reason);
  });

  test("nothing is packed of what a disputed payment keeps from being charged, and what is paid for still is", async () => {
    const { merchant } = account;
    const terms = { ...{ billing_interval: "WEEK", billing_interval_count: 8 }, delivery_interval: "WEEK" };
    const plan = await addPlan(merchant, { ...terms, delivery_interval_count: 2 });
    const prepaid = await subscribed(account, {
      lines: [itemOf(plan, { store_variant_id: "prepaid", price: 40 })],
    });
    await shipped(account, prepaid);
    for (const [each, days] of [
      [id, 3],
      [prepaid, 4],
    ] as const)
      await done(merchant.api, "PUT", each, "schedule", { next_delivery_date: inDays(days) });
    const days = { from: inDays(2), to: inDays(5), horizon: "next", by: "delivery_date" };
    const planned = async () => cellsIn(await forecast(merchant, days));
    const both = [`${inDays(3)} kibble-2kg 0/2/0`, `${inDays(4)} prepaid 0/1/0`];
    expect(await planned()).toEqual(both);
    const first = await disputed();
    const second = account.stripe.dispute(intentsOf(account, prepaid)[0]!.id).id;
    await arrive(account);
    for (const each of [id, prepaid])
      expect(await read(merchant, each)).toMatchObject({ billing_blocked_reason: "disputed" });
    expect(await planned()).toEqual(both.slice(1));
    const upcoming = await call(merchant.admin, "GET", on(prepaid, "upcoming"));
    expect(upcoming.body.data[0]).toMatchObject({ delivery_date: inDays(4) });
    for (const dispute of [first, second]) await closed(dispute, "won");
    expect(await planned()).toEqual(both);
  });

  test("no reminder of a charge is due, and one is again once it is won", async () => {
    const remindable = async () =>
      (await select("SELECT remind_of FROM subscriptions WHERE id = ? AND remind_of IS NOT NULL", id)).length;
    expect(await remindable()).toBe(1);
    const dispute = await disputed();
    expect(await remindable()).toBe(0);
    await closed(dispute, "won");
    expect(await remindable()).toBe(1);
  });
});

describe("a refund of a disputed payment", () => {
  const refund = () =>
    account.worker.call<Json>(
      account.merchant.admin,
      "POST",
      `/api/subscriptions/orders/${orderId}/refunds`,
      {
        body: { amount: 5 },
      },
    );
  let orderId: string;
  beforeEach(async () => {
    orderId = (await order()).id;
  });

  test("is refused while the dispute is known to be open", async () => {
    await disputed();
    const answer = await refund();
    expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toContain("disputes the payment");
  });

  test("fails, in Stripe's words, where Stripe knows of the dispute first", async () => {
    account.stripe.dispute(intent);
    expect((await refund()).status).toBe(201);
    await account.worker.drain();
    const { data } = (
      await call(account.merchant.admin, "GET", `/api/subscriptions/orders/${orderId}/refunds`)
    ).body;
    expect(data).toMatchObject([
      { status: "FAILED", error_message: expect.stringContaining("charged back") },
    ]);
    expect(await order()).toMatchObject({ status: "PAID", refunded_amount: 0 });
  });

  test("pays back as an answer to an inquiry", async () => {
    await disputed({ isInquiry: true });
    expect((await refund()).status).toBe(201);
    await account.worker.drain();
    expect(await order()).toMatchObject({ refunded_amount: 5 });
  });
});
