/** A cancelled subscription is charged no more, and a reactivated one begins anew by its old rhythm. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../../src/base/lib/ids.ts";
import { api, type Caller } from "../../../support/client.ts";
import { execute } from "../../../support/database.ts";
import {
  actionsOf,
  addPlan,
  addReason,
  done,
  entriesOf,
  force,
  inDays,
  itemOf,
  type Json,
  on,
  refusal,
  rowOf,
  subscribe,
} from "../../../support/shops.ts";
import { customer as stranger } from "../../../support/tenant.ts";
import { useAccount } from "../../../support/use-account.ts";

const shop = useAccount();
const other = useAccount();

function ask(id: string, part: string, body?: unknown) {
  return api<Json>(shop.api, "POST", on(id, part), body === undefined ? {} : { body });
}

function datesOf(date: string) {
  return { next_delivery_date: date, next_billing_date: date };
}

describe("cancel", () => {
  test("leaves no next dates, and what a pause had said is gone", async () => {
    const cancellation_reason_id = await addReason(shop, "cancellation", { label: "Dear" });
    const id = await subscribe(shop);
    await done(shop.api, "POST", id, "pause", { reason: "Away", pause_until: inDays(30) });
    const cancelled = await done(shop.api, "POST", id, "cancel", { cancellation_reason_id });
    expect(cancelled).toMatchObject({
      status: "CANCELLED",
      cancellation_reason: "Dear",
      cancellation_reason_id,
      next_billing_date: null,
      next_delivery_date: null,
      next_production_date: null,
      payment_day_of_week: null,
      paused_at: null,
      pause_reason: null,
    });
    expect((await rowOf(id)).pause_until).toBeNull();
    expect((await entriesOf(id)).at(-1)?.metadata).toEqual({
      cancellation_reason: { id: cancellation_reason_id, label: "Dear" },
    });
    expect((await api(shop.api, "GET", on(id, "upcoming"))).body).toEqual({ data: [] });
  });

  test("for a reason with a note shows the reason; the note stands in the history alone", async () => {
    const cancellation_reason_id = await addReason(shop, "cancellation", { label: "Dear" });
    const id = await subscribe(shop);
    const body = { cancellation_reason_id, reason: "Lost my job" };
    const cancelled = await done(shop.customer, "POST", id, "cancel", body);
    expect(cancelled).toMatchObject({ cancellation_reason: "Dear", cancellation_reason_id });
    expect(JSON.stringify(cancelled)).not.toContain("Lost my job");
    expect((await entriesOf(id)).at(-1)?.metadata).toEqual({
      cancellation_reason: { id: cancellation_reason_id, label: "Dear", note: "Lost my job" },
    });
    const unlisted = await subscribe(shop);
    expect(await done(shop.api, "POST", unlisted, "cancel", { reason: "Moved" })).toMatchObject({
      cancellation_reason: "Moved",
      cancellation_reason_id: null,
    });
  });

  test("unknown cancellation reasons", async () => {
    const id = await subscribe(shop);
    const unknown = [
      newId(),
      await addReason(shop, "cancellation", { is_active: false }),
      await addReason(shop, "pause"),
      await addReason(other, "cancellation"),
    ];
    for (const cancellation_reason_id of unknown)
      expect(refusal(await ask(id, "cancel", { cancellation_reason_id }))).toEqual([
        400,
        "UNKNOWN_CANCELLATION_REASON",
      ]);
  });

  test("before min_cycles a customer's is 409, the merchant's is done; from min_cycles on everybody's", async () => {
    const plan = await addPlan(shop, { min_cycles: 3 });
    const id = await subscribe(shop, { lines: [itemOf(plan)] });
    const mayCancel = async (as: Caller) =>
      (await api<Json>(as, "GET", on(id))).body.data.can_cancel as boolean;
    for (const cycle of [1, 2, 3]) {
      await force(id, { current_billing_cycle: cycle });
      expect([await mayCancel(shop.customer), await mayCancel(shop.api)]).toEqual([false, true]);
      expect(refusal(await api<Json>(shop.customer, "POST", on(id, "cancel")))).toEqual([
        409,
        "INVALID_STATE",
      ]);
    }
    await force(id, { current_billing_cycle: 4 });
    expect(await mayCancel(shop.customer)).toBe(true);
    expect((await done(shop.customer, "POST", id, "cancel")).status).toBe("CANCELLED");
    for (const caller of [shop.api, shop.admin]) {
      const another = await subscribe(shop, { lines: [itemOf(plan)] });
      expect((await done(caller, "POST", another, "cancel")).status).toBe("CANCELLED");
    }
  });
});

describe("reactivate", () => {
  const ended = async (columns: Record<string, string | number | null> = {}, more: object = {}) => {
    const id = await subscribe(shop, more);
    await force(id, columns);
    await done(shop.api, "POST", id, "cancel", { reason: "Enough" });
    return id;
  };

  test("clears why it ended, counts cycles anew, and delivers by its old rhythm from tomorrow on", async () => {
    const at = { anchor_date: inDays(-23), next_index: 2, next_billed_index: 2 };
    const id = await ended({ current_billing_cycle: 5, ...at });
    const live = await done(shop.api, "POST", id, "reactivate");
    expect(live).toMatchObject({
      status: "ACTIVE",
      cancelled_at: null,
      cancellation_reason: null,
      cancellation_reason_id: null,
      current_billing_cycle: 1,
      ...datesOf(inDays(5)),
    });
    expect(await rowOf(id)).toMatchObject({ activation: 2, next_index: 0, next_billed_index: 0 });
  });

  test("with next_delivery_date: from that day on", async () => {
    const id = await ended();
    const live = await done(shop.api, "POST", id, "reactivate", { next_delivery_date: inDays(11) });
    expect(live).toMatchObject(datesOf(inDays(11)));
    expect((await rowOf(id)).anchor_date).toBe(inDays(11));
  });

  test("EXPIRED goes on too, with all of its cycles", async () => {
    const plan = await addPlan(shop, { max_cycles: 2 });
    const id = await subscribe(shop, { lines: [itemOf(plan)] });
    await force(id, {
      status: "EXPIRED",
      current_billing_cycle: 3,
      next_delivery_date: null,
      next_billing_date: null,
    });
    const live = await done(shop.api, "POST", id, "reactivate");
    expect([live.status, live.current_billing_cycle]).toEqual(["ACTIVE", 1]);
    expect((await api(shop.api, "GET", on(id, "upcoming"))).body.data).toHaveLength(2);
  });

  test.each(["resume", "reactivate"])(
    "%s on a past date is 400 also where it cannot be done: the body before the state",
    async (part) => {
      const ids = { cancelled: await ended(), paused: await subscribe(shop) };
      await done(shop.api, "POST", ids.paused, "pause");
      for (const [state, id] of Object.entries(ids)) {
        const { status } = await ask(id, part, { next_delivery_date: inDays(-1) });
        expect.soft([state, status]).toEqual([state, 400]);
      }
    },
  );

  test("what a skip did before is history: it cannot be undone in the new life", async () => {
    const id = await subscribe(shop);
    await done(shop.api, "POST", id, "skip", { skip_weeks: 1 });
    await done(shop.api, "POST", id, "cancel");
    await done(shop.api, "POST", id, "reactivate");
    expect(refusal(await ask(id, "unskip"))).toEqual([409, "INVALID_STATE"]);
  });
});

describe("order of checks", () => {
  const request = async (more: Parameters<typeof api>[3], as = shop.api, id?: string) =>
    refusal(await api<Json>(as, "POST", on(id ?? newId(), "pause"), more ?? {}));
  const bad = { body: { pause_until: "tomorrow", nonsense: 1 } };

  test("401 and 403, then 415 and 413, then 400 schema, then 404, then 400 reference, then 409", async () => {
    const nobody = { credentials: {} };
    const plain = { raw: "x", headers: { "Content-Type": "text/plain" } };
    expect(await request(plain, nobody)).toEqual([401, "UNAUTHENTICATED"]);
    const lines = await api<Json>(shop.customer, "POST", on(newId(), "lines"), plain);
    expect(refusal(lines)).toEqual([403, "FORBIDDEN"]);
    expect(await request(plain)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    const large = { raw: " ".repeat(1_100_000), headers: { "Content-Type": "application/json" } };
    expect(await request(large)).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(await request(bad)).toEqual([400, "VALIDATION_FAILED"]);
    expect(await request({ query: { dry_run: "maybe" } })).toEqual([400, "VALIDATION_FAILED"]);
    expect(await request({ body: { pause_reason_id: newId() } })).toEqual([404, "NOT_FOUND"]);
    const cancelled = await subscribe(shop);
    await done(shop.api, "POST", cancelled, "cancel");
    expect(await request({ body: { pause_reason_id: newId() } }, shop.api, cancelled)).toEqual([
      400,
      "UNKNOWN_PAUSE_REASON",
    ]);
    expect(await request({}, shop.api, cancelled)).toEqual([409, "INVALID_STATE"]);
    const { customer } = { customer: await stranger(shop.of) };
    expect(await request({ body: { pause_reason_id: newId() } }, customer, cancelled)).toEqual([
      404,
      "NOT_FOUND",
    ]);
  });

  test("another account's subscription is 404", async () => {
    const id = await subscribe(other);
    expect(await request({}, shop.api, id)).toEqual([404, "NOT_FOUND"]);
    expect(await actionsOf(id)).toEqual(["subscription_created"]);
  });

  test("a reason that another account has with our id's name does not help", async () => {
    const reason = await addReason(shop, "pause");
    await execute(
      "UPDATE reasons SET account_seq = (SELECT seq FROM accounts WHERE id = ?) WHERE id = ?",
      other.of.account.id,
      reason,
    );
    const id = await subscribe(shop);
    expect(await request({ body: { pause_reason_id: reason } }, shop.api, id)).toEqual([
      400,
      "UNKNOWN_PAUSE_REASON",
    ]);
  });
});
