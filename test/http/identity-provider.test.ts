import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { deployment, nobody } from "../support/client.ts";
import { bearer, token } from "../support/tenant.ts";
import { useTenant } from "../support/use-account.ts";

const issuer = "https://login.example.com/";
const jwksUrl = "https://login.example.com/.well-known/jwks.json";
const list = "/api/subscriptions/skip-reasons";

const own = useTenant();
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let jwk: object;
beforeAll(async () => {
  keys = await generateKeyPair("ES256", { extractable: true });
  jwk = { ...(await exportJWK(keys.publicKey)), kid: "provider-1", alg: "ES256", use: "sig" };
});
afterEach(() => vi.unstubAllGlobals());

/** The identity provider: answers its key set, and counts who asks. */
const provider = (answer: () => Promise<Response>) => {
  const asked = vi.fn(async (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url !== jwksUrl) throw new Error(`the Worker fetched ${url}`);
    return answer();
  });
  vi.stubGlobal("fetch", asked);
  return asked;
};
const healthy = () => provider(async () => Response.json({ keys: [jwk] }));

const trusting = () => deployment({ JWT_ISSUER: issuer, JWKS_URL: jwksUrl });

const signed = (claims: Record<string, unknown> = {}, kid = "provider-1"): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: issuer,
    aud: "perennial",
    exp: now + 300,
    account_id: own.account.id,
    actor_type: "admin",
    name: "Ada",
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid }).sign(keys.privateKey);
};

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
    expect((await trusting()(bearer(await token(own)), "GET", list)).status).toBe(200);
    expect(asked).not.toHaveBeenCalled();
  });

  test.each([
    ["the deployment's issuer", { iss: "perennial" }],
    ["another issuer", { iss: "https://evil.example/" }],
    ["another audience", { aud: "another" }],
    ["no expiry", { exp: undefined }],
    ["expired", { exp: 1 }],
    ["an unknown account", { account_id: "nope" }],
  ])("its token with %s is 401", async (_, claims) => {
    healthy();
    expect((await trusting()(bearer(await signed(claims)), "GET", list)).status).toBe(401);
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
});
