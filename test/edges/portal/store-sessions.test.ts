/** A customer who is signed in at the store gets a link to the portal by the store's session token, and by nothing else. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import { type StoredCredentials, writeConnection } from "../../../src/stores/shopify/app/connection.ts";
import { nobody, origin } from "../../support/client.ts";
import { execute, testDb } from "../../support/database.ts";
import { done, inDays, type Json, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { openWorker, type TestWorker } from "../../support/worker.ts";
import { app, sessionToken } from "./session-token.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const credentialsKey = btoa(String.fromCharCode(...new Uint8Array(32).fill(5)));
const customerId = "7045813";
const sub = `gid://shopify/Customer/${customerId}`;
const path = "/api/portal/store-sessions";
let shop: Shop;
let worker: TestWorker;

beforeEach(async () => {
  vi.useRealTimers();
  shop = await openShop();
  worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey });
  await switchOn(worker, shop);
  await execute("UPDATE profiles SET store_customer_id = ? WHERE id = ?", customerId, shop.profileId);
  await connect({ client_id: app.clientId, secret: app.secret });
});

async function connect(credentials: StoredCredentials, of = shop): Promise<void> {
  const { account } = of.of;
  const connection = {
    accountId: account.id,
    shop: account.shop,
    credentials,
    now: new Date().toISOString(),
  };
  await commit({ db: testDb(account) }, [await writeConnection(credentialsKey, connection)]);
}

function dest(): string {
  return shop.of.account.shop;
}

function exchange(session_token: unknown, headers: Record<string, string> = {}, by = worker) {
  return by.call<Json>(nobody, "POST", path, { body: { session_token }, headers });
}

/** An answer without the id of its request. */
function wordsOf({ request_id: _, ...words }: Json): Json {
  return words;
}

async function statusOf(token: string, by = worker): Promise<number> {
  return (await exchange(token, {}, by)).status;
}

describe("a token of the shop's customer", () => {
  test("gets a link that signs the customer in, and the day of the next delivery", async () => {
    const later = await subscribe(shop, { next_delivery_date: inDays(20) });
    const sooner = await subscribe(shop, { next_delivery_date: inDays(9) });
    const paused = await subscribe(shop, { next_delivery_date: inDays(4) });
    await done(shop.api, "POST", paused, "pause");
    const { status, body } = await exchange(await sessionToken({ dest: dest(), sub }));
    expect([status, Object.keys(body).toSorted()]).toEqual([
      201,
      ["expires_at", "next_delivery_date", "url"],
    ]);
    expect(body.url).toMatch(new RegExp(`^${origin}/portal/${dest()}/enter\\?token=[\\w-]{43}$`));
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    const dates = [sooner, later].map(async (id) => (await read(shop, id)).next_delivery_date);
    expect(body.next_delivery_date).toBe((await Promise.all(dates)).toSorted()[0]);
    const visitor = openVisitor(worker, shop);
    expect((await visitor.enter(body.url)).status).toBe(303);
    expect((await visitor.get()).text).toContain("Sign out");
  });

  test("has no date where nothing is to be delivered, and may name the shop with https://", async () => {
    const { status, body } = await exchange(await sessionToken({ dest: `https://${dest()}`, sub }));
    expect([status, body.next_delivery_date]).toEqual([201, null]);
  });

  test("may be sent again until it expires, each time for a link of its own", async () => {
    const token = await sessionToken({ dest: dest(), sub });
    const [one, two] = [await exchange(token), await exchange(token)];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.url).not.toBe(two.body.url);
    vi.useFakeTimers({ now: Date.now() + 320_000, toFake: ["Date"] });
    expect(await statusOf(token)).toBe(401);
  });

  test("gets five links an hour, also at once; those of the merchant's key are not counted", async () => {
    for (let times = 0; times < 6; times++) await linkFor(worker, shop);
    const token = await sessionToken({ dest: dest(), sub });
    const statuses = await Promise.all(Array.from({ length: 7 }, () => statusOf(token)));
    expect(statuses.toSorted()).toEqual([201, 201, 201, 201, 201, 429, 429]);
    const refused = await exchange(token);
    expect([refused.status, refused.body.errorCode]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    vi.useFakeTimers({ now: Date.now() + 3_601_000, toFake: ["Date"] });
    expect(await statusOf(await sessionToken({ dest: dest(), sub }))).toBe(201);
  });

  test("is taken with either secret while the app's is replaced", async () => {
    await connect({ client_id: app.clientId, secret: "shpss_new", previous_secret: app.secret });
    expect(await statusOf(await sessionToken({ dest: dest(), sub }))).toBe(201);
    expect(await statusOf(await sessionToken({ dest: dest(), sub, secret: "shpss_new" }))).toBe(201);
  });

  test("is taken for the app that a token's credentials name, else for the deployment's", async () => {
    const own = openWorker({
      STORE_CREDENTIALS_KEY: credentialsKey,
      STORE_CLIENT_ID: "client-of-the-deployment",
      STORE_CLIENT_SECRET: "shpss_deployment",
    });
    const named = await sessionToken({ dest: dest(), sub });
    const unnamed = await sessionToken({ dest: dest(), sub, clientId: "client-of-the-deployment" });
    await connect({ token: "shpat_1", secret: app.secret, client_id: app.clientId });
    expect([await statusOf(named, own), await statusOf(unnamed, own)]).toEqual([201, 401]);
    await connect({ token: "shpat_1", secret: app.secret });
    expect([await statusOf(named, own), await statusOf(unnamed, own)]).toEqual([401, 201]);
    expect([await statusOf(named), await statusOf(unnamed)]).toEqual([401, 401]);
  });
});

