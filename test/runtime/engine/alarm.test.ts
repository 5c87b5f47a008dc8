/** The alarm of an object does what is due and finds what was lost, and rests otherwise. */
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../../../src/base/accounts/keys.ts";
import type { Bindings, Engine } from "../../../src/base/env.ts";
import { profiles } from "../../../src/domain/profiles/tables.ts";
import { AccountObject } from "../../../src/runtime/engine/account-object.ts";
import { accountNow } from "../../edges/operator/moving.ts";
import { api } from "../../support/client.ts";
import { directoryDb, execute, insertOf } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { dbOfObject, inObject } from "../../support/objects.ts";
import { inDays, type Json, outbox } from "../../support/shops.ts";
import { openTenant, profileRow, type Tenant } from "../../support/tenant.ts";

const minuteMs = 60_000;
const path = "/api/subscriptions/skip-reasons";
let of: Tenant;
beforeEach(async () => {
  of = await openTenant({ engine: "object" });
});

function stub() {
  return env.ACCOUNTS.getByName(of.account.id);
}

function alarmOf(): Promise<number | null> {
  return inObject(of.account.id, ({ storage }) => storage.getAlarm());
}

function withoutAlarm(): Promise<void> {
  return inObject(of.account.id, ({ storage }) => storage.deleteAlarm());
}

function write(sql: string, ...params: (string | number)[]) {
  return dbOfObject(of.account.id).batch([{ sql, params }], "write");
}

/** Rings the alarm under bindings whose queue only remembers; returns the jobs that it has sent. */
async function ring(more: Partial<Bindings> = {}): Promise<Json[]> {
  const { sent, bindings } = outbox();
  await inObject(of.account.id, (state) =>
    new AccountObject(state, { ...bindings, EVENTS: bindings.JOBS, ...more }).alarm(),
  );
  return sent;
}

async function aSubscription(terms: object): Promise<string> {
  const body = {
    id: `plan-${of.keyId}`,
    name: "Weekly",
    billing_interval: "WEEK",
    billing_interval_count: 1,
  };
  await api(of, "POST", "/api/subscriptions/selling-plans", { body });
  const profile = profileRow(of);
  await dbOfObject(of.account.id).batch([insertOf(profiles, profile)], "write");
  const line = {
    store_product_id: "p",
    store_variant_id: "v",
    product_title: "Kibble",
    selling_plan_id: body.id,
  };
  const answer = await api(of, "POST", "/api/subscriptions", {
    body: {
      profile_id: profile.id,
      store_payment_method_id: "pm_success",
      lines: [{ ...line, price: 10, quantity: 1 }],
      ...terms,
    },
  });
  if (answer.status !== 201 && answer.status !== 200) throw new Error(answer.text);
  return answer.body.ids[0];
}

describe("when an object looks", () => {
  test("each write has it look within a minute, a read never", async () => {
    await withoutAlarm();
    await evictDurableObject(stub());
    await api(of, "GET", path);
    expect(await alarmOf()).toBeNull();
    const before = Date.now();
    await api(of, "POST", path, { body: { label: "Away" } });
    const at = (await alarmOf()) as number;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now() + minuteMs);
  });

  test("at rest it looks once an hour, not each minute", async () => {
    await ring();
    await write(
      "UPDATE reconciliations SET next_at = '2099-01-01T00:00:00.000Z', next_forecast_at = '2099-01-01T00:00:00.000Z'",
    );
    const before = Date.now();
    expect(await ring()).toEqual([]);
    expect(await alarmOf()).toBeGreaterThanOrEqual(before + 60 * minuteMs);
  });

  test("with work it looks again in a minute", async () => {
    await aSubscription({ next_delivery_date: inDays(0) });
    await write("UPDATE subscriptions SET store_contract_id = 7, created_at = '2026-01-01T00:00:00.000Z'");
    const before = Date.now();
    expect(await ring()).toContainEqual(expect.objectContaining({ type: "find_due", kind: "schedule" }));
    const at = (await alarmOf()) as number;
    expect([at >= before + minuteMs, at <= Date.now() + minuteMs]).toEqual([true, true]);
  });

  test("a rest ends when the next thing falls due", async () => {
    await ring();
    const next = new Date(Date.now() + 10 * minuteMs).toISOString();
    await write("UPDATE reconciliations SET next_at = ?", next);
    await ring();
    expect(await alarmOf()).toBe(Date.parse(next));
  });

  test("an alarm that fails is followed by another, and operators are alerted", async () => {
    await write("ALTER TABLE reconciliations RENAME TO missing");
    const before = Date.now();
    const lines = await logged(() => ring());
    expect(lines).toContainEqual(expect.objectContaining({ event: "alarm_failed", alert: true }));
    expect(await alarmOf()).toBeLessThanOrEqual(Date.now() + minuteMs);
    expect(await alarmOf()).toBeGreaterThanOrEqual(before + minuteMs);
  });

  test("it wakes an object that was evicted", async () => {
    await api(of, "POST", path, { body: { label: "Away" } });
    await evictDurableObject(stub());
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    expect(await alarmOf()).not.toBeNull();
  });
});

