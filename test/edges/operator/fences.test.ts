/** Cron opens accounts again that an operator has left fenced, and gives each its turn. */
import { beforeEach, describe, expect, test } from "vitest";
import { accounts } from "../../../src/base/accounts/tables.ts";
import { copyingMs, fencedMs, leavingMs, type Moving } from "../../../src/edges/operator/move/state.ts";
import { api } from "../../support/client.ts";
import { execute, insert, select } from "../../support/database.ts";
import { logged, tickAt } from "../../support/jobs.ts";
import { openShop, type Shop, subscribe } from "../../support/shops.ts";
import { openTenant } from "../../support/tenant.ts";
import { accountNow, dbAt, everyRow, Killed, killedAt, mover, withoutAlarms } from "./moving.ts";

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
  test("opens a fenced account again though ten that are being copied come before it", async () => {
    const old = stateOf("copying", 3_600_000);
    await abandon(10, old);
    const shop = await openShop();
    const operator = mover(shop.of.account);
    await operator.until("object", "fenced");
    const { over } = killedAt(operator.ports(), { at: /BEFORE INSERT ON "/ });
    await expect(operator.step("object", over)).rejects.toThrow(Killed);
    expect((await rename(shop)).status).toBe(503);
    await tickAt(operator.now().getTime() + fencedMs);
    expect((await rename(shop)).status).toBe(200);
  });

  test("opens ten fenced accounts a minute, until none is fenced", async () => {
    await abandon(25, stateOf("fenced", fencedMs));
    const left: number[] = [];
    for (let nth = 0; nth < 3; nth++) {
      await tickAt(startMs + nth * minute);
      left.push(await countOf("fenced"));
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
    "gives a move to %s up after a day of copying, and deletes its copy",
    async (to) => {
      const shop = await openShop();
      const { id } = shop.of.account;
      await subscribe(shop);
      const operator = mover(shop.of.account);
      if (to === "d1") await operator.until("object");
      const here = (await accountNow(id)).engine;
      const before = await everyRow(dbAt(here, id), id);
      await operator.step(to);
      await operator.step(to);
      expect(Object.values(await everyRow(dbAt(to, id), id)).flat().length).toBeGreaterThan(0);

      /** A tick's own time goes on while it works, so that a step may begin a while after it. */
      const standing = async (): Promise<Moving> => JSON.parse((await accountNow(id)).moving!);
      const copyingSinceMs = Date.parse((await standing()).since);
      await tickAt(copyingSinceMs + copyingMs - minute);
      expect((await standing()).step).toBe("copying");
      await tickAt(copyingSinceMs + copyingMs);
      const { step, since } = await standing();
      expect(step).toBe("leaving");
      expect((await rename(shop)).status).toBe(200);
      await tickAt(Date.parse(since) + leavingMs);

      expect(await accountNow(id)).toMatchObject({ engine: here, moving: null });
      expect((await everyRow(dbAt(here, id), id)).subscriptions).toEqual(before.subscriptions);
      if (to === "d1") expect(Object.values(await everyRow(dbAt(to, id), id)).flat()).toEqual([]);
    },
  );
});
