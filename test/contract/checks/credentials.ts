import { expect } from "vitest";
import { calculateChecksum, newKeyText } from "../../../src/base/accounts/api-key.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { type Answer, type Caller, nobody } from "../../support/client.ts";
import {
  accepts,
  failureOf,
  hasSucceeded,
  isAnonymous,
  isForCustomersAlone,
  type Operation,
} from "../../support/document.ts";
import { bearer, both } from "../../support/tenant.ts";
import { adminToken, call, callerOf, type World } from "../../support/world.ts";
import { takesJson } from "./bodies.ts";
import { type Checks, turnsOf } from "./check.ts";

export const credentialChecks: Checks = {
  "without credentials 401 exactly where the document declares security": {
    async run(operation, { shared }) {
      const answer = await call(operation, shared, { as: nobody });
      if (isAnonymous(operation)) expect(hasSucceeded(operation, answer.status)).toBe(true);
      else expectRefused(operation, answer, missing(operation));
    },
  },
  "the same 401 for every credential that is not valid": {
    appliesTo: isSecured,
    async run(operation, { shared }) {
      for (const [name, as] of turnsOf(operation, badCredentials(shared), 2))
        expectRefused(operation, await call(operation, shared, { as }), undefined, name);
    },
  },
  "of two credentials the 401 names the one that is not valid, if the other is": {
    appliesTo: isSecured,
    async run(operation, { shared: { tenant }, shared }) {
      const beside = (refused: string, good: string) =>
        `The credential in ${refused} is ${notValid}; the one in ${good} is good`;
      const badToken = await call(operation, shared, { as: both(tenant, "e30.e30.e30") });
      expectRefused(operation, badToken, beside("Authorization: Bearer", "X-API-Key"));
      const token = await adminToken(tenant);
      const keys = [wellFormedKey, otherSecret(tenant.key), mistyped(tenant.key), "garbage"];
      for (const bad of turnsOf(operation, keys)) {
        const badKey = await call(operation, shared, { as: withToken(token, bad) });
        expectRefused(operation, badKey, beside("X-API-Key", "Authorization: Bearer"), bad);
      }
    },
  },
  "a key that is sent as a Bearer token is 401 and says where it belongs, whether or not there is such a key":
    {
      appliesTo: isSecured,
      async run(operation, { shared: { tenant }, shared }) {
        const misplaced = "An API key was sent as a Bearer token: send it as X-API-Key";
        for (const text of turnsOf(operation, [tenant.key, wellFormedKey, mistyped(tenant.key), "prnl_"], 2))
          for (const as of turnsOf(operation, [
            bearer(text),
            both(tenant, text),
            withToken(text, wellFormedKey),
          ]))
            expectRefused(operation, await call(operation, shared, { as }), misplaced, text);
      },
    },
  "each credential alone is enough exactly where the document says so": {
    appliesTo: isSecured,
    async run(operation, { world, succeeded }) {
      expect(hasSucceeded(operation, (await succeeded()).status), "as documented").toBe(true);
      const of = world();
      const text = await (isForCustomersAlone(operation) ? of.customerToken() : adminToken(of.tenant));
      for (const [scheme, as] of [
        ["apiKey", of.tenant],
        ["bearer", bearer(text)],
      ] as const) {
        const answer = await call(operation, of, { as });
        const other = scheme === "apiKey" ? aBearer : "X-API-Key";
        if (accepts(operation, scheme)) expect([401, 403], scheme).not.toContain(answer.status);
        else expectRefused(operation, answer, `This operation also needs ${other}`, scheme);
      }
    },
  },
  "a key of one account and a token of another: 403 ACCOUNT_MISMATCH": {
    appliesTo: isSecured,
    async run(operation, { shared, other }) {
      const as = both(shared.tenant, await adminToken(other.tenant));
      const { status, body } = await call(operation, shared, { as });
      expect([status, body.errorCode]).toEqual([403, "ACCOUNT_MISMATCH"]);
    },
  },
  "a customer's token reaches what customers may do, all else is 403 FORBIDDEN": {
    appliesTo: isSecured,
    async run(operation, { world }) {
      const of = world();
      const text = await of.customerToken();
      const { security = [] } = operation;
      const needsKey = security.every((wanted) => "apiKey" in wanted);
      const as = needsKey ? both(of.tenant, text) : bearer(text);
      const { status, body } = await call(operation, of, { as });
      if (operation.customers) expect([401, 403]).not.toContain(status);
      else expect([status, body.errorCode]).toEqual([403, "FORBIDDEN"]);
    },
  },
  "what is for customers alone is 403 FORBIDDEN for staff": {
    appliesTo: isForCustomersAlone,
    async run(operation, { shared }) {
      const answer = await call(operation, shared, { as: bearer(await adminToken(shared.tenant)) });
      expect([answer.status, answer.body.error]).toEqual([403, "This operation needs a customer's token"]);
    },
  },
  "a credential is ignored where none is needed": {
    /** MCP's list of tools is made for the credentials of its request. */
    appliesTo: (operation) => isAnonymous(operation) && !operation.path.startsWith("/mcp"),
    async run(operation, { shared }) {
      const { status } = await call(operation, shared, { as: key("garbage") });
      expect(hasSucceeded(operation, status)).toBe(true);
    },
  },
  "order of checks: credential before media type, schema and record": {
    appliesTo: isSecured,
    async run(operation, { shared }) {
      const path = operation.path.replaceAll(/\{.+?\}/g, "no-such-record");
      const none = missing(operation);
      const unknown = { as: nobody, path, query: { surprise: "1" } };
      expectRefused(operation, await call(operation, shared, unknown), none);
      if (!operation.requestBody) return;
      const headers = { "Content-Type": "text/plain" };
      const noBody = { as: nobody, path, headers, raw: "{" };
      expectRefused(operation, await call(operation, shared, noBody), none, "before the media type");
      const as = await callerOf(operation, shared);
      const unsupported = { as, path, headers, raw: "{", query: { surprise: "1" } };
      const { status } = await call(operation, shared, unsupported);
      expect(status, "media type before schema and record").toBe(415);
      const refused = await call(operation, shared, { as, path, body: { surprise_field: 1 } });
      expect(refused.status, "schema before record").toBe(takesJson(operation) ? 400 : 415);
    },
  },
};

