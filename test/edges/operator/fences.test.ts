/** Cron opens accounts again that an operator has left closed, and gives each its turn. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Moving } from "../../../src/base/accounts/moving.ts";
import { accounts } from "../../../src/base/accounts/tables.ts";
import { abandonedMs, leavingMs } from "../../../src/edges/operator/move/state.ts";
import { api } from "../../support/client.ts";
import { execute, insert, select } from "../../support/database.ts";
import { logged, tickAt } from "../../support/jobs.ts";
import { openShop, type Shop, subscribe } from "../../support/shops.ts";
import { openTenant } from "../../support/tenant.ts";
import { accountNow, closeByMove, dbAt, everyRow, mover, withoutAlarms } from "./moving.ts";

withoutAlarms();
const startMs = Date.now();
const minute = 60_000;

beforeEach(() => execute("UPDATE accounts SET moving = NULL"));

function stateOf(step: Moving["step"], ageMs: number): string {
  return JSON.stringify({ step, to: "object", since: new Date(startMs - ageMs).toISOString() });
}

/** So many accounts that have been on a step for so long, without an operator. */
async function abandon(count: number, moving: string): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    const { account } = await openTenant({ engine: "d1" });
    await execute("UPDATE accounts SET moving = ? WHERE id = ?", moving, account.id);
  }
}

async function countOf(step: Moving["step"]): Promise<number> {
  const found = await select<{ n: number }>(
    "SELECT COUNT(*) AS n FROM accounts WHERE moving ->> '$.step' = ?",
    step,
  );
  return found[0]!.n;
}

function rename(shop: Shop) {
  return api(shop.api, "PUT", "/api/account", { body: { name: "Any" } });
}

describe("cron and accounts whose operators are gone", () => {
  test("opens a closed account again though ten that were only announced come before it", async () => {
    await abandon(10, stateOf("draining", 3_600_000));
    const shop = await openShop();
    const operator = mover(shop.of.account);
    await closeByMove(operator, "object");
    expect((await rename(shop)).status).toBe(503);
    await tickAt(operator.now().getTime() + abandonedMs);
    expect((await rename(shop)).status).toBe(200);
  });

  test("opens ten closed accounts a minute, until none is closed", async () => {
    await abandon(25, stateOf("copying", abandonedMs));
    const left: number[] = [];
    for (let nth = 0; nth < 3; nth++) {
      await tickAt(startMs + nth * minute);
      left.push(await countOf("copying"));
    }
    expect(left).toEqual([15, 5, 0]);
  });

  test("gives every account its turn though ten others can never be finished", async () => {
    const { seq: _, ...account } = (await openTenant({ engine: "d1" })).account;
    const moving = stateOf("leaving", leavingMs);
    for (let nth = 0; nth < 10; nth++)
      await insert(accounts, { ...account, id: `no id ${nth}`, shop: `${nth}.example.com`, moving });
    await abandon(1, stateOf("leaving", leavingMs));
    const lines = await logged(async () => {
      for (let nth = 0; nth < 20; nth++) await tickAt(startMs + nth * minute);
    });
    expect(lines.filter(({ event }) => event === "move_not_finished").length).toBeGreaterThan(150);
    expect(await countOf("leaving")).toBe(10);
  });

  test.each(["object", "d1"] as const)(
    "takes a move to %s back after ten minutes without a call, and deletes its copy",
    async (to) => {
      const shop = await openShop();
      const { id } = shop.of.account;
      await subscribe(shop);
      const operator = mover(shop.of.account);
      if (to === "d1") await operator.until("object");
      const here = (await accountNow(id)).engine;
      const before = await everyRow(dbAt(here, id), id);
      await operator.until(to, "copying");
      await operator.step(to);
      expect(Object.values(await everyRow(dbAt(to, id), id)).flat().length).toBeGreaterThan(0);

      const { since } = JSON.parse((await accountNow(id)).moving!) as Moving;
      await tickAt(Date.parse(since) + abandonedMs - minute);
      expect((await rename(shop)).status).toBe(503);
      await tickAt(Date.parse(since) + abandonedMs);
      expect((await rename(shop)).status).toBe(200);
      expect(await accountNow(id)).toMatchObject({ engine: here, moving: null });
      expect((await everyRow(dbAt(here, id), id)).subscriptions).toEqual(before.subscriptions);
      if (to === "d1") expect(Object.values(await everyRow(dbAt(to, id), id)).flat()).toEqual([]);
    },
  );

  test("a copy that goes on is not taken back, however long it takes", async () => {
    const shop = await openShop();
    const { id } = shop.of.account;
    const operator = mover(shop.of.account);
    await operator.until("object", "copying");
    const closedMs = operator.now().getTime();
    const other = mover(shop.of.account, { startMs: closedMs + abandonedMs - minute });
    await other.step("object");
    await tickAt(closedMs + abandonedMs);
    expect((await accountNow(id)).moving).toContain("copying");
    await other.until("object");
  });
});
