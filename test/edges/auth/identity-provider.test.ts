/** Tokens of a trusted identity provider are accepted, and are answered with 503 while its keys cannot be fetched. */
import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { deployment, nobody } from "../../support/client.ts";
import { bearer, token } from "../../support/tenant.ts";
import { useTenant } from "../../support/use-account.ts";
import { wholeMinute } from "../../support/whole-minute.ts";

beforeEach(wholeMinute);

const issuer = "https://login.example.com/";
const jwksUrl = "https://login.example.com/.well-known/jwks.json";
const list = "/api/subscriptions/skip-reasons";

const tenant = useTenant();
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let jwk: object;
beforeAll(async () => {
  keys = await generateKeyPair("ES256", { extractable: true });
  jwk = { ...(await exportJWK(keys.publicKey)), kid: "provider-1", alg: "ES256", use: "sig" };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The identity provider: answers its key set, and counts who asks. */
function provider(answer: () => Promise<Response>) {
  const asked = vi.fn(async (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url !== jwksUrl) throw new Error(`the Worker fetched ${url}`);
    return answer();
  });
  vi.stubGlobal("fetch", asked);
  return asked;
}

function healthy() {
  return provider(async () => Response.json({ keys: [jwk] }));
}

function trusting() {
  return deployment({ JWT_ISSUER: issuer, JWKS_URL: jwksUrl });
}

function signed(
  claims: Record<string, unknown> = {},
  kid = "provider-1",
  header: { typ?: string } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: issuer,
    aud: "perennial",
    iat: now,
    exp: now + 300,
    account_id: tenant.account.id,
    actor_type: "admin",
    name: "Ada",
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid, ...header }).sign(keys.privateKey);
}

