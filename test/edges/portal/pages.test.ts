/** A page of the portal is answered in two trips and 30 KB, runs no foreign code, and shows no other customer's records. */
import { beforeAll, describe, expect, test } from "vitest";
import { actions } from "../../../src/edges/portal/pages/actions.ts";
import { api, type Caller } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { orderOf, put, usageOf } from "../../support/records.ts";
import {
  addReason,
  customerOf,
  done,
  inDays,
  type Json,
  on,
  openShop,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { bearer, token } from "../../support/tenant.ts";
import { useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let id: string;
let visitor: ReturnType<typeof openVisitor>;
beforeAll(async () => {
  shop = await openShop();
  const contents = { can_change_quantity: true, can_swap: true, can_add: true, can_remove: true };
  await switchOn(worker, shop, { logo_url: "https://cdn.shop.example/logo.png", ...contents });
  await addReason(shop, "skip");
  id = await subscribe(shop);
  visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
});

function subscription() {
  return `/subscriptions/${id}`;
}
const actionPages = Object.keys(actions).map((name) => `/${name}`);

function paths() {
  return ["", subscription(), "/orders", "/profile", ...actionPages.map((name) => subscription() + name)];
}

test("no page can be framed, runs inline code, or loads from elsewhere but the logo", async () => {
  for (const path of paths()) {
    const { headers, text } = await visitor.get(path);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    if (headers.get("Content-Type")?.startsWith("text/html"))
      expect(policy).toContain("img-src 'self' https://cdn.shop.example;");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(text).not.toMatch(/<script(?![^>]* src=)|<[^>]* on\w+=|style="/);
  }
});

test("each page is answered in at most two trips to the database", async () => {
  await api(shop.api, "GET", on(id));
  for (const path of [
    "",
    subscription(),
    "/orders",
    "/profile",
    ...["skip", "schedule", "frequency", "address", "instructions", "payment-method", "pause", "cancel"].map(
      (name) => `${subscription()}/${name}`,
    ),
  ]) {
    const { answer, db_round_trips } = await usageOf(() => visitor.get(path));
    expect([path, answer.status]).toEqual([path, 200]);
    expect(db_round_trips, path).toBeLessThanOrEqual(2);
  }
});

test("each page is at most 30 KB compressed", async () => {
  for (const path of paths()) {
    const { text } = await visitor.get(path);
    const packed = new Response(text).body!.pipeThrough(new CompressionStream("gzip"));
    expect((await new Response(packed).arrayBuffer()).byteLength, path).toBeLessThan(20_000);
  }
});

test("what customers and merchants have written is shown as text", async () => {
  const evil = `<img src=x onerror=alert(1)>"'`;
  await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: evil });
  await api(shop.admin, "PUT", `/api/profiles/${shop.profileId}`, { body: { first_name: evil } });
  await api(shop.api, "PUT", "/api/account", { body: { name: evil } });
  for (const path of ["", subscription(), `${subscription()}/instructions`, "/profile"]) {
    const { text } = await visitor.get(path);
    expect(text).not.toContain("<img src=x");
    expect(text).toContain("&lt;img src=x");
  }
  await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "" });
  await api(shop.api, "PUT", "/api/account", { body: { name: "Shop" } });
});

test("a theme is the shop's own, and can be cached", async () => {
  const { headers, text } = await visitor.get("/theme.css");
  expect(headers.get("Content-Type")).toBe("text/css; charset=utf-8");
  expect(headers.get("Cache-Control")).toBe("public, max-age=300");
  expect(text).toContain("--accent:#");
});

test("without a session every page leads to the form that signs in, and no form does anything", async () => {
  const stranger = openVisitor(worker, shop);
  const before = await rowsOf(shop.of.account.id);
  for (const path of paths().slice(1)) {
    for (const answer of [await stranger.get(path), await stranger.post(path, { confirm: "1" })])
      expect([303, 404, 405]).toContain(answer.status);
  }
  expect((await stranger.get()).text).toContain("<h1>Sign in</h1>");
  expect(await rowsOf(shop.of.account.id)).toBe(before);
});

