/** A deleted account leaves no row on either engine, charges nobody, and touches no other account. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createAccount } from "../../../src/base/accounts/actions.ts";
import { type AccountStub, objectOf } from "../../../src/base/accounts/objects.ts";
import { requireFreeShop } from "../../../src/base/accounts/rename.ts";
import type { Db } from "../../../src/base/db/port.ts";
import { type Engine, parseEnv } from "../../../src/base/env.ts";
import type { Job } from "../../../src/base/job.ts";
import { continueDeletion, type Deleted } from "../../../src/edges/operator/deletion.ts";
import { portsOf } from "../../../src/edges/operator/move/ports.ts";
import type { Ports } from "../../../src/edges/operator/move/state.ts";
import { AccountObject } from "../../../src/runtime/engine/account-object.ts";
import { api, deployment, nobody } from "../../support/client.ts";
import { logged, tickAt } from "../../support/jobs.ts";
import { forgetObjects, inObject } from "../../support/objects.ts";
import {
  aContract,
  deliver,
  force,
  inDays,
  openShop,
  outbox,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { openTenant, type Tenant } from "../../support/tenant.ts";
import { setClock, shipNow, useWorker } from "../../support/worker.ts";
import { openWorld } from "../../support/world.ts";
import {
  accountNow,
  dbAt,
  directory,
  everyRow,
  Killed,
  killedAt,
  mover,
  withoutAlarms,
  withoutOthersMoves,
} from "./moving.ts";

withoutAlarms();
withoutOthersMoves();
const worker = useWorker();
let of: Tenant;

/** An operator who deletes the account, with a clock that stands still but for the waiting. */
function deleter(account: Tenant["account"], { startMs = Date.now() } = {}) {
  let nowMs = startMs;
  const ports = (): Ports => portsOf(parseEnv(env), account, new Date(nowMs));
  const step = async (over: Partial<Ports> = {}): Promise<Deleted> => {
    const its = { ...ports(), ...over };
    const deleted = await continueDeletion(its, account.id);
    nowMs = Date.parse(its.now) + deleted.waitMs;
    return deleted;
  };
  return {
    ports,
    step,
    now: () => new Date(nowMs),
    async untilDone(): Promise<Deleted[]> {
      const steps: Deleted[] = [];
      for (let nth = 0; nth < 20 && !steps.at(-1)?.isDone; nth++) steps.push(await step());
      return steps;
    },
  };
}

async function openOn(engine: Engine): Promise<void> {
  of = (await openWorld()).tenant;
  if (engine === "object") await mover(of.account).until("object");
}

/** With records of every kind on D1; on an object with those that an account is made with, which spares a move; cron finds these objects no more than others. */
async function openCheaply(engine: Engine): Promise<void> {
  if (engine === "d1") return openOn(engine);
  of = await openTenant({ engine });
  forgetObjects();
}

async function rowsLeft(): Promise<unknown[]> {
  return Object.values(await everyRow(directory(), of.account.id)).flat();
}

async function keysLeft() {
  return (
    await env.DB.prepare(
      "SELECT id FROM api_keys WHERE account_seq = COALESCE((SELECT seq FROM accounts WHERE id = ?), ?)",
    )
      .bind(of.account.id, of.account.seq)
      .all()
  ).results;
}

async function triggersLeft() {
  return (
    await env.DB.prepare("SELECT name FROM sqlite_master WHERE instr(name, ?) > 0").bind(of.account.id).all()
  ).results;
}

function tablesOfObject(id: string): Promise<unknown[]> {
  return inObject(id, ({ storage }) => storage.sql.exec("SELECT name FROM sqlite_master").toArray());
}

