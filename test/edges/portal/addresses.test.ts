/** The portal is at one address: links lead there, other hosts are led there, and foreign forms are refused. */
import { beforeEach, describe, expect, test } from "vitest";
import { endpointsOf, network } from "../../domain/webhook-endpoints/receiver.ts";
import { api, nobody, origin, requestOf, send } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, refusal, type Shop } from "../../support/shops.ts";
import { later, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
const net = network();
const evil = "https://evil.example";
const own = "https://account.shop.example";
let shop: Shop;
let base: string;
let email: string;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  base = `/portal/${shop.of.account.shop}`;
  const [profile] = await select<{ email: string }>(
    "SELECT email FROM profiles WHERE id = ?",
    shop.profileId,
  );
  email = profile!.email;
});

function form(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return {
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    raw: new URLSearchParams(fields).toString(),
  };
}

function setBase(base_url: string | null) {
  return api<Json>(shop.api, "PUT", "/api/account/portal", { body: { base_url } });
}

async function events(): Promise<Json[]> {
  return (await api(shop.api, "GET", "/api/events", { query: { types: "portal.login_requested" } })).body
    .data;
}

describe("a request under another host", () => {
  test("for a page is led to the same page at the public address, with its query", async () => {
    for (const path of [base, `${base}/enter?token=t%20t&x=`, `${base}/orders`, `${base}/theme.css`]) {
      const { status, headers } = await api(nobody, "GET", evil + path);
      expect([status, headers.get("Location")]).toEqual([308, origin + path]);
    }
  });

  test("is known by its Host header, whatever its URL says", async () => {
    const request = requestOf(nobody, "GET", base, { headers: { Host: "evil.example" } });
    const { status, headers } = await send(request);
    expect([status, headers.get("Location")]).toEqual([308, origin + base]);
  });

  test("for a link by e-mail is led on and records nothing", async () => {
    const sent = form({ email }, { Origin: evil, Host: "evil.example" });
    const { status, headers } = await api(nobody, "POST", `${evil}${base}/login`, sent);
    expect([status, headers.get("Location")]).toEqual([308, `${origin}${base}/login`]);
    await worker.drain();
    expect(await events()).toEqual([]);
  });

  test("of the API is answered, and its addresses are the public ones", async () => {
    const { status, body } = await api<Json>(shop.api, "POST", `${evil}/api/portal/sessions`, {
      body: { profile_id: shop.profileId },
      headers: { Host: "evil.example" },
    });
    expect(status).toBe(201);
    expect(body.url).toMatch(new RegExp(`^${origin}${base}/enter\\?token=`));
  });
});

describe("the address of a link that is mailed", () => {
  /** Asks for a link, has its first delivery fail, lets something happen, and returns the links that were sent before and after. */
  const linksAround = async (meanwhile: () => Promise<unknown>): Promise<string[]> => {
    const { url } = await endpointsOf(shop, worker).create();
    net.answering(url, 500);
    await openVisitor(worker, shop).post("/login", { email });
    await worker.drain({ soon: false });
    await meanwhile();
    net.answering(url, 200);
    await later(worker, 20);
    return net.to(url).flatMap(({ body }) => body.data.object?.url ?? []);
  };

  test("is the deployment's, whatever address an entry of the history names", async () => {
    const links = await linksAround(() =>
      execute(
        "UPDATE activity_logs SET metadata = json_set(metadata, '$.portal', ?) WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND action = ?",
        `${evil}${base}`,
        shop.of.account.id,
        "portal_login_requested",
      ),
    );
    const atPublicAddress = expect.stringMatching(new RegExp(`^${origin}${base}/enter\\?token=`));
    expect(links).toEqual([atPublicAddress, atPublicAddress]);
  });

  test("is at the merchant's domain that the settings name when it is sent", async () => {
    const links = await linksAround(() => setBase(own));
    expect(links.map((link) => new URL(link).origin)).toEqual([origin, own]);
  });
});

describe("a portal at the merchant's own domain", () => {
  beforeEach(() => setBase(own));

  test("has its links and pages there, and is led there from the public address", async () => {
    const { url } = await linkFor(worker, shop);
    expect(url).toMatch(new RegExp(`^${own}${base}/enter\\?token=`));
    expect((await api(nobody, "GET", `${own}${base}`)).status).toBe(200);
    const { status, headers } = await api(nobody, "GET", base);
    expect([status, headers.get("Location")]).toEqual([308, own + base]);
  });

  test.each([
    ["its own origin", own, 303],
    ["the public address", origin, 403],
    ["another site", evil, 403],
  ])("takes a form of %s with %s: %d", async (_, Origin, status) => {
    const token = new URL((await linkFor(worker, shop)).url).searchParams.get("token")!;
    const answer = await api(nobody, "POST", `${own}${base}/enter`, form({ token }, { Origin }));
    expect(answer.status).toBe(status);
  });

  test("shows no other shop's pages, whose portal is at the public address", async () => {
    const other = await openShop();
    await switchOn(worker, other);
    const there = `/portal/${other.of.account.shop}`;
    const { status, headers } = await api(nobody, "GET", own + there);
    expect([status, headers.get("Location")]).toEqual([308, origin + there]);
  });

  test("leaves the API's addresses at the deployment's own", async () => {
    const { body } = await api<Json>(shop.api, "GET", `${own}/api/subscriptions`);
    expect(body.meta.first_page_url).toMatch(new RegExp(`^${origin}/api/subscriptions`));
  });

  test("is at the public address again once the setting is null", async () => {
    expect((await setBase(null)).body.data.base_url).toBeNull();
    expect((await api(nobody, "GET", base)).status).toBe(200);
  });

  test("is no endpoint of events", async () => {
    const answer = await api<Json>(shop.api, "POST", "/api/webhook-endpoints", {
      body: { url: `${own}/in` },
    });
    expect([...refusal(answer), answer.body.details]).toEqual([
      400,
      "VALIDATION_FAILED",
      [{ path: "url", message: "must not lead back to this service" }],
    ]);
  });

  test("is not told to customers, who are there", async () => {
    expect(JSON.stringify((await api(shop.customer, "GET", "/api/portal/settings")).body)).not.toContain(own);
  });
});

test.each([
  "http://account.shop.example",
  "https://account.shop.example/",
  "https://account.shop.example/portal",
  "https://account.shop.example?x",
  "https://ada@account.shop.example",
  "https://account.shop.example:22",
  "https://10.0.0.1",
  "https://[::1]",
  "https://localhost",
  "https://portal",
  "https://portal.internal",
  "https://portal.lan",
  "javascript:alert(1)",
  "account.shop.example",
  "",
])("the portal's address is not set to %j", async (base_url) => {
  expect(refusal(await setBase(base_url))).toEqual([400, "VALIDATION_FAILED"]);
});
