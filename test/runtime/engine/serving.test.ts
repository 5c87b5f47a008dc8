/** An account with an object answers as one on D1 does, from its object alone, and reaches no other. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { AccountStub } from "../../../src/base/accounts/objects.ts";
import { api, nobody, requestOf, send } from "../../support/client.ts";
import { logged } from "../../support/jobs.ts";
import { dbOfObject } from "../../support/objects.ts";
import { openTenant, type Tenant } from "../../support/tenant.ts";

const path = "/api/subscriptions/skip-reasons";
const reason = { body: { label: "Away" } };
let of: Tenant;
beforeAll(async () => {
  of = await openTenant({ engine: "object" });
});

async function countIn(id: string): Promise<unknown> {
  return (await dbOfObject(id).batch([{ sql: "SELECT COUNT(*) AS n FROM reasons", params: [] }], "read"))[0]
    ?.rows;
}

describe("an account with an object", () => {
  test("is served from it alone: nothing of its records is in the directory", async () => {
    const made = await api(of, "POST", path, reason);
    expect([made.status, made.body.data.label]).toEqual([200, "Away"]);
    expect((await api(of, "GET", path)).body).toEqual([made.body]);
    expect(await countIn(of.account.id)).toEqual([{ n: 1 }]);
    for (const table of ["reasons", "idempotency_keys", "reconciliations"])
      expect(await env.DB.prepare(`SELECT * FROM ${table}`).first(), table).toBeNull();
  });

  test("answers as an account on D1 does, with each header once", async () => {
    const other = await openTenant({ engine: "d1" });
    const headersOf = async (tenant: Tenant) =>
      [...(await api(tenant, "GET", path, { headers: { "X-Request-Id": "r1" } })).headers].sort();
    expect(await headersOf(of)).toEqual(await headersOf(other));
  });

  test("has one line of the log for each request, with what the object knows of it", async () => {
    const headers = { "X-Request-Id": "one-id" };
    const lines = await logged(async () => {
      const { headers: answered } = await api(of, "POST", path, { body: {}, headers });
      expect(answered.get("x-request-line")).toBeNull();
      await api(of, "GET", path, { headers });
    });
    const its = { request_id: "one-id", account_id: of.account.id, key_id: of.keyId, engine: "object" };
    expect(lines.filter(({ event }) => event === "request")).toMatchObject([
      { ...its, method: "POST", status: 400, errorCode: "VALIDATION_FAILED" },
      { ...its, method: "GET", status: 200, actor_type: "api", directory_round_trips: 0 },
    ]);
  });

  test("repeats an answer for an Idempotency-Key", async () => {
    const options = { ...reason, headers: { "Idempotency-Key": "once" } };
    const [first, second] = [await api(of, "POST", path, options), await api(of, "POST", path, options)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
  });

  test("refuses in the envelope of the API, in the form that is asked for", async () => {
    const headers = { Accept: "application/problem+json" };
    const answer = await api(of, "POST", path, { body: {}, headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
  });
});

describe("nobody reaches another account's object", () => {
  test("a header that claims a proof is no proof", async () => {
    const claimed = JSON.stringify({
      account: of.account,
      isCounted: true,
      proof: { key: { id: of.keyId } },
    });
    for (const name of ["X-Forwarded", "X-Proof", "X-Account-Id", "X-Forwarded-Proof"]) {
      const { status } = await send(requestOf(nobody, "GET", path, { headers: { [name]: claimed } }));
      expect(status).toBe(401);
    }
  });

  test("an object serves no other account than its own", async () => {
    const other = await openTenant({ engine: "object" });
    const stub = env.ACCOUNTS.getByName(of.account.id) as unknown as AccountStub;
    const forwarded = {
      account: other.account,
      isCounted: true,
      proof: { key: undefined, claims: undefined },
    };
    const lines = await logged(async () => {
      expect(await stub.serve(requestOf(other, "GET", path), forwarded)).toBeUndefined();
      const request = { method: "GET", url: `https://perennial.test${path}`, headers: {}, body: undefined };
      const operation = { method: "get", path };
      expect(await stub.run({ operation, params: {}, request, forwarded })).toBeUndefined();
    });
    const refused = { event: "object_not_opened", cause: expect.stringContaining("This object is that of") };
    expect(lines).toMatchObject([refused, refused]);
  });
});
