/** A dispute is told once, stops the billing of its subscription, and lets it go on once it is won. */
import { beforeEach, describe, expect, test } from "vitest";
import { execute, select } from "../../support/database.ts";
import {
  actionsOf,
  deliver,
  done,
  force,
  inDays,
  type Json,
  on,
  read,
  refusal,
  rowOf,
} from "../../support/shops.ts";
import { bearer, token } from "../../support/tenant.ts";
import { setClock } from "../../support/worker.ts";
import { subscribed } from "./account.ts";
import { apiOf } from "./api.ts";
import {
  attemptRows,
  expectChargedOnce,
  intentsOf,
  loseAttempts,
  newestOf,
  settled,
  shipped,
} from "./charging.ts";
import { dueToday, useDisputes } from "./disputing.ts";
import { arrive, deliveriesOf, receive } from "./hooks.ts";

const { account, call, charges, closed, disputed, due, entries, order, paid, reasonOf, resume, settings } =
  useDisputes();
let id: string;
let intent: string;
beforeEach(() => {
  ({ id, intent } = paid);
});

describe("a dispute", () => {
  test("is shown by its order, told once, and keeps the subscription from being billed", async () => {
    const dispute = await disputed({ reason: "product_not_received" }, { times: 3, order: "reversed" });
    expect(await reasonOf()).toBe("disputed");
    expect((await order()).dispute).toEqual({
      id: expect.any(String),
      store_dispute_id: dispute,
      status: "NEEDS_RESPONSE",
      is_inquiry: false,
      amount: 20,
      currency_code: "EUR",
      reason: "product_not_received",
      opened_at: expect.any(String),
      closed_at: null,
    });
    expect(await entries()).toEqual([
      {
        store_order_id: intent,
        dispute_id: (await order()).dispute.id,
        store_dispute_id: dispute,
        dispute_status: "NEEDS_RESPONSE",
        is_inquiry: false,
        amount: 20,
        currency_code: "EUR",
        reason: "product_not_received",
        billing_is_blocked: true,
      },
    ]);
    expect(await order()).toMatchObject({ status: "PAID", refunded_amount: 0 });
    expect(await read(account.merchant, id)).toMatchObject({ total_revenue: 20, is_in_dunning: false });
    await due();
    expect([charges(), (await attemptRows(id)).length]).toEqual([1, 1]);
    expect(await read(account.merchant, id)).toMatchObject({
      next_billing_date: inDays(0),
      status: "ACTIVE",
      can_retry_payment: false,
    });
  });

  test("lets nobody bill meanwhile: ship-now and retry-payment answer NOT_BILLABLE", async () => {
    await disputed();
    for (const what of ["ship-now", "retry-payment"]) {
      await force(id, what === "ship-now" ? {} : { billing_waiting_since: "2026-01-01T00:00:00.000Z" });
      const answer = await call(account.merchant.admin, "POST", on(id, what), { body: {} });
      expect(refusal(answer)).toEqual([409, "NOT_BILLABLE"]);
      expect(answer.body.details).toMatchObject([{ path: "billing_blocked_reason" }]);
      const dry = await call(account.merchant.admin, "POST", on(id, what), {
        body: {},
        query: { dry_run: true },
      });
      expect(refusal(dry)).toEqual([409, "NOT_BILLABLE"]);
    }
    expect(charges()).toBe(1);
  });

  test("has no deliveries planned while it is open, and those of the schedule again once it is won", async () => {
    const upcoming = async () =>
      (await call(account.merchant.admin, "GET", on(id, "upcoming"), { query: { count: 2 } })).body.data;
    const before = await upcoming();
    const dispute = await disputed();
    expect(await upcoming()).toEqual([]);
    await closed(dispute, "won");
    expect(await upcoming()).toEqual(before);
  });

  test("that is won lets billing go on: what fell due meanwhile is billed, once", async () => {
    const dispute = await disputed();
    await due();
    await closed(dispute, "won");
    expect([await reasonOf(), (await order()).dispute]).toMatchObject([
      null,
      { status: "WON", closed_at: expect.any(String) },
    ]);
    await settled(account);
    expect(charges()).toBe(2);
    expect(
      (await entries()).map(({ dispute_status, billing_is_blocked }) => [dispute_status, billing_is_blocked]),
    ).toEqual([
      ["NEEDS_RESPONSE", true],
      ["WON", false],
    ]);
    await expectChargedOnce(account, id);
  });

  test("that goes on to a state of which nobody knows yet is open: its customer is not charged until it is over", async () => {
    const dispute = await disputed();
    account.stripe.changeDispute(dispute, "a_state_of_next_year" as "under_review");
    await arrive(account);
    await due();
    expect([await reasonOf(), charges()]).toEqual(["disputed", 1]);
    expect((await order()).dispute).toMatchObject({ status: "UNDER_REVIEW", closed_at: null });
    expect((await entries()).at(-1)).toMatchObject({
      ...{ dispute_status: "UNDER_REVIEW", billing_is_blocked: true },
    });
    expect(await rowOf(id)).toMatchObject({ open_attempt_id: null, disputed_at: expect.any(String) });
    await closed(dispute, "won");
    await settled(account);
    expect([await reasonOf(), charges()]).toEqual([null, 2]);
  });

  test("that is lost blocks until a person acts, who is never the customer", async () => {
    const dispute = await disputed();
    await closed(dispute, "lost");
    await due();
    expect([await reasonOf(), charges()]).toEqual(["disputed", 1]);
    expect((await order()).dispute).toMatchObject({ status: "LOST" });
    const customer = bearer(
      await token(account.merchant.of, { actor_type: "customer", profile_id: account.profileId }),
    );
    expect(refusal(await resume(customer))).toEqual([403, "FORBIDDEN"]);
    for (const what of ["pause", "resume", "cancel", "reactivate"])
      expect((await call(customer, "POST", on(id, what), { body: {} })).status).toBe(200);
    expect(await reasonOf()).toBe("disputed");
    await force(id, dueToday);
    const dry = await resume(undefined, { dry_run: true });
    expect([dry.status, dry.body.data.billing_blocked_reason, await reasonOf()]).toEqual([
      200,
      null,
      "disputed",
    ]);
    const done = await resume();
    expect([done.status, done.body.data.billing_blocked_reason]).toEqual([200, null]);
    expect((await resume()).status).toBe(200);
    expect((await actionsOf(id)).filter((action) => action === "billing_resumed")).toHaveLength(1);
    await settled(account);
    expect(charges()).toBe(2);
    await closed(dispute, "lost");
    expect(await reasonOf()).toBeNull();
  });

  test("that is open is not overruled, unless the account says that disputes are to be ignored", async () => {
    await disputed();
    expect(refusal(await resume())).toEqual([409, "INVALID_STATE"]);
    expect(await reasonOf()).toBe("disputed");
    expect((await settings("ignore")).status).toBe(200);
    expect(await reasonOf()).toBe("disputed");
    expect((await resume()).body.data.billing_blocked_reason).toBeNull();
  });

  test("blocks nothing of an account that ignores disputes, and is shown all the same", async () => {
    await settings("ignore");
    const dispute = await disputed();
    expect([await reasonOf(), (await order()).dispute.status]).toEqual([null, "NEEDS_RESPONSE"]);
    await due();
    expect(charges()).toBe(2);
    await settings("block");
    await closed(dispute, "lost");
    expect(await reasonOf()).toBeNull();
    expect((await entries()).map(({ billing_is_blocked }) => billing_is_blocked)).toEqual([false, false]);
  });

  test("as an inquiry blocks too, takes no money, and lets billing go on once it is closed", async () => {
    const dispute = await disputed({ isInquiry: true });
    expect([await reasonOf(), (await order()).dispute]).toMatchObject([
      "disputed",
      { status: "NEEDS_RESPONSE", is_inquiry: true },
    ]);
    account.stripe.changeDispute(dispute, "warning_under_review");
    await arrive(account);
    expect((await order()).dispute).toMatchObject({ status: "UNDER_REVIEW", is_inquiry: true });
    await closed(dispute, "warning_closed");
    expect([await reasonOf(), (await order()).dispute]).toMatchObject([
      null,
      { status: "CLOSED", is_inquiry: true },
    ]);
  });

  test("that becomes a chargeback after an inquiry blocks again, whoever had resumed billing", async () => {
    const dispute = await disputed({ isInquiry: true });
    await settings("ignore");
    await resume();
    await settings("block");
    account.stripe.changeDispute(dispute, "warning_under_review");
    await arrive(account);
    expect(await reasonOf()).toBeNull();
    account.stripe.changeDispute(dispute, "needs_response");
    await arrive(account);
    expect(await reasonOf()).toBe("disputed");
  });

  test("of a second payment blocks on when the first is won", async () => {
    await shipped(account, id);
    const second = intentsOf(account, id).find((one) => one.id !== intent)!.id;
    const [one, other] = [account.stripe.dispute(intent), account.stripe.dispute(second)];
    await arrive(account);
    await closed(one.id, "won");
    expect(await reasonOf()).toBe("disputed");
    await closed(other.id, "won");
    expect(await reasonOf()).toBeNull();
  });

  test("that is over when its webhook comes is recorded as it is: won blocks nothing, lost waits for a person", async () => {
    const { id: won } = account.stripe.dispute(intent);
    account.stripe.closeDispute(won, "won");
    await arrive(account);
    expect([await reasonOf(), (await entries()).length]).toEqual([null, 1]);
    await shipped(account, id);
    const second = intentsOf(account, id).find((other) => other.id !== intent)!.id;
    const { id: lost } = account.stripe.dispute(second);
    account.stripe.closeDispute(lost, "lost");
    await arrive(account, { order: "reversed" });
    expect([await reasonOf(), (await entries()).length]).toEqual(["disputed", 2]);
  });

  test("of a payment that is still to be recorded is looked at later, and blocks then", async () => {
    await force(id, { next_billing_date: inDays(20) });
    const card = account.stripe.addPaymentMethod(account.customer, "pm_card_createDispute").id;
    const other = await subscribed({ ...account, card });
    const { body } = await account.worker.call<Json>(account.merchant.admin, "POST", on(other, "ship-now"), {
      body: {},
    });
    expect(body.success).toBe(true);
    const [job] = account.worker.sent();
    account.worker.forget();
    account.stripe.fail({ kind: "network", effect: "done", on: "payment_intents.confirm" });
    await deliver([job], { bindings: account.worker.bindings } as Json).catch(() => {});
    const disputes = async () => select("SELECT * FROM order_disputes WHERE subscription_id = ?", other);
    for (const request of await account.stripe.takeWebhooks()) await receive(account, request);
    await account.worker.drain({ soon: false });
    await settled(account, 75, Date.now(), 5);
    expect(await disputes()).toMatchObject([{ status: "NEEDS_RESPONSE", is_blocking: 1 }]);
    expect(await read(account.merchant, other)).toMatchObject({ billing_blocked_reason: "disputed" });
  });

  test("of a payment that has been recorded in thirty days by nobody is not asked about for ever", async () => {
    await loseAttempts(id);
    await done(account.merchant.api, "POST", id, "cancel", {});
    account.stripe.dispute(intent);
    for (const request of await account.stripe.takeWebhooks()) await receive(account, request);
    await account.worker.drain({ soon: false });
    const open = async () => (await deliveriesOf(account)).filter(({ done_at }) => done_at === null).length;
    expect(await open()).toBeGreaterThan(0);
    setClock(Date.now() + 31 * 86_400_000);
    await account.worker.tick(Date.now());
    await account.worker.drain();
    expect(await open()).toBe(0);
  });

  test("of a payment for something else is none of ours", async () => {
    const other = await apiOf(account.stripe).post("payment_intents", {
      ...{ amount: 1000, currency: "eur", customer: account.customer, payment_method: account.card },
      ...{ confirm: true, off_session: true, return_url: "https://shop.example" },
    });
    account.stripe.dispute(other.body.id);
    await arrive(account);
    expect(
      await select(
        "SELECT id FROM order_disputes WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        account.merchant.of.account.id,
      ),
    ).toEqual([]);
    expect((await deliveriesOf(account)).filter(({ done_at }) => done_at === null)).toEqual([]);
  });

  test("withdraws an attempt that was not sent yet", async () => {
    const { body } = await account.worker.call<Json>(account.merchant.admin, "POST", on(id, "ship-now"), {
      body: { allow_repeat: true },
    });
    account.worker.forget();
    await disputed();
    expect(await newestOf(account, id)).toMatchObject({ id: body.billing_attempt_id, status: "CANCELLED" });
    expect([charges(), (await rowOf(id)).open_attempt_id]).toEqual([1, null]);
  });

  test("lets nothing be sent of an attempt whose message comes late", async () => {
    await account.worker.call<Json>(account.merchant.admin, "POST", on(id, "ship-now"), {
      body: { allow_repeat: true },
    });
    const jobs = account.worker.sent();
    account.worker.forget();
    await execute("UPDATE subscriptions SET disputed_at = ? WHERE id = ?", new Date().toISOString(), id);
    await deliver(jobs, account.worker);
    await settled(account, 5);
    expect(charges()).toBe(1);
  });
});