describe("a token that proves nothing", () => {
  const bad: [string, () => Promise<string>][] = [
    ["signed with another secret", () => sessionToken({ dest: dest(), sub, secret: "shpss_of_nobody" })],
    ["for another app", () => sessionToken({ dest: dest(), sub, clientId: "another-client" })],
    ["without an audience", () => sessionToken({ dest: dest(), sub, more: { aud: undefined } })],
    ["of a shop that is not this app's", () => sessionToken({ dest: "other.myshopify.com", sub })],
    ["without a shop", () => sessionToken({ sub })],
    ["of five minutes ago", () => sessionToken({ dest: dest(), sub, from: -620, until: -20 })],
    ["that begins later", () => sessionToken({ dest: dest(), sub, from: 60 })],
    ["without an end", () => sessionToken({ dest: dest(), sub, more: { exp: undefined } })],
    ["with alg none", async () => unsigned({ alg: "none", typ: "JWT" })],
    ["with alg none and another's signature", async () => `${unsigned({ alg: "none" })}c2lnbmF0dXJl`],
    ["with another algorithm", async () => unsigned({ alg: "HS512" })],
    ["that is cut short", async () => (await sessionToken({ dest: dest(), sub })).slice(0, -4)],
    ["that is no token", async () => "no token"],
    ["that is empty", async () => ""],
  ];

  function unsigned(header: object): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { dest: dest(), aud: app.clientId, sub, nbf: now, iat: now, exp: now + 300 };
    const [head, payload] = [header, claims].map((part) =>
      btoa(JSON.stringify(part)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
    );
    return `${head}.${payload}.`;
  }

  test.each(bad)("%s is 401, with the same body as any other", async (_, make) => {
    const { status, body } = await exchange(await make());
    expect([status, wordsOf(body)]).toEqual([401, wordsOf((await exchange("something else")).body)]);
  });

  test("makes no link", async () => {
    for (const [, make] of bad) await exchange(await make());
    const token = await sessionToken({ dest: dest(), sub });
    expect(await Promise.all(Array.from({ length: 5 }, () => statusOf(token)))).toEqual(Array(5).fill(201));
  });
});

describe("a valid token of somebody who is not known", () => {
  test("is 404 with the same words: no account for the shop, no customer, nobody signed in, the portal off", async () => {
    const own = openWorker({
      STORE_CREDENTIALS_KEY: credentialsKey,
      STORE_CLIENT_ID: app.clientId,
      STORE_CLIENT_SECRET: app.secret,
    });
    const unknown = [
      await sessionToken({ dest: "unknown.myshopify.com", sub }),
      await sessionToken({ dest: dest(), sub: `${sub}9` }),
      await sessionToken({ dest: dest() }),
      await sessionToken({ dest: dest(), sub: customerId, more: { iss: `https://${dest()}/admin` } }),
    ];
    const answers = [];
    for (const token of unknown) answers.push(await exchange(token, {}, own));
    await switchOn(worker, shop, { is_enabled: false });
    answers.push(await exchange(await sessionToken({ dest: dest(), sub }), {}, own));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(wordsOf(body)))).size).toBe(1);
  });

  test("is never another shop's customer with the same number", async () => {
    const other = await openShop();
    await switchOn(worker, other);
    await connect({ client_id: app.clientId, secret: app.secret }, other);
    const token = await sessionToken({ dest: other.of.account.shop, sub });
    expect(await statusOf(token)).toBe(404);
  });
});

describe("calls from the store's pages", () => {
  const Origin = "https://extensions.shopifycdn.com";

  test("any origin may make them, refusals included, without credentials", async () => {
    const preflight = await worker.call(nobody, "OPTIONS", path, {
      headers: {
        Origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
    expect([preflight.status, preflight.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("POST");
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Content-Type");
    for (const token of [await sessionToken({ dest: dest(), sub }), "bad"]) {
      const { headers } = await exchange(token, { Origin });
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("Cache-Control")).toContain("no-store");
    }
  });

  test("are counted by address, whatever the token", async () => {
    const limited = openWorker({
      STORE_CREDENTIALS_KEY: credentialsKey,
      ADDRESS_LIMITER: env.TEST_LIMITER,
    });
    const from = { "CF-Connecting-IP": "192.0.2.77" };
    const statuses = [];
    for (let times = 0; times < 6; times++) statuses.push((await exchange("bad", from, limited)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("without the field, or with others, are 400", async () => {
    const sent = [{}, { session_token: 1 }, { session_token: "x", shop: dest() }];
    for (const body of sent) expect((await worker.call(nobody, "POST", path, { body })).status).toBe(400);
  });
});