describe("a deployment may trust an identity provider: JWT_ISSUER and JWKS_URL", () => {
  test("its ES256 token is accepted, and its keys are fetched once", async () => {
    const asked = healthy();
    const send = trusting();
    for (let times = 0; times < 3; times++)
      expect((await send(bearer(await signed()), "GET", list)).status).toBe(200);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test("the deployment's own tokens are still accepted, without a request to the provider", async () => {
    const asked = healthy();
    expect((await trusting()(bearer(await token(tenant)), "GET", list)).status).toBe(200);
    expect(asked).not.toHaveBeenCalled();
  });

  test.each([
    ["the deployment's issuer", { iss: "perennial" }],
    ["another issuer", { iss: "https://evil.example/" }],
    ["another audience", { aud: "another" }],
    ["no expiry", { exp: undefined }],
    ["expired", { exp: 1 }],
    ["an unknown account", { account_id: "nope" }],
    ["no time of issue", { iat: undefined }],
    ["a life of more than a day", { exp: Math.floor(Date.now() / 1000) + 86_500 }],
    ["a name that cannot be stored", { name: "Ada\u0000" }],
    ["a name of a lone surrogate", { name: "\ud800" }],
  ])("its token with %s is 401", async (_, claims) => {
    healthy();
    expect((await trusting()(bearer(await signed(claims)), "GET", list)).status).toBe(401);
  });

  test("its token may live for a day", async () => {
    healthy();
    const iat = Math.floor(Date.now() / 1000);
    const text = await signed({ iat, exp: iat + 86_400 });
    expect((await trusting()(bearer(text), "GET", list)).status).toBe(200);
  });

  test.each([
    ["JWT", 200],
    ["at+jwt", 200],
    ["application/at+jwt", 200],
    ["logout+jwt", 401],
    ["dpop+jwt", 401],
    ["secevent+jwt", 401],
  ])("its token of the type %s is %d", async (typ, status) => {
    healthy();
    const text = await signed({}, "provider-1", { typ });
    expect((await trusting()(bearer(text), "GET", list)).status).toBe(status);
  });

  test("its token has all scopes, whatever `scope` and `azp` say", async () => {
    healthy();
    const text = await signed({ scope: "openid", azp: "the-providers-client" });
    expect((await trusting()(bearer(text), "GET", list)).status).toBe(200);
  });

  test("its token has no other scopes than those in perennial_scope, where it has that claim", async () => {
    healthy();
    const send = trusting();
    for (const [perennial_scope, status] of [
      ["reasons:read orders:read", 200],
      ["openid orders:read", 403],
      ["", 403],
      [["reasons:read"], 403],
    ] as const)
      expect((await send(bearer(await signed({ perennial_scope })), "GET", list)).status).toBe(status);
  });

  test("a token that names another issuer does not lead to a question to the provider", async () => {
    const asked = healthy();
    const send = trusting();
    for (const text of ["e30.e30.e30", await signed({ iss: "https://evil.example/" })])
      expect((await send(bearer(text), "GET", list)).status).toBe(401);
    expect(asked).not.toHaveBeenCalled();
  });

  test("guessing is counted before the provider is asked", async () => {
    const asked = healthy();
    const ADDRESS_LIMITER = env.TEST_LIMITER;
    const send = deployment({ JWT_ISSUER: issuer, JWKS_URL: jwksUrl, ADDRESS_LIMITER });
    const headers = { "CF-Connecting-IP": newId() };
    for (let times = 0; times < 6; times++) await send(nobody, "GET", "/health", { headers });
    expect((await send(bearer(await signed()), "GET", list, { headers })).status).toBe(429);
    expect(asked).not.toHaveBeenCalled();
  });

  test("a flood of unknown kids causes at most one more request to the provider", async () => {
    const asked = healthy();
    const send = trusting();
    await send(bearer(await signed()), "GET", list);
    for (let times = 0; times < 5; times++)
      expect((await send(bearer(await signed({}, `unknown-${times}`)), "GET", list)).status).toBe(401);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
  });

  test("without the setting its token is 401", async () => {
    const asked = healthy();
    expect((await deployment({})(bearer(await signed()), "GET", list)).status).toBe(401);
    expect(asked).not.toHaveBeenCalled();
  });
});

describe("keys that cannot be fetched: 503 UNAVAILABLE, because the token may be valid", () => {
  const outages: [string, () => Promise<Response>][] = [
    ["connection refused", () => Promise.reject(new TypeError("fetch failed"))],
    ["a 500", async () => new Response("no", { status: 500 })],
    ["a page that is no JSON", async () => new Response("<html>")],
  ];
  test.each(outages)("%s", async (_, answer) => {
    provider(answer);
    const { status, headers, body, text } = await trusting()(bearer(await signed()), "GET", list);
    expect([status, body.errorCode]).toEqual([503, "UNAVAILABLE"]);
    expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(text).not.toContain("fetch failed");
  });

  test("a provider that is down is asked again after 1, 2, 4 … seconds, at most a minute", async () => {
    const asked = provider(async () => new Response("no", { status: 500 }));
    const send = trusting();
    const text = await signed();
    const start = Date.now();
    const askedAt: number[] = [];
    for (let second = 0; second <= 40; second++) {
      vi.useFakeTimers({ toFake: ["Date"], now: start + second * 1000 });
      const calls = asked.mock.calls.length;
      const { status, headers } = await send(bearer(text), "GET", list);
      expect(status).toBe(503);
      expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
      if (asked.mock.calls.length > calls) askedAt.push(second);
    }
    expect(askedAt).toEqual([0, 1, 3, 7, 15, 31]);
    healthy();
    vi.useFakeTimers({ toFake: ["Date"], now: start + 64_000 });
    expect((await send(bearer(text), "GET", list)).status).toBe(200);
  });

  test("keys fetched before an outage stay in use, also once they are due to be fetched anew", async () => {
    healthy();
    const send = trusting();
    expect((await send(bearer(await signed()), "GET", list)).status).toBe(200);
    provider(() => Promise.reject(new TypeError("fetch failed")));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20 * 60_000 });
    expect((await send(bearer(await signed()), "GET", list)).status).toBe(200);
  });

  test("keys fetched before the outage stay in use", async () => {
    healthy();
    const send = trusting();
    expect((await send(bearer(await signed()), "GET", list)).status).toBe(200);
    provider(() => Promise.reject(new TypeError("fetch failed")));
    expect((await send(bearer(await signed()), "GET", list)).status).toBe(200);
  });
});

describe("settings", () => {
  test("JWT_ISSUER without JWKS_URL is refused, and callers see no details", async () => {
    const { status, body } = await deployment({ JWT_ISSUER: issuer })(nobody, "GET", "/health");
    expect([status, body.errorCode]).toEqual([500, "INTERNAL"]);
  });

  test("an identity provider cannot take the name of the deployment itself", async () => {
    const send = deployment({ JWT_ISSUER: "perennial", JWKS_URL: jwksUrl });
    const { status, body } = await send(nobody, "GET", "/health");
    expect([status, body.errorCode]).toEqual([500, "INTERNAL"]);
  });

  test("a JWKS_URL that is not https is refused, opaquely to callers", async () => {
    const send = deployment({ JWT_ISSUER: issuer, JWKS_URL: "http://login.example.com/jwks.json" });
    const { status, body } = await send(nobody, "GET", "/health");
    expect([status, body.errorCode]).toEqual([500, "INTERNAL"]);
  });
});
