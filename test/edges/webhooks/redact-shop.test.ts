/** An uninstalled shop is erased from every table and the search, and a connected one loses nothing. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import { raw, read } from "../../../src/base/db/statement.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { accountTables, referringFirst } from "../../../src/domain/privacy/account-tables.ts";
import { writeConnection } from "../../../src/stores/shopify/app/connection.ts";
import { api, nobody } from "../../support/client.ts";
import { directoryDb, execute, select, testDb } from "../../support/database.ts";
import { fakeShopify, fetchOf } from "../../support/fake-shopify.ts";
import { areOnObjects, ringIn } from "../../support/objects.ts";
import { logOf, orderOf, put } from "../../support/records.ts";
import { deliver } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { rowsOf } from "../../support/snapshot.ts";
import type { Tenant } from "../../support/tenant.ts";
import { openWorker, setClock, type TestWorker } from "../../support/worker.ts";
import { openWorld } from "../../support/world.ts";
import { credentialsKey, logged, send, sendAccepted } from "./hooks.ts";

const token = "shpat_test";
const secret = "shpss_of_the_shop";
let of: Tenant;
let worker: TestWorker;
let store: ReturnType<typeof fakeShopify>;
let id: string;
let canary: string;

beforeEach(async () => {
  canary = `canary-${newId()}`;
  of = (await openWorld(canary)).tenant;
  id = of.account.id;
  const credentials = { token, secret };
  const connection = { accountId: id, shop: of.account.shop, credentials, now: new Date().toISOString() };
  await commit({ db: testDb() }, [await writeConnection(credentialsKey, connection)]);
  await execute("UPDATE accounts SET store = 'shopify' WHERE id = ?", id);
  store = fakeShopify({ shop: of.account.shop, token, secret, now: Date.now });
  vi.stubGlobal("fetch", fetchOf(store));
  worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function redaction() {
  return store.webhookOf("shop/redact", { shop_id: 1, shop_domain: of.account.shop });
}

async function requestErasure(): Promise<void> {
  return sendAccepted({ worker }, await redaction());
}

async function rows() {
  return (await rowsOf(id))
    .split("\n")
    .filter((line) => !line.startsWith("webhook_deliveries"))
    .join("\n");
}
const gone = "";

test("a connected account loses nothing, and an alert is logged", async () => {
  const before = await rows();
  await requestErasure();
  const lines = await logged(() => worker.drain());
  expect(await rows()).toBe(before);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "shop_redaction_refused", alert: true, account_id: id }),
  );
});

test("while the store does not answer, nothing is deleted", async () => {
  store.uninstall();
  const before = await rows();
  await requestErasure();
  store.fail({ kind: "http500", times: 1 });
  expect((await deliver(worker.sent(), { bindings: worker.bindings })).retried).toHaveLength(1);
  expect(await rows()).toBe(before);
});

describe("once the app is uninstalled", () => {
  beforeEach(() => {
    store.uninstall();
  });

  test("nothing of the shop remains in any table or in the search, and other shops do not change", async () => {
    const other = (await openWorld(`another-${newId()}`)).tenant;
    const before = await rowsOf(other.account.id);
    await requestErasure();
    const lines = await logged(() => worker.drain());
    expect(await rowsOf(id)).toBe(gone);
    expect(await rowsOf(other.account.id)).toBe(before);
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "shop_redacted", alert: true, account_id: id }),
    );
    for (const index of ["profile_search", "subscription_search", "order_search"]) {
      expect(await select(`SELECT rowid FROM ${index} WHERE ${index} MATCH '"${canary}"'`)).toEqual([]);
      await execute(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
    }
  });

  test("its keys and webhooks are then refused", async () => {
    const late = await redaction();
    await requestErasure();
    await worker.drain();
    expect((await api(of, "GET", "/api/subscriptions/entities")).status).toBe(401);
    expect((await send({ worker }, late)).status).toBe(401);
    expect(
      (await api(nobody, "GET", "/api/public/portal/skip-reasons", { query: { shop: of.account.shop } }))
        .status,
    ).toBe(404);
  });

  test("a new table is emptied too, whatever refers to it", async () => {
    await execute(
      `CREATE TABLE newcomers (account_seq INTEGER NOT NULL, name TEXT NOT NULL, order_id TEXT NOT NULL,
        PRIMARY KEY (account_seq, name), FOREIGN KEY (account_seq, order_id) REFERENCES orders (account_seq, id)) STRICT, WITHOUT ROWID`,
    );
    await execute(
      `CREATE TABLE hangers_on (id INTEGER PRIMARY KEY, account_seq INTEGER NOT NULL, name TEXT NOT NULL,
        FOREIGN KEY (account_seq, name) REFERENCES newcomers (account_seq, name)) STRICT`,
    );
    try {
      await execute(
        "INSERT INTO newcomers SELECT account_seq, id, id FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        id,
      );
      await execute("INSERT INTO hangers_on (account_seq, name) SELECT account_seq, name FROM newcomers");
      const names = (await accountTables(testDb())).map(({ name }) => name);
      const place = (name: string) => names.indexOf(name);
      expect(place("hangers_on")).toBeLessThan(place("newcomers"));
      expect(place("newcomers")).toBeLessThan(place("orders"));
      await requestErasure();
      await worker.drain();
      expect(await rowsOf(id)).toBe(gone);
    } finally {
      await execute("DROP TABLE hangers_on");
      await execute("DROP TABLE newcomers");
    }
  });

  test("many rows are deleted by several messages, each with a limited number of round trips", async () => {
    await put(
      "activity_logs",
      Array.from({ length: 50_000 }, () => logOf(of, {})),
    );
    await requestErasure();
    // An isolate that has read the schema before has that many statements more for the rows.
    await accountTables(testDb());
    let messages = 0;
    for (; worker.sent().length > 0; messages++) {
      const jobs = worker.sent();
      worker.forget();
      expect(jobs).toHaveLength(1);
      const lines = await logged(() => deliver(jobs, { bindings: worker.bindings }));
      const usage = lines.find(({ event }) => event === "job");
      if (usage) expect(usage.db_round_trips).toBeLessThan(320);
    }
    expect(messages).toBe(2);
    expect(await rowsOf(id)).toBe(gone);
  });

  test("rows that are added in the meantime are deleted too", async () => {
    await requestErasure();
    let added = false;
    const DB = interrupted(/delete from "accounts"/, {
      before: async () => {
        if (added) return;
        added = true;
        await put("orders", [orderOf(of)]);
      },
    });
    const lines = await logged(async () => {
      for (let jobs = worker.sent(); jobs.length > 0; jobs = worker.sent()) {
        worker.forget();
        await deliver(jobs, { bindings: { ...worker.bindings, DB } });
      }
      if (!areOnObjects) return;
      setClock(Date.now() + 2 * 3_600_000);
      await ringIn(id, worker.bindings);
    });
    expect(lines.filter(({ event }) => event === "shop_redacted")).toHaveLength(1);
    expect(await rowsOf(id)).toBe(gone);
  });

  test("a deletion interrupted anywhere continues", async () => {
    await requestErasure();
    const jobs = worker.sent();
    for (const place of [
      /FROM sqlite_master/,
      /DELETE FROM "activity_logs"/,
      /DELETE FROM "profiles"/,
      /delete from "accounts"/,
    ]) {
      const DB = interrupted(place, { before: isolateEnded });
      expect(
        (await deliver(jobs, { bindings: { ...worker.bindings, DB } })).retried,
        String(place),
      ).toHaveLength(1);
    }
    await deliver(jobs, { bindings: worker.bindings });
    expect(await rowsOf(id)).toBe(gone);
    expect((await deliver(jobs, { bindings: worker.bindings })).acked).toEqual(["message-0"]);
  });

  test("two requests at once", async () => {
    await requestErasure();
    await requestErasure();
    const jobs = worker.sent();
    await Promise.all(jobs.map((job) => deliver([job], { bindings: worker.bindings })));
    await worker.drain();
    expect(await rowsOf(id)).toBe(gone);
  });
});

describe("the tables of accounts", () => {
  test("are all that have an account_seq", async () => {
    const [expected] = await read(directoryDb(), [
      raw<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND instr(sql, 'account_seq INTEGER') > 0 ORDER BY name",
      ),
    ]);
    const tables = await accountTables(directoryDb());
    expect(tables.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name));
    for (const { name, key } of tables) expect(key.length, name).toBeGreaterThan(0);
  });

  test("come before the tables that they refer to, even in a cycle", () => {
    const table = (name: string, ...refersTo: string[]) => ({ name, key: ["id"], refersTo });
    const order = (...tables: ReturnType<typeof table>[]) => referringFirst(tables).map(({ name }) => name);
    expect(order(table("a"), table("b", "a"), table("c", "b", "a", "elsewhere"))).toEqual(["c", "b", "a"]);
    expect(order(table("self", "self"))).toEqual(["self"]);
    expect(order(table("x", "y"), table("y", "x"), table("z", "x"))).toEqual(["z", "x", "y"]);
  });
});
