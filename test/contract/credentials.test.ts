import { beforeAll, describe, expect, test } from "vitest";
import { checksumOf, newKeyText } from "../../src/base/accounts/api-key.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { type Answer, type Caller, nobody } from "../support/client.ts";
import {
  accepts,
  each,
  failureOf,
  isAnonymous,
  isForCustomersAlone,
  type Operation,
  operations,
  titleOf,
} from "../support/document.ts";
import { bearer, both } from "../support/tenant.ts";
import { useWorld } from "../support/use-world.ts";
import { adminToken, call, callerOf, openWorld, type World } from "../support/world.ts";

const { callToSucceed } = useWorld();
let a: World;
let b: World;
beforeAll(async () => {
  a = await openWorld();
  b = await openWorld();
});

const secured = operations.filter((operation) => !isAnonymous(operation));

function key(text: string): Caller {
  return { credentials: { "X-API-Key": text } };
}

function authorization(text: string): Caller {
  return { credentials: { Authorization: text } };
}

function withToken(token: string, text: string): Caller {
  return {
    credentials: { ...bearer(token).credentials, "X-API-Key": text },
  };
}
const wellFormedKey = newKeyText(newId());

/** With a good checksum. */
function otherSecret(text: string): string {
  const body = text.slice(0, -49) + "A".repeat(43);
  return body + checksumOf(body);
}

function mistyped(text: string): string {
  return text.slice(0, -10) + (text.at(-10) === "A" ? "B" : "A") + text.slice(-9);
}

const notValid = "unknown, mistyped, expired or revoked";

function expectRefused(
  operation: Operation,
  answer: Answer,
  error = `The credential that was sent is ${notValid}`,
): void {
  expect(answer.status).toBe(401);
  expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
  expect(answer.body).toEqual({
    ...failureOf(operation),
    error,
    errorCode: "UNAUTHENTICATED",
    request_id: answer.headers.get("X-Request-Id"),
  });
}

const aBearer = "Authorization: Bearer; POST /api/auth/token issues one";

/** What a refusal says of credentials that were not sent: of all, where none was. */
function missing(operation: Operation): string {
  if (accepts(operation, "apiKey") && accepts(operation, "bearer"))
    return `This operation needs X-API-Key or ${aBearer}`;
  if (accepts(operation, "bearer")) return `This operation needs ${aBearer}`;
  return accepts(operation, "apiKey")
    ? "This operation needs X-API-Key"
    : `This operation needs X-API-Key and ${aBearer}`;
}

test("only documentation, health, public keys, the portal's reasons, MCP's transport and signed webhooks need no credential", () => {
  expect(operations.filter(isAnonymous).map(titleOf).sort()).toEqual([
    "GET /.well-known/jwks.json",
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/mcp",
    "GET /.well-known/security.txt",
    "GET /api",
    "GET /api.json",
    "GET /api.yaml",
    "GET /api/public/portal/skip-reasons",
    "GET /health",
    "POST /mcp",
    "POST /mcp/readonly",
    "POST /webhooks/shopify",
  ]);
});

describe("without credentials 401 exactly where the document declares security", () => {
  test.each(each())("%s", async (_, operation) => {
    const answer = await call(operation, a, { as: nobody });
    if (isAnonymous(operation)) expect(answer.status).toBe(200);
    else expectRefused(operation, answer, missing(operation));
  });
});

describe("the same 401 for every credential that is not valid", () => {
  const bad: [string, (operation: Operation) => Promise<Caller>][] = [
    ["an unknown key", async () => key(wellFormedKey)],
    ["a key with another secret", async () => key(otherSecret(a.tenant.key))],
    ["a mistyped key", async () => key(mistyped(a.tenant.key))],
    ["a malformed key", async () => key("garbage")],
    ["an empty key", async () => key("")],
    ["a garbage token", async () => bearer("e30.e30.e30")],
    ["another scheme", async () => authorization(`Basic ${btoa("a:b")}`)],
    ["an empty token", async () => authorization("Bearer ")],
    ["a garbage token and an unknown key", async () => withToken("e30.e30.e30", wellFormedKey)],
  ];
  describe.each(each(secured))("%s", (_, operation) => {
    test.each(bad)("%s", async (_, as) => {
      expectRefused(operation, await call(operation, a, { as: await as(operation) }));
    });
  });
});

