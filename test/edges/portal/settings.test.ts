/** Each setting of the portal binds customers over HTTP, MCP and dry runs, and never the shop's staff. */
import { beforeEach, describe, expect, test } from "vitest";
import { allOperations } from "../../../src/runtime/operations.ts";
import { api, type Caller } from "../../support/client.ts";
import {
  addPlan,
  customerOf,
  inDays,
  inState,
  type Json,
  on,
  openShop,
  refusal,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { message, toolCall, withAllTools } from "../mcp/session.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

function set(settings: object) {
  return api<Json>(shop.api, "PUT", "/api/account/portal", { body: settings });
}

async function get(): Promise<Json> {
  return (await api(shop.api, "GET", "/api/account/portal")).body.data;
}

/** The actions that each setting forbids: an operation, and the state in which it would succeed. */
const bound: [setting: string, method: string, part: string, body: () => object][] = [
  ["can_pause", "POST", "pause", () => ({})],
  ["can_cancel", "POST", "cancel", () => ({})],
  ["can_skip", "POST", "skip", () => ({ skip_weeks: 1 })],
  ["can_skip", "POST", "skip-deliveries", () => ({})],
  ["can_skip", "POST", "unskip", () => ({})],
  ["can_reschedule", "PUT", "schedule", () => ({ next_delivery_date: inDays(20) })],
  ["can_change_frequency", "PUT", "frequency", () => ({ interval: "WEEK", interval_count: 1 })],
  [
    "can_change_address",
    "PUT",
    "delivery-address",
    () => ({ address1: "2", city: "C", zip: "Z", country: "UK", country_code: "GB" }),
  ],
  ["can_change_payment_method", "PUT", "payment-method", () => ({ store_payment_method_id: "pm_pending" })],
  ["can_ship_now", "POST", "ship-now", () => ({})],
];

test("a new account's portal is off, and lets customers do everything but change what is in a subscription", async () => {
  expect(await get()).toEqual({
    is_enabled: false,
    base_url: null,
    return_urls: [],
    logo_url: null,
    accent_color: null,
    support_email: null,
    update_payment_url: null,
    default_locale: "en",
    frequencies: [],
    can_pause: true,
    can_cancel: true,
    can_skip: true,
    can_reschedule: true,
    can_change_frequency: true,
    can_change_address: true,
    can_change_payment_method: true,
    can_ship_now: true,
    can_change_quantity: false,
    can_swap: false,
    can_add: false,
    can_remove: false,
    max_pause_days: null,
    max_quantity: 10,
  });
});

test("a change sets what it names, keeps the rest, and is one entry with what differs", async () => {
  const first = await set({ is_enabled: true, accent_color: "#aa3300" });
  expect([first.status, first.body.data.is_enabled]).toEqual([200, true]);
  const { body } = await set({ can_cancel: false, is_enabled: true });
  expect(body.data).toMatchObject({ is_enabled: true, accent_color: "#aa3300", can_cancel: false });
  expect(await get()).toEqual(body.data);
  await set({ can_cancel: false });
  const events = await api<Json>(shop.api, "GET", "/api/events", { query: { types: "account.updated" } });
  expect(events.body.data.map(({ changes }: Json) => changes)).toEqual([
    { "portal.is_enabled": { from: false, to: true }, "portal.accent_color": { from: null, to: "#aa3300" } },
    { "portal.can_cancel": { from: true, to: false } },
  ]);
});

test.each([
  [{ logo_url: "http://shop.example/logo.png" }],
  [{ logo_url: "http://127.0.0.1:8787/assets/demo/logo.svg" }],
  [{ logo_url: "https://user@shop.example/logo.png" }],
  [{ logo_url: "https://a;script-src/logo.png" }],
  [{ return_urls: ["javascript:alert(1)"] }],
  [{ accent_color: "red" }],
  [{ accent_color: "#fff}" }],
  [{ support_email: "nobody" }],
  [{ update_payment_url: "http://shop.example/card" }],
  [{ update_payment_url: "https://user@shop.example/card" }],
  [{ update_payment_url: "https://10.0.0.1/card" }],
  [{ update_payment_url: "https://localhost/card" }],
  [{ update_payment_url: "https://shop.internal/card" }],
  [{ max_pause_days: 0 }],
  [{ max_quantity: 0 }],
  [{ max_quantity: 1_001 }],
  [{ frequencies: [{ interval: "WEEK", interval_count: 53 }] }],
  [{ default_locale: "xx" }],
])("%j is 400", async (settings) => {
  expect(refusal(await set(settings))).toEqual([400, "VALIDATION_FAILED"]);
});

describe.each(bound)("%s binds %s %s", (setting, method, part, body) => {
  test("403 for a customer by HTTP, by MCP and in a dry run; nothing changes; the shop's staff may", async () => {
    const id = await subscribe(shop);
    await set({ [setting]: false });
    const before = await rowsOf(shop.of.account.id);
    for (const query of [{}, { dry_run: true }])
      expect(refusal(await api(shop.customer, method, on(id, part), { body: body(), query }))).toEqual([
        403,
        "FORBIDDEN",
      ]);
    expect(await byMcp(shop.customer, method, part, { id, ...body() })).toBe("FORBIDDEN");
    expect(await rowsOf(shop.of.account.id)).toBe(before);
    const staff = await api(shop.admin, method, on(id, part), { body: body(), query: { dry_run: true } });
    expect(staff.status).not.toBe(403);
  });
});

test("can_pause and can_cancel of a subscription answer false to a customer where the setting forbids it", async () => {
  const id = await subscribe(shop);
  await set({ can_pause: false, can_cancel: false });
  const flags = async (as: Caller) => {
    const { data } = (await api<Json>(as, "GET", on(id))).body;
    const [item] = (await api<Json>(as, "GET", "/api/subscriptions")).body.data;
    expect([item.can_pause, item.can_cancel]).toEqual([data.can_pause, data.can_cancel]);
    return [data.can_pause, data.can_cancel];
  };
  expect(await flags(shop.customer)).toEqual([false, false]);
  expect(await flags(shop.api)).toEqual([true, true]);
});

test("a customer may always resume and reactivate", async () => {
  await set({ can_pause: false, can_cancel: false });
  const [paused, cancelled] = [await inState(shop, "PAUSED"), await inState(shop, "CANCELLED")];
  expect((await api(shop.customer, "POST", on(paused, "resume"))).status).toBe(200);
  expect((await api(shop.customer, "POST", on(cancelled, "reactivate"))).status).toBe(200);
});

describe("frequencies", () => {
  const ask = (as: Caller, id: string, interval: string, interval_count: number) =>
    api<Json>(as, "PUT", on(id, "frequency"), { body: { interval, interval_count } });

  test("without a list those of the active plans are offered, to customers alone", async () => {
    const id = await subscribe(shop);
    expect(refusal(await ask(shop.customer, id, "WEEK", 3))).toEqual([400, "FREQUENCY_NOT_OFFERED"]);
    expect((await ask(shop.api, id, "WEEK", 3)).status).toBe(200);
    expect((await ask(shop.customer, id, "WEEK", 1)).status).toBe(200);
  });

  test("those of plans are offered the shortest first", async () => {
    await set({ is_enabled: true });
    for (const [unit, count] of [
      ["MONTH", 1],
      ["WEEK", 2],
      ["DAY", 10],
    ])
      await addPlan(shop, { billing_interval: unit, billing_interval_count: count });
    const { body } = await api<Json>(shop.customer, "GET", "/api/portal/settings");
    const offered = body.data.frequencies.map((one: Json) => `${one.interval_count} ${one.interval}`);
    expect(offered).toEqual(["10 DAY", "1 WEEK", "2 WEEK", "1 MONTH"]);
  });

  test("with a list only those in it; the present one is no change", async () => {
    const id = await subscribe(shop);
    await set({ frequencies: [{ interval: "month", interval_count: 2 }] });
    expect((await ask(shop.customer, id, "WEEK", 1)).status).toBe(200);
    expect(refusal(await ask(shop.customer, id, "WEEK", 2))).toEqual([400, "FREQUENCY_NOT_OFFERED"]);
    expect((await ask(shop.customer, id, "MONTH", 2)).status).toBe(200);
    expect(refusal(await ask(shop.customer, id, "WEEK", 1))).toEqual([400, "FREQUENCY_NOT_OFFERED"]);
  });
});

test("with max_pause_days a customer's pause needs an end within them, a merchant's does not", async () => {
  const id = await subscribe(shop);
  await set({ max_pause_days: 30 });
  const pause = (as: Caller, body: object) => api<Json>(as, "POST", on(id, "pause"), { body });
  expect(refusal(await pause(shop.customer, {}))).toEqual([400, "VALIDATION_FAILED"]);
  expect(refusal(await pause(shop.customer, { pause_until: inDays(31) }))).toEqual([
    400,
    "VALIDATION_FAILED",
  ]);
  expect((await pause(shop.customer, { pause_until: inDays(30) })).status).toBe(200);
  await api(shop.api, "POST", on(id, "resume"));
  expect((await pause(shop.api, {})).status).toBe(200);
});

describe("what a customer's token reaches under /api/portal", () => {
  const path = "/api/portal";

  test("403 while the portal is off", async () => {
    for (const part of ["/me", "/me/addresses", "/me/orders", "/settings"])
      expect(refusal(await api(shop.customer, "GET", path + part))).toEqual([403, "FORBIDDEN"]);
  });

  test("what the shop allows, with the frequencies of its plans", async () => {
    await set({ is_enabled: true, can_cancel: false, return_urls: ["https://shop.example/account"] });
    const { body } = await api<Json>(shop.customer, "GET", `${path}/settings`);
    expect(body.data).toMatchObject({
      shop: shop.of.account.shop,
      can_cancel: false,
      can_pause: true,
      frequencies: [{ interval: "WEEK", interval_count: 1 }],
    });
    expect(body.data).not.toHaveProperty("return_urls");
  });

  test("the own profile: name and phone can be changed, the e-mail address cannot", async () => {
    await set({ is_enabled: true });
    const { body } = await api<Json>(shop.customer, "PUT", `${path}/me`, {
      body: { first_name: "Grace", phone_number: "123" },
    });
    expect(body.data).toMatchObject({ id: shop.profileId, first_name: "Grace", phone_number: "123" });
    expect((await api<Json>(shop.customer, "GET", `${path}/me`)).body).toEqual(body);
    const refused = await api<Json>(shop.customer, "PUT", `${path}/me`, { body: { email: "a@b.example" } });
    expect(refused.body.details).toEqual([{ path: "email", message: "unknown field" }]);
  });

  test("another customer's addresses and orders are not there", async () => {
    await set({ is_enabled: true });
    const body = { address1: "1", city: "C", zip: "Z", country: "UK", country_code: "GB" };
    const made = await api<Json>(shop.customer, "POST", `${path}/me/addresses`, { body });
    expect([made.status, made.body.data.profile_id]).toEqual([201, shop.profileId]);
    const { id } = made.body.data;
    const { customer } = await customerOf(shop.of);
    const before = await rowsOf(shop.of.account.id);
    const there = `${path}/me/addresses/${id}`;
    expect(refusal(await api(customer, "PUT", there, { body: { zip: "X" } }))).toEqual([404, "NOT_FOUND"]);
    expect(refusal(await api(customer, "DELETE", there))).toEqual([404, "NOT_FOUND"]);
    expect((await api<Json>(customer, "GET", `${path}/me/addresses`)).body.data).toEqual([]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
    expect((await api<Json>(shop.customer, "PUT", there, { body: { zip: "X" } })).body.data.zip).toBe("X");
    expect((await api(shop.customer, "DELETE", there)).status).toBe(204);
    expect((await api<Json>(shop.customer, "GET", `${path}/me/addresses`)).body.data).toEqual([]);
  });
});

/** The error code that the tool of an operation answers. */
async function byMcp(as: Caller, method: string, part: string, args: object): Promise<string> {
  const { id: name } = (await allOperations()).find(
    (one) => one.method === method.toLowerCase() && one.path === `/api/subscriptions/{id}/${part}`,
  ) as { id: string };
  const { body } = await message<Json>(as, toolCall(name, args as Record<string, unknown>), {
    path: withAllTools,
  });
  return JSON.parse(body.result.content[0].text).errorCode;
}
