import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { dayOfWeek } from "../../src/subscriptions/cadence.ts";
import { api } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import {
  actionsOf,
  addPlan,
  addSlot,
  customerOf,
  done,
  entriesOf,
  feedOf,
  force,
  inDays,
  inState,
  itemOf,
  type Json,
  type Life,
  life,
  nextDay,
  on,
  read,
  refusal,
  rowOf,
  subscribe,
} from "../support/lives.ts";
import { faults } from "../support/records.ts";

let own: Life;
let other: Life;
let id: string;
beforeAll(async () => {
  [own, other] = await Promise.all([life(), life()]);
});
beforeEach(async () => {
  id = await subscribe(own);
});

const put = (part: string, body: unknown) => api<Json>(own.api, "PUT", on(id, part), { body });
const deliveries = async (count = 3): Promise<string[]> =>
  (await api<Json>(own.api, "GET", on(id, "upcoming"), { query: { count } })).body.data.map(
    (one: Json) => one.delivery_date,
  );

describe("frequency", () => {
  test("the next dates stay, later ones follow", async () => {
    expect(await deliveries()).toEqual([inDays(7), inDays(14), inDays(21)]);
    const changed = await done(own.api, "PUT", id, "frequency", { interval: "day", interval_count: 10 });
    expect(changed).toMatchObject({
      billing_interval: "DAY",
      billing_interval_count: 10,
      delivery_interval: "DAY",
      delivery_interval_count: 10,
      frequency_label: "Every 10 days",
      next_delivery_date: inDays(7),
      next_billing_date: inDays(7),
      current_billing_cycle: 1,
    });
    expect(await deliveries()).toEqual([inDays(7), inDays(17), inDays(27)]);
    expect((await feedOf(own, id))[0]).toMatchObject({
      action: "frequency_changed",
      changes: {
        billing_interval: { from: "WEEK", to: "DAY" },
        delivery_interval_count: { from: 1, to: 10 },
      },
    });
  });

  test.each([
    ["Week", 52, 200],
    ["mOnTh", 24, 200],
    ["YEAR", 3, 200],
    ["day", 365, 200],
    ["WEEK", 53, 400],
    ["MONTH", 25, 400],
    ["YEAR", 4, 400],
    ["DAY", 366, 400],
    ["DAY", 0, 400],
    ["DAY", 1.5, 400],
    ["DAY", "2", 400],
    ["FORTNIGHT", 1, 400],
    ["", 1, 400],
    [null, 1, 400],
    ["WEEK", undefined, 400],
  ])("%j %j: %i", async (interval, interval_count, status) => {
    const answer = await put("frequency", { interval, interval_count });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.data.billing_interval).toBe(String(interval).toUpperCase());
    else expect(await actionsOf(id)).toEqual(["subscription_created"]);
  });

  test("the same again is unchanged and unlogged", async () => {
    const row = await rowOf(id);
    expect((await put("frequency", { interval: "week", interval_count: 1 })).status).toBe(200);
    expect(await rowOf(id)).toEqual(row);
  });

  test.each(["CANCELLED", "EXPIRED"] as const)(
    "%s refuses, whatever is asked, once it makes sense",
    async (state) => {
      id = await inState(own, state);
      const answer = await put("frequency", { interval: "WEEK", interval_count: 2 });
      expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
      expect(answer.body.error).toMatch(new RegExp(`frequency.*${state}`));
      expect((await put("frequency", { interval: "WEEK", interval_count: 53 })).status).toBe(400);
      expect(refusal(await put("frequency", { interval: "WEEK", interval_count: 1 }))).toEqual([
        409,
        "INVALID_STATE",
      ]);
    },
  );

  test("prepaid: billing and delivery together, in whole deliveries", async () => {
    const plan = await addPlan(own, {
      billing_interval_count: 4,
      delivery_interval: "WEEK",
      delivery_interval_count: 1,
    });
    id = await subscribe(own, { lines: [itemOf(plan)] });
    expect(await put("frequency", { interval: "WEEK", interval_count: 8 })).toMatchObject({
      body: {
        data: { billing_interval_count: 8, delivery_interval_count: 2, next_delivery_date: inDays(7) },
      },
    });
    expect(refusal(await put("frequency", { interval: "WEEK", interval_count: 2 }))).toEqual([
      400,
      "FREQUENCY_NOT_OFFERED",
    ]);
    expect((await put("frequency", { interval: "DAY", interval_count: 20 })).status).toBe(200);
    expect(await deliveries()).toEqual([inDays(7), inDays(12), inDays(17)]);
  });

  test("on a monthly schedule in its short month goes on from that day", async () => {
    const plan = await addPlan(own, { billing_interval: "MONTH" });
    id = await subscribe(own, { lines: [itemOf(plan)], next_delivery_date: "2035-01-31" });
    await force(id, {
      next_index: 1,
      next_billed_index: 1,
      next_delivery_date: "2035-02-28",
      next_billing_date: "2035-02-28",
    });
    await done(own.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 2 });
    expect(await deliveries(2)).toEqual(["2035-02-28", "2035-04-28"]);
  });
});

