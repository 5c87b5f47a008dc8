/** A merchant installs the app from Shopify for their own shop alone, and its token is kept fresh. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { readCredentials } from "../../../src/stores/shopify/app/connection.ts";
import {
  optionalScopes,
  remoteMethodScopes,
  requiredScopes,
} from "../../../src/stores/shopify/app/scopes.ts";
import { registrable } from "../../../src/stores/shopify/topics.ts";
import { logged, send } from "../../edges/webhooks/hooks.ts";
import { type Answer, nobody, origin } from "../../support/client.ts";
import { select, testDb } from "../../support/database.ts";
import { type FakeShopify, fakeShopify, fetchOf } from "../../support/fake-shopify.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { openWorker, type TestWorker } from "../../support/worker.ts";
import { credentialsKey } from "./shop.ts";

const app = { STORE_CLIENT_ID: "fake-client-id", STORE_CLIENT_SECRET: "shpss_fake" };
let merchant: Shop;
let store: FakeShopify;
let worker: TestWorker;
let browser: string | undefined;

beforeEach(async () => {
  merchant = await openShop({ currency: "EUR" });
  store = fakeShopify({ shop: merchant.of.account.shop, token: "none", now: () => Date.now() });
  vi.stubGlobal("fetch", fetchOf(store));
  worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, ...app });
  browser = undefined;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A visit by the merchant's browser, which keeps the cookie. */
async function visit(url: URL | string, method = "GET"): Promise<Answer<Json>> {
  const { pathname, search } = new URL(url, origin);
  const answer = await worker.call(nobody, method, `${pathname}${search}`, {
    headers: browser === undefined ? {} : { Cookie: browser },
  });
  const set = answer.headers.get("Set-Cookie");
  if (set) browser = set.includes("Max-Age=0") ? undefined : set.split(";")[0]!;
  return answer;
}

function installPath(shop = merchant.of.account.shop) {
  return `/shopify/install?shop=${shop}`;
}

/** Goes as far as Shopify's consent; the address that Shopify then leads to. */
async function consented(): Promise<URL> {
  const { headers } = await visit(installPath());
  return store.consent(headers.get("Location") ?? "");
}

function stored() {
  return readCredentials(testDb(), credentialsKey, merchant.of.account.id);
}

async function isConnected(): Promise<boolean> {
  return (
    (
      await select(
        "SELECT 1 FROM shopify_connections WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        merchant.of.account.id,
      )
    ).length === 1
  );
}

/** Lets so many minutes pass, then does what cron finds. */
async function minutesLater(minutes: number): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ["Date"] });
  await worker.tick();
}

/** Anything that has to ask the store: an unknown payment method. */
function askStore() {
  return worker.call(merchant.api, "POST", "/api/subscriptions/selling-plans", {
    body: {
      id: `plan-${crypto.randomUUID()}`,
      name: "W",
      billing_interval: "WEEK",
      billing_interval_count: 1,
    },
  });
}

function refreshes() {
  return store.requests.filter(({ operation }) => operation === "access_token").length - 1;
}

