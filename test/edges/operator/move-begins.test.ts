/** A move is told beforehand how long it takes, begins where there is time, and waits for what is under way. */

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import { raw } from "../../../src/base/db/statement.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { continueMove } from "../../../src/edges/operator/move/continue-move.ts";
import { portsOf } from "../../../src/edges/operator/move/ports.ts";
import { drainingMs, noticeMs } from "../../../src/edges/operator/move/state.ts";
import { deliver, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { accountNow, dbAt, directory, mover, withoutAlarms } from "./moving.ts";

withoutAlarms();
let shop: Shop;
let id: string;
beforeEach(async () => {
  shop = await openShop({ timezone: "Europe/Berlin" });
  ({ id } = shop.of.account);
});
afterEach(() => {
  vi.useRealTimers();
});

/** The first call of a move to the account's object, at an instant. */
function begin(at: string, more: { force?: boolean; dryRun?: boolean } = {}) {
  const ports = portsOf(parseEnv(env), shop.of.account, new Date(at));
  return continueMove(ports, { accountId: id, to: "object", ...more });
}

/** Nothing of the account falls due for days, but for what a test adds. */
function nothingDue() {
  const seq = "(SELECT seq FROM accounts WHERE id = ?)";
  const put = (table: string, column: string) =>
    raw(`UPDATE ${table} SET ${column} = '2099-01-01T00:00:00.000Z' WHERE account_seq = ${seq}`, id);
  return commit({ db: directory() }, [
    put("reconciliations", "next_at"),
    put("reconciliations", "next_forecast_at"),
    put("contract_syncs", "next_action_at"),
    raw(`DELETE FROM closed_days WHERE account_seq = ${seq}`, id),
  ]);
}

describe("before a move", () => {
  beforeEach(() => nothingDue());

  test("a dry run tells rows and seconds, and begins nothing", async () => {
    const { estimate, isDone } = await begin("2026-11-20T12:00:00.000Z", { dryRun: true });
    expect([isDone, estimate?.seconds]).toEqual([true, 10]);
    expect(estimate?.rows).toBeGreaterThan(3);
    expect((await accountNow(id)).moving).toBe(null);
  });

  test("it begins where nothing is due before it ends", async () => {
    expect(await begin("2026-11-20T12:00:00.000Z")).toMatchObject({ step: "draining", estimate: {} });
  });

  test("it is refused shortly before the account's day ends, names an hour with time, and is begun by force", async () => {
    const late = "2026-11-20T22:58:30.000Z";
    await expect(begin(late)).rejects.toMatchObject({
      code: "INVALID_STATE",
      message:
        "The copy takes about 3 minutes, and something is due in 2: move the account at 2026-11-21 00:00 (Europe/Berlin), or now with --force",
    });
    expect((await accountNow(id)).moving).toBe(null);
    expect(await begin(late, { force: true })).toMatchObject({ step: "draining" });
  });

  test("it is refused where something falls due before it ends", async () => {
    const at = "2026-11-20T12:01:00.000Z";
    await commit({ db: directory() }, [
      raw(
        "UPDATE reconciliations SET next_at = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        at,
        id,
      ),
    ]);
    await expect(begin("2026-11-20T12:00:00.000Z")).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect(await begin("2026-11-20T12:01:00.000Z")).toMatchObject({ step: "draining" });
  });
});

describe.each(["object", "d1"] as const)("on its way to %s", (to) => {
  let operator: ReturnType<typeof mover>;
  beforeEach(async () => {
    operator = mover(shop.of.account);
    if (to === "d1") await operator.until("object");
  });

  test("no job of the account is begun until it is there", async () => {
    const job = { type: "process_due", account_id: id, subscription_ids: [newId()] };
    expect(await deliver([job])).toMatchObject({ acked: ["message-0"], retried: [] });
    await operator.step(to);
    expect(await deliver([job])).toEqual({ acked: [], retried: ["message-0"] });
    await operator.until(to, "copying");
    expect(await deliver([job])).toEqual({ acked: [], retried: ["message-0"] });
    await operator.until(to, "leaving");
    expect(await deliver([job])).toMatchObject({ acked: ["message-0"], retried: [] });
  });

  test("it waits for a charge that somebody has leased, and closes after two minutes all the same", async () => {
    const from = dbAt(to === "d1" ? "object" : "d1", id);
    await subscribe(shop);
    const begunMs = operator.now().getTime();
    await operator.step(to);
    const lease = new Date(begunMs + 60_000).toISOString();
    const leasePlan = (until: string) =>
      commit({ db: from }, [
        raw(
          "INSERT OR REPLACE INTO selling_plan_syncs (account_seq, selling_plan_id, next_action_at, lease_until) SELECT seq, 'leased', ?, ? FROM accounts WHERE id = ?",
          until,
          until,
          id,
        ),
      ]);
    await leasePlan(lease);
    await operator.until(to, "copying");
    const waited = operator.now().getTime() - begunMs;
    expect(waited).toBeGreaterThanOrEqual(60_000);
    expect(waited).toBeLessThan(70_000);

    await operator.until(to === "d1" ? "object" : "d1");
    await leasePlan("2099-01-01T00:00:00.000Z");
    const againMs = operator.now().getTime();
    await operator.until(to, "copying");
    expect(operator.now().getTime() - againMs).toBeGreaterThanOrEqual(drainingMs);
    expect(operator.now().getTime() - againMs).toBeLessThan(drainingMs + noticeMs);
  });
});
