/** Addresses are made of PUBLIC_URL alone, and pages are there alone, whatever host a request names. */
import { expect, test } from "vitest";
import { api, deployment, nobody, origin } from "../../support/client.ts";
import type { Json } from "../../support/shops.ts";
import { openTenant } from "../../support/tenant.ts";

const evil = "https://evil.example";

test("the first page is at the public address alone", async () => {
  const { status, headers } = await api(nobody, "GET", `${evil}/?x=1`);
  expect([status, headers.get("Location")]).toEqual([308, `${origin}/?x=1`]);
});

test.each(["/shopify/install?shop=a.myshopify.com", "/shopify/callback?code=c&state=s"])(
  "%s is at the public address alone, where its cookie is",
  async (path) => {
    const { status, headers } = await api(nobody, "GET", evil + path);
    expect([status, headers.get("Location")]).toEqual([308, origin + path]);
  },
);

test("the API and its health answer under every host", async () => {
  for (const path of ["/health", "/api.json", "/api"])
    expect((await api(nobody, "GET", evil + path)).status).toBe(200);
});

test("no address in a list is made of the request's host", async () => {
  const { status, body, headers } = await api<Json>(
    await openTenant(),
    "GET",
    `${evil}/api/subscriptions?limit=1`,
    {
      headers: { Host: "evil.example" },
    },
  );
  expect(status).toBe(200);
  expect(body.meta.first_page_url).toBe(`${origin}/api/subscriptions?limit=1&page=1`);
  expect(JSON.stringify([body, [...headers]])).not.toContain("evil");
});

test("security.txt names its canonical address, whatever host is asked", async () => {
  const { text } = await api(nobody, "GET", `${evil}/.well-known/security.txt`);
  expect(text).toContain(`Canonical: ${origin}/.well-known/security.txt\n`);
});

test("a deployment without PUBLIC_URL answers nothing, rather than make addresses of what a request says", async () => {
  expect((await deployment({ PUBLIC_URL: "" })(nobody, "GET", "/health")).status).toBe(500);
});
