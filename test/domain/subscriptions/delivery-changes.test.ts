/** A change of date, address or payment method concerns the deliveries that it says, and no others. */
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { dayOfWeek } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { faults } from "../../support/records.ts";
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
  itemOf,
  type Json,
  nextDay,
  on,
  read,
  refusal,
  rowOf,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
const other = useAccount();
let id: string;
beforeEach(async () => {
  id = await subscribe(shop);
});

function put(part: string, body: unknown) {
  return api<Json>(shop.api, "PUT", on(id, part), { body });
}

async function deliveries(count = 3): Promise<string[]> {
  return (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count } })).body.data.map(
    (one: Json) => one.delivery_date,
  );
}

describe("schedule", () => {
  test("another date: the schedule goes on from there", async () => {
    const moved = await done(shop.api, "PUT", id, "schedule", { next_delivery_date: inDays(10) });
    expect([moved.next_delivery_date, moved.next_billing_date]).toEqual([inDays(10), inDays(10)]);
    expect(await deliveries()).toEqual([inDays(10), inDays(17), inDays(24)]);
    expect((await feedOf(shop, id))[0]).toMatchObject({
      action: "delivery_rescheduled",
      changes: { next_delivery_date: { from: inDays(7), to: inDays(10) } },
    });
  });

  test("nothing, or what is so already, changes nothing", async () => {
    const row = await rowOf(id);
    for (const body of [{}, { next_delivery_date: inDays(7) }, { delivery_slot_id: null }])
      expect((await put("schedule", body)).status).toBe(200);
    expect((await api(shop.api, "PUT", on(id, "schedule"))).status).toBe(200);
    expect(await rowOf(id)).toEqual(row);
  });

  test("into a slot, to another, and out of it", async () => {
    const day = { packing_day_of_week: 2, billing_day_of_week: 1 };
    const [thursday, friday] = [
      await addSlot(shop, { day_of_week: 4, ...day }),
      await addSlot(shop, { day_of_week: 5, ...day }),
    ];
    const at = nextDay(4, 14);
    const placed = await done(shop.api, "PUT", id, "schedule", {
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

    const free = await done(shop.api, "PUT", id, "schedule", { delivery_slot_id: null });
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
    const plan = await addPlan(shop, {
      billing_interval_count: 3,
      delivery_interval: "WEEK",
      delivery_interval_count: 1,
    });
    id = await subscribe(shop, { lines: [itemOf(plan)] });
    await force(id, {
      next_index: 1,
      next_billed_index: 3,
      next_delivery_date: inDays(14),
      next_billing_date: inDays(28),
    });
    await done(shop.api, "PUT", id, "schedule", { next_delivery_date: inDays(15) });
    const { data } = (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 3 } })).body;
    expect(data.map((one: Json) => one.is_billed)).toEqual([false, false, true]);
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
  const kept = async (of: Shop, profileId: string): Promise<string> => {
    const at = `/api/profiles/${profileId}/addresses`;
    return (await api<Json>(of.admin, "POST", at, { body: { ...written, first_name: "Ada" } })).body.data.id;
  };

  test("written out; what says nothing is left away", async () => {
    const changed = await done(shop.api, "PUT", id, "delivery-address", {
      ...written,
      address2: null,
      company: "",
      phone: "1",
    });
    expect(changed.delivery_address).toEqual({ ...written, phone: "1" });
    expect((await feedOf(shop, id))[0]).toMatchObject({
      action: "delivery_address_changed",
      changes: { delivery_address: { from: { city: "London" }, to: { city: "Leeds" } } },
    });
    await done(shop.api, "PUT", id, "delivery-address", { ...written, phone: "1" });
    expect(await actionsOf(id)).toHaveLength(2);
  });

  test("a kept one, which may change later without this", async () => {
    const delivery_address_id = await kept(shop, shop.profileId);
    const changed = await done(shop.customer, "PUT", id, "delivery-address", { delivery_address_id });
    expect(changed.delivery_address).toEqual({ ...written, first_name: "Ada" });
    const at = `/api/profiles/${shop.profileId}/addresses/${delivery_address_id}`;
    expect((await api(shop.admin, "DELETE", at)).status).toBe(204);
    expect((await read(shop, id)).delivery_address).toEqual({ ...written, first_name: "Ada" });
    expect(refusal(await put("delivery-address", { delivery_address_id }))).toEqual([
      400,
      "UNKNOWN_DELIVERY_ADDRESS",
    ]);
  });

  test("one of another profile, or of another account, is unknown", async () => {
    const neighbour = await customerOf(shop.of);
    const unknown = [newId(), "x", await kept(shop, neighbour.profileId), await kept(other, other.profileId)];
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

  test.each([
    [{ address1: "1 High Street" }, ["city", "zip", "country_code"]],
    [{ ...written, zip: "" }, ["zip"]],
    [{ delivery_address_id: 1 }, ["delivery_address_id"]],
    [{ ...written, delivery_address_id: newId() }, ["delivery_address_id"]],
    [{}, [""]],
  ])("what is wrong with %j: %j", async (body, paths) => {
    const { status, body: refused } = await put("delivery-address", body);
    expect([status, refused.details.map(({ path }: Json) => path)]).toEqual([400, paths]);
  });
});

describe("payment method", () => {
  const methods = async (of = id): Promise<Json> =>
    (await api<Json>(shop.api, "GET", on(of, "payment-method"))).body.data;
  let theirs: Awaited<ReturnType<typeof customerOf>>;
  beforeEach(async () => {
    theirs = await customerOf(shop.of);
    id = await subscribe(shop, { profile_id: theirs.profileId });
  });

  test("read: the current one, and the profile's others", async () => {
    await subscribe(shop, { profile_id: theirs.profileId, store_payment_method_id: "pm_expired_card" });
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
    const back = await done(shop.api, "PUT", id, "payment-method", { payment_method_id: first });
    expect(back.payment_method_last4).toBe("4242");
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" });
    expect(await actionsOf(id)).toHaveLength(3);
    const kept = await select("SELECT id FROM payment_methods WHERE profile_id = ?", theirs.profileId);
    expect(kept).toHaveLength(2);
  });

  test("foreign ones are unknown", async () => {
    const mine = await subscribe(shop);
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
