/** An account moves to its object and back with every row, and is read meanwhile. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../../../src/base/accounts/keys.ts";
import { commit } from "../../../src/base/db/commit.ts";
import type { Db } from "../../../src/base/db/port.ts";
import { raw, rows } from "../../../src/base/db/statement.ts";
import type { Engine } from "../../../src/base/env.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { otherEngine } from "../../../src/edges/operator/move/state.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { logged, tickAt } from "../../support/jobs.ts";
import { showDirectory } from "../../support/objects.ts";
import { done, type Json, on, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { openWorld } from "../../support/world.ts";
import {
  accountNow,
  closeByMove,
  dbAt,
  directory,
  everyRow,
  Killed,
  killedAt,
  mover,
  withoutAlarms,
  withoutOthersMoves,
} from "./moving.ts";

describe("moving an account", () => {
  test("to its object and back: every row of every table is there, and none is left behind", async () => {
    const { tenant } = await openWorld();
    const { id } = tenant.account;
    const before = await everyRow(dbAt("d1", id), id);
    expect(Object.values(before).flat().length).toBeGreaterThan(40);
    const list = (await api(tenant, "GET", "/api/subscriptions")).body;

    const operator = mover(tenant.account);
    const steps = await operator.until("object");
    expect(steps.map(({ step }) => step)).toContain("copying");
    expect((await accountNow(id)).engine).toBe("object");
    expect(await everyRow(dbAt("object", id), id)).toEqual(before);
    expect(Object.values(await everyRow(dbAt("d1", id), id)).flat()).toEqual([]);
    expect((await api(tenant, "GET", "/api/subscriptions")).body).toEqual(list);

    await operator.until("d1");
    expect(await everyRow(dbAt("d1", id), id)).toEqual(before);
    expect((await api(tenant, "GET", "/api/subscriptions")).body).toEqual(list);
  });
});

describe("while an account is on its way", () => {
  let shop: Shop;
  let operator: ReturnType<typeof mover>;
  withoutAlarms();
  withoutOthersMoves();
  const worker = useWorker();
  const tearAndWrite = async (): Promise<void> => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name = 'moving ' || ? || ' reasons INSERT'",
    )
      .bind(shop.of.account.id)
      .all<{ name: string }>();
    await env.DB.prepare(`DROP TRIGGER "${results[0]!.name}"`).run();
    await execute(
      "INSERT INTO reasons (id, account_seq, kind, label, position, is_active, created_at, updated_at) VALUES (?, (SELECT seq FROM accounts WHERE id = ?), 'skip', 'Gap', 0, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
      newId(),
      shop.of.account.id,
    );
  };
  const rename = () => api(shop.api, "PUT", "/api/account", { body: { name: `Name ${newId()}` } });
  const closed = (to: Engine) => closeByMove(operator, to);

  describe.each(["object", "d1"] as const)("to %s", (to) => {
    beforeEach(async () => {
      shop = await openShop();
      operator = mover(shop.of.account);
      if (to === "d1") await operator.until("object");
    });

    test("it is written until it is copied, and read all the while", async () => {
      const id = await subscribe(shop);
      await operator.step(to);
      await done(shop.api, "POST", id, "pause");
      await closed(to);
      const refused = await api(shop.api, "POST", on(id, "resume"));
      expect([refused.status, refused.body.errorCode]).toEqual([503, "UNAVAILABLE"]);
      for (const write of [
        rename(),
        api(shop.api, "POST", "/api/subscriptions/skip-reasons", { body: { label: "Away" } }),
      ])
        expect((await write).status).toBe(503);
      expect((await api(shop.api, "GET", on(id))).body.data.status).toBe("PAUSED");
      const before = (await api(shop.api, "GET", "/api/subscriptions")).body;
      await operator.until(to, "leaving");
      expect((await accountNow(shop.of.account.id)).engine).toBe(to);
      expect((await api(shop.api, "GET", "/api/subscriptions")).body).toEqual(before);
      await done(shop.api, "POST", id, "resume");
      expect((await rename()).status).toBe(200);
    });

    test("whoever is refused a write is told when the copy is expected to have ended", async () => {
      await operator.until(to, "copying");
      const { seconds } = JSON.parse((await accountNow(shop.of.account.id)).moving!);
      await execute(
        "UPDATE accounts SET moving = json_set(moving, '$.seconds', 900) WHERE id = ?",
        shop.of.account.id,
      );
      const { over } = killedAt(operator.ports(), { at: /BEFORE INSERT ON "/ });
      await expect(operator.step(to, over)).rejects.toThrow(Killed);
      const left = operator.now().getTime() / 1000 + 900 - Date.now() / 1000;
      const answer = await rename();
      expect(answer.status).toBe(503);
      const retryAfter = Number(answer.headers.get("Retry-After"));
      expect(seconds).toBe(10);
      expect(Math.abs(retryAfter - left)).toBeLessThan(30);
    });

    test("cron opens it again if the operator is gone, and calling again goes on", async () => {
      await closed(to);
      expect((await rename()).status).toBe(503);
      await tickAt(operator.now().getTime() + 9 * 60_000);
      expect((await rename()).status).toBe(503);
      await tickAt(operator.now().getTime() + 11 * 60_000);
      expect((await rename()).status).toBe(200);
      const { name } = (await api(shop.api, "GET", "/api/account")).body.data;
      await mover(shop.of.account, { startMs: operator.now().getTime() + 12 * 60_000 }).until(to);
      expect((await accountNow(shop.of.account.id)).engine).toBe(to);
      expect((await api(shop.api, "GET", "/api/account")).body.data.name).toBe(name);
    });

    test("the way back gives it up, and nothing of the copy is left", async () => {
      const { id } = shop.of.account;
      const back = to === "d1" ? "object" : "d1";
      const before = await everyRow(dbAt(back, id), id);
      await closed(to);
      await operator.until(back);
      expect(await accountNow(id)).toMatchObject({ engine: back, moving: null });
      expect(await everyRow(dbAt(back, id), id)).toEqual(before);
      if (to === "d1") expect(Object.values(await everyRow(dbAt("d1", id), id)).flat()).toEqual([]);
      expect((await rename()).status).toBe(200);
    });

    test("its keys keep their history, also one that is made on the way", async () => {
      await operator.step(to);
      expect((await accountNow(shop.of.account.id)).moving).toContain("draining");
      await createKey(directory(), {
        accountId: shop.of.account.id,
        name: "made on the way",
        now: new Date().toISOString(),
      });
      await operator.until(to);
      const { body } = await api(shop.api, "GET", "/api/events", { query: { limit: 100 } });
      expect(body.data.filter(({ type }: Json) => type === "api_key.created")).toHaveLength(2);
      expect(body.data.map(({ sequence }: Json) => sequence)).toEqual(
        body.data.map((_: Json, nth: number) => nth + 1),
      );
    });

    test("behind the fence no key is made, whose entry would be lost", async () => {
      await closed(to);
      const request = { accountId: shop.of.account.id, name: "behind", now: new Date().toISOString() };
      await expect(createKey(directory(), request)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await operator.until(to);
      await createKey(directory(), { ...request, name: "afterwards" });
      if (to === "object") await showDirectory(shop.of.account.id);
      const { body } = await api(shop.api, "GET", "/api/events", { query: { limit: 100 } });
      const created = body.data.filter(({ type }: Json) => type === "api_key.created");
      expect(created.map(({ metadata }: Json) => metadata.name)).toEqual(["default", "afterwards"]);
    });

    test("a reminder that the rules of now would set on another day keeps its day, and the move ends", async () => {
      const reminders = ["WEEK", "MONTH"].map((interval) => ({ interval, at_least: 1, days_before: 9 }));
      await api(shop.api, "PUT", "/api/account/mail", { body: { provider: "log", reminders } });
      const id = await subscribe(shop);
      const { account } = shop.of;
      const daysAt = (engine: Engine) =>
        rows(dbAt(engine, account.id), raw("SELECT remind_days FROM subscriptions WHERE id = ?", id));
      const from = otherEngine(to);
      expect(await daysAt(from)).toEqual([{ remind_days: 9 }]);
      await commit({ db: dbAt(from, account.id) }, [
        raw("UPDATE subscriptions SET remind_days = 4 WHERE id = ?", id),
      ]);
      await operator.until(to, "leaving");
      expect(await daysAt(to)).toEqual([{ remind_days: 4 }]);
    });

    test("search finds what was moved", async () => {
      await operator.until(to);
      const { body } = await api(shop.admin, "GET", "/api/profiles", { query: { search: "customers.test" } });
      expect(body.data.map(({ id }: Json) => id)).toEqual([shop.profileId]);
    });
  });

  test("a hundred keys made outside of an object keep their history when the account leaves it", async () => {
    const shop = await openShop();
    const { id: accountId } = shop.of.account;
    await mover(shop.of.account).until("object");
    for (let nth = 0; nth < 100; nth++)
      await createKey(directory(), { accountId, name: `key ${nth}`, now: new Date().toISOString() });
    await mover(shop.of.account).until("d1");
    const { activity_logs } = await everyRow(directory(), accountId);
    expect(activity_logs!.filter(({ type }) => type === "api_key.created")).toHaveLength(101);
  });

  test("the fence of one account holds up no other: cron does for these what it always does", async () => {
    shop = await openShop();
    operator = mover(shop.of.account);
    const other = await openShop();
    for (const each of [shop, other])
      await execute(
        "UPDATE selling_plan_syncs SET next_action_at = '2020-01-01T00:00:00.000Z' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        each.of.account.id,
      );
    await closed("object");
    const lines = await logged(() => worker.tick());
    expect(lines.filter(({ event }) => event === "tick_failed")).toEqual([]);
    const due = await select<{ account_id: string }>(
      "SELECT (SELECT id FROM accounts WHERE seq = account_seq) AS account_id FROM selling_plan_syncs WHERE next_action_at = '2020-01-01T00:00:00.000Z'",
    );
    expect(due.map(({ account_id }) => account_id)).not.toContain(other.of.account.id);
  });

  test("a fence that a migration has torn is put up again, and everything compared anew", async () => {
    shop = await openShop();
    operator = mover(shop.of.account);
    await operator.until("object", "copying");
    const { d1 } = operator.ports();
    let isTorn = false;
    const torn: Db = {
      ...d1,
      async batch(statements, mode) {
        if (!isTorn && mode === "write" && statements.some(({ sql }) => /"engine" = \?/.test(sql))) {
          isTorn = true;
          await tearAndWrite();
        }
        return d1.batch(statements, mode);
      },
    };
    while (!isTorn) expect(await operator.step("object", { d1: torn })).toMatchObject({ step: "copying" });
    expect((await accountNow(shop.of.account.id)).engine).toBe("d1");
    await operator.until("object");
    const { body } = await api(shop.api, "GET", "/api/subscriptions/skip-reasons");
    expect(body.map(({ data }: Json) => data.label)).toEqual(["Gap"]);
  });
});