async function expectDeleted(): Promise<void> {
  const { id, shop } = of.account;
  expect(await accountNow(id)).toBeUndefined();
  expect([await rowsLeft(), await keysLeft(), await triggersLeft()]).toEqual([[], [], []]);
  expect(await tablesOfObject(id)).toEqual([]);
  expect((await api(of, "GET", "/api/subscriptions")).status).toBe(401);
  const byShop = await api(nobody, "GET", "/api/public/portal/skip-reasons", { query: { shop } });
  expect(byShop.status).toBe(404);
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(["d1", "object"] as const)("deleting an account on %s", (engine) => {
  beforeEach(() => openOn(engine));

  test("leaves no row of it on either engine, says how many there were, and touches no other account", async () => {
    const { id } = of.account;
    const other = await openWorld();
    const others = await everyRow(directory(), other.tenant.account.id);
    const before = await everyRow(dbAt(engine, id), id);
    const steps = await deleter(of.account).untilDone();
    expect(steps.map(({ step }) => step)).toEqual(["closed", "deleted"]);
    expect(steps.at(-1)!.rows).toMatchObject({
      accounts: 1,
      api_keys: expect.any(Number),
      subscriptions: before.subscriptions!.length,
      orders: before.orders!.length,
    });
    await expectDeleted();
    expect(await everyRow(directory(), other.tenant.account.id)).toEqual(others);
    expect((await api(other.tenant, "GET", "/api/subscriptions")).status).toBe(200);
  });

  test("closes it at once: nobody reaches it, and none of its messages or alarms does anything", async () => {
    const { id, shop } = of.account;
    await deleter(of.account).step();
    for (const [caller, path, status] of [
      [of, "/api/subscriptions", 401],
      [nobody, `/api/public/portal/skip-reasons?shop=${shop}`, 404],
      [nobody, `/portal/${shop}`, 404],
    ] as const)
      expect([path, (await api(caller, "GET", path)).status]).toEqual([path, status]);
    const before = await everyRow(dbAt(engine, id), id);
    await worker.tick(Date.now() + 9 * 60_000);
    if (engine === "object") await inObject(id, (state) => new AccountObject(state, worker.bindings).alarm());
    await worker.drain();
    expect(await everyRow(dbAt(engine, id), id)).toEqual(before);
  });

  test("refuses a write that was decided before, where the account's rows are", async () => {
    const { id } = of.account;
    await deleter(of.account).step();
    const late = {
      sql: "UPDATE profiles SET first_name = 'Late' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      params: [id],
    };
    await expect(dbAt(engine, id).batch([late], "write")).rejects.toThrow("the account is being deleted");
    await deleter(of.account, { startMs: Date.now() + 36_000 }).untilDone();
    await expectDeleted();
  });
});

describe.each(["d1", "object"] as const)("the deletion of an account on %s", (engine) => {
  beforeEach(() => openCheaply(engine));

  test("frees its shop: a new account of it has other records", async () => {
    await deleter(of.account).untilDone();
    const again = await openTenant({ shop: of.account.shop, engine });
    expect(again.account.id).not.toBe(of.account.id);
    const { body } = await api(again, "GET", "/api/subscriptions");
    expect(body.meta.total).toBe(0);
    expect((await api(of, "GET", "/api/subscriptions")).status).toBe(401);
  });

  test("keeps its shop until the end: no other account may be renamed to it", async () => {
    const { shop } = of.account;
    await deleter(of.account).step();
    await expect(requireFreeShop(directory(), shop)).rejects.toMatchObject({ code: "INVALID_STATE" });
    await deleter(of.account, { startMs: Date.now() + 36_000 }).untilDone();
    await requireFreeShop(directory(), shop);
  });

  test("is refused while it moves, and a deleted account cannot be moved", async () => {
    const to = engine === "d1" ? "object" : "d1";
    const operator = mover(of.account);
    await operator.step(to);
    await expect(deleter(of.account).step()).rejects.toMatchObject({ code: "INVALID_STATE" });
    await operator.until(engine);
    await deleter(of.account).step();
    await expect(mover(of.account).step(to)).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: `The account of ${of.account.shop} is being deleted`,
    });
  });

  test("closes nothing if a move was announced in the meantime", async () => {
    const to = engine === "d1" ? "object" : "d1";
    const operator = deleter(of.account);
    const { d1 } = operator.ports();
    const overtaken: Db = {
      ...d1,
      async batch(statements, mode) {
        if (mode === "write") await mover(of.account).step(to);
        return d1.batch(statements, mode);
      },
    };
    await operator.step({ d1: overtaken });
    expect(await accountNow(of.account.id)).toMatchObject({ moving: expect.stringContaining("draining") });
    expect((await api(of, "PUT", "/api/account", { body: { name: "Still here" } })).status).toBe(200);
    await expect(operator.step()).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  const steps: { name: string; at: RegExp; nth?: number; isDone?: boolean; on?: Engine }[] = [
    { name: "it is about to be closed", at: /set "moving"/, isDone: false },
    { name: "it is closed", at: /set "moving"/ },
    { name: "the object is erased", at: /^erase/, on: "object" },
    { name: "the first rows are deleted", at: /^d1: [\s\S]*DELETE FROM/ },
    { name: "some rows are deleted", at: /^d1: [\s\S]*DELETE FROM/, nth: 9, on: "d1" },
    { name: "its entry is about to be deleted", at: /delete from "accounts"/, isDone: false },
    { name: "its entry is deleted", at: /delete from "accounts"/ },
  ];
  test.each(steps.filter(({ on = engine }) => on === engine))(
    "killed after $name, it stays closed, and is deleted when called again",
    async ({ name, on: _, ...point }) => {
      const operator = deleter(of.account);
      const { over, hasStruck } = killedAt(operator.ports(), point);
      const mortal = { d1: over.d1!, object: over.object!, eraseObject: over.eraseObject! };
      const untilKilled = async (): Promise<void> => {
        for (let step = 0; step < 100; step++) await operator.step(mortal);
      };
      await expect(untilKilled(), name).rejects.toThrow(Killed);
      expect(hasStruck()).toBe(true);
      const wasClosed = name !== "it is about to be closed";
      expect((await api(of, "GET", "/api/subscriptions")).status).toBe(wasClosed ? 401 : 200);
      await deleter(of.account, { startMs: operator.now().getTime() + 1 }).untilDone();
      await expectDeleted();
    },
  );

  test("cron goes on with it if the operator is gone for ten minutes", async () => {
    await deleter(of.account).step();
    const startMs = Date.now();
    await tickAt(startMs + 9 * 60_000);
    expect(await accountNow(of.account.id)).toBeDefined();
    await tickAt(startMs + 11 * 60_000);
    await expectDeleted();
  });
});

test("rows of many batches are all deleted, within what an invocation may use", async () => {
  await openOn("d1");
  const { id } = of.account;
  const values = JSON.stringify(Array.from({ length: 1200 }, (_, nth) => [`reason-${nth}`, id]));
  const sql = `INSERT INTO reasons (id, account_seq, kind, label, position, is_active, created_at, updated_at)
    SELECT value ->> '$[0]', (SELECT seq FROM accounts WHERE id = value ->> '$[1]'), 'skip', 'Away', 0, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
    FROM json_each(?)`;
  const before = (await everyRow(directory(), id)).reasons!.length;
  await directory().batch([{ sql, params: [values] }], "write");
  const operator = deleter(of.account);
  let ports = operator.ports();
  let deleted = await operator.step(ports);
  for (let steps = 0; deleted.step === "closed" && steps < 5; steps++) {
    ports = operator.ports();
    deleted = await operator.step(ports);
  }
  expect(deleted.rows.reasons).toBe(before + 1200);
  expect(ports.d1.usage.db_statements).toBeLessThanOrEqual(950);
  await expectDeleted();
});

describe("an account that is deleted while it works", () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop();
    of = shop.of;
  });

  test("is not charged: a ship-now whose message was waiting charges nobody, nor does cron find it", async () => {
    const id = await subscribe(shop);
    await worker.tick(Date.now() + 120_000);
    expect((await shipNow(shop, worker, id)).status).toBe(200);
    const jobs = worker.sent();
    const due = await subscribe(shop, { next_delivery_date: inDays(0) });
    await force(due, { store_contract_id: aContract() });
    const soon = Date.now() + 9 * 60_000;
    const sentFor = async () =>
      (await tickAt(soon)).filter(
        ({ type, account_id }) => type === "find_due" && account_id === of.account.id,
      );
    expect(await sentFor()).not.toEqual([]);
    await deleter(of.account).step();
    expect(await sentFor()).toEqual([]);
    expect((await deliver(jobs, { bindings: worker.bindings })).retried).toEqual([]);
    await worker.tick(Date.now() + 9 * 60_000);
    const { sandbox_charges, billing_attempts } = await everyRow(directory(), of.account.id);
    expect([sandbox_charges, billing_attempts!.length]).toEqual([[], 1]);
  });

  test("cron sends no message for it: about its endpoints, its clock or its contracts", async () => {
    const body = { url: "https://hooks.example/in", event_types: ["*"] };
    expect((await api(of, "POST", "/api/webhook-endpoints", { body })).status).toBe(201);
    await subscribe(shop);
    const params = [of.account.id];
    const begun = [
      {
        sql: "UPDATE webhook_endpoints SET recovering = '{}' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        params,
      },
      { sql: "UPDATE accounts SET clock_target = '2099-01-01T00:00:00.000Z' WHERE id = ?", params },
    ];
    await directory().batch(begun, "write");
    const soon = Date.now() + 9 * 60_000;
    const sentFor = async (): Promise<string[]> => {
      const { sent, bindings } = outbox();
      await tickAt(soon, { ...bindings, EVENTS: bindings.JOBS });
      return sent.filter(({ account_id }) => account_id === of.account.id).map(({ type }) => type);
    };
    const usual = ["advance_clock", "deliver_event", "recover_events", "sync_contract"];
    expect(await sentFor()).toEqual(expect.arrayContaining(usual));
    await deleter(of.account).step();
    expect(await sentFor()).toEqual([]);
  });

  test("events owed to its endpoints are not sent", async () => {
    const sent: unknown[] = [];
    vi.stubGlobal("fetch", async (...args: unknown[]) => void sent.push(args));
    const body = { url: "https://hooks.example/in", event_types: ["*"] };
    expect((await api(of, "POST", "/api/webhook-endpoints", { body })).status).toBe(201);
    await subscribe(shop);
    const owed = (await everyRow(directory(), of.account.id)).event_deliveries!;
    expect(owed.length).toBeGreaterThan(0);
    await deleter(of.account).step();
    const endpoint_id = String(owed[0]!.endpoint_id);
    const job: Job = { type: "deliver_event", account_id: of.account.id, endpoint_id };
    await deliver([job], { bindings: worker.bindings });
    await worker.tick(Date.now() + 60_000);
    expect(sent).toEqual([]);
    vi.unstubAllGlobals();
  });
});

