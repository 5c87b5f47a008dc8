/** Requests and messages of an account with an object are handed to it, in one call each, with proven callers. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { AccountStub } from "../../../src/base/accounts/objects.ts";
import type { Bindings } from "../../../src/base/env.ts";
import { profiles } from "../../../src/domain/profiles/tables.ts";
import { api, deployment } from "../../support/client.ts";
import { insertOf } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { dbOfObject } from "../../support/objects.ts";
import { deliver } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { bearer, openTenant, profileRow, type Tenant, token } from "../../support/tenant.ts";

const path = "/api/subscriptions/skip-reasons";
type Namespace = NonNullable<Bindings["ACCOUNTS"]>;
type Around = (call: string, run: () => Promise<unknown>) => Promise<unknown>;

/** The objects, with something of the test's done around each call to one. */
function watched(around: Around): Bindings {
  const getByName = (id: string): AccountStub => {
    const stub = env.ACCOUNTS.getByName(id) as unknown as AccountStub;
    return {
      run: (...args) => around(`run ${id}`, () => stub.run(...args)),
      serve: (...args) => around(`serve ${id}`, () => stub.serve(...args)),
      work: (...args) => around(`work ${id}`, () => stub.work(...args)),
    } as AccountStub;
  };
  return { ...env, ACCOUNTS: { getByName } as unknown as Namespace };
}

function counting(): { bindings: Bindings; calls: string[] } {
  const calls: string[] = [];
  const bindings = watched((call, run) => {
    calls.push(call);
    return run();
  });
  return { bindings, calls };
}

const unreachable = watched(() => Promise.reject(new Error("Network connection lost")));

let a: Tenant;
let b: Tenant;
beforeAll(async () => {
  [a, b] = [await openTenant({ engine: "object" }), await openTenant({ engine: "object" })];
});

describe("a request", () => {
  const { bindings, calls } = counting();
  const call = deployment(bindings);

  test.each([
    ["a read", "GET", path, {}],
    ["a write", "POST", path, { body: { label: "Away" } }],
    [
      "a write with an Idempotency-Key",
      "POST",
      path,
      { body: { label: "Ill" }, headers: { "Idempotency-Key": "k" } },
    ],
    ["a list with its total", "GET", "/api/subscriptions", {}],
    ["a bulk upload", "POST", "/api/profiles/bulk-upload", { body: [{ email: "x@y.test" }] }],
  ])("is one call to its object: %s", async (_, method, to, options) => {
    const admin = await token(a);
    calls.length = 0;
    const answer = await call(a, method, to, {
      ...options,
      headers: { ...("headers" in options ? options.headers : {}), Authorization: `Bearer ${admin}` },
    });
    expect([answer.status < 300, calls]).toEqual([true, [`run ${a.account.id}`]]);
  });

  test("of an agent is one call too", async () => {
    calls.length = 0;
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "listSkipReasons", arguments: {} },
    };
    const answer = await call(a, "POST", "/mcp?toolsets=reasons", {
      body,
      headers: { "MCP-Protocol-Version": "2025-11-25" },
    });
    expect(answer.text).toContain("Away");
    expect(calls).toEqual([`run ${a.account.id}`]);
  });

  test("that is refused, or needs no account, is none", async () => {
    const [limited] = [await token(a, { actor_type: "admin", scopes: ["orders:read"] })];
    calls.length = 0;
    expect((await call(bearer("nonsense"), "GET", path)).status).toBe(401);
    expect((await call(bearer(limited), "GET", path)).status).toBe(403);
    expect((await call(a, "PATCH", path)).status).toBe(405);
    expect((await call(a, "GET", "/api")).status).toBe(200);
    expect(calls).toEqual([]);
  });

  test("whose object cannot be reached is 503, to be tried again, and operators are alerted", async () => {
    const lines = await logged(async () => {
      const answer = await deployment(unreachable)(a, "GET", path);
      expect([answer.status, (answer.body as { errorCode: string }).errorCode]).toEqual([503, "UNAVAILABLE"]);
      expect(answer.headers.get("Retry-After")).not.toBeNull();
    });
    expect(lines).toContainEqual(expect.objectContaining({ event: "object_unreachable", alert: true }));
  });
});

