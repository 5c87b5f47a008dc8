/** An exported account is imported with every row, or refused with the row that is wrong. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createKey } from "../../../src/base/accounts/keys.ts";
import { newestMigration } from "../../../src/base/db/newest-migration.ts";
import type { Db, Row } from "../../../src/base/db/port.ts";
import { credentialsKeyOf, type Engine, parseEnv } from "../../../src/base/env.ts";
import type { Job } from "../../../src/base/job.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { deriveStoreKey } from "../../../src/domain/billing/store-key.ts";
import { type AccountPage, pageOf, signPage } from "../../../src/edges/operator/account-page.ts";
import { continueDeletion } from "../../../src/edges/operator/deletion.ts";
import { beginImport, endImport, type ImportPorts, importPage } from "../../../src/edges/operator/import.ts";
import { findTables, rowsOf } from "../../../src/edges/operator/move/copy.ts";
import { importPortsOf, portsOf } from "../../../src/edges/operator/move/ports.ts";
import { keyOf } from "../../../src/edges/operator/move/row-statements.ts";
import { AccountObject } from "../../../src/runtime/engine/account-object.ts";
import { api, deployment, nobody } from "../../support/client.ts";
import { numbersOf } from "../../support/database.ts";
import { tickAt } from "../../support/jobs.ts";
import { inObject } from "../../support/objects.ts";
import { deliver, inDays, type Json, openShop, subscribe } from "../../support/shops.ts";
import { openTenant, type Tenant } from "../../support/tenant.ts";
import { setClock, shipNow, useWorker } from "../../support/worker.ts";
import { openWorld } from "../../support/world.ts";
import { accountNow, dbAt, directory, everyRow, Killed, mover, withoutAlarms } from "./moving.ts";

withoutAlarms();
const worker = useWorker();
afterEach(() => {
  vi.useRealTimers();
});

type File = { account: Row; tables: Record<string, Row[]> };

/** The file that `account -- export` writes of an account. */
async function exported(id: string): Promise<File> {
  const { engine } = await accountNow(id);
  const db = dbAt(engine, id);
  const [own] = await db.batch([{ sql: "SELECT * FROM accounts WHERE id = ?", params: [id] }], "read");
  const tables: File["tables"] = {};
  for (const table of await findTables(db)) tables[table.name] = await all(rowsOf(db, table, id));
  const { seq: _, ...account } = own!.rows[0]!;
  return { account: account as Row, tables };
}