describe("installing with the authorization code grant", () => {
  test("leads to the store's consent with the app's id, its scopes and a state, and sets a cookie", async () => {
    const { status, headers } = await visit(`${installPath()}&unknown=1`);
    const to = new URL(headers.get("Location") ?? "");
    expect([status, to.origin, to.pathname]).toEqual([
      302,
      `https://${merchant.of.account.shop}`,
      "/admin/oauth/authorize",
    ]);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      client_id: "fake-client-id",
      redirect_uri: `${origin}/shopify/callback`,
      scope: [...requiredScopes, ...optionalScopes].join(","),
    });
    expect(headers.get("Set-Cookie")).toMatch(/^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(await isConnected()).toBe(false);
  });

  test("asks for the scopes of cards that a provider keeps where the address says so", async () => {
    const { headers } = await visit(`${installPath()}&remote_payment_methods=true`);
    const scope = new URL(headers.get("Location") ?? "").searchParams.get("scope");
    expect(scope).toBe([...requiredScopes, ...optionalScopes, ...remoteMethodScopes].join(","));
  });

  test("connects the account, registers webhooks, and sends and imports plans", async () => {
    store.addPlanGroup({ plans: [{ name: "The store's" }] });
    const { status, text, headers } = await visit(await consented());
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
    expect(text).toContain(`${merchant.of.account.shop} is connected`);
    await worker.drain();
    expect(store.registered().length).toBeGreaterThan(20);
    expect(new Set(store.registered().map(({ uri }) => uri))).toEqual(
      new Set([`${origin}/webhooks/shopify`]),
    );
    await minutesLater(2);
    expect(store.planGroups().map(({ merchantCode }) => merchantCode)).toContain(merchant.plan);
    const { body } = await worker.call(merchant.api, "GET", "/api/subscriptions/selling-plans");
    expect(body.data.map(({ name }: Json) => name)).toContain("The store's");
  });

  test("the setting-up is repeated by cron until it has succeeded", async () => {
    await visit(await consented());
    worker.forget();
    store.fail({ kind: "http500", on: "Webhooks", times: 1 });
    await minutesLater(2);
    expect(store.registered()).toEqual([]);
    await minutesLater(2);
    expect(store.registered().length).toBeGreaterThan(20);
    const [row] = await select<Json>(
      "SELECT * FROM shopify_connections WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      merchant.of.account.id,
    );
    expect(row.next_action_at > new Date(Date.now() + 3_600_000).toISOString()).toBe(true);
  });

  test("a refused webhook that money depends on is an alert, and tried again in an hour; the others are registered", async () => {
    await visit(await consented());
    store.settings.showsCustomers = false;
    const alerts = async (act: () => Promise<unknown>) =>
      (await logged(act)).filter(({ event }) => event === "store_not_set_up");
    expect(await alerts(() => worker.drain())).toMatchObject([
      { alert: true, account_id: merchant.of.account.id, cause: expect.stringContaining("ORDERS_CREATE: ") },
    ]);
    expect(store.registered().map(({ topic }) => topic)).toContain("SUBSCRIPTION_CONTRACTS_CREATE");
    store.settings.showsCustomers = true;
    await minutesLater(30);
    expect(store.registered().map(({ topic }) => topic)).not.toContain("ORDERS_CREATE");
    expect(store.planGroups()).toEqual([]);
    expect(await alerts(() => minutesLater(70))).toEqual([]);
    expect(store.registered()).toHaveLength(registrable.length);
  });

  test("a refused webhook that can be done without is logged, and the store is set up", async () => {
    store.settings.scopes = store.settings.scopes.filter((scope) => scope !== "read_fulfillments");
    await visit(await consented());
    const lines = await logged(() => worker.drain());
    expect(lines.filter(({ event }) => event === "webhook_not_registered")).toMatchObject([
      { cause: expect.stringContaining("FULFILLMENTS_CREATE: ") },
      { cause: expect.stringContaining("FULFILLMENTS_UPDATE: ") },
    ]);
    expect(lines.filter(({ event }) => event === "store_not_set_up")).toEqual([]);
    expect(store.registered()).toHaveLength(registrable.length - 2);
  });

  test("its tokens are sealed, and no secret is shown", async () => {
    const { text } = await visit(await consented());
    const { credentials } = await stored();
    if (!("app_id" in credentials)) throw new Error("not installed");
    const rows = JSON.stringify(await select("SELECT * FROM shopify_connections"));
    for (const secret of [credentials.access_token, credentials.refresh_token])
      expect(rows + text).not.toContain(secret);
  });

  test.each<[string, (url: URL) => void]>([
    ["another code", (url) => url.searchParams.set("code", "abc")],
    ["another shop", (url) => url.searchParams.set("shop", "other.myshopify.com")],
    ["no signature", (url) => url.searchParams.delete("hmac")],
    ["a wrong signature", (url) => url.searchParams.set("hmac", "0".repeat(64))],
    ["another state", (url) => url.searchParams.set("state", "a.b.c")],
  ])("an answer of Shopify that was changed is refused: %s", async (_, change) => {
    const url = await consented();
    change(url);
    expect((await visit(url)).status).toBeOneOf([400, 404]);
    expect(await isConnected()).toBe(false);
  });

  test("an answer in another browser, or one without the cookie, is refused", async () => {
    const url = await consented();
    browser = undefined;
    expect((await visit(url)).status).toBe(400);
    await consented();
    expect((await visit(url)).status).toBe(400);
    expect(await isConnected()).toBe(false);
  });

  test("an answer after ten minutes is refused", async () => {
    const url = await consented();
    vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ["Date"] });
    expect((await visit(url)).status).toBe(400);
  });

  test("an answer counts once", async () => {
    const url = await consented();
    const kept = browser;
    expect((await visit(url)).status).toBe(200);
    browser = kept;
    store.grants.codes.add(url.searchParams.get("code") ?? "");
    const again = await visit(url, "POST");
    expect([again.status, again.text]).toEqual([400, expect.stringContaining("finished already")]);
  });

  test("a connection that works is replaced only if the merchant confirms it", async () => {
    await visit(await consented());
    const before = (await stored()).sealed;
    const url = await consented();
    const asked = await visit(url);
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('<form method="post"')]);
    expect((await stored()).sealed).toBe(before);
    const action = /action="([^"]+)"/.exec(asked.text)![1]!.replaceAll("&amp;", "&");
    const done = await visit(action, "POST");
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("is connected")]);
    expect((await stored()).sealed).not.toBe(before);
  });

  test("what connecting refuses is a page that says so", async () => {
    store.settings.currency = "USD";
    const { status, text } = await visit(await consented());
    expect([status, text]).toEqual([409, expect.stringContaining("sells in USD")]);
  });

  test.each<[string, Json, number]>([
    ["refuses", { kind: "http429" }, 503],
    ["does not answer", { kind: "http500" }, 503],
  ])("a store that %s: a page that says so", async (_, fault, expected) => {
    const url = await consented();
    store.fail({ ...fault, on: "access_token" });
    expect((await visit(url)).status).toBe(expected);
    expect(await isConnected()).toBe(false);
  });

  /** The address of the link that a page offers to begin again by. */
  const beginningOf = (text: string) => /<a href="([^"]+)"/.exec(text)?.[1] ?? "";

  test.each(["access_token", "Installation"])(
    "an answer during an outage of %s is not spent: the page says so, and the same address connects afterwards",
    async (on) => {
      const url = await consented();
      store.fail({ kind: "http500", on, times: 1 });
      const refused = await visit(url);
      expect([refused.status, refused.text]).toEqual([503, expect.stringContaining("does not answer now")]);
      expect(beginningOf(refused.text)).toBe(installPath());
      store.grants.codes.add(url.searchParams.get("code") ?? "");
      const { status, text } = await visit(url);
      expect([status, text]).toEqual([200, expect.stringContaining("is connected")]);
      expect((await visit(url)).status).toBe(400);
    },
  );

  test("an answer whose grant was lost is refused, and can be begun again from the page", async () => {
    const url = await consented();
    store.fail({ kind: "timeout", effect: "done", on: "access_token", times: 1 });
    expect((await visit(url)).status).toBe(503);
    const { status, text } = await visit(url);
    expect([status, text]).toEqual([400, expect.stringContaining("Begin again")]);
    expect(text).not.toContain("finished");
    const { headers } = await visit(beginningOf(text));
    expect((await visit(await store.consent(headers.get("Location") ?? ""))).text).toContain("is connected");
  });

  test("of two answers at once one connects, and the other claims nothing that is not so", async () => {
    const url = await consented();
    const texts = (await Promise.all([visit(url), visit(url)])).map(({ text }) => text);
    expect(texts.filter((text) => text.includes("You can close this page"))).toHaveLength(1);
    expect(texts).toContainEqual(
      expect.stringMatching(
        /Begin again if the store is not connected|finished already|is connected already/,
      ),
    );
    expect(await isConnected()).toBe(true);
  });
});

