/** A paused subscription keeps its plan, and resumes on the first cycle from tomorrow on. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { dayOfWeek } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { faults } from "../../support/records.ts";
import {
  actionsOf,
  addPlan,
  addReason,
  addSlot,
  done,
  entriesOf,
  force,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  openShop,
  read,
  refusal,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
const other = useAccount();

function ask(id: string, part: string, body?: unknown) {
  return api<Json>(shop.api, "POST", on(id, part), body === undefined ? {} : { body });
}

function datesOf(date: string) {
  return { next_delivery_date: date, next_billing_date: date };
}

describe("pause", () => {
  test("keeps until when and why, and what the dates are", async () => {
    const reason = await addReason(shop, "pause", { label: "Holiday" });
    const id = await subscribe(shop);
    const before = await read(shop, id);
    const body = { pause_until: inDays(40), pause_reason_id: reason };
    const paused = await done(shop.api, "POST", id, "pause", body);
    expect(paused).toMatchObject({
      status: "PAUSED",
      is_active: false,
      pause_reason: "Holiday",
      pause_reason_id: reason,
      next_billing_date: before.next_billing_date,
      next_delivery_date: before.next_delivery_date,
    });
    expect(paused.paused_at).toBe(paused.updated_at);
    expect(await rowOf(id)).toMatchObject({ pause_until: inDays(40) });
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "subscription_paused",
      metadata: { pause_reason: { id: reason, label: "Holiday" } },
      changes: { pause_until: { from: null, to: inDays(40) } },
    });

    await api(shop.api, "PUT", `/api/subscriptions/pause-reasons/${reason}`, { body: { label: "Renamed" } });
    await api(shop.api, "DELETE", `/api/subscriptions/pause-reasons/${reason}`);
    expect(await read(shop, id)).toMatchObject({ pause_reason: "Holiday", pause_reason_id: reason });
  });

  test("a reason in words wins over the picked one's label", async () => {
    const pause_reason_id = await addReason(shop, "pause", { label: "Holiday" });
    const id = await subscribe(shop);
    const paused = await done(shop.api, "POST", id, "pause", { reason: "Sailing", pause_reason_id });
    expect(paused).toMatchObject({ pause_reason: "Sailing", pause_reason_id });
  });

  test("pause_until must be in the future, by the account's day", async () => {
    const east = await openShop({ timezone: "Pacific/Kiritimati" });
    const id = await subscribe(east, { next_delivery_date: inDays(9) });
    const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 38 * 3_600_000).toISOString().slice(0, 10);
    for (const pause_until of ["2020-01-01", today, `${today}T23:59:00`])
      expect(faults(await api(east.api, "POST", on(id, "pause"), { body: { pause_until } }))).toEqual([
        400,
        "VALIDATION_FAILED",
        "pause_until",
      ]);
    await done(east.api, "POST", id, "pause", { pause_until: `${tomorrow}T00:00:00` });
    expect((await rowOf(id)).pause_until).toBe(tomorrow);
  });

  test("unknown pause reasons: none such, inactive, deleted, another kind's, another account's", async () => {
    const deleted = await addReason(shop, "pause");
    await api(shop.api, "DELETE", `/api/subscriptions/pause-reasons/${deleted}`);
    const unknown = [
      newId(),
      "nothing",
      await addReason(shop, "pause", { is_active: false }),
      deleted,
      await addReason(shop, "cancellation"),
      await addReason(other, "pause"),
    ];
    const id = await subscribe(shop);
    for (const pause_reason_id of unknown)
      expect(refusal(await ask(id, "pause", { pause_reason_id }))).toEqual([400, "UNKNOWN_PAUSE_REASON"]);
    expect(await actionsOf(id)).toEqual(["subscription_created"]);
  });
});

describe("resume", () => {
  const pausedWith = async (columns: Record<string, string | number | null>, more: object = {}) => {
    const id = await subscribe(shop, more);
    await done(shop.api, "POST", id, "pause", { reason: "Away", pause_until: inDays(60) });
    await force(id, columns);
    return id;
  };
  const datesAt = (date: string) => ({
    anchor_date: date,
    next_billing_date: date,
    next_delivery_date: date,
  });

  test("moves to the first cycle from tomorrow on; the anchor stays, the pause is forgotten", async () => {
    const id = await pausedWith(datesAt(inDays(-15)));
    const resumed = await done(shop.api, "POST", id, "resume");
    expect(resumed).toMatchObject({
      status: "ACTIVE",
      paused_at: null,
      pause_reason: null,
      next_delivery_date: inDays(6),
      next_billing_date: inDays(6),
      current_billing_cycle: 1,
    });
    expect(await rowOf(id)).toMatchObject({
      anchor_date: inDays(-15),
      next_index: 3,
      next_billed_index: 3,
      pause_until: null,
      pause_reason_id: null,
    });
  });

  test.each([
    [-14, 7],
    [-13, 1],
    [0, 7],
    [1, 1],
    [3, 3],
    [100, 100],
  ])("from a next date %i days from today: %i days from today", async (from, to) => {
    const id = await pausedWith(datesAt(inDays(from)));
    expect((await done(shop.api, "POST", id, "resume")).next_delivery_date).toBe(inDays(to));
  });

  test("with a slot: the slot's day, billed and packed by its rhythm, from tomorrow on", async () => {
    const slot = await addSlot(shop, {
      day_of_week: 4,
      packing_day_of_week: 2,
      billing_day_of_week: 1,
      courier_lead_time_days: 1,
    });
    const id = await pausedWith({}, { delivery_slot_id: slot, next_delivery_date: nextDay(4, 7) });
    const old = nextDay(4, -28);
    await force(id, { ...datesAt(old), next_production_date: old });
    const resumed = await done(shop.api, "POST", id, "resume");
    expect(resumed.delivery_slot_valid).toBe(true);
    expect(dayOfWeek(resumed.next_delivery_date)).toBe(4);
    expect(dayOfWeek(resumed.next_production_date)).toBe(2);
    expect(dayOfWeek(resumed.next_billing_date)).toBe(1);
    expect(resumed.next_billing_date >= inDays(1)).toBe(true);
    expect(resumed.next_billing_date <= inDays(7)).toBe(true);
  });

  test("with next_delivery_date: that date, from which the schedule goes on; from tomorrow", async () => {
    const id = await pausedWith({});
    const at = inDays(9);
    expect(await done(shop.api, "POST", id, "resume", { next_delivery_date: at })).toMatchObject(datesOf(at));
    const { data } = (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 2 } })).body;
    expect(data.map((one: Json) => one.delivery_date)).toEqual([at, inDays(16)]);

    const today = await ask(await pausedWith({}), "resume", { next_delivery_date: inDays(0) });
    expect(faults(today), "today would be charged at once").toEqual([
      400,
      "VALIDATION_FAILED",
      "next_delivery_date",
    ]);
  });

  test("a date in the past, or off the slot's day, is 400", async () => {
    const slot = await addSlot(shop, { day_of_week: 4 });
    const id = await pausedWith({}, { delivery_slot_id: slot, next_delivery_date: nextDay(4) });
    for (const next_delivery_date of [inDays(-1), nextDay(5)])
      expect(faults(await ask(id, "resume", { next_delivery_date }))).toEqual([
        400,
        "VALIDATION_FAILED",
        "next_delivery_date",
      ]);
  });

  test("never charges at once, in the account's own day", async () => {
    const west = await openShop({ timezone: "Pacific/Pago_Pago" });
    const local = (days: number) =>
      new Date(Date.now() + (days * 24 - 11) * 3_600_000).toISOString().slice(0, 10);
    const id = await subscribe(west, { next_delivery_date: local(0) });
    await done(west.api, "POST", id, "pause");
    const resumed = await done(west.api, "POST", id, "resume");
    expect(resumed.next_billing_date).toBe(local(7));
  });

  test("right after a pause nothing has moved, also not what a skip has moved off the month's day", async () => {
    const monthly = await addPlan(shop, { billing_interval: "MONTH" });
    const id = await subscribe(shop, { lines: [itemOf(monthly)], next_delivery_date: "2035-01-25" });
    await force(id, { next_index: 1, next_billed_index: 1, ...datesOf("2035-02-25") });
    const skipped = await done(shop.api, "POST", id, "skip", { skip_weeks: 1 });
    expect(skipped).toMatchObject(datesOf("2035-03-04"));
    await done(shop.api, "POST", id, "pause");
    expect(await done(shop.api, "POST", id, "resume")).toMatchObject(datesOf("2035-03-04"));
  });

  test("a prepaid period that is paid for is delivered before the next is billed", async () => {
    const prepaid = await addPlan(shop, {
      billing_interval_count: 3,
      delivery_interval: "WEEK",
      delivery_interval_count: 1,
    });
    const id = await subscribe(shop, { lines: [itemOf(prepaid)] });
    await force(id, {
      next_index: 1,
      next_billed_index: 3,
      next_delivery_date: inDays(14),
      next_billing_date: inDays(28),
    });
    await done(shop.api, "POST", id, "pause");
    await done(shop.api, "POST", id, "resume", { next_delivery_date: inDays(20) });
    const { data } = (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 3 } })).body;
    expect(data.map((one: Json) => [one.delivery_date, one.is_billed])).toEqual([
      [inDays(20), false],
      [inDays(27), false],
      [inDays(34), true],
    ]);
  });
});
