/** A page of the console shows what the member's role may read and no more, in two trips and 40 KB, and of its shop alone. */
import { beforeAll, describe, expect, test } from "vitest";
import type { CalendarDate } from "../../../src/base/lib/time/dates.ts";
import { orderOf, put, usageOf } from "../../support/records.ts";
import { openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
let subscription: string;
let order: string;
beforeAll(async () => {
  shop = await openShop();
  subscription = await subscribe(shop);
  const row = orderOf(shop.of, { profile_id: shop.profileId });
  await put("orders", [row]);
  order = row.id;
});

type Role = "OWNER" | "MANAGER" | "SUPPORT" | "WAREHOUSE" | "VIEWER";
const roles: Role[] = ["OWNER", "MANAGER", "SUPPORT", "WAREHOUSE", "VIEWER"];

/** The pages, and the roles that lack one. */
function pages(): [string, Role[]][] {
  return [
    ["", []],
    ["/to-do", ["WAREHOUSE"]],
    ["/search?q=a", []],
    ["/jobs", ["SUPPORT", "WAREHOUSE"]],
    ["/figures", []],
    ["/settings", []],
    ["/customers", ["WAREHOUSE"]],
    [`/customers/${shop.profileId}`, ["WAREHOUSE"]],
    [`/subscriptions/${subscription}`, ["WAREHOUSE"]],
    ["/orders", []],
    [`/orders/${order}`, []],
  ];
}

describe.each(roles)("%s", (role) => {
  test("sees the pages of its scopes, and is refused the others, which no page leads to", async () => {
    const { visitor } = await signedIn(worker, shop, role);
    for (const [path, lacking] of pages()) {
      const { status, text } = await visitor.get(path);
      const isLacking = lacking.includes(role);
      expect([path, status]).toEqual([path, isLacking ? 403 : 200]);
      if (!isLacking)
        for (const [other, refused] of pages().filter(([one]) => !one.includes("?")))
          if (other !== "" && refused.includes(role)) expect(text).not.toContain(`"${visitor.base}${other}"`);
    }
  });

  test("changes nothing by looking: no page has a form but those that search and sign out", async () => {
    const { visitor } = await signedIn(worker, shop, "VIEWER");
    for (const [path] of pages()) {
      const { text } = await visitor.get(path);
      const posts = [...text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)"/g)].map(
        ([, action]) => action,
      );
      expect(posts).toEqual([`${visitor.base}/sign-out`]);
    }
  });
});

test("each page takes two trips and 40 KB at most, runs no code, and loads nothing from elsewhere", async () => {
  const { visitor } = await signedIn(worker, shop);
  for (const [path] of pages()) {
    const { answer: result, db_round_trips } = await usageOf(() => visitor.get(path));
    expect([path, db_round_trips <= 2]).toEqual([path, true]);
    expect(result.text.length).toBeLessThan(40 * 1024);
    expect(result.text).not.toMatch(/<script(?! src="\/assets\/console\.js")|<[^>]* on\w+=|style="/);
    const policy = result.headers.get("Content-Security-Policy") ?? "";
    expect([policy.includes("default-src 'none'"), policy.includes("unsafe")]).toEqual([true, false]);
    expect(result.headers.get("Cache-Control")).toBe("no-store");
  }
});

test("a subscription is told in a person's words: whose, how often, for how much, why, and what has happened", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { text } = await visitor.get(`/subscriptions/${subscription}`);
  const { number, profile } = await read(shop, subscription);
  for (const part of [profile.email, `#${number}`, "Why", "Next deliveries", "subscription created"])
    expect(text).toContain(part);
});

test("a search finds a customer's subscription by its number and by their address", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { number, profile } = await read(shop, subscription);
  for (const q of [number, profile.email]) {
    const { text } = await visitor.get(`/search?q=${encodeURIComponent(q)}`);
    expect([q, text.includes(`/subscriptions/${subscription}"`)]).toEqual([q, true]);
  }
  const { text } = await visitor.get(`/search?q=${encodeURIComponent('"><b>nobody')}`);
  expect([text.includes("Nothing matches"), text.includes("<b>nobody")]).toEqual([true, false]);
});