describe("a customer's token", () => {
  test("is proven by the object: that of a deleted profile is refused at once", async () => {
    const profile = profileRow(a);
    const rows = dbOfObject(a.account.id);
    await rows.batch([insertOf(profiles, profile)], "write");
    const customer = bearer(await token(a, { actor_type: "customer", profile_id: profile.id }));
    expect((await api(customer, "GET", path)).status).toBe(200);
    const deletion = {
      sql: "UPDATE profiles SET deleted_at = created_at WHERE id = ?",
      params: [profile.id],
    };
    await rows.batch([deletion], "write");
    expect((await api(customer, "GET", path)).status).toBe(401);
  });

  test("names nobody of another account's object", async () => {
    const profile = profileRow(b);
    await dbOfObject(b.account.id).batch([insertOf(profiles, profile)], "write");
    const answer = await api(a, "POST", "/api/auth/token", {
      body: { actor_type: "customer", profile_id: profile.id },
    });
    expect([answer.status, answer.body.errorCode]).toEqual([400, "UNKNOWN_PROFILE"]);
  });
});

describe("the messages of a batch", () => {
  const jobOf = (of: Tenant, nth: number) => ({
    type: "sync_contract",
    account_id: of.account.id,
    subscription_id: `subscription-${nth}`,
  });

  test("are handed to each object in one call, and the others are worked on here", async () => {
    const here = await openTenant({ engine: "d1" });
    const { bindings, calls } = counting();
    const jobs = [a, b, a, here, b].map(jobOf);
    const lines = await logged(async () => {
      expect((await deliver(jobs, { bindings })).acked).toHaveLength(5);
    });
    expect(calls.toSorted()).toEqual([`work ${a.account.id}`, `work ${b.account.id}`].toSorted());
    expect(lines.filter(({ event }) => event === "job_without_record")).toHaveLength(5);
  });

  test("are delivered again where their object cannot be reached; those of others are done", async () => {
    const failing = watched((call, run) =>
      call.endsWith(a.account.id) ? Promise.reject(new Error("Network connection lost")) : run(),
    );
    const { acked, retried } = await deliver([jobOf(a, 1), jobOf(b, 2)], { bindings: failing });
    expect([acked, retried]).toEqual([["message-1"], ["message-0"]]);
  });

  test("are delivered again while the accounts cannot be read, and are not worked on here", async () => {
    const { bindings, calls } = counting();
    const DB = interrupted(/from "accounts"/, { before: isolateEnded });
    const lines = await logged(async () => {
      const { acked, retried } = await deliver([jobOf(a, 1), jobOf(b, 2)], { bindings: { ...bindings, DB } });
      expect([acked, retried]).toEqual([[], ["message-0", "message-1"]]);
    });
    expect(calls).toEqual([]);
    expect(lines.map(({ event }) => event)).toEqual(["accounts_not_read"]);
  });

  test("are delivered again where their object does not answer in time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const hanging = watched(() => new Promise(() => {}));
    const delivered = deliver([jobOf(a, 1)], { bindings: hanging });
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    vi.useRealTimers();
    expect((await delivered).retried).toEqual(["message-0"]);
  });

  test("are delivered again if the object's answer is lost, and change nothing the second time", async () => {
    const lost = watched(async (_, run) => {
      await run();
      throw new Error("Network connection lost");
    });
    const reconcile = {
      type: "reconcile",
      account_id: a.account.id,
      since: a.account.created_at,
      after: null,
    };
    expect((await deliver([reconcile], { bindings: lost })).retried).toEqual(["message-0"]);
    expect((await deliver([reconcile])).acked).toEqual(["message-0"]);
  });
});
