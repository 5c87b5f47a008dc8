/** Delivery days and slots are created, changed, listed and deleted as documented, and customers see the active ones. */
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { type Answer, api, nobody } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, listed, type Merchant, openMerchant, walk } from "../../support/records.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { placed } from "../../support/subscriptions.ts";
import { customer } from "../../support/tenant.ts";
import { useMerchantPerTest } from "../../support/use-account.ts";

const days = "/api/subscriptions/delivery-days";
const slots = "/api/subscriptions/delivery-slots";
type Body = Record<string, unknown>;

const merchant = useMerchantPerTest();

function post(path: string, body: Body, as: Merchant = merchant) {
  return api(as.admin, "POST", path, { body });
}

function get(path: string, id: string, as: Merchant = merchant) {
  return api(as.admin, "GET", `${path}/${id}`);
}

function change(path: string, id: string, body: Body, as: Merchant = merchant) {
  return api(as.admin, "PUT", `${path}/${id}`, { body });
}

function remove(path: string, id: string, as: Merchant = merchant) {
  return api(as.admin, "DELETE", `${path}/${id}`);
}

function expectRefused(answer: Answer, at: string) {
  expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", at]);
}
const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const morning = { label: "Morning", start_time: "09:00", end_time: "12:00" };

describe("delivery days", () => {
  test("create: 201 with the documented fields, the rest null", async () => {
    const answer = await post(days, { day_of_week: 4 });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          delivery_configuration_id: expect.any(String),
          day_of_week: 4,
          day_name: "Thursday",
          packing_day_of_week: null,
          packing_day_name: null,
          billing_day_of_week: null,
          billing_day_name: null,
          courier_lead_time_days: null,
          is_active: true,
          created_at: stamp,
          updated_at: stamp,
        },
      },
    ]);
    expect((await get(days, answer.body.data.id)).body).toEqual(answer.body);
  });

  test.each([
    [1, "Monday"],
    [2, "Tuesday"],
    [3, "Wednesday"],
    [4, "Thursday"],
    [5, "Friday"],
    [6, "Saturday"],
    [7, "Sunday"],
  ])("day %i is %s, by every name", async (day, name) => {
    const all = { day_of_week: day, packing_day_of_week: day, billing_day_of_week: day };
    expect((await post(days, all)).body.data).toMatchObject({
      ...all,
      day_name: name,
      packing_day_name: name,
      billing_day_name: name,
    });
  });

  test("everything said is kept; all days of an account are of one configuration", async () => {
    const said = {
      day_of_week: 5,
      packing_day_of_week: 3,
      billing_day_of_week: 1,
      courier_lead_time_days: 2,
      is_active: false,
    };
    const [one, two] = [await post(days, said), await post(days, { day_of_week: 5 })];
    expect(one.body.data).toMatchObject(said);
    expect(two.body.data.delivery_configuration_id).toBe(one.body.data.delivery_configuration_id);
  });

  test.each([
    ["day_of_week", {}],
    ["day_of_week", { day_of_week: 0 }],
    ["day_of_week", { day_of_week: 8 }],
    ["day_of_week", { day_of_week: 1.5 }],
    ["day_of_week", { day_of_week: "1" }],
    ["day_of_week", { day_of_week: null }],
    ["packing_day_of_week", { day_of_week: 1, packing_day_of_week: 0 }],
    ["billing_day_of_week", { day_of_week: 1, billing_day_of_week: 8 }],
    ["courier_lead_time_days", { day_of_week: 1, courier_lead_time_days: -1 }],
    ["courier_lead_time_days", { day_of_week: 1, courier_lead_time_days: 1.5 }],
    ["courier_lead_time_days", { day_of_week: 1, courier_lead_time_days: 366 }],
    ["is_active", { day_of_week: 1, is_active: 1 }],
    ["day_name", { day_of_week: 1, day_name: "Monday" }],
  ] as [string, Body][])("create, 400 that names %s: %o", async (at, body) => {
    expectRefused(await post(days, body), at);
  });

  test("change: only what is named; null clears", async () => {
    const { data } = (await post(days, { day_of_week: 5, packing_day_of_week: 3, courier_lead_time_days: 2 }))
      .body;
    const changed = await change(days, data.id, { billing_day_of_week: 1, packing_day_of_week: null });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      {
        ...data,
        billing_day_of_week: 1,
        billing_day_name: "Monday",
        packing_day_of_week: null,
        packing_day_name: null,
        updated_at: stamp,
      },
    ]);
    expect((await get(days, data.id)).body).toEqual(changed.body);
    expect((await api(merchant.admin, "PUT", `${days}/${data.id}`)).status).toBe(200);
    expectRefused(await change(days, data.id, { day_of_week: null }), "day_of_week");
    expectRefused(
      await change(days, data.id, { delivery_configuration_id: "x" }),
      "delivery_configuration_id",
    );
  });

  test("delete: 204, gone, and its slots with it; no other's", async () => {
    const [one, two] = [
      await placed(merchant.admin, { day_of_week: 1 }),
      await placed(merchant.admin, { day_of_week: 1 }),
    ];
    expect((await remove(days, one.day)).status).toBe(204);
    expect([(await get(days, one.day)).status, (await get(slots, one.slot)).status]).toEqual([404, 404]);
    expect([(await get(days, two.day)).status, (await get(slots, two.slot)).status]).toEqual([200, 200]);
    expect((await listed(merchant.admin, days)).data.map(({ id }) => id)).toEqual([two.day]);
    expect((await listed(merchant.admin, slots)).data.map(({ id }) => id)).toEqual([two.slot]);
    expect(faults(await remove(days, one.day))).toEqual([404, "NOT_FOUND"]);
    expect(faults(await change(days, one.day, { is_active: true }))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("delivery slots", () => {
  let day: string;
  beforeEach(async () => {
    day = (await post(days, { day_of_week: 1 })).body.data.id;
  });
  const slot = (values: Body = {}) => post(slots, { delivery_day_id: day, ...morning, ...values });

  test("create: 201 with the documented fields, the rest preset", async () => {
    const answer = await slot();
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          delivery_day_id: day,
          ...morning,
          is_all_day: false,
          position: 0,
          is_active: true,
          cutoff_days: null,
          cutoff_time: null,
          max_deliveries_per_day: null,
          created_at: stamp,
          updated_at: stamp,
        },
      },
    ]);
    expect((await get(slots, answer.body.data.id)).body).toEqual(answer.body);
  });

  test("everything said is kept", async () => {
    const said = {
      label: "All day 🌞",
      start_time: "00:00",
      end_time: "23:59",
      is_all_day: true,
      position: 7,
      is_active: false,
      cutoff_days: 14,
      cutoff_time: "23:59",
      max_deliveries_per_day: 1_000_000,
    };
    expect((await slot(said)).body.data).toMatchObject(said);
  });

  test.each([
    ["delivery_day_id", { delivery_day_id: 1 }],
    ["delivery_day_id", { delivery_day_id: null }],
    ["label", { label: "" }],
    ["label", { label: "x".repeat(256) }],
    ["start_time", { start_time: "9:00" }],
    ["start_time", { start_time: "24:00" }],
    ["start_time", { start_time: "09:60" }],
    ["start_time", { start_time: "09:00:00" }],
    ["end_time", { end_time: "noon" }],
    ["end_time", { end_time: "09:00" }],
    ["end_time", { end_time: "08:00" }],
    ["position", { position: -1 }],
    ["position", { position: 1.5 }],
    ["is_all_day", { is_all_day: "true" }],
    ["is_active", { is_active: null }],
    ["cutoff_days", { cutoff_days: -1 }],
    ["cutoff_days", { cutoff_days: 15 }],
    ["cutoff_days", { cutoff_days: 1.5 }],
    ["cutoff_time", { cutoff_time: "24:00" }],
    ["cutoff_time", { cutoff_time: "" }],
    ["max_deliveries_per_day", { max_deliveries_per_day: 0 }],
    ["max_deliveries_per_day", { max_deliveries_per_day: 1_000_001 }],
    ["max_deliveries_per_day", { max_deliveries_per_day: "40" }],
    ["day", { day: 1 }],
  ] as [string, Body][])("create, 400 that names %s: %o", async (at, values) => {
    expectRefused(await slot(values), at);
  });

  test.each(["delivery_day_id", "label", "start_time", "end_time"])("create without %s", async (name) => {
    expectRefused(await slot({ [name]: undefined }), name);
  });

  test("a day that the account has not is UNKNOWN_DELIVERY_DAY, on creation and on change", async () => {
    const { id } = (await slot()).body.data;
    const other = await openMerchant();
    const foreign = (await post(days, { day_of_week: 1 }, other)).body.data.id;
    const gone = (await post(days, { day_of_week: 1 })).body.data.id;
    await remove(days, gone);
    for (const unknown of [newId(), "nope", "", foreign, gone, id]) {
      const expected = [400, "UNKNOWN_DELIVERY_DAY", "delivery_day_id"];
      expect(faults(await slot({ delivery_day_id: unknown }))).toEqual(expected);
      expect(faults(await change(slots, id, { delivery_day_id: unknown }))).toEqual(expected);
    }
    expect((await get(slots, id)).body.data.delivery_day_id).toBe(day);
  });

  test("change: only what is named, also the day", async () => {
    const { data } = (await slot()).body;
    const another = (await post(days, { day_of_week: 2 })).body.data.id;
    const changed = await change(slots, data.id, { delivery_day_id: another, label: "Early", position: 3 });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { ...data, delivery_day_id: another, label: "Early", position: 3, updated_at: stamp },
    ]);
    expect((await get(slots, data.id)).body).toEqual(changed.body);
    expect((await api(merchant.admin, "PUT", `${slots}/${data.id}`)).status).toBe(200);
  });

  test("change: the cut-off and the room; null clears", async () => {
    const bounds = { cutoff_days: 2, cutoff_time: "18:00", max_deliveries_per_day: 40 };
    const { id } = (await slot(bounds)).body.data;
    expect((await change(slots, id, { label: "Early" })).body.data).toMatchObject(bounds);
    const others = { cutoff_days: 0, cutoff_time: "06:30", max_deliveries_per_day: 1 };
    expect((await change(slots, id, others)).body.data).toMatchObject(others);
    const none = { cutoff_days: null, cutoff_time: null, max_deliveries_per_day: null };
    expect((await change(slots, id, none)).body.data).toMatchObject(none);
    expect((await listed(merchant.admin, slots)).data).toMatchObject([none]);
  });

  test("its times go together, whichever is changed", async () => {
    const { id } = (await slot()).body.data;
    const before = await rowsOf(merchant.of.account.id);
    expectRefused(await change(slots, id, { start_time: "12:00" }), "end_time");
    expectRefused(await change(slots, id, { end_time: "09:00" }), "end_time");
    expect(await rowsOf(merchant.of.account.id)).toBe(before);
    expect((await change(slots, id, { start_time: "13:00", end_time: "14:00" })).status).toBe(200);
    expect((await slot({ is_all_day: true, start_time: "00:00", end_time: "00:00" })).status).toBe(201);
  });

  test("delete: 204, and gone", async () => {
    const { id } = (await slot()).body.data;
    expect((await remove(slots, id)).status).toBe(204);
    expect(faults(await get(slots, id))).toEqual([404, "NOT_FOUND"]);
    expect(faults(await remove(slots, id))).toEqual([404, "NOT_FOUND"]);
    expect(faults(await change(slots, id, { label: "Back" }))).toEqual([404, "NOT_FOUND"]);
    expect((await get(days, day)).status).toBe(200);
  });
});

