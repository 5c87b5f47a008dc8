/** The public skip reasons can be read by any storefront and cached, and no cache can mix up shops. */
import { describe, expect, test } from "vitest";
import { api, nobody, origin, requestOf, send } from "../../support/client.ts";
import { expectSafeHeaders, portalPath } from "../../support/conform.ts";
import { openTenant, type Tenant } from "../../support/tenant.ts";
import { useTenantPerTest } from "../../support/use-account.ts";

const reasons = "/api/subscriptions/skip-reasons";
type Item = { data: { id: string; label: string } };

const tenant = useTenantPerTest();

function add(label: string, of: Tenant = tenant, more: object = {}) {
  return api<Item>(of, "POST", reasons, { body: { label, ...more } }).then(({ body }) => body.data);
}

function look(shop: string, headers: Record<string, string> = {}) {
  return api<Item[]>(nobody, "GET", portalPath, { query: { shop }, headers });
}

async function labelsOf(shop: string) {
  return (await look(shop)).body.map(({ data }) => data.label);
}

describe("GET /api/public/portal/skip-reasons", () => {
  test("returns the active skip reasons in order, in the list's item shape, without credentials", async () => {
    await add("second", tenant, { position: 2 });
    await add("first", tenant, { position: 1 });
    await add("hidden", tenant, { is_active: false });
    const gone = await add("gone");
    await api(tenant, "DELETE", `${reasons}/${gone.id}`);
    await api(tenant, "POST", "/api/subscriptions/pause-reasons", { body: { label: "of another kind" } });
    const { status, body } = await look(tenant.account.shop);
    expect(status).toBe(200);
    expect(body.map(({ data }) => data.label)).toEqual(["first", "second"]);
    const listed = (await api<Item[]>(tenant, "GET", reasons)).body;
    expect(listed).toEqual(expect.arrayContaining(body));
  });

  test("scripts of any origin may read its ETag, its id and its limits", async () => {
    const { headers } = await look(tenant.account.shop, { Origin: "https://shop.example" });
    const exposed = headers.get("Access-Control-Expose-Headers")?.split(",") ?? [];
    expect(exposed.map((name) => name.trim()).sort()).toEqual(
      ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"].sort(),
    );
  });

  test("a shop without active reasons returns []", async () => {
    expect((await look(tenant.account.shop)).text).toBe("[]");
  });

  test.each([
    "no-such-shop.myshopify.com",
    "x",
    "%",
    "' OR 1=1",
    "../",
    "\u0001",
    "K".repeat(300),
    "a".repeat(5000),
  ])("an unknown shop is 404 NOT_FOUND: %s", async (shop) => {
    const { status, body, headers } = await api(nobody, "GET", portalPath, { query: { shop } });
    expect([status, body.errorCode]).toEqual([404, "NOT_FOUND"]);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  test("shop is required: absent or empty is 400", async () => {
    for (const path of [portalPath, `${portalPath}?shop=`, `${portalPath}?shop`, `${portalPath}?Shop=x`]) {
      const { status, body } = await api(nobody, "GET", path);
      expect([status, body.errorCode], path).toEqual([400, "VALIDATION_FAILED"]);
      expect(body.details[0].path).toBe("shop");
    }
  });

  test("shop is compared lower-case, with or without https://", async () => {
    await add("Holiday");
    const { shop } = tenant.account;
    for (const text of [
      shop.toUpperCase(),
      `https://${shop}`,
      `HTTPS://${shop}/`,
      `http://${shop}`,
      ` ${shop} `,
    ])
      expect(await labelsOf(text), text).toEqual(["Holiday"]);
    for (const text of [
      `${shop}.`,
      `${shop}:443`,
      `ftp://${shop}`,
      `${shop}/admin`,
      `a@${shop}`,
      `https://${shop}?x`,
    ])
      expect((await look(text)).status, text).toBe(404);
  });

  test("a change is visible at once: create, change, hide, reorder, delete", async () => {
    const { shop } = tenant.account;
    expect(await labelsOf(shop)).toEqual([]);
    const a = await add("a");
    expect(await labelsOf(shop)).toEqual(["a"]);
    const b = await add("b");
    expect(await labelsOf(shop)).toEqual(["a", "b"]);
    await api(tenant, "POST", `${reasons}/reorder`, { body: { ordered_ids: [b.id, a.id] } });
    expect(await labelsOf(shop)).toEqual(["b", "a"]);
    await api(tenant, "PUT", `${reasons}/${a.id}`, { body: { label: "A" } });
    expect(await labelsOf(shop)).toEqual(["b", "A"]);
    await api(tenant, "PUT", `${reasons}/${b.id}`, { body: { is_active: false } });
    expect(await labelsOf(shop)).toEqual(["A"]);
    await api(tenant, "DELETE", `${reasons}/${a.id}`);
    expect(await labelsOf(shop)).toEqual([]);
  });
});

describe("ETag and 304", () => {
  const expectPublic = (headers: Headers) => {
    expect(headers.get("Cache-Control")).toBe("public, max-age=60, stale-while-revalidate=300");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(headers.get("Set-Cookie")).toBeNull();
  };

  test("200 has an ETag and the headers for CORS and caches, from the cache too", async () => {
    await add("Holiday");
    const answers = [await look(tenant.account.shop), await look(tenant.account.shop)];
    for (const { headers } of answers) {
      expect(headers.get("ETag")).toMatch(/^"[0-9a-f]{32}"$/);
      expectPublic(headers);
    }
    expect(answers[0]!.headers.get("ETag")).toBe(answers[1]!.headers.get("ETag"));
  });

  test.each([
    ["the ETag itself", (tag: string) => tag],
    ["weakly compared", (tag: string) => `W/${tag}`],
    ["in a list", (tag: string) => `"x", ${tag}, "y"`],
    ["any", () => "*"],
  ])("If-None-Match with %s: 304 without a body, with ETag and the headers of the 200", async (_, sent) => {
    await add("Holiday");
    const tag = (await look(tenant.account.shop)).headers.get("ETag")!;
    const answer = await look(tenant.account.shop, {
      "If-None-Match": sent(tag),
      Origin: "https://shop.example",
    });
    expect([answer.status, answer.text]).toEqual([304, ""]);
    expect(answer.headers.get("ETag")).toBe(tag);
    expectPublic(answer.headers);
    expectSafeHeaders(portalPath, answer);
  });

  test("an unknown ETag, and the old one after a change, is 200 with the new list", async () => {
    await add("Holiday");
    const old = (await look(tenant.account.shop)).headers.get("ETag")!;
    expect((await look(tenant.account.shop, { "If-None-Match": '"other"' })).status).toBe(200);
    await add("Moving");
    const { status, body, headers } = await look(tenant.account.shop, { "If-None-Match": old });
    expect([status, body.length]).toEqual([200, 2]);
    expect(headers.get("ETag")).not.toBe(old);
  });

  test("two shops with equal reasons never share an answer", async () => {
    const other = await openTenant();
    await add("Holiday");
    await add("Holiday", other);
    const [mine, theirs] = [await look(tenant.account.shop), await look(other.account.shop)];
    expect(mine.headers.get("ETag")).not.toBe(theirs.headers.get("ETag"));
    expect(mine.text).not.toContain(other.account.id);
    expect(theirs.text).not.toContain(tenant.account.id);
  });
});

describe("the edge cache can never hold another shop's or a private answer", () => {
  /** Asks once in bad faith with a cold cache, then cleanly: the clean answer must be what the database says. */
  const poisoned = async (ask: (shop: string, other: Tenant) => Promise<unknown>) => {
    const other = await openTenant();
    await add("of the other", other);
    await add("mine");
    await ask(tenant.account.shop, other);
    expect(await labelsOf(tenant.account.shop)).toEqual(["mine"]);
    expect(await labelsOf(other.account.shop)).toEqual(["of the other"]);
    expect((await look(tenant.account.shop)).headers.get("Content-Type")).toMatch(/^application\/json/);
  };
  const withHeader = (name: string, value: (other: Tenant) => string) => (shop: string, other: Tenant) =>
    look(shop, { [name]: value(other) });

  test.each([
    ["X-Forwarded-Host", withHeader("X-Forwarded-Host", ({ account }) => account.shop)],
    ["X-Original-URL", withHeader("X-Original-URL", ({ account }) => `${portalPath}?shop=${account.shop}`)],
    ["X-Shop-Domain", withHeader("X-Shop-Domain", ({ account }) => account.shop)],
    ["Range", withHeader("Range", () => "bytes=0-0")],
    ["Accept", withHeader("Accept", () => "application/problem+json")],
    ["If-None-Match", withHeader("If-None-Match", () => "*")],
    ["credentials of another", withHeader("X-API-Key", ({ key }) => key)],
    ["HEAD", (shop: string) => api(nobody, "HEAD", portalPath, { query: { shop } })],
    ["OPTIONS", (shop: string) => api(nobody, "OPTIONS", portalPath, { query: { shop } })],
    ["mixed case", (shop: string) => look(shop.toUpperCase())],
    ["a trailing dot", (shop: string) => look(`${shop}.`)],
    ["another path form", (shop: string) => api(nobody, "GET", `${portalPath}/?shop=${shop}`)],
    [
      "extra parameters",
      (shop: string, { account }: Tenant) =>
        api(nobody, "GET", portalPath, {
          query: { shop, account_id: account.id, signature: "x", callback: "alert" },
        }),
    ],
    [
      "an encoded second parameter",
      (shop: string, { account }: Tenant) => look(`${shop}&shop=${account.shop}`),
    ],
    ["another host", (shop: string) => send(new Request(`https://evil.example${portalPath}?shop=${shop}`))],
  ])("%s", async (_, ask) => {
    await poisoned(ask);
  });

  test("a shop given twice is 400, whichever comes first", async () => {
    const other = await openTenant();
    const [a, b] = [tenant.account.shop, other.account.shop];
    for (const query of [`shop=${a}&shop=${b}`, `shop=${b}&shop=${a}`, `shop=${a}&shop=${a}`])
      expect((await api(nobody, "GET", `${portalPath}?${query}`)).status, query).toBe(400);
    await poisoned((shop) => api(nobody, "GET", `${portalPath}?shop=${shop}&shop=${other.account.shop}`));
  });

  test("a shop that was unknown is found as soon as it has an account", async () => {
    const shop = `later-${tenant.account.id}.myshopify.com`;
    expect((await look(shop)).status).toBe(404);
    const later = await openTenant({ shop });
    await add("Holiday", later);
    expect(await labelsOf(shop)).toEqual(["Holiday"]);
  });

  test("HEAD answers as GET does, without a body", async () => {
    await add("Holiday");
    const [get, head] = [
      await look(tenant.account.shop),
      await send(requestOf(nobody, "HEAD", `${portalPath}?shop=${tenant.account.shop}`)),
    ];
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("ETag")).toBe(get.headers.get("ETag"));
  });
});

describe("CORS *: any storefront may read it", () => {
  test("a preflight is 204 and allows GET and HEAD from anywhere, without credentials", async () => {
    const { status, headers, text } = await api(nobody, "OPTIONS", portalPath, {
      headers: {
        Origin: "https://shop.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "if-none-match",
      },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("Access-Control-Allow-Methods")?.split(/,\s*/).sort()).toEqual(["GET", "HEAD"]);
    expect(headers.get("Access-Control-Allow-Headers")?.toLowerCase()).toContain("if-none-match");
    expect(Number(headers.get("Access-Control-Max-Age"))).toBeGreaterThan(0);
  });

  test("failures may be read too", async () => {
    for (const path of [portalPath, `${portalPath}?shop=nobody.example`]) {
      const { headers } = await api(nobody, "GET", path, { headers: { Origin: origin } });
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
  });

  test("the path's subpaths and neighbours are not open", async () => {
    const { headers } = await api(nobody, "OPTIONS", `${portalPath}/x`, { headers: { Origin: origin } });
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});