describe("an object that was deleted", () => {
  beforeEach(() => openOn("object"));
  const stub = (): AccountStub => objectOf(parseEnv(env), of.account);

  test("is not begun anew by callers and messages that come late, nor by its alarm", async () => {
    const account = await accountNow(of.account.id);
    await deleter(account).untilDone();
    const request = new Request("https://perennial.test/api/subscriptions", { headers: of.credentials });
    const lines = await logged(async () => {
      expect(await stub().serve(request, { account, isCounted: true })).toBeUndefined();
      expect(await stub().work(account, "perennial-jobs", [])).toEqual([]);
      expect(await stub().execute(account, [{ sql: "SELECT 1", params: [] }], "read")).toBeUndefined();
    });
    expect(lines).toContainEqual(expect.objectContaining({ event: "object_not_begun" }));
    const alarm = await inObject(account.id, async (state) => {
      await state.storage.setAlarm(Date.now() + 3_600_000);
      await new AccountObject(state, env).alarm();
      return state.storage.getAlarm();
    });
    expect(alarm).toBeNull();
    expect(await tablesOfObject(account.id)).toEqual([]);
  });
});

test("isolates have their notice from when the account is closed, however long the call took that closed it", async () => {
  await openOn("d1");
  let [nowMs, isSlow] = [Date.now(), true];
  const { d1, ...others } = deleter(of.account).ports();
  const ports: Ports = {
    ...others,
    d1: {
      ...d1,
      batch: (statements, mode) => {
        if (mode === "write" && isSlow) [nowMs, isSlow] = [nowMs + 60_000, false];
        return d1.batch(statements, mode);
      },
    },
    get now() {
      return new Date(nowMs).toISOString();
    },
  };
  for (const call of ["closes it", "comes a moment later"])
    expect(await continueDeletion(ports, of.account.id), call).toMatchObject({
      step: "closed",
      waitMs: 35_000,
    });
});

