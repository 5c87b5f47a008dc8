/** Whatever is written while an account moves comes along, and nobody reads what was before their change. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findAccount } from "../../../src/base/accounts/queries.ts";
import type { Account } from "../../../src/base/accounts/tables.ts";
import type { Db, Row } from "../../../src/base/db/port.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { abandonedMs } from "../../../src/edges/operator/move/state.ts";
import { api } from "../../support/client.ts";
import { tickAt } from "../../support/jobs.ts";
import { done, type Json, on, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { gate, interrupted } from "../../support/slow-database.ts";
import { openWorker, setClock } from "../../support/worker.ts";
import { accountNow, closeByMove, mover, withoutAlarms, withoutOthersMoves } from "./moving.ts";

withoutAlarms();
withoutOthersMoves();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Gives this isolate what another one has kept of an account since an instant. */
async function rememberAccount(account: Account, sinceMs: number): Promise<void> {
  const memory = { engine: "d1", batch: async () => [{ rows: [account as unknown as Row] }] };
  await findAccount(memory as unknown as Db, account.id, sinceMs);
}

/** A migration that makes a table anew takes its triggers away, and somebody writes to it. */
async function tearAndWrite(db: Db, { id }: Account): Promise<void> {
  const [found] = await db.batch(
    [
      {
        sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name = ?",
        params: [`moving ${id} reasons INSERT`],
      },
    ],
    "read",
  );
  expect(found!.rows).toHaveLength(1);
  const sql = `INSERT INTO reasons (id, account_seq, kind, label, position, is_active, created_at, updated_at)
    VALUES (?, (SELECT seq FROM accounts WHERE id = ?), 'skip', 'Gap', 0, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;
  await db.batch([{ sql: `DROP TRIGGER "${found!.rows[0]!.name}"`, params: [] }], "write");
  await db.batch([{ sql, params: [newId(), id] }], "write");
}

test("an object whose fence is torn is not left for D1: what was written through the gap comes along", async () => {
  const { account } = shop.of;
  const operator = mover(account);
  await operator.until("object");
  await operator.until("d1", "copying");
  const { object } = operator.ports();
  let isTorn = false;
  const torn: Db = {
    ...object,
    async batch(statements, mode) {
      // The object's own settings are read once all rows have been compared.
      const isCompared = mode === "read" && statements.some(({ sql }) => /from "accounts"/.test(sql));
      if (isCompared && !isTorn) {
        isTorn = true;
        await tearAndWrite(object, account);
      }
      return object.batch(statements, mode);
    },
  };
  while (!isTorn) await operator.step("d1", { object: torn });
  await operator.until("d1");
  const { body } = await api(shop.api, "GET", "/api/subscriptions/skip-reasons");
  expect(body.map(({ data }: Json) => data.label)).toEqual(["Gap"]);
});

describe.each(["object", "d1"] as const)("to %s", (to) => {
  test("an isolate that knows nothing of the move shows no customer what they had before their change", async () => {
    const id = await subscribe(shop);
    if (to === "d1") await mover(shop.of.account).until("object");
    const startMs = Date.now();
    setClock(startMs);
    const stale = await accountNow(shop.of.account.id);
    const operator = mover(shop.of.account, { startMs });
    await operator.until(to, "leaving");
    setClock(operator.now().getTime());
    await done(shop.api, "POST", id, "pause");
    await rememberAccount(stale, startMs);
    expect((await read(shop, id)).status).toBe("PAUSED");
  });
});

test("a request that was begun before the account moved finds its records until it has ended", async () => {
  const id = await subscribe(shop);
  const { pass, reached, open } = gate();
  const { call } = openWorker({ DB: interrupted(/from "subscriptions"/i, { before: pass }) });
  const begun = call<Json>(shop.api, "GET", on(id));
  await reached;
  const operator = mover(shop.of.account);
  await operator.until("object", "leaving");
  const { waitMs } = await operator.step("object");
  open();
  const { status, body } = await begun;
  expect([status, body.data?.id]).toEqual([200, id]);
  expect(waitMs).toBeGreaterThanOrEqual(60_000);
});

test("a call of a move that is overtaken by another moves nothing: what was written in between is not lost", async () => {
  const { account } = shop.of;
  const late = mover(account);
  await late.until("object", "copying");
  const { d1 } = late.ports();
  let made = "";
  const overtaken: Db = {
    ...d1,
    async batch(statements, mode) {
      if (!made && mode === "write" && statements.some(({ sql }) => /"engine" = \?/.test(sql))) {
        const openedMs = late.now().getTime() + abandonedMs;
        await tickAt(openedMs);
        made = await subscribe(shop);
        const other = mover(account, { startMs: openedMs });
        await closeByMove(other, "object");
      }
      return d1.batch(statements, mode);
    },
  };
  while (!made) await late.step("object", { d1: overtaken });
  expect((await accountNow(account.id)).engine).toBe("d1");
  await mover(account, { startMs: late.now().getTime() + 2 * abandonedMs }).until("object");
  expect((await read(shop, made)).id).toBe(made);
});
