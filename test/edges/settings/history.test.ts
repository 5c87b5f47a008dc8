/** Each change of an account or its keys is an entry that says who did what, and no secret. */
import { beforeEach, describe, expect, test } from "vitest";
import { renameAccount } from "../../../src/base/accounts/rename.ts";
import { api, type Caller } from "../../support/client.ts";
import { select, testDb } from "../../support/database.ts";
import { addPlan } from "../../support/shops.ts";
import { bearer, endKey, makeKey, openTenant, staff, type Tenant, token } from "../../support/tenant.ts";

type HistoryEntry = {
  action: string;
  changes: string | null;
  metadata: string | null;
  actor_type: string;
  actor_name: string | null;
  loggable_type: string;
  loggable_id: string;
  subscription_id: null;
  order_id: null;
  profile_id: null;
};

let of: Tenant;
beforeEach(async () => {
  of = await openTenant();
});

/** The history of the account, after the key that it was created with. */
async function history(): Promise<HistoryEntry[]> {
  return (
    await select<HistoryEntry>(
      "SELECT * FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY sequence",
      of.account.id,
    )
  ).slice(1);
}

function put(caller: Caller, body: object) {
  return api(caller, "PUT", "/api/account", { body });
}

function now(): string {
  return new Date().toISOString();
}

describe("account_updated", () => {
  test("says who changed what, from what to what", async () => {
    const ada = bearer(await token(of, { actor_type: "admin", name: "Ada" }));
    await put(ada, { name: "Acme", dunning_retry_days: [2, 5], timezone: "UTC" });
    const [entry, ...more] = await history();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: "account_updated",
      actor_type: "admin",
      actor_name: "Ada",
      loggable_type: "account",
      loggable_id: of.account.id,
      metadata: null,
      subscription_id: null,
      order_id: null,
      profile_id: null,
    });
    expect(JSON.parse(entry!.changes!)).toEqual({
      name: { from: of.account.shop, to: "Acme" },
      dunning_retry_days: { from: [1, 3, 7], to: [2, 5] },
    });
  });

  test("a key acts under its name", async () => {
    await put(of, { name: "Acme" });
    expect(await history()).toMatchObject([{ actor_type: "api", actor_name: "default" }]);
  });

  test("another shop, which an operator gives it", async () => {
    const { account } = of;
    await renameAccount(testDb(), { account, shop: `new-${account.shop}`, now: now() });
    expect(await history()).toMatchObject([
      {
        action: "account_updated",
        actor_type: "system",
        changes: JSON.stringify({ shop: { from: account.shop, to: `new-${account.shop}` } }),
      },
    ]);
  });

  test("what changes nothing is no entry, and leaves updated_at alone", async () => {
    const { status, body } = await put(of, { name: of.account.name, dunning_retry_days: [1, 3, 7] });
    expect([status, body.data.updated_at]).toEqual([200, of.account.updated_at]);
    expect(await history()).toEqual([]);
  });

  test("what is refused is none either", async () => {
    await addPlan({ of, admin: of });
    expect((await put(of, { currency_code: "EUR", name: "Acme" })).status).toBe(409);
    expect(await history()).toEqual([]);
  });

  test("changes at the same time each have an entry of what they found", async () => {
    const names = ["one", "two", "three", "four"];
    const answers = await Promise.all(names.map((name) => put(of, { name })));
    const changes = (await history()).map((entry) => JSON.parse(entry.changes!).name);
    expect(changes).toHaveLength(answers.filter(({ status }) => status === 200).length);
    const path = [of.account.name, ...changes.map(({ to }: { to: string }) => to)];
    expect(changes.map(({ from }: { from: string }) => from)).toEqual(path.slice(0, -1));
  });
});

describe("keys", () => {
  test("the key that an account is created with is an entry", async () => {
    const [first] = await select<HistoryEntry>(
      "SELECT * FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      of.account.id,
    );
    expect(first).toMatchObject({ action: "api_key_created", loggable_id: of.keyId, actor_type: "system" });
  });

  test("api_key_created and api_key_revoked name the key and what it may do, never its text", async () => {
    const expiresAt = "2100-01-01T00:00:00.000Z";
    const request = { name: "Warehouse", expiresAt, scopes: ["orders:read" as const] };
    const { key, text } = await makeKey(of, request);
    await endKey(of, key.id);
    const entries = await history();
    expect(entries).toMatchObject([
      { action: "api_key_created", loggable_type: "api_key", loggable_id: key.id, actor_type: "system" },
      { action: "api_key_revoked", loggable_type: "api_key", loggable_id: key.id, actor_type: "system" },
    ]);
    expect(entries.map(({ metadata }) => JSON.parse(metadata!))).toEqual([
      { name: "Warehouse", scopes: ["orders:read"], expires_at: expiresAt },
      { name: "Warehouse" },
    ]);
    expect(JSON.stringify(entries)).not.toContain(text.slice(-49));
  });

  test("a key is revoked once", async () => {
    await endKey(of, of.keyId);
    await expect(endKey(of, of.keyId)).rejects.toThrow("not found");
    expect((await history()).map(({ action }) => action)).toEqual(["api_key_revoked"]);
  });
});

describe("the activity feed shows entries about subscriptions and orders alone", () => {
  test("not in the list, its total, its names or its distinct values", async () => {
    const caller = await staff(of, "Ada");
    await put(caller, { name: "Acme" });
    const day = now().slice(0, 10);
    const query = { start_date: day, end_date: day };
    const plain = await api(caller, "GET", "/api/activity-logs", { query });
    expect([plain.body.data, plain.body.metadata ?? plain.body.meta]).toMatchObject([[], { total: 0 }]);
    const narrowed = { ...query, actor_type: "admin", actor_name: "Ada" };
    expect((await api(caller, "GET", "/api/activity-logs", { query: narrowed })).body.data).toEqual([]);
    expect(
      await select(
        "SELECT * FROM activity_counts WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        of.account.id,
      ),
    ).toEqual([]);
    expect(
      await select(
        "SELECT * FROM activity_names WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        of.account.id,
      ),
    ).toEqual([]);
  });
});
