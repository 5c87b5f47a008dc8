import { expect } from "vitest";
import { allScopes, type Scope } from "../../../src/base/accounts/scopes.ts";
import type { Answer, Caller } from "../../support/client.ts";
import { accepts, failureOf, isForCustomersAlone, type Operation } from "../../support/document.ts";
import { bearer, limitedKey, type Tenant, token } from "../../support/tenant.ts";
import { call } from "../../support/world.ts";
import type { Checks } from "./check.ts";
import { isSecured } from "./credentials.ts";

export const scopeChecks: Checks = {
  "each operation that needs a credential names one known scope: of reading for GET, of writing for the rest":
    {
      appliesTo: isSecured,
      run(operation) {
        const scope = scopeOf(operation);
        expect(allScopes).toContain(scope);
        expect(scope.endsWith(":read")).toBe(operation.method === "GET");
        for (const way of operation.security ?? [])
          for (const scopes of Object.values(way)) expect(scopes).toEqual([scope]);
      },
    },
  "a credential without the scope is 403, and told which": {
    appliesTo: isLimitable,
    async run(operation, { shared }) {
      const scope = scopeOf(operation);
      const other: Scope = scope === "events:read" ? "events:write" : "events:read";
      for (const [credential, as] of callersOf(operation, await limitedTo(shared.tenant, other)))
        expectForbidden(operation, await call(operation, shared, { as }), credential);
    },
  },
  "one with that scope alone is let through, and with those that the description names besides": {
    appliesTo: isLimitable,
    async run(operation, { shared }) {
      const limited = await limitedTo(shared.tenant, scopeOf(operation), ...scopesBesides(operation));
      for (const [credential, as] of callersOf(operation, limited)) {
        const { status, body } = await call(operation, shared, { as });
        expect([401, 403], `${credential}: ${JSON.stringify(body)}`).not.toContain(status);
      }
    },
  },
  "where both credentials are sent, each must have the scope": {
    appliesTo: ({ operationId }) => ["listSkipReasons", "listProfiles", "listEntities"].includes(operationId),
    async run(operation, { shared }) {
      const good = await limitedTo(shared.tenant, scopeOf(operation));
      const bad = await limitedTo(shared.tenant, "events:read");
      const ask = (key: Caller, text: string) =>
        call(operation, shared, {
          as: { credentials: { ...key.credentials, Authorization: `Bearer ${text}` } },
        });
      expect((await ask(good.key, good.token)).status).toBe(200);
      expectForbidden(operation, await ask(bad.key, good.token), "API key");
      expectForbidden(operation, await ask(good.key, bad.token), "bearer token");
    },
  },
};

/** The scope that the document names for an operation, the same for each credential. */
export function scopeOf({ security = [] }: Operation): Scope {
  const named = new Set(security.flatMap((way) => Object.values(way)).flat());
  expect(named.size, "one scope").toBe(1);
  return [...named][0] as Scope;
}

function scopesBesides({ description = "" }: Operation & { description?: string }): Scope[] {
  return [...description.matchAll(/needs the scope `([\w:]+)` besides/g)].map(([, scope]) => scope as Scope);
}

export function expectForbidden(operation: Operation, answer: Answer, credential: string): void {
  expect(answer.status, credential).toBe(403);
  expect(answer.body).toEqual({
    ...failureOf(operation),
    error: `This operation needs the scope ${scopeOf(operation)}, which the ${credential} lacks`,
    errorCode: "FORBIDDEN",
    request_id: answer.headers.get("X-Request-Id"),
  });
}

/** Keys and staff may call it: a customer's token has every scope. */
function isLimitable(operation: Operation): boolean {
  return isSecured(operation) && !isForCustomersAlone(operation);
}

type Limited = { key: Caller; token: string };
const credentials = new Map<string, Promise<Limited>>();

/** A key and an admin's token that have these scopes, and tokens:write besides, which issues tokens. */
function limitedTo(of: Tenant, ...scopes: Scope[]): Promise<Limited> {
  const id = `${of.keyId} ${scopes}`;
  const made = credentials.get(id) ?? makeLimited(of, scopes);
  credentials.set(id, made);
  return made;
}

async function makeLimited(of: Tenant, scopes: Scope[]): Promise<Limited> {
  return {
    key: await limitedKey(of, scopes),
    token: await token(of, { actor_type: "admin", scopes }),
  };
}

/** The callers that have all credentials which the operation needs, in each way that it can be called. */
function callersOf(operation: Operation, { key, token }: Limited): [string, Caller][] {
  const ways: [string, Caller][] = [
    ...(accepts(operation, "apiKey") ? [["API key", key] as [string, Caller]] : []),
    ...(accepts(operation, "bearer") ? [["bearer token", bearer(token)] as [string, Caller]] : []),
  ];
  const both = { credentials: { ...key.credentials, Authorization: `Bearer ${token}` } };
  return ways.length > 0 ? ways : [["API key", both]];
}