test("the warehouse finds an order by its number and by its customer, and nothing that it may not read", async () => {
  const { visitor } = await signedIn(worker, shop, "WAREHOUSE");
  const named = orderOf(shop.of, { profile_id: shop.profileId, store_order_number: "#4711" });
  await put("orders", [named]);
  const { profile } = await read(shop, subscription);
  for (const q of ["#4711", profile.email]) {
    const { text } = await visitor.get(`/search?q=${encodeURIComponent(q)}`);
    expect([q, text.includes(`/orders/${named.id}"`)]).toEqual([q, true]);
    expect([q, text.includes("<h2>Customers"), text.includes("<h2>Subscriptions")]).toEqual([
      q,
      false,
      false,
    ]);
  }
  expect((await visitor.get("")).text).toContain('role="search"');
});

test("records of another shop are not found, and a page that there is not says by which id the log knows it", async () => {
  const other = await openShop();
  const { visitor } = await signedIn(worker, other);
  for (const path of [
    `/customers/${shop.profileId}`,
    `/subscriptions/${subscription}`,
    `/orders/${order}`,
    "/nothing",
  ]) {
    const { status, text } = await visitor.get(path);
    expect([path, status, /Request [0-9a-f-]{36}/.test(text)]).toEqual([path, 404, true]);
  }
});

test("the goods and orders of a day are on one page and as a spreadsheet, for whoever may read orders", async () => {
  const { visitor } = await signedIn(worker, shop, "WAREHOUSE");
  const { next_production_date: packed, next_delivery_date } = await read(shop, subscription);
  const date = packed ?? next_delivery_date;
  const { text } = await visitor.get(`/orders?day=${date}`);
  for (const part of ["To produce", "To pack", "To deliver", "In doubt"]) expect(text).toContain(part);
  const csv = await visitor.get(`/goods.csv?day=${date}`);
  expect([csv.status, csv.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(csv.text).toMatch(/^\uFEFF?date,store_variant_id/);
  expect(csv.text.split("\n").length).toBeGreaterThan(1);
});

test("all orders of a day that are paid for and not wholly sent are to be packed, those that were begun first", async () => {
  const { visitor } = await signedIn(worker, shop, "WAREHOUSE");
  const day = { profile_id: shop.profileId, production_date: "2031-03-03" as CalendarDate };
  const named = (external_order_number: string, values: object = {}) =>
    orderOf(shop.of, { ...day, external_order_number, ...values });
  await put("orders", [
    ...Array.from({ length: 26 }, (_, nth) => named(`whole-${nth}`)),
    named("begun", { fulfillment_status: "PARTIALLY_FULFILLED" }),
    named("paid-back", { status: "PARTIALLY_REFUNDED" }),
    named("called-off", { status: "CANCELLED" }),
    named("all-paid-back", { status: "REFUNDED" }),
  ]);
  const first = (await visitor.get("/orders?day=2031-03-03")).text;
  const [, more = ""] = /href="([^"]*\/orders\?list=pack[^"]*)"/.exec(first) ?? [];
  const all = await visitor.get(more.replaceAll("&amp;", "&").replace(visitor.base, ""));
  const [, next = ""] = /href="([^"]*)">Next</.exec(all.text) ?? [];
  const last = await visitor.get(next.replaceAll("&amp;", "&").replace(visitor.base, ""));
  const packed = `${all.text}${last.text}`;
  expect(first).toMatch(/To pack <span class="count">28</);
  for (const name of [...Array.from({ length: 26 }, (_, nth) => `whole-${nth}`), "begun", "paid-back"])
    expect([name, packed.includes(`>${name}<`)]).toEqual([name, true]);
  for (const name of ["called-off", "all-paid-back"]) expect(first + packed).not.toContain(name);
  expect(first.indexOf(">begun<")).toBeLessThan(first.indexOf(">whole-"));
});