async function all(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

async function remove(id: string): Promise<void> {
  for (let nowMs = Date.now(), nth = 0; nth < 5; nth++, nowMs += 36_000)
    if (await accountOrNone(id)) {
      const { seq } = await accountNow(id);
      numbersOf.set(id, { directory: seq, own: seq });
      await continueDeletion(portsOf(parseEnv(env), await accountNow(id), new Date(nowMs)), id);
    }
}

function accountOrNone(id: string) {
  return accountNow(id) as Promise<unknown>;
}

type Importing = { engine: Engine; ports?: ImportPorts; size?: number };

/**
 * Imports a file as `account -- import` does: pages of all tables, until a pass changes nothing. Returns how many each pass has
 * changed.
 */
async function imported(
  { account, tables }: File,
  { engine, ports = importPortsOf(parseEnv(env), new Date()), size = 20 }: Importing,
): Promise<number[]> {
  const { run, tables: known } = await beginImport(ports, { schema: newestMigration, account, engine });
  const its = { accountId: String(account.id), run };
  const passes: number[] = [];
  while (passes.length < 5 && passes.at(-1) !== 0) {
    let changed = 0;
    for (const table of known) {
      const rows = tables[table.name] ?? [];
      for (let at = 0, after: Row[string][] | null = null; at === 0 || at < rows.length; at += size) {
        const original = rows.slice(at, at + size);
        const upTo = at + size < rows.length ? keyOf(table, original.at(-1)!) : null;
        changed += await importPage(ports, { ...its, table: table.name, original, after, upTo });
        after = upTo;
      }
    }
    passes.push(changed);
  }
  await endImport(ports, its);
  return passes;
}

/** Ports of which the answer to the nth write never comes. */
function mortalPorts(nth: number): ImportPorts {
  const real = importPortsOf(parseEnv(env), new Date());
  let left = nth;
  const mortal = (db: Db): Db => ({
    ...db,
    async batch(statements, mode) {
      const results = await db.batch(statements, mode);
      if (mode === "write" && --left === 0) throw new Killed();
      return results;
    },
  });
  return { ...real, d1: mortal(real.d1), objectOf: (account) => mortal(real.objectOf(account)) };
}

async function openOn(engine: Engine): Promise<Tenant> {
  const { tenant } = await openWorld();
  if (engine === "object") await mover(tenant.account).until("object");
  return tenant;
}

/** The account's own key is deleted with it; what a new one sees. */
async function withNewKey(of: Tenant): Promise<Tenant> {
  const now = new Date().toISOString();
  const { text } = await createKey(directory(), { accountId: of.account.id, name: "new", now });
  return { ...of, key: text, credentials: { "X-API-Key": text } };
}

const paths = [
  "/api/account",
  "/api/subscriptions",
  "/api/subscriptions/selling-plans",
  "/api/subscriptions/skip-reasons",
  "/api/subscriptions/entities",
  "/api/webhook-endpoints",
];

/**
 * Reads all lists, sorted by id: rows that are equal in a list's order stand as they were stored, which a file of rows by their
 * ids does not say.
 */
async function readAll(of: Tenant): Promise<Json[]> {
  return Promise.all(paths.map(async (path) => inOrderOfIds((await api(of, "GET", path)).body)));
}

function inOrderOfIds(body: Json): Json {
  return Array.isArray(body.data)
    ? { ...body, data: body.data.toSorted((one: Json, other: Json) => (one.id < other.id ? -1 : 1)) }
    : body;
}

describe.each([
  ["d1", "d1"],
  ["object", "object"],
  ["d1", "object"],
  ["object", "d1"],
] as const)("an account that was exported on %s, deleted, and imported to %s", (from, to) => {
  test("has every row, id and place in the stream that it had, and is read as before", async () => {
    const of = await openOn(from);
    const { id } = of.account;
    const [file, rows, reads] = [await exported(id), await everyRow(dbAt(from, id), id), await readAll(of)];
    const events: Json[] = (await api(of, "GET", "/api/events", { query: { limit: 100 } })).body.data;
    await remove(id);
    expect(await accountOrNone(id)).toBeUndefined();

    const passes = await imported(file, { engine: to });
    expect(passes.at(-1)).toBe(0);
    expect(await accountNow(id)).toMatchObject({ shop: of.account.shop, engine: to, moving: null });
    expect(await everyRow(dbAt(to, id), id)).toEqual(rows);
    const own = await exported(id);
    expect(own.account).toEqual({ ...file.account, engine: to, moving: own.account.moving });
    const again = await withNewKey(of);
    expect(await readAll(again)).toEqual(reads);
    if (to === "object") await inObject(id, (state) => new AccountObject(state, env).alarm());
    const { body } = await api(again, "GET", "/api/events", { query: { limit: 100 } });
    expect(body.data.slice(0, events.length)).toEqual(events);
    const before = rows.activity_logs!.map(({ sequence }) => Number(sequence));
    expect(body.data.at(-1)).toMatchObject({
      type: "api_key.created",
      sequence: Math.max(...before, ...rows.event_sequences!.map(({ last }) => Number(last))) + 1,
    });
  });
});

describe.each(["d1", "object"] as const)("while an account is imported to %s", (engine) => {
  const opened = async () => {
    const of = await openOn("d1");
    const { id } = of.account;
    const rows = await everyRow(dbAt("d1", id), id);
    const file = await exported(id);
    await remove(id);
    return { of, id, rows, file };
  };

  test("killed after some writes it is closed, whatever falls due, and called again it ends with every row", async () => {
    const { of, id, rows, file } = await opened();
    const shop = of.account.shop;
    for (const writes of [2, 20]) {
      const killed = `killed after ${writes} writes`;
      await expect(imported(file, { engine, ports: mortalPorts(writes) }), killed).rejects.toThrow(Killed);
      const portal = await api(nobody, "GET", "/api/public/portal/skip-reasons", { query: { shop } });
      const statuses = [(await api(of, "GET", "/api/subscriptions")).status, portal.status];
      expect(statuses, killed).toEqual([401, 404]);
      const before = await everyRow(dbAt(engine, id), id);
      await worker.tick(Date.now() + 86_400_000);
      if (engine === "object")
        await inObject(id, (state) => new AccountObject(state, worker.bindings).alarm());
      await worker.drain();
      expect(await everyRow(dbAt(engine, id), id), killed).toEqual(before);
      await imported(file, { engine });
      expect(await everyRow(dbAt(engine, id), id), killed).toEqual(rows);
      await remove(id);
    }
  });

  test("another file of it may follow one that was cut off, or it can be deleted instead", async () => {
    const { id, rows, file } = await opened();
    const more: Row = { ...file.tables.reasons![0]!, id: newId(), label: "Gone since" };
    const longer = { ...file, tables: { ...file.tables, reasons: [...file.tables.reasons!, more] } };
    await expect(imported(longer, { engine, ports: mortalPorts(20) })).rejects.toThrow(Killed);
    await imported(file, { engine });
    expect(await everyRow(dbAt(engine, id), id), "rows that it lacks are taken away").toEqual(rows);
    await remove(id);

    await expect(imported(file, { engine, ports: mortalPorts(20) })).rejects.toThrow(Killed);
    await remove(id);
    expect(await accountOrNone(id)).toBeUndefined();
    const left = await everyRow(directory(), id);
    expect(Object.values(left).flat()).toEqual([]);
    await imported(file, { engine });
    expect(await everyRow(dbAt(engine, id), id)).toEqual(rows);
  });
});

test.each(["d1", "object"] as const)("what was imported to %s is billed and told as ever", async (engine) => {
  const shop = await openShop();
  const subscription = await subscribe(shop, { next_delivery_date: inDays(30) });
  await worker.tick(Date.now() + 120_000);
  const file = await exported(shop.of.account.id);
  await remove(shop.of.account.id);
  await imported(file, { engine });
  const of = await withNewKey(shop.of);
  const again = { ...shop, of, api: { credentials: of.credentials } };
  if (engine === "object") {
    await inObject(of.account.id, (state) => new AccountObject(state, env).alarm());
    const { moving } = (await exported(of.account.id)).account;
    expect(moving).toBeNull();
  }
  const { status, body: shipped } = await shipNow(again, worker, subscription);
  expect(status).toBe(200);
  const { id: account_id } = of.account;
  const attempt_id: string = shipped.billing_attempt_id;
  const job: Job = { type: "charge", account_id, attempt_id, subscription_id: subscription };
  expect((await deliver([job], { bindings: worker.bindings })).retried).toEqual([]);
  const { body } = await api(of, "GET", `/api/subscriptions/${subscription}/billing-attempts`);
  expect(body.data).toMatchObject([{ status: "SUCCEEDED" }]);
});

test("a cycle has one key at the store, whatever number its account has: moved, imported or restored", async () => {
  await openTenant();
  const shop = await openShop();
  const { id } = shop.of.account;
  const subscription = await subscribe(shop, { next_delivery_date: inDays(30) });
  await worker.tick(Date.now() + 120_000);
  const cycle = { subscription_id: subscription, activation: 1, cycle: 1, attempt_number: 1 };
  const key = await deriveStoreKey({ account_id: id, ...cycle });
  const numbers: unknown[] = [];

  /** The key under which the cycle would be charged; then the database forgets it, as a restore makes it. */
  const expectKey = async (of: Tenant, engine: Engine) => {
    const its = { ...shop, of, api: { credentials: of.credentials } };
    expect((await shipNow(its, worker, subscription)).status).toBe(200);
    worker.forget();
    const [attempts] = await dbAt(engine, id).batch(
      [
        {
          sql: "SELECT account_seq, store_key FROM billing_attempts WHERE subscription_id = ?",
          params: [subscription],
        },
        { sql: "DELETE FROM billing_attempts WHERE subscription_id = ?", params: [subscription] },
        { sql: "UPDATE subscriptions SET open_attempt_id = NULL WHERE id = ?", params: [subscription] },
      ],
      "write",
    );
    numbers.push(attempts!.rows[0]!.account_seq);
    expect(attempts!.rows).toMatchObject([{ store_key: key }]);
  };

  await expectKey(shop.of, "d1");
  await expectKey(shop.of, "d1");
  await mover(shop.of.account).until("object");
  await expectKey(shop.of, "object");
  await mover(shop.of.account).until("d1");
  await expectKey(shop.of, "d1");
  const file = await exported(id);
  expect(JSON.stringify(file)).not.toContain("account_seq");
  for (const engine of ["d1", "object"] as const) {
    await remove(id);
    await imported(file, { engine });
    await expectKey(await withNewKey(shop.of), engine);
  }
  const [first, restored, inObject_, back, imported_, ofObject] = numbers;
  expect([restored, back, inObject_]).toEqual([first, first, ofObject]);
  expect(new Set([first, inObject_, imported_]).size, "each database has a number of its own").toBe(3);
});

describe("an import is refused", () => {
  const ports = (): ImportPorts => importPortsOf(parseEnv(env), new Date());
  const opened = async () => {
    const of = await openTenant();
    const file = await exported(of.account.id);
    return { of, file, account: file.account };
  };

  test("of an account that exists, and changes nothing of it", async () => {
    const { of, file } = await opened();
    const before = await exported(of.account.id);
    await expect(imported(file, { engine: "d1" })).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect(await exported(of.account.id)).toEqual(before);
    expect((await api(of, "GET", "/api/account")).status).toBe(200);
  });

  test("under a shop that has an account", async () => {
    const { of, file } = await opened();
    const account = { ...file.account, id: newId() };
    await expect(
      beginImport(ports(), { schema: newestMigration, account, engine: "d1" }),
    ).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: `The shop ${of.account.shop} has an account already`,
    });
  });

  test("to another engine than the one it was begun on", async () => {
    const { of, account } = await opened();
    await remove(of.account.id);
    await beginImport(ports(), { schema: newestMigration, account, engine: "d1" });
    await expect(
      beginImport(ports(), { schema: newestMigration, account, engine: "object" }),
    ).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("of rows that name an account, or have other columns than the table", async () => {
    const { of, file } = await opened();
    const other = await openTenant();
    const before = await exported(other.account.id);
    await remove(of.account.id);
    const spoilt: [string, (row: Row) => Row][] = [
      ["rows that name an account", (row) => ({ ...row, account_id: newId() })],
      ["rows with another column", (row) => ({ ...row, more: 1 })],
      ["rows without their key", ({ sequence: _, ...row }) => row as Row],
    ];
    for (const [name, spoil] of spoilt) {
      const activity_logs = file.tables.activity_logs!.map(spoil);
      const tables = { ...file.tables, activity_logs };
      await expect(imported({ ...file, tables }, { engine: "d1" }), name).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
      expect(await exported(other.account.id), name).toEqual(before);
    }
  });

  test("if another of the account was begun meanwhile", async () => {
    const { of, account } = await opened();
    await remove(of.account.id);
    const begun = { schema: newestMigration, account, engine: "d1" } as const;
    const { run } = await beginImport(ports(), begun);
    setClock(Date.now() + 1000);
    await beginImport(ports(), begun);
    const its = { accountId: of.account.id, run };
    await expect(endImport(ports(), its)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  });
});

test("however many imports wait to go on, cron goes on with a deletion", async () => {
  const { account } = await exported((await openTenant()).account.id);
  const ports = importPortsOf(parseEnv(env), new Date());
  for (let nth = 0; nth < 10; nth++) {
    const waiting = { ...account, id: newId(), shop: `waiting-${newId()}.myshopify.com` };
    await beginImport(ports, { schema: newestMigration, account: waiting, engine: "d1" });
  }
  const of = await openTenant();
  await continueDeletion(portsOf(parseEnv(env), of.account, new Date()), of.account.id);
  await tickAt(Date.now() + 11 * 60_000);
  expect(await accountOrNone(of.account.id)).toBeUndefined();
});

describe("the operator's door", () => {
  const key = "operator-key-of-at-least-32-characters";
  const call = deployment({ OPERATOR_KEY: key });
  const keys = credentialsKeyOf(parseEnv(env));
  const ask = (body: object) =>
    call({ credentials: { Authorization: `Bearer ${key}` } }, "POST", "/internal/imports", { body });
  const signed = async (account_id: string, page: AccountPage) => ({
    ...{ account_id, page },
    mac: await signPage(keys, account_id, page),
  });
  const pageOfRows = (table: string, rows: Row[]): AccountPage =>
    pageOf(
      { name: table, columns: Object.keys(rows[0] ?? {}), key: [] },
      { rows, after: null, isLast: true },
    );
  const begin = async ({ account }: File, changes: Row = {}) => {
    const id = String(account.id);
    const its = await signed(id, pageOfRows("accounts", [{ ...account, ...changes }]));
    return { step: "begin", schema: newestMigration, shop: account.shop, engine: "d1", ...its };
  };
  /** The file of an account that is deleted then. */
  const deleted = async (): Promise<{ of: Tenant; file: File; account_id: string }> => {
    const of = await openTenant();
    const file = await exported(of.account.id);
    await remove(of.account.id);
    return { of, file, account_id: of.account.id };
  };
  const opened = async () => {
    const { of, file, account_id } = await deleted();
    const { run } = (await ask(await begin(file))).body;
    const send = async (page: AccountPage, more: object = {}) =>
      ask({ step: "page", run, ...(await signed(account_id, page)), ...more });
    return { of, file, account_id, run, send };
  };
  const refused = [400, "VALIDATION_FAILED"];

  test("takes an import step by step, and none that was not begun", async () => {
    const { file, of, account_id } = await deleted();
    expect((await ask({ step: "end", account_id, run: "x" })).status).toBe(404);
    const { status, body } = await ask(await begin(file));
    expect(status).toBe(200);
    const { run } = body;
    const page = pageOfRows("activity_logs", file.tables.activity_logs!);
    const send = async (its: AccountPage) => ask({ step: "page", run, ...(await signed(account_id, its)) });
    expect((await send(page)).body).toEqual({ changed: 1 });
    expect((await send(page)).body).toEqual({ changed: 0 });
    expect((await send({ ...page, table: "api_keys" })).status).toBe(400);
    expect((await ask({ step: "end", account_id, run })).status).toBe(200);
    expect((await api(await withNewKey(of), "GET", "/api/account")).status).toBe(200);
  });

  test("takes no page that no deployment with the key has written: changed, of another account, or unsigned", async () => {
    const { file, account_id, send } = await opened();
    const page = pageOfRows("activity_logs", file.tables.activity_logs!);
    const changed = { ...page, rows: page.rows.map((row) => row.with(1, "anything")) };
    const other = await signed(newId(), page);
    const stranger = await signPage(Buffer.alloc(32, 9).toString("base64"), account_id, page);
    for (const more of [{ page: changed }, { mac: other.mac }, { mac: stranger }, { mac: "" }]) {
      const { status, body } = await send(page, more);
      expect
        .soft([status, body.errorCode, body.error], JSON.stringify(more))
        .toEqual([...refused, "Request is not valid: mac: is of none of the keys in STORE_CREDENTIALS_KEY"]);
    }
    const first = await begin({ ...file, account: { ...file.account, id: newId() } });
    expect((await ask({ ...first, account_id })).status).toBe(400);
  });

  test("takes what another of the keys has signed, while the key is replaced", async () => {
    const { file, account_id } = await deleted();
    const its = await begin(file);
    const [former] = [Buffer.alloc(32, 9).toString("base64")];
    const mac = await signPage(former!, account_id, its.page);
    const both = deployment({ OPERATOR_KEY: key, STORE_CREDENTIALS_KEY: `${keys},${former}` });
    const operator = { credentials: { Authorization: `Bearer ${key}` } };
    const { status } = await both(operator, "POST", "/internal/imports", { body: { ...its, mac } });
    expect(status).toBe(200);
  });

  test("takes no endpoint at an address that the API would refuse, whoever has signed it", async () => {
    const { account_id, send } = await opened();
    const endpointOf = (url: string): Row => ({
      ...{ id: newId(), url, event_types: '["*"]', payload: "full", is_enabled: 1, secret: "x" },
      ...{ created_at: "2026-11-20T12:00:00.000Z", updated_at: "2026-11-20T12:00:00.000Z", kind: "http" },
    });
    for (const url of ["http://0.0.0.0:9/in", "https://169.254.169.254/", "https://router.lan/"]) {
      const { status, body } = await send(pageOfRows("webhook_endpoints", [endpointOf(url)]));
      expect.soft([status, body.errorCode], url).toEqual(refused);
      expect.soft(body.error, url).toMatch(/webhook_endpoints\..*url: /);
    }
    const taken = await send(pageOfRows("webhook_endpoints", [endpointOf("https://hooks.example.com/in")]));
    expect(taken.body).toEqual({ changed: 1 });
    const { webhook_endpoints } = await everyRow(directory(), account_id);
    expect(webhook_endpoints).toMatchObject([{ description: null, masked_to: null, deleted_at: null }]);
  });

  test("takes no unknown column, no key of another length, and no clock beside a store that charges", async () => {
    const { file, send } = await opened();
    const row = file.tables.activity_logs![0]!;
    const page = pageOfRows("activity_logs", [row]);
    const { sequence: _, ...keyless } = row;
    const pages = {
      "a column": pageOfRows("activity_logs", [{ ...row, more: 1 }]),
      "an account": pageOfRows("activity_logs", [{ ...row, account_seq: 1 }]),
      "a key": { ...page, after: ["a", "b"] },
      "no key": pageOfRows("activity_logs", [keyless as Row]),
      "a table": pageOfRows("guards", [row]),
    };
    for (const [name, its] of Object.entries(pages)) {
      const { status, body } = await send(its);
      expect.soft([status, body.errorCode], name).toEqual(refused);
    }
    const { file: another } = await deleted();
    const clock = { store: "shopify", clock_at: "2030-01-01T00:00:00.000Z" };
    expect((await ask(await begin(another, clock))).body.error).toContain("clock_at");
    const moved = { ...(await begin(another, { store: "shopify" })), shop: "other.example.com" };
    expect((await ask(moved)).body.error).toMatch(/^The account is connected to /);
  });
});

describe("a file of an earlier version", () => {
  test("is taken though it lacks a column and a table, which have their default", async () => {
    const { tenant: of } = await openWorld();
    const { id } = of.account;
    const { account, tables } = await exported(id);
    await remove(id);
    const { require_address: _, ...older } = account;
    const { undo_images: __, ...fewer } = tables;
    const orders = tables.orders!.map(({ note: ___, ...row }) => row as Row);
    const ports = importPortsOf(parseEnv(env), new Date());
    const begun = { schema: "0000_before.sql", account: older as Row, engine: "d1" } as const;
    expect((await beginImport(ports, begun)).run).toContain("importing");
    await imported({ account, tables: { ...fewer, orders } }, { engine: "d1" });
    expect(await accountNow(id)).toMatchObject({ require_address: 0, moving: null });
    expect((await everyRow(directory(), id)).orders).toHaveLength(orders.length);
  });

  test("is refused if it is of a later one, which is named", async () => {
    const { account } = await exported((await openTenant()).account.id);
    const ports = importPortsOf(parseEnv(env), new Date());
    await expect(
      beginImport(ports, { schema: "9999_later.sql", account, engine: "d1" }),
    ).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: `The file has the schema of 9999_later.sql, this deployment that of ${newestMigration}: a file is imported by the version that has exported it, or a later one`,
    });
  });
});