describe("whom it is not for", () => {
  test("a shop without an account: 404, and no account is made", async () => {
    const { status, text } = await visit(installPath("nobody-here.myshopify.com"));
    expect([status, text]).toEqual([404, expect.stringContaining("has no account here")]);
    expect(await select("SELECT 1 FROM accounts WHERE shop = 'nobody-here.myshopify.com'")).toEqual([]);
  });

  test.each(["", "evil.example", "x.myshopify.com.evil.example", "%22%3E%3Cscript%3E"])(
    "what is no store's domain, %j: 400",
    async (shop) => {
      const { status, text } = await visit(installPath(shop));
      expect(status).toBe(400);
      expect(text).not.toContain("<script>");
    },
  );

  test("a deployment without an app: 404", async () => {
    worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey });
    expect((await visit(installPath())).status).toBe(404);
    expect((await visit("/shopify/callback")).status).toBe(404);
  });

  test("an app's id without its secret is a wrong configuration", async () => {
    worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, STORE_CLIENT_ID: "x" });
    expect((await visit(installPath())).status).toBe(500);
  });

  test("another method: 405; pages cannot be framed and are not cached", async () => {
    expect((await visit(installPath(), "POST")).status).toBe(405);
    const { headers } = await visit(installPath("nobody-here.myshopify.com"));
    expect(headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  test("visits are counted by client address", async () => {
    const limiter = { limit: async () => ({ success: false }) } as unknown as RateLimit;
    worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, ...app, ADDRESS_LIMITER: limiter });
    expect((await visit(installPath())).status).toBe(429);
  });
});