describe("the ids of another customer", () => {
  let theirs: string;
  let address: string;
  beforeAll(async () => {
    const friend = await customerOf(shop.of);
    theirs = await subscribe(shop, { profile_id: friend.profileId });
    const body = { address1: "secret street", city: "C", zip: "Z", country: "UK", country_code: "GB" };
    address = (await api<Json>(friend.customer, "POST", "/api/portal/me/addresses", { body })).body.data.id;
  });

  const filled = {
    count: "1",
    line: crypto.randomUUID(),
    store_variant_id: "variant-1",
    quantity: "2",
    next_delivery_date: inDays(20),
    frequency: "WEEK-1",
    delivery_instructions: "x",
    address1: "1",
    city: "C",
    zip: "Z",
    country: "UK",
    country_code: "GB",
    payment_method_id: crypto.randomUUID(),
  };

  test.each(Object.keys(actions))("through the form %s: 404, and nothing changes", async (name) => {
    const before = await rowsOf(shop.of.account.id);
    const path = `/subscriptions/${theirs}/${name}`;
    for (const form of [filled, { ...filled, confirm: "1", key: `theirs-${name}` }]) {
      const { status, text } = await visitor.post(path, form);
      expect(status).toBe(404);
      expect(text).not.toContain("Kibble");
    }
    expect((await visitor.get(path)).status).toBe(404);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test("their subscription, and their address by removal and as a delivery address", async () => {
    const before = await rowsOf(shop.of.account.id);
    expect((await visitor.get(`/subscriptions/${theirs}`)).status).toBe(404);
    expect((await visitor.post(`/profile/addresses/${address}/remove`)).status).toBe(404);
    const form = { delivery_address_id: address, confirm: "1", key: "a" };
    const refused = await visitor.post(`${subscription()}/address`, form);
    expect([refused.status, refused.text.includes("secret street")]).toEqual([400, false]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });
});

test("a page's change is the customer's, under their name, as with a token", async () => {
  await visitor.post(`${subscription()}/instructions`, {
    delivery_instructions: "Ring",
    confirm: "1",
    key: "k1",
  });
  const query = { subscription_id: id, start_date: inDays(-2), end_date: inDays(2) };
  const feed = await api<Json>(shop.admin, "GET", "/api/activity-logs", { query });
  const [entry] = feed.body.data;
  expect([entry.action, entry.actor_type]).toEqual(["delivery_instructions_updated", "customer"]);
});

test("what the shop forbids is neither offered nor done", async () => {
  await switchOn(worker, shop, { can_cancel: false });
  const { text } = await visitor.get(subscription());
  expect(text).not.toContain(`${subscription()}/cancel`);
  const before = await rowsOf(shop.of.account.id);
  for (const form of [{}, { confirm: "1", key: "c" }])
    expect((await visitor.post(`${subscription()}/cancel`, form)).status).toBe(403);
  expect(await rowsOf(shop.of.account.id)).toBe(before);
  await switchOn(worker, shop, { can_cancel: true });
});

test("pages speak the browser's language, and the link's before it", async () => {
  const stranger = openVisitor(worker, shop);
  const speaks = async (language: string) => (await stranger.get("", { "Accept-Language": language })).text;
  expect(await speaks("de-CH, en;q=0.5")).toContain('lang="de"');
  expect(await speaks("fr;q=0.4, es;q=0.9")).toContain('lang="es"');
  expect(await speaks("ja")).toContain('lang="en"');
  await stranger.enter((await linkFor(worker, shop, { locale: "fr" })).url);
  expect(await speaks("de")).toContain('lang="fr"');
});

test("a token of the portal's customers is no way into the pages, and a cookie none into the API", async () => {
  const [[name, value] = ["", ""]] = [...visitor.cookies];
  const asCookie: Caller = { credentials: { Cookie: `${name}=${value}` } };
  expect((await api(asCookie, "GET", "/api/portal/me")).status).toBe(401);
  const text = await token(shop.of, { actor_type: "customer", profile_id: shop.profileId });
  const page = await api(bearer(text), "GET", `${visitor.base}/orders`);
  expect(page.status).toBe(303);
});

test("an order whose goods come back says how far they are, and no other does", async () => {
  const customer = openVisitor(worker, shop);
  await customer.enter((await linkFor(worker, shop, { locale: "de" })).url);
  const order = orderOf(shop.of, { profile_id: shop.profileId });
  await put("orders", [order]);
  expect((await customer.get("/orders")).text).not.toContain("Rücksendung");
  await execute("UPDATE orders SET return_status = 'IN_PROGRESS' WHERE id = ?", order.id);
  expect((await customer.get("/orders")).text).toContain("<dt>Rücksendung</dt><dd>Unterwegs zurück</dd>");
});