describe("of two credentials the 401 names the one that is not valid, if the other is", () => {
  const beside = (refused: string, good: string) =>
    `The credential in ${refused} is ${notValid}; the one in ${good} is good`;
  test.each(each(secured))("%s", async (_, operation) => {
    const badToken = await call(operation, a, { as: both(a.tenant, "e30.e30.e30") });
    expectRefused(operation, badToken, beside("Authorization: Bearer", "X-API-Key"));
    const token = await adminToken(a.tenant);
    for (const bad of [wellFormedKey, otherSecret(a.tenant.key), mistyped(a.tenant.key), "garbage"]) {
      const badKey = await call(operation, a, { as: withToken(token, bad) });
      expectRefused(operation, badKey, beside("X-API-Key", "Authorization: Bearer"));
    }
  });
});

describe("a key that is sent as a Bearer token is 401 and says where it belongs, whether or not there is such a key", () => {
  test.each(each(secured))("%s", async (_, operation) => {
    const misplaced = "An API key was sent as a Bearer token: send it as X-API-Key";
    for (const text of [a.tenant.key, wellFormedKey, mistyped(a.tenant.key), "prnl_"])
      for (const as of [bearer(text), both(a.tenant, text), withToken(text, wellFormedKey)])
        expectRefused(operation, await call(operation, a, { as }), misplaced);
  });
});

describe("each credential alone is enough exactly where the document says so", () => {
  test.each(each(secured))("%s", async (_, operation) => {
    const asDocumented = await callToSucceed(operation);
    expect(asDocumented.status, "as documented").toBeLessThan(300);
    const text = await (isForCustomersAlone(operation) ? a.customerToken() : adminToken(a.tenant));
    for (const [scheme, as] of [
      ["apiKey", a.tenant],
      ["bearer", bearer(text)],
    ] as const) {
      const answer = await call(operation, a, { as });
      const other = scheme === "apiKey" ? aBearer : "X-API-Key";
      if (accepts(operation, scheme)) expect([401, 403], scheme).not.toContain(answer.status);
      else expectRefused(operation, answer, `This operation also needs ${other}`);
    }
  });
});

describe("a key of one account and a token of another: 403 ACCOUNT_MISMATCH", () => {
  test.each(each(secured))("%s", async (_, operation) => {
    const { status, body } = await call(operation, a, { as: both(a.tenant, await adminToken(b.tenant)) });
    expect(status).toBe(403);
    expect(body.errorCode).toBe("ACCOUNT_MISMATCH");
  });
});

describe("a customer's token reaches what customers may do, all else is 403 FORBIDDEN", () => {
  const withKey = ({ security = [] }: Operation) => security.every((wanted) => "apiKey" in wanted);
  test.each(each(secured))("%s", async (_, operation) => {
    const text = await a.customerToken();
    const as = withKey(operation) ? both(a.tenant, text) : bearer(text);
    const { status, body } = await call(operation, a, { as });
    if (operation.customers) expect([401, 403]).not.toContain(status);
    else expect([status, body.errorCode]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("what is for customers alone is 403 FORBIDDEN for staff", () => {
  test.each(each(operations.filter(isForCustomersAlone)))("%s", async (_, operation) => {
    const answer = await call(operation, a, { as: bearer(await adminToken(a.tenant)) });
    expect([answer.status, answer.body.error]).toEqual([403, "This operation needs a customer's token"]);
  });
});

describe("a credential is ignored where none is needed", () => {
  /** MCP's list of tools is made for the credentials of its request. */
  const ignoring = operations.filter(
    (operation) => isAnonymous(operation) && !operation.path.startsWith("/mcp"),
  );
  test.each(each(ignoring))("%s", async (_, operation) => {
    const { status } = await call(operation, a, { as: key("garbage") });
    expect(status).toBe(200);
  });
});

describe("order of checks: credential before media type, schema and record", () => {
  test.each(each(secured))("%s", async (_, operation) => {
    const path = operation.path.replaceAll(/\{.+?\}/g, "no-such-record");
    const none = missing(operation);
    expectRefused(operation, await call(operation, a, { as: nobody, path, query: { surprise: "1" } }), none);
    if (!operation.requestBody) return;
    const headers = { "Content-Type": "text/plain" };
    expectRefused(operation, await call(operation, a, { as: nobody, path, headers, raw: "{" }), none);
    const as = await callerOf(operation, a);
    const unsupported = await call(operation, a, { as, path, headers, raw: "{", query: { surprise: "1" } });
    expect(unsupported.status, "media type before schema and record").toBe(415);
    const unknownField = { ...{}, surprise_field: 1 };
    expect((await call(operation, a, { as, path, body: unknownField })).status, "schema before record").toBe(
      400,
    );
  });
});