describe("opened in Shopify's admin", () => {
  const opened = (options = {}) => store.opened(`${origin}/shopify/install`, options);

  test("embedded: the session token is exchanged, and the page may be framed there", async () => {
    const { status, headers } = await visit(await opened({ embedded: true }));
    expect(status).toBe(200);
    expect(headers.get("Content-Security-Policy")).toContain(
      `frame-ancestors https://admin.shopify.com https://${merchant.of.account.shop}`,
    );
    expect((await stored()).credentials).toHaveProperty("refresh_token");
    const before = (await stored()).sealed;
    expect((await visit(await opened({ embedded: true }))).status).toBe(200);
    expect((await stored()).sealed).toBe(before);
  });

  test("not embedded: it leads to the consent", async () => {
    expect((await visit(await opened())).status).toBe(302);
  });

  test("a session that is over, or one of another app or shop, is refused", async () => {
    expect((await visit(await opened({ embedded: true, expiresSeconds: -60 }))).status).toBe(400);
    store.settings.clientId = "another";
    expect((await visit(await opened({ embedded: true }))).status).toBe(400);
    expect(await isConnected()).toBe(false);
  });

  test("an address that Shopify has not signed is refused", async () => {
    const url = await opened({ embedded: true });
    url.searchParams.set("hmac", "0".repeat(64));
    expect((await visit(url)).status).toBe(400);
  });

  test("other credentials that work are not replaced", async () => {
    store.settings.token = "shpat_custom";
    await connectShopify(
      testDb(),
      credentialsKey,
      merchant.of.account,
      { token: "shpat_custom" },
      new Date().toISOString(),
    );
    expect((await visit(await opened({ embedded: true }))).status).toBe(409);
    expect((await stored()).credentials).toEqual({ token: "shpat_custom" });
  });
});

describe("the token of an installed app expires within the hour", () => {
  beforeEach(async () => {
    await visit(await consented());
    await worker.drain();
    forgetAccount(merchant.of.account.id);
  });
  const pushed = async (): Promise<boolean> => {
    const before = store.planGroups().length;
    await askStore();
    await worker.drain();
    return store.planGroups().length > before;
  };

  test("it is refreshed before that, once, and the store goes on answering", async () => {
    await minutesLater(55);
    expect(await pushed()).toBe(true);
    expect(await pushed()).toBe(true);
    expect(refreshes()).toBe(1);
  });

  test("after that it is refreshed too", async () => {
    await minutesLater(600);
    expect(await pushed()).toBe(true);
  });

  test("two at once refresh it once", async () => {
    await minutesLater(0);
    vi.useFakeTimers({ now: Date.now() + 55 * 60_000, toFake: ["Date"] });
    await Promise.all([askStore(), askStore()]);
    await worker.drain();
    expect(refreshes()).toBe(1);
  });

  test("a refresh whose answer was lost is repeated with the stored token", async () => {
    const { credentials } = await stored();
    vi.useFakeTimers({ now: Date.now() + 70 * 60_000, toFake: ["Date"] });
    store.fail({ kind: "timeout", effect: "done", on: "access_token" });
    expect(await pushed()).toBe(false);
    expect((await stored()).credentials).toEqual(credentials);
    expect(await pushed()).toBe(true);
    expect((await stored()).credentials).not.toEqual(credentials);
  });

  test("while it is good still, a refresh that fails does no harm", async () => {
    vi.useFakeTimers({ now: Date.now() + 52 * 60_000, toFake: ["Date"] });
    store.fail({ kind: "timeout", on: "access_token", times: 5 });
    expect(await pushed()).toBe(true);
  });

  test("a shop that has uninstalled the app is disconnected, and can install it again without a question", async () => {
    await store.webhooks();
    store.uninstall();
    for (const hook of await store.webhooks()) await send({ worker }, hook);
    await worker.drain({ soon: false });
    expect((await stored()).disconnected_at).not.toBeNull();
    expect((await visit(await consented())).text).toContain("is connected");
    expect((await stored()).disconnected_at).toBeNull();
  });

  test("an expired token alone does not disconnect the account", async () => {
    vi.useFakeTimers({ now: Date.now() + 70 * 60_000, toFake: ["Date"] });
    await send({ worker }, await store.webhookOf("app/uninstalled", { id: 1 }));
    await worker.drain({ soon: false });
    expect((await stored()).disconnected_at).toBeNull();
  });

  test("webhooks are accepted with either of the app's secrets while it is rotated", async () => {
    const sent = async () =>
      (
        await send(
          { worker },
          await store.webhookOf("orders/create", { admin_graphql_api_id: "gid://shopify/Order/1" }),
        )
      ).status;
    expect(await sent()).toBe(200);
    worker = openWorker({
      STORE_CREDENTIALS_KEY: credentialsKey,
      ...app,
      STORE_CLIENT_SECRET: "shpss_new,shpss_fake",
    });
    expect(await sent()).toBe(200);
    store.settings.secret = "shpss_new";
    expect(await sent()).toBe(200);
    worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, ...app });
    expect(await sent()).toBe(401);
  });
});
