/** The pages show orders, addresses and prepaid deliveries as the API has them, and links lead there after signing in. */
import { beforeEach, describe, expect, test } from "vitest";
import { day, dayOf, money } from "../../../src/base/language/format.ts";
import { textsOf } from "../../../src/edges/portal/pages/texts/index.ts";
import { turnCard } from "../../domain/billing/upcoming-states.ts";
import { api } from "../../support/client.ts";
import { orderOf, put, usageOf } from "../../support/records.ts";
import {
  addPlan,
  customerOf,
  done,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import { advance, clockOf, linked, ordersOf, startClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
const locales = ["en", "de", "fr", "es"] as const;
let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  await startClock(shop, "2030-01-31T10:00:00.000Z");
  visitor = openVisitor(worker, shop);
});

async function enter(locale = "en") {
  return visitor.enter((await linkFor(worker, shop, { locale })).url);
}

/** The words of a page's main part. */
async function wordsOf(path: string): Promise<string> {
  const { text, status } = await visitor.get(path);
  expect(status, text).toBe(200);
  const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
  return spaced(main.replaceAll(/<[^>]*>/g, " "));
}

/** A text whose spaces are all alike. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

async function monthly(terms: object = {}, more: object = {}): Promise<string> {
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1, ...terms });
  return linked(shop, worker, { next_delivery_date: "2030-02-03", lines: [itemOf(plan)], ...more });
}

test("addresses are written line by line, among the saved ones and where a change is shown", async () => {
  const id = await monthly();
  await enter();
  const typed = { address1: "12 Oak Street", zip: "12180", city: "Troy", province: "NY", country_code: "US" };
  await visitor.post("/profile/addresses", typed);
  const form = await visitor.get(`/subscriptions/${id}/address`);
  const lines = "12 Oak Street<br>Troy, New York 12180<br>United States";
  expect(form.text).toContain(lines);
  const [, saved = ""] = /name="delivery_address_id" value="([^"]+)"/.exec(form.text) ?? [];
  const { text } = await visitor.post(`/subscriptions/${id}/address`, { delivery_address_id: saved });
  expect(text).toContain(`<strong>${lines}</strong>`);
  expect(text).toContain("1 High Street<br>");
});

describe("an order", () => {
  test("has a page with its goods, their price, its address and its dates, in two trips", async () => {
    const id = await monthly();
    await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring twice" });
    await advance(shop, worker, 4);
    const [order] = await ordersOf(shop, id);
    await enter();
    expect((await visitor.get("/orders")).text).toContain(`/orders/${order.id}"`);
    const words = await wordsOf(`/orders/${order.id}`);
    expect(words).toContain("1 × Kibble");
    expect(words).toContain(money("en", order.total, "USD"));
    expect(words).toContain("1 High Street London N1");
    expect(words).toContain(day("en", order.delivery_date));
    expect(words).toContain("Ring twice");
    const { db_round_trips } = await usageOf(() => visitor.get(`/orders/${order.id}`));
    expect(db_round_trips).toBeLessThanOrEqual(2);
  });

  test("that another delivery was paid with says which of them it is", async () => {
    const id = await monthly({
      billing_interval_count: 3,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
    });
    await advance(shop, worker, 40);
    const orders = await ordersOf(shop, id);
    const second = orders.find(({ prepaid_delivery }) => prepaid_delivery === 2);
    await enter();
    expect(await wordsOf(`/orders/${second.id}`)).toContain("Delivery 2 of 3");
  });

  test("whose contents are not known here says who knows them", async () => {
    const order = orderOf(shop.of, { profile_id: shop.profileId });
    await put("orders", [order]);
    await enter();
    expect(await wordsOf(`/orders/${order.id}`)).toContain(textsOf("en").contentsAtShop);
  });

  test("that is not there yet leaves a list that says what will be, and leads on", async () => {
    await enter("de");
    const { text } = await visitor.get("/orders");
    const { noOrders, noOrdersText } = textsOf("de");
    expect(text).toContain(noOrders);
    expect(text).toContain(noOrdersText);
    expect(text).toContain(`<a class="button" href="${visitor.base}">`);
  });

  test("of another customer is 404, as none", async () => {
    const { profileId } = await customerOf(shop.of);
    const order = orderOf(shop.of, { profile_id: profileId });
    await put("orders", [order]);
    await enter();
    for (const id of [order.id, crypto.randomUUID(), "x"])
      expect((await visitor.get(`/orders/${id}`)).status).toBe(404);
  });
});

describe("the page of a subscription says", () => {
  test.each(locales)("in %s how many prepaid deliveries are left, as upcoming has them", async (locale) => {
    const id = await monthly({
      billing_interval_count: 3,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
    });
    const texts = textsOf(locale);
    const upcoming = async (): Promise<Json[]> =>
      (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 6 } })).body.data;
    const left = async () => (await upcoming()).findIndex(({ is_billed }) => is_billed);
    await enter(locale);
    expect(await wordsOf(`/subscriptions/${id}`)).toContain(texts.prepaidLeft(0, 3));
    const paid = texts.every("MONTH", 3);
    const rhythm = texts.deliveredAndPaid(texts.every("MONTH", 1), paid[0]?.toLowerCase() + paid.slice(1));
    expect(await wordsOf(`/subscriptions/${id}`)).toContain(rhythm);
    await advance(shop, worker, 4);
    expect(await left()).toBe(2);
    await enter(locale);
    expect(await wordsOf(`/subscriptions/${id}`)).toContain(texts.prepaidLeft(2, 3));
    await advance(shop, worker, 30);
    expect(await left()).toBe(1);
    await enter(locale);
    expect(await wordsOf(`/subscriptions/${id}`)).toContain(texts.prepaidLeft(1, 3));
  });

  test("nothing of prepaid deliveries where each is paid by itself", async () => {
    const id = await monthly();
    await enter();
    expect(await wordsOf(`/subscriptions/${id}`)).not.toContain("Prepaid");
  });

  test.each(locales)("in %s from when on it costs something else, as it is then charged", async (locale) => {
    const id = await monthly();
    const discount = { title: "Hello", value: 4, value_type: "FIXED_AMOUNT", target_type: "ORDER" };
    await done(shop.api, "POST", id, "discounts", { ...discount, recurring_cycle_limit: 2 });
    await enter(locale);
    const upcoming: Json[] = (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 6 } })).body
      .data;
    expect(upcoming.map(({ total }) => total)).toEqual([6, 6, 10, 10, 10, 10]);
    const then = spaced(
      textsOf(locale).amountFrom(money(locale, 10, "USD"), day(locale, upcoming[2].billing_date)),
    );
    const words = await wordsOf(`/subscriptions/${id}`);
    expect(words).toContain(then);
    expect(words.split(then), "once").toHaveLength(2);
  });

  test("the instructions, and goods that come once only, but not the shop's own note", async () => {
    const id = await monthly({}, { note: "Haggles. Never discount" });
    await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring twice" });
    const line = { ...itemOf(shop.plan), product_title: "Bowl", is_one_time: true };
    await api(shop.api, "POST", on(id, "lines"), { body: line });
    await enter();
    const words = await wordsOf(`/subscriptions/${id}`);
    expect(words).not.toContain("Haggles");
    expect(await read(shop, id)).toMatchObject({ note: "Haggles. Never discount" });
    const asCustomer = await api<Json>(shop.customer, "GET", on(id));
    expect(asCustomer.body.data.note).toBeNull();
    for (const text of ["Ring twice", "1 × Bowl (in the next delivery only)"]) expect(words).toContain(text);
  });

  test.each(locales)("in %s why a payment has failed and when it is tried next", async (locale) => {
    const id = await monthly();
    await turnCard({ id }, "pm_insufficient_funds");
    await advance(shop, worker, 4);
    const { payments, why, reasons } = textsOf(locale);
    await enter(locale);
    const words = await wordsOf(`/subscriptions/${id}`);
    expect(words).toContain(spaced(why.failed(money(locale, 10, "USD"), reasons.funds)));
    const episodes = await api<Json>(shop.api, "GET", on(id, "dunning-episodes"));
    const { next_retry_at } = episodes.body.data[0];
    expect(next_retry_at > (await clockOf(shop))).toBe(true);
    expect(words).toContain(spaced(payments.nextTry(dayOf(locale, next_retry_at, "UTC"))));
  });
});

test.each(locales)("in %s a customer without subscriptions is told where they would be", async (locale) => {
  await enter(locale);
  const { text } = await visitor.get();
  const texts = textsOf(locale);
  expect(text).toContain(texts.nothing);
  expect(text).toContain(texts.nothingText(shop.of.account.name).slice(0, 30));
});

describe("a link to a page of the portal", () => {
  test.each(["", "/skip"])("of a subscription%s leads there after signing in", async (part) => {
    const id = await monthly();
    const path = `/subscriptions/${id}${part}`;
    const first = await visitor.get(path);
    expect([first.status, first.headers.get("Location")]).toEqual([303, visitor.base]);
    const entered = await enter();
    expect(entered.headers.get("Location")).toBe(visitor.base + path);
    await visitor.post("/sign-out");
    expect((await enter()).headers.get("Location"), "once").toBe(visitor.base);
  });

  test.each(["/orders", "/profile", "/orders/019a0000-0000-7000-8000-000000000001"])(
    "to %s leads there after signing in",
    async (path) => {
      await visitor.get(path);
      expect((await enter()).headers.get("Location")).toBe(visitor.base + path);
    },
  );

  test.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/../../evil",
    "/sign-out",
    "/subscriptions/a/b/c",
    "/subscriptions/%2e%2e%2fx",
    "/orders?x=//evil.example",
    "/orders\r\nX: y",
    "",
  ])("is no address elsewhere, whatever a cookie says: %s", async (path) => {
    const { id } = shop.of.account;
    visitor.cookies.set("__Host-perennial-return", encodeURIComponent(`${id}.${path}`));
    expect((await enter()).headers.get("Location")).toBe(visitor.base);
  });

  test("is of its shop alone", async () => {
    const other = await openShop();
    visitor.cookies.set("__Host-perennial-return", `${other.of.account.id}./orders`);
    expect((await enter()).headers.get("Location")).toBe(visitor.base);
  });
});