export function isSecured(operation: Operation): boolean {
  return !isAnonymous(operation);
}

const notValid = "unknown, mistyped, expired or revoked";
const aBearer = "Authorization: Bearer; POST /api/auth/token issues one";
const wellFormedKey = newKeyText(newId());

function badCredentials({ tenant }: World): [string, Caller][] {
  return [
    ["an unknown key", key(wellFormedKey)],
    ["a key with another secret", key(otherSecret(tenant.key))],
    ["a mistyped key", key(mistyped(tenant.key))],
    ["a malformed key", key("garbage")],
    ["an empty key", key("")],
    ["a garbage token", bearer("e30.e30.e30")],
    ["another scheme", authorization(`Basic ${btoa("a:b")}`)],
    ["an empty token", authorization("Bearer ")],
    ["a garbage token and an unknown key", withToken("e30.e30.e30", wellFormedKey)],
  ];
}

function key(text: string): Caller {
  return { credentials: { "X-API-Key": text } };
}

function authorization(text: string): Caller {
  return { credentials: { Authorization: text } };
}

function withToken(token: string, text: string): Caller {
  return { credentials: { ...bearer(token).credentials, "X-API-Key": text } };
}

/** A key with a good checksum. */
function otherSecret(text: string): string {
  const body = text.slice(0, -49) + "A".repeat(43);
  return body + calculateChecksum(body);
}

function mistyped(text: string): string {
  return text.slice(0, -10) + (text.at(-10) === "A" ? "B" : "A") + text.slice(-9);
}

function expectRefused(
  operation: Operation,
  answer: Answer,
  error = `The credential that was sent is ${notValid}`,
  sent = "the request",
): void {
  expect(answer.status, sent).toBe(401);
  expect(answer.headers.get("WWW-Authenticate"), sent).toMatch(/^Bearer /);
  expect(answer.body, sent).toEqual({
    ...failureOf(operation),
    error,
    errorCode: "UNAUTHENTICATED",
    request_id: answer.headers.get("X-Request-Id"),
  });
}

/** The message about credentials that were not sent: about all, where none was. */
function missing(operation: Operation): string {
  if (accepts(operation, "apiKey") && accepts(operation, "bearer"))
    return `This operation needs X-API-Key or ${aBearer}`;
  if (accepts(operation, "bearer")) return `This operation needs ${aBearer}`;
  return accepts(operation, "apiKey")
    ? "This operation needs X-API-Key"
    : `This operation needs X-API-Key and ${aBearer}`;
}