test("the number of a deleted account is given to no other", async () => {
  of = await openTenant();
  await deleter(of.account).untilDone();
  expect((await openTenant()).account.seq).toBeGreaterThan(of.account.seq);
});

test("an account whose object was never called is deleted too", async () => {
  const now = new Date().toISOString();
  const shop = `never-${Date.now()}.myshopify.com`;
  const terms = { shop, timezone: "UTC", currency: "USD", engine: "object" as const };
  const { account, text } = await createAccount(directory(), terms, now);
  of = { account, key: text, keyId: text, credentials: { "X-API-Key": text } };
  const steps = await deleter(account).untilDone();
  expect(steps.at(-1)).toMatchObject({ isDone: true, rows: { accounts: 1, activity_logs: 1, api_keys: 1 } });
  await expectDeleted();
});

describe("the operator's door", () => {
  const key = "operator-key-of-at-least-32-characters";
  const operator = { credentials: { Authorization: `Bearer ${key}` } };
  const call = deployment({ OPERATOR_KEY: key });
  const ask = (body: object) => call(operator, "POST", "/internal/deletions", { body });
  beforeEach(async () => {
    of = await openTenant();
  });

  test("deletes step by step", async () => {
    const { id: account_id, shop } = of.account;
    setClock(Date.now());
    const closed = await ask({ account_id, shop });
    expect([closed.status, closed.body]).toEqual([
      200,
      { step: "closed", isDone: false, waitMs: 35_000, rows: {} },
    ]);
    const { waitMs } = (await ask({ account_id, shop })).body;
    expect([waitMs > 30_000, waitMs < 40_000]).toEqual([true, true]);
    setClock(Date.now() + 40_000);
    expect((await ask({ account_id, shop })).body).toMatchObject({ step: "deleted", isDone: true });
    await expectDeleted();
    expect((await ask({ account_id, shop })).status).toBe(404);
  });

  test("refuses another shop than the account's, and changes nothing then", async () => {
    const answer = await ask({ account_id: of.account.id, shop: "another.myshopify.com" });
    expect(answer.status).toBe(400);
    expect((await api(of, "GET", "/api/subscriptions")).status).toBe(200);
  });

  test("does nothing else with an account that is being deleted", async () => {
    const { id: account_id, shop } = of.account;
    await ask({ account_id, shop });
    const statements = [{ sql: "SELECT 1", params: [] }];
    const answers = [
      await call(operator, "POST", "/internal/statements", {
        body: { account_id, mode: "read", statements },
      }),
      await call(operator, "POST", "/internal/restores", {
        body: { account_id, at: new Date(Date.now() - 60_000).toISOString() },
      }),
      await call(operator, "POST", "/internal/moves", { body: { account_id, to: "object" } }),
    ];
    expect(answers.map(({ body }) => body.error)).toEqual(
      answers.map(() => `The account of ${shop} is being deleted`),
    );
    await expect(
      createAccount(directory(), { shop, timezone: "UTC", currency: "USD" }, new Date().toISOString()),
    ).rejects.toMatchObject({ code: "INVALID_STATE" });
  });
});