describe("both", () => {
  const made = async (path: string, as: Merchant, values: Body = {}): Promise<string> => {
    if (path === days) return (await post(days, { day_of_week: 1, ...values }, as)).body.data.id;
    return (await placed(as.admin, { day_of_week: 1 }, values)).slot;
  };

  test.each([days, slots])("%s: newest first, by page, with inactive ones", async (path) => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await made(path, merchant, { is_active: n % 2 === 0 }));
    const table = path === days ? "delivery_days" : "delivery_slots";
    for (const [n, id] of ids.entries())
      await execute(`UPDATE ${table} SET created_at = ? WHERE id = ?`, `2026-01-0${n + 1}T00:00:00.000Z`, id);
    const [newest, all] = [ids.toReversed(), await walk(merchant.admin, path, { limit: 2 })];
    expect(all).toMatchObject({ ids: newest, back: newest, total: 5 });
  });

  test.each([days, slots])("%s: a customer's token sees the active ones, in its list alone", async (path) => {
    const active = await made(path, merchant);
    const idle = await made(path, merchant, { is_active: false });
    const theirs = await customer(merchant.of);
    const { data, meta } = await listed(theirs, path);
    const slotsDay = path === days ? [] : [active];
    expect(data.map(({ id }) => id)).toEqual(path === days ? [active] : slotsDay);
    expect(meta.total).toBe(1);
    expect((await listed(merchant.admin, path)).meta.total).toBe(2);
    for (const [method, at] of [
      ["POST", path],
      ["GET", `${path}/${active}`],
      ["PUT", `${path}/${active}`],
      ["DELETE", `${path}/${idle}`],
    ] as const)
      expect(
        (await api(theirs, method, at, { body: method === "GET" ? undefined : {} })).status,
        method,
      ).toBe(403);
  });

  test("slots: a customer cannot choose one whose day is not active, and does not see it", async () => {
    const { day } = await placed(merchant.admin, { day_of_week: 1 });
    await change(days, day, { is_active: false });
    expect((await listed(await customer(merchant.of), slots)).data).toEqual([]);
  });

  test.each([days, slots])("%s: another account's is 404; nobody is 401; a key is enough", async (path) => {
    const other = await openMerchant();
    const id = await made(path, other);
    for (const answer of [
      await get(path, id),
      await change(path, id, {}),
      await remove(path, id),
      await get(path, newId()),
      await get(path, "nope"),
    ])
      expect(faults(answer)).toEqual([404, "NOT_FOUND"]);
    expect((await get(path, id, other)).status).toBe(200);
    expect((await api(nobody, "GET", path)).status).toBe(401);
    expect((await api(other.of, "GET", `${path}/${id}`)).status).toBe(200);
    expect((await listed(merchant.admin, path)).meta.total).toBe(0);
  });

  test.each([days, slots])("%s: an unknown parameter is 400", async (path) => {
    expectRefused(await api(merchant.admin, "GET", path, { query: { is_active: true } }), "is_active");
    expectRefused(await api(merchant.admin, "GET", path, { query: { limit: 101 } }), "limit");
  });
});