describe("delivery instructions", () => {
  const write = (delivery_instructions: unknown, more: object = {}) =>
    put("delivery-instructions", { delivery_instructions, ...more });

  test("of one", async () => {
    expect((await write("Ring twice")).body.data.delivery_instructions).toBe("Ring twice");
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "delivery_instructions_updated",
      changes: { delivery_instructions: { from: null, to: "Ring twice" } },
    });
    expect((await write("Ring twice")).status).toBe(200);
    expect(await actionsOf(id)).toHaveLength(2);
    expect((await write("", { update_all_active: false })).body.data.delivery_instructions).toBe("");
  });

  test.each([
    ["x".repeat(10_000), 200],
    ["x".repeat(10_001), 400],
    ["😀".repeat(10_000), 200],
    ["😀".repeat(10_001), 400],
    [null, 400],
    [7, 400],
    [undefined, 400],
  ])("at most 10,000 characters (%#)", async (text, status) => {
    expect((await write(text)).status).toBe(status);
  });

  test("all active ones of the profile at once: an entry each, of those that differ; nobody else's", async () => {
    const { profileId, customer } = await customerOf(own.of);
    const theirs = { profile_id: profileId };
    const active = [await subscribe(own, theirs), await subscribe(own, theirs), await subscribe(own, theirs)];
    const resting = await Promise.all(
      (["PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"] as const).map((state) =>
        inState(own, state, theirs),
      ),
    );
    const foreign = [await subscribe(own), await subscribe(other)];
    await done(own.api, "PUT", active[1]!, "delivery-instructions", { delivery_instructions: "Ring" });
    for (const from of [active[0]!, resting[0]!, resting[1]!]) {
      const body = {
        delivery_instructions: `Ring ${from === active[0] ? "" : from}`.trim(),
        update_all_active: true,
      };
      const { data } = (await api<Json>(customer, "PUT", on(from, "delivery-instructions"), { body })).body;
      expect(data.updated).toBe(3);
      expect(data.subscription_ids.toSorted()).toEqual(active.toSorted());
      for (const one of active)
        expect((await rowOf(one)).delivery_instructions).toBe(body.delivery_instructions);
    }
    id = resting[2]!;
    expect(refusal(await write("Ring", { update_all_active: true }))).toEqual([409, "INVALID_STATE"]);
    expect(await actionsOf(active[0]!)).toHaveLength(4);
    expect(await actionsOf(active[1]!)).toHaveLength(4);
    for (const one of active) expect((await rowOf(one)).revision).toBe(4);
    for (const one of [...resting, ...foreign]) {
      expect((await rowOf(one)).delivery_instructions).toBeNull();
      expect(await actionsOf(one)).toEqual(["subscription_created"]);
    }
    const entry = (await entriesOf(active[2]!)).at(-1);
    expect([entry?.actor_type, entry?.profile_id]).toEqual(["customer", profileId]);
  });

  test("all or none: one that cannot be written leaves all as they were", async () => {
    const { profileId } = await customerOf(own.of);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await subscribe(own, { profile_id: profileId }));
    await execute(
      `CREATE TRIGGER no_change BEFORE UPDATE OF delivery_instructions ON subscriptions WHEN NEW.id = '${ids[2]}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    const body = { delivery_instructions: "Ring", update_all_active: true };
    try {
      expect((await api(own.api, "PUT", on(ids[0]!, "delivery-instructions"), { body })).status).toBe(500);
    } finally {
      await execute("DROP TRIGGER no_change");
    }
    for (const one of ids) {
      expect((await rowOf(one)).delivery_instructions).toBeNull();
      expect(await actionsOf(one)).toEqual(["subscription_created"]);
    }
  });
});

describe("schedule", () => {
  test("another date: the schedule goes on from there", async () => {
    const moved = await done(own.api, "PUT", id, "schedule", { next_delivery_date: inDays(10) });
    expect([moved.next_delivery_date, moved.next_billing_date]).toEqual([inDays(10), inDays(10)]);
    expect(await deliveries()).toEqual([inDays(10), inDays(17), inDays(24)]);
    expect((await feedOf(own, id))[0]).toMatchObject({
      action: "delivery_rescheduled",
      changes: { next_delivery_date: { from: inDays(7), to: inDays(10) } },
    });
  });

  test("nothing, or what is so already, changes nothing", async () => {
    const row = await rowOf(id);
    for (const body of [{}, { next_delivery_date: inDays(7) }, { delivery_slot_id: null }])
      expect((await put("schedule", body)).status).toBe(200);
    expect((await api(own.api, "PUT", on(id, "schedule"))).status).toBe(200);
    expect(await rowOf(id)).toEqual(row);
  });

  test("into a slot, to another, and out of it", async () => {
    const day = { packing_day_of_week: 2, billing_day_of_week: 1 };
    const [thursday, friday] = [
      await addSlot(own, { day_of_week: 4, ...day }),
      await addSlot(own, { day_of_week: 5, ...day }),
    ];
    const at = nextDay(4, 14);
    const placed = await done(own.api, "PUT", id, "schedule", {
      next_delivery_date: at,
      delivery_slot_id: thursday,
    });
    expect(placed).toMatchObject({
      delivery_slot_id: thursday,
      delivery_slot_valid: true,
      next_delivery_date: at,
    });
    expect(placed.delivery_slot.id).toBe(thursday);
    expect([placed.next_production_date, placed.next_billing_date].map(dayOfWeek)).toEqual([2, 1]);
    expect((await deliveries()).map(dayOfWeek)).toEqual([4, 4, 4]);

    expect(faults(await put("schedule", { delivery_slot_id: friday }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "delivery_slot_id",
    ]);
    expect(faults(await put("schedule", { delivery_slot_id: friday, next_delivery_date: at }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "next_delivery_date",
    ]);
    expect(
      (await put("schedule", { delivery_slot_id: friday, next_delivery_date: nextDay(5, 14) })).status,
    ).toBe(200);

    const free = await done(own.api, "PUT", id, "schedule", { delivery_slot_id: null });
    expect(free).toMatchObject({
      delivery_slot_id: null,
      delivery_slot: null,
      next_production_date: null,
      next_delivery_date: nextDay(5, 14),
      next_billing_date: nextDay(5, 14),
    });
  });

  test("past dates are 400, unknown slots too", async () => {
    expect(faults(await put("schedule", { next_delivery_date: inDays(-1) }))).toEqual([
      400,
      "VALIDATION_FAILED",
      "next_delivery_date",
    ]);
    for (const delivery_slot_id of [newId(), "x", await addSlot(other, { day_of_week: 4 })])
      expect(refusal(await put("schedule", { delivery_slot_id }))).toEqual([400, "UNKNOWN_DELIVERY_SLOT"]);
  });

  test("a prepaid period that is paid for is delivered before the next is billed", async () => {
    const plan = await addPlan(own, {
      billing_interval_count: 3,
      delivery_interval: "WEEK",
      delivery_interval_count: 1,
    });
    id = await subscribe(own, { lines: [itemOf(plan)] });
    await force(id, {
      next_index: 1,
      next_billed_index: 3,
      next_delivery_date: inDays(14),
      next_billing_date: inDays(28),
    });
    await done(own.api, "PUT", id, "schedule", { next_delivery_date: inDays(15) });
    const { data } = (await api<Json>(own.api, "GET", on(id, "upcoming"), { query: { count: 3 } })).body;
    expect(data.map((one: Json) => one.is_billed)).toEqual([false, false, true]);
  });

  test("the calendar's last day is refused, or later dates are dates still", async () => {
    const answer = await put("schedule", { next_delivery_date: "9999-12-31" });
    expect(answer.status).toBeLessThan(500);
    for (const date of await deliveries()) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});

describe("delivery address", () => {
  const written = {
    address1: "2 Low Road",
    city: "Leeds",
    zip: "LS1",
    country: "United Kingdom",
    country_code: "GB",
  };
  const kept = async (of: Life, profileId: string): Promise<string> => {
    const at = `/api/profiles/${profileId}/addresses`;
    return (await api<Json>(of.admin, "POST", at, { body: { ...written, first_name: "Ada" } })).body.data.id;
  };

  test("written out; what says nothing is left away", async () => {
    const changed = await done(own.api, "PUT", id, "delivery-address", {
      ...written,
      address2: null,
      company: "",
      phone: "1",
    });
    expect(changed.delivery_address).toEqual({ ...written, phone: "1" });
    expect((await feedOf(own, id))[0]).toMatchObject({
      action: "delivery_address_changed",
      changes: { delivery_address: { from: { city: "London" }, to: { city: "Leeds" } } },
    });
    await done(own.api, "PUT", id, "delivery-address", { ...written, phone: "1" });
    expect(await actionsOf(id)).toHaveLength(2);
  });

  test("a kept one, which may change later without this", async () => {
    const delivery_address_id = await kept(own, own.profileId);
    const changed = await done(own.customer, "PUT", id, "delivery-address", { delivery_address_id });
    expect(changed.delivery_address).toEqual({ ...written, first_name: "Ada" });
    const at = `/api/profiles/${own.profileId}/addresses/${delivery_address_id}`;
    expect((await api(own.admin, "DELETE", at)).status).toBe(204);
    expect((await read(own, id)).delivery_address).toEqual({ ...written, first_name: "Ada" });
    expect(refusal(await put("delivery-address", { delivery_address_id }))).toEqual([
      400,
      "UNKNOWN_DELIVERY_ADDRESS",
    ]);
  });

  test("one of another profile, or of another account, is unknown", async () => {
    const neighbour = await customerOf(own.of);
    const unknown = [newId(), "x", await kept(own, neighbour.profileId), await kept(other, other.profileId)];
    for (const delivery_address_id of unknown)
      expect(refusal(await put("delivery-address", { delivery_address_id }))).toEqual([
        400,
        "UNKNOWN_DELIVERY_ADDRESS",
      ]);
  });

  test.each<[string, object]>([
    ["both", { ...written, delivery_address_id: "x" }],
    ["neither", {}],
    ["half", { address1: "2 Low Road" }],
    ["empty", { ...written, city: "" }],
    ["more", { ...written, planet: "Mars" }],
  ])("%s is 400", async (_, body) => {
    expect((await put("delivery-address", body)).body.errorCode).toBe("VALIDATION_FAILED");
  });
});

describe("payment method", () => {
  const methods = async (of = id): Promise<Json> =>
    (await api<Json>(own.api, "GET", on(of, "payment-method"))).body.data;
  let theirs: Awaited<ReturnType<typeof customerOf>>;
  beforeEach(async () => {
    theirs = await customerOf(own.of);
    id = await subscribe(own, { profile_id: theirs.profileId });
  });

  test("read: the current one, and the profile's others", async () => {
    await subscribe(own, { profile_id: theirs.profileId, store_payment_method_id: "pm_expired_card" });
    const { current, alternatives } = await methods();
    expect(current).toEqual({
      id: expect.any(String),
      store_payment_method_id: "pm_success",
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: 2034,
      is_default: false,
      status: "VALID",
    });
    expect(alternatives).toMatchObject([{ store_payment_method_id: "pm_expired_card", status: "EXPIRED" }]);
    await execute("UPDATE payment_methods SET status = 'REVOKED' WHERE id = ?", alternatives[0].id);
    expect((await methods()).alternatives).toEqual([]);
    expect(refusal(await put("payment-method", { payment_method_id: alternatives[0].id }))).toEqual([
      400,
      "UNKNOWN_PAYMENT_METHOD",
    ]);
  });

  test("to one of the store's, kept from then on; back to ours by its id", async () => {
    const first = (await methods()).current.id;
    const changed = await done(theirs.customer, "PUT", id, "payment-method", {
      store_payment_method_id: "pm_card_declined",
    });
    expect([changed.payment_method_brand, changed.payment_method_last4]).toEqual(["visa", "0002"]);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "payment_method_changed",
      metadata: { brand: "visa", last4: "0002" },
    });
    expect(await methods()).toMatchObject({ current: { last4: "0002" }, alternatives: [{ id: first }] });
    const back = await done(own.api, "PUT", id, "payment-method", { payment_method_id: first });
    expect(back.payment_method_last4).toBe("4242");
    await done(own.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" });
    expect(await actionsOf(id)).toHaveLength(3);
    const kept = await select("SELECT id FROM payment_methods WHERE profile_id = ?", theirs.profileId);
    expect(kept).toHaveLength(2);
  });

  test("foreign ones are unknown", async () => {
    const mine = await subscribe(own);
    const foreign = [newId(), "x", (await methods(mine)).current.id];
    const abroad = await subscribe(other);
    foreign.push((await rowOf(abroad)).payment_method_id!);
    for (const payment_method_id of foreign)
      expect(refusal(await put("payment-method", { payment_method_id }))).toEqual([
        400,
        "UNKNOWN_PAYMENT_METHOD",
      ]);
    expect(await actionsOf(id)).toEqual(["subscription_created"]);
  });

  test.each<[string, object]>([
    ["both", { payment_method_id: "x", store_payment_method_id: "pm_success" }],
    ["neither", {}],
    ["empty", { store_payment_method_id: "" }],
    ["null", { payment_method_id: null }],
  ])("%s is 400", async (_, body) => {
    expect((await put("payment-method", body)).body.errorCode).toBe("VALIDATION_FAILED");
  });
});
