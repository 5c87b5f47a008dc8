/** Requests beyond the limit of a key, a token or an address are refused, and others are not affected. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { newKeyText } from "../../../src/base/accounts/api-key.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { deployment, nobody } from "../../support/client.ts";
import { faultsOf } from "../../support/document.ts";
import { bearer, openTenant, token } from "../../support/tenant.ts";
import { wholeMinute } from "../../support/whole-minute.ts";

beforeEach(wholeMinute);

const list = "/api/subscriptions/skip-reasons";
const limit = 5;
const perKey = deployment({ KEY_LIMITER: env.TEST_LIMITER, RATE_LIMIT_PER_KEY: String(limit) });
const perAddress = deployment({ ADDRESS_LIMITER: env.TEST_LIMITER, RATE_LIMIT_PER_ADDRESS: String(limit) });

function from(address: string) {
  return { headers: { "CF-Connecting-IP": address } };
}

async function times<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let nth = 0; nth < count; nth++) answers.push(await act());
  return answers;
}

describe("requests per minute by key or token", () => {
  test("beyond the limit: 429 RATE_LIMITED with Retry-After and the RateLimit headers", async () => {
    const of = await openTenant();
    const answers = await times(limit + 1, () => perKey(of, "GET", list));
    expect(answers.map(({ status }) => status)).toEqual([...Array(limit).fill(200), 429]);
    const refused = answers.at(-1)!;
    expect(refused.body.errorCode).toBe("RATE_LIMITED");
    expect(faultsOf({ $ref: "#/components/schemas/Error" }, refused.body)).toEqual([]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(refused.headers.get("RateLimit")).toMatch(/^"credential";r=0;t=\d+$/);
    for (const { headers } of answers)
      expect(headers.get("RateLimit-Policy")).toBe(`"credential";q=${limit};w=60`);
  });

  test("another key and each token has its own limit", async () => {
    const of = await openTenant();
    const text = await token(of);
    await times(limit + 1, () => perKey(of, "GET", list));
    expect((await perKey(await openTenant(), "GET", list)).status).toBe(200);
    const byToken = await times(limit + 1, () => perKey(bearer(text), "GET", list));
    expect(byToken.map(({ status }) => status)).toEqual([...Array(limit).fill(200), 429]);
  });

  test("a refused request does nothing, and is refused before the schema is checked", async () => {
    const of = await openTenant();
    await times(limit, () => perKey(of, "GET", list));
    const refused = await perKey(of, "POST", list, { raw: "{", headers: { "Content-Type": "text/plain" } });
    expect(refused.status).toBe(429);
  });
});

describe("requests per minute by client address without a credential", () => {
  test("beyond the limit: 429, and another address is not affected", async () => {
    const address = newId();
    const answers = await times(limit + 1, () => perAddress(nobody, "GET", "/health", from(address)));
    expect(answers.map(({ status }) => status)).toEqual([...Array(limit).fill(200), 429]);
    expect(answers.at(-1)?.headers.get("RateLimit")).toMatch(/^"address";r=0;t=\d+$/);
    expect((await perAddress(nobody, "GET", "/health", from(newId()))).status).toBe(200);
  });

  test("failing credentials are counted by address: guessing ends in 429", async () => {
    const address = newId();
    const guess = () =>
      perAddress({ credentials: { "X-API-Key": newKeyText(newId()) } }, "GET", list, from(address));
    const answers = await times(limit + 1, guess);
    expect(answers.map(({ status }) => status)).toEqual([...Array(limit).fill(401), 429]);
    expect(answers.at(-1)?.headers.get("Retry-After")).toMatch(/^\d+$/);
  });

  test("a credential known to be valid is not refused because of its address", async () => {
    const [of, address] = [await openTenant(), newId()];
    expect((await perAddress(of, "GET", list, from(newId()))).status).toBe(200);
    await times(limit + 1, () => perAddress(nobody, "GET", list, from(address)));
    expect((await perAddress(of, "GET", list, from(address))).status).toBe(200);
  });
});

test("a limiter that fails allows requests", async () => {
  const broken = { limit: () => Promise.reject(new Error("no limiter")) };
  const send = deployment({ KEY_LIMITER: broken, TOKENS_LIMITER: broken, ADDRESS_LIMITER: broken });
  const of = await openTenant();
  expect((await send(of, "GET", list)).status).toBe(200);
  expect((await send(bearer(await token(of)), "GET", list)).status).toBe(200);
  expect((await send(nobody, "GET", "/health")).status).toBe(200);
});
