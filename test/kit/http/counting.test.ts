/** A request is counted by whom its credential names, or else by its address, before anybody is asked about it. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import * as mcpServer from "../../../src/edges/mcp/server.ts";
import { message, toolCall } from "../../edges/mcp/session.ts";
import { type Answer, api, deployment, nobody, type RequestOptions } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { interrupted } from "../../support/slow-database.ts";
import { bearer, customer, openTenant, type Tenant, token } from "../../support/tenant.ts";
import { wholeMinute } from "../../support/whole-minute.ts";

beforeEach(wholeMinute);

const list = "/api/subscriptions/skip-reasons";
const limit = 5;
const perKey = deployment({ KEY_LIMITER: env.TEST_LIMITER });
const perIssuer = deployment({ TOKENS_LIMITER: env.TEST_LIMITER, RATE_LIMIT_PER_KEY: "1" });
const perAddress = deployment({ ADDRESS_LIMITER: env.TEST_LIMITER });

function from(address: string): RequestOptions {
  return { headers: { "CF-Connecting-IP": address } };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The statuses of one request more than the limit allows. */
async function beyondLimit(act: (nth: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let nth = 0; nth <= limit; nth++) statuses.push((await act(nth)).status);
  return statuses;
}

function upToLimit(status: number): number[] {
  return [...Array(limit).fill(status), 429];
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The token with other unused bits in the last character of its signature (86 characters for 64 bytes). */
function respelled(text: string, nth: number): string {
  const value = alphabet.indexOf(text.at(-1)!);
  return text.slice(0, -1) + alphabet[(value & 0b110000) | ((value + nth) & 0b001111)];
}

describe("a token is counted by whom it names", () => {
  test("however its signature is spelled", async () => {
    const text = await token(await openTenant());
    expect(await beyondLimit((nth) => perKey(bearer(respelled(text, nth)), "GET", list))).toEqual(
      upToLimit(200),
    );
  });

  test("one with a tab in it is none", async () => {
    const text = await token(await openTenant());
    const split = `${text.slice(0, -4)}\t${text.slice(-4)}`;
    expect((await api(bearer(split), "GET", list)).status).toBe(401);
  });

  test("a new token of the same person starts no new count", async () => {
    const of = await openTenant();
    const fresh = () => token(of, { actor_type: "admin", name: "Ada" });
    expect(await beyondLimit(async () => perKey(bearer(await fresh()), "GET", list))).toEqual(upToLimit(200));
  });

  test("each person has the key's limit", async () => {
    const of = await openTenant();
    const [ada, bob] = [
      await token(of, { actor_type: "admin", name: "Ada" }),
      await token(of, { actor_type: "admin", name: "Bob" }),
    ];
    await beyondLimit(() => perKey(bearer(ada), "GET", list));
    expect((await perKey(bearer(bob), "GET", list)).status).toBe(200);
  });

  test("minting tokens for ever more people ends at five times the key's limit", async () => {
    const of = await openTenant();
    const named = (nth: number) => token(of, { actor_type: "admin", name: `Staff ${nth}` });
    const answers: Answer[] = [];
    for (let nth = 0; nth <= limit; nth++)
      answers.push(await perIssuer(bearer(await named(nth)), "GET", list));
    expect(answers.map(({ status }) => status)).toEqual(upToLimit(200));
    expect(answers[0]?.headers.get("RateLimit-Policy")).toBe('"credential";q=1;w=60, "tokens";q=5;w=60');
    expect(answers.at(-1)?.headers.get("RateLimit")).toBe('"tokens";r=0;t=60');
    expect((await perIssuer(bearer(await token(await openTenant())), "GET", list)).status).toBe(200);
  });
});

describe("refusals are counted by client address", () => {
  const refusals: [string, number, (of: Tenant) => Promise<Answer>][] = [];
  const add = (
    title: string,
    status: number,
    act: (of: Tenant, options: RequestOptions) => Promise<Answer>,
  ) => {
    const options = from(newId());
    refusals.push([title, status, (of) => act(of, options)]);
  };
  add("no credential", 401, (_, options) => perAddress(nobody, "GET", list, options));
  add("a garbage key", 401, (_, options) =>
    perAddress({ credentials: { "X-API-Key": "garbage" } }, "GET", list, options),
  );
  add("a garbage token", 401, (_, options) => perAddress(bearer("e30.e30.e30"), "GET", list, options));
  test.each(refusals)("%s", async (_, status, act) => {
    const of = await openTenant();
    expect(await beyondLimit(() => act(of))).toEqual(upToLimit(status));
  });

  test("an operation that a good token does not reach: 403, and then 429", async () => {
    const of = await customer(await openTenant());
    await perAddress(of, "GET", list, from(newId()));
    const options = { ...from(newId()), body: { label: "x" } };
    expect(await beyondLimit(() => perAddress(of, "POST", list, options))).toEqual(upToLimit(403));
  });
});

describe("a credential that the isolate does not know is counted before anybody is asked about it", () => {
  const exhausted = async (): Promise<RequestOptions> => {
    const options = from(newId());
    await beyondLimit(() => perAddress(nobody, "GET", "/health", options));
    return options;
  };
  /** A deployment whose database must not be asked. */
  const withoutDatabase = deployment({
    ADDRESS_LIMITER: env.TEST_LIMITER,
    DB: interrupted(/./, { before: () => Promise.reject(new Error("the database was asked")) }),
  });

  test("429 comes before 401, and before the database", async () => {
    const options = await exhausted();
    for (const caller of [await openTenant(), bearer(await token(await openTenant()))])
      expect((await withoutDatabase(caller, "GET", list, options)).status).toBe(429);
  });

  test("one that it has proven is not refused for the address's sake", async () => {
    const of = await openTenant();
    await perAddress(of, "GET", list, from(newId()));
    const asStaff = bearer(await token(of));
    await perAddress(asStaff, "GET", list, from(newId()));
    const options = await exhausted();
    const both = async () => [
      (await perAddress(of, "GET", list, options)).status,
      (await perAddress(asStaff, "GET", list, options)).status,
    ];
    expect(await both()).toEqual([200, 200]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    expect(await both(), "looked up anew").toEqual([200, 200]);
  });

  test("one that is revoked is counted from its first refusal on", async () => {
    const of = await openTenant();
    const options = from(newId());
    await perAddress(of, "GET", list, options);
    await execute("UPDATE api_keys SET revoked_at = created_at WHERE id = ?", of.keyId);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    const statuses = [];
    for (let nth = 0; nth <= limit; nth++) statuses.push((await perAddress(of, "GET", list, options)).status);
    expect(statuses).toEqual([...Array(limit - 1).fill(401), 429, 429]);
  });
});

test("an IPv6 client is counted by its /64", async () => {
  const send = (nth: number) =>
    perAddress(nobody, "GET", "/health", from(`2001:db8:0:${prefix}::${nth + 1}`));
  const prefix = Math.floor(Date.now() % 0xffff).toString(16);
  expect(await beyondLimit(send)).toEqual(upToLimit(200));
});

describe("MCP requests that reach no operation are counted by client address", () => {
  const calls: [string, unknown][] = [
    ["a tool that there is not", toolCall("nope", {})],
    [
      "a resource that is the document",
      { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "perennial://api" } },
    ],
    ["a list", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
  ];
  test.each(calls)("%s", async (_, body) => {
    const { headers = {} } = from(newId());
    const send = perAddress as typeof api;
    const worked = vi.spyOn(mcpServer, "answerMcp");
    const statuses = await beyondLimit(() => message(nobody, body, { send, headers }));
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.slice(0, -1)).not.toContain(429);
    expect(worked, "what is over the limit is not worked on").toHaveBeenCalledTimes(limit);
  });
});