describe("a message that is lost", () => {
  test("is sent again by the alarm: the subscription gets its contract", async () => {
    const id = await aSubscription({ next_delivery_date: inDays(7) });
    await write("UPDATE subscriptions SET created_at = '2026-01-01T00:00:00.000Z'");
    expect(await ring()).toContainEqual({
      type: "sync_contract",
      account_id: of.account.id,
      subscription_id: id,
    });
  });
});

describe("what the directory knows", () => {
  const history = async (): Promise<unknown[]> =>
    (
      await dbOfObject(of.account.id).batch(
        [{ sql: "SELECT action, loggable_id, sequence FROM activity_logs ORDER BY sequence", params: [] }],
        "read",
      )
    )[0]?.rows ?? [];

  test("the history of a key comes into the object with its next look, once", async () => {
    const { key } = await createKey(directoryDb(), {
      accountId: of.account.id,
      name: "Warehouse",
      now: new Date().toISOString(),
    });
    await ring();
    await ring();
    expect(await history()).toEqual([
      { action: "api_key_created", loggable_id: of.keyId, sequence: 1 },
      { action: "api_key_created", loggable_id: key.id, sequence: 2 },
    ]);
    const left = await env.DB.prepare(
      "SELECT COUNT(*) AS n FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    )
      .bind(of.account.id)
      .first();
    expect(left).toEqual({ n: 0 });
  });

  test("while it cannot be read, the object's own work goes on", async () => {
    const DB = {
      prepare: () => ({ bind: () => ({}) }),
      batch: () => Promise.reject(new Error("D1 DB is gone")),
    };
    await aSubscription({ next_delivery_date: inDays(7) });
    await write("UPDATE subscriptions SET created_at = '2026-01-01T00:00:00.000Z'");
    let sent: Json[] = [];
    const lines = await logged(async () => {
      sent = await ring({ DB: DB as unknown as D1Database });
    });
    expect(lines).toContainEqual(expect.objectContaining({ event: "directory_not_read", alert: true }));
    expect(sent).toContainEqual(expect.objectContaining({ type: "sync_contract" }));
  });
});

test("an object that was deleted has its alarm again if the account comes back to it", async () => {
  let set = 0;
  const { id } = of.account;
  const directoryHas = (engine: Engine, moving: string | null) =>
    execute("UPDATE accounts SET engine = ?, moving = ? WHERE id = ?", engine, moving, id);
  const state = await inObject(id, async (real) => {
    const object = new AccountObject(real, env);
    const account = await accountNow(id);
    await object.execute(account, [{ sql: "UPDATE accounts SET name = 'A'", params: [] }], "write");
    expect(await object.erase()).toBeUndefined();
    await directoryHas("d1", '{"step":"leaving"}');
    expect(await object.erase()).toHaveProperty("activity_logs");
    await directoryHas("object", null);
    const prototype = Object.getPrototypeOf(real.storage);
    const { setAlarm } = prototype;
    prototype.setAlarm = async () => void set++;
    await object.execute(account, [{ sql: "UPDATE accounts SET name = 'B'", params: [] }], "write");
    prototype.setAlarm = setAlarm;
    return set;
  });
  expect(state).toBeGreaterThan(0);
});
