/** Pages of other origins may read answers only where ALLOWED_ORIGINS names them. */
import { describe, expect, test } from "vitest";
import { api, deployment, nobody } from "../../support/client.ts";
import { openTenant } from "../../support/tenant.ts";

const list = "/api/subscriptions/skip-reasons";
const admin = "https://admin.example.com";
const allowing = deployment({ ALLOWED_ORIGINS: `${admin}, https://two.example.com` });

function preflight(origin: string, method = "POST") {
  return {
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "content-type,x-api-key,idempotency-key",
    },
  };
}

describe("CORS: only for the origins in ALLOWED_ORIGINS, none by default", () => {
  test("by default a preflight is 405 and no answer may be read", async () => {
    const refused = await api(nobody, "OPTIONS", list, preflight(admin));
    expect(refused.status).toBe(405);
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBeNull();
    const answer = await api(await openTenant(), "GET", list, { headers: { Origin: admin } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([admin, "https://two.example.com"])(
    "%s is allowed, by name and without credentials",
    async (origin) => {
      const { status, headers } = await allowing(nobody, "OPTIONS", list, preflight(origin));
      expect(status).toBe(204);
      expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("Access-Control-Allow-Methods")?.split(",")).toContain("PUT");
      const allowed = headers.get("Access-Control-Allow-Headers")?.toLowerCase() ?? "";
      for (const name of ["x-api-key", "authorization", "idempotency-key", "content-type"])
        expect(allowed).toContain(name);
      const answer = await allowing(await openTenant(), "GET", list, { headers: { Origin: origin } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(origin);
      expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("X-Request-Id");
      expect(answer.headers.get("Vary")).toContain("Origin");
    },
  );

  test.each([
    "https://admin.example.com.evil.example",
    "http://admin.example.com",
    "https://ADMIN.example.com",
    "https://admin.example.com:444",
    "null",
    "*",
  ])("%s is not", async (origin) => {
    const { headers } = await allowing(nobody, "OPTIONS", list, preflight(origin));
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    const answer = await allowing(await openTenant(), "GET", list, { headers: { Origin: origin } });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  test("failures may be read by an allowed origin too", async () => {
    const { status, headers } = await allowing(nobody, "GET", list, { headers: { Origin: admin } });
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([401, admin]);
  });
});
