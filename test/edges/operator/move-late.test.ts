/** A call of a move that comes late undoes nothing that was written since. */
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import type { Db } from "../../../src/base/db/port.ts";
import { raw } from "../../../src/base/db/statement.ts";
import type { Engine } from "../../../src/base/env.ts";
import { hasSchema } from "../../../src/runtime/engine/migrate.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { inObject } from "../../support/objects.ts";
import { done, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { accountNow, dbAt, directory, everyRow, mover, withoutAlarms } from "./moving.ts";

/*
 * A call of an operator can last longer than everything that others do meanwhile. Whatever it had decided by then, it takes nothing away.
 */

withoutAlarms();
let shop: Shop;
let id: string;
beforeEach(async () => {
  shop = await openShop();
  id = await subscribe(shop);
});

/** The database, in which something happens before the first batch whose SQL matches. */
function before(db: Db, matching: RegExp, happen: () => Promise<unknown>): Db {
  let hasHappened = false;
  return {
    ...db,
    async batch(statements, mode) {
      if (!hasHappened && statements.some(({ sql }) => matching.test(sql))) {
        hasHappened = true;
        await happen();
      }
      return db.batch(statements, mode);
    },
  };
}

const overtaken = { code: "VERSION_CONFLICT" };

describe.each(["object", "d1"] as const)("to %s", (to: Engine) => {
  test("a step that was copying does not undo what was changed since at the new engine", async () => {
    const { account } = shop.of;
    const late = mover(account);
    if (to === "d1") await late.until("object");
    await late.until(to, "copying");
    const othersGoOn = async () => {
      await mover(account, { startMs: late.now().getTime() }).until(to);
      await done(shop.api, "POST", id, "pause");
    };
    const ports = late.ports();
    const slow = before(ports[to], /FROM "subscriptions"/, othersGoOn);
    await expect(late.step(to, { [to]: slow })).rejects.toMatchObject(overtaken);
    expect((await accountNow(account.id)).engine).toBe(to);
    expect((await read(shop, id)).status).toBe("PAUSED");
  });
});

test("what was left behind cannot be written while it is deleted", async () => {
  const { account } = shop.of;
  const operator = mover(account);
  await operator.until("object", "leaving");
  let refusal: unknown;
  const d1 = before(directory(), /DELETE FROM "subscriptions"/, async () => {
    const late = raw("UPDATE subscriptions SET revision = revision + 1 WHERE id = ?", id);
    refusal = await commit({ db: directory() }, [late]).catch((error: unknown) => error);
  });
  await operator.step("object");
  await operator.step("object", { d1 });
  expect(refusal).toMatchObject({ code: "UNAVAILABLE" });
  await operator.until("object");
  expect(Object.values(await everyRow(dbAt("d1", account.id), account.id)).flat()).toEqual([]);
});

test("an object to which the account has come back is not ended by a call that was late", async () => {
  const { account } = shop.of;
  const late = mover(account);
  await late.until("object");
  await late.until("d1", "leaving");
  const ports = late.ports();
  const comeBack = async () => {
    const other = mover(account, { startMs: late.now().getTime() + 10 * 60_000 });
    await other.until("d1");
    await other.until("object");
  };
  await late.step("d1");
  const eraseObject = async () => {
    await comeBack();
    return ports.eraseObject();
  };
  await expect(late.step("d1", { eraseObject })).rejects.toMatchObject(overtaken);
  expect((await accountNow(account.id)).engine).toBe("object");
  expect((await read(shop, id)).id).toBe(id);
});

test("an object that was ended is not begun anew by a copy that was late, so that nothing is left in it", async () => {
  const { account } = shop.of;
  const late = mover(account);
  await late.until("object", "copying");
  const [isCopying, isErased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const object = before(late.ports().object, /INSERT INTO "subscriptions"/, async () => {
    isCopying.resolve();
    await isErased.promise;
  });
  const copied = late.step("object", { object }).catch((error: unknown) => error);
  await isCopying.promise;
  const other = mover(account);
  await other.step("d1");
  const eraseObject = async () => {
    const rows = await other.ports().eraseObject();
    isErased.resolve();
    await copied;
    return rows;
  };
  await other.step("d1", { eraseObject });
  expect(await copied).toMatchObject({ code: "UNAVAILABLE" });
  expect(await accountNow(account.id)).toMatchObject({ engine: "d1", moving: null });
  expect(Object.values(await everyRow(dbAt("object", account.id), account.id)).flat()).toEqual([]);
  expect(await inObject(account.id, ({ storage }) => hasSchema(storage))).toBe(false);
  expect((await read(shop, id)).id).toBe(id);
});

test("an object that is being copied again is not opened by a call that was late", async () => {
  const { account } = shop.of;
  const late = mover(account);
  await late.until("object", "leaving");
  const goAway = async () => {
    const other = mover(account, { startMs: late.now().getTime() });
    await other.until("object");
    await other.until("d1", "copying");
    await other.step("d1");
  };
  const object = before(late.ports().object, /UPDATE "?accounts/i, goAway);
  await expect(late.step("object", { object })).rejects.toMatchObject(overtaken);
  const refused = raw("UPDATE subscriptions SET revision = revision + 1 WHERE id = ?", id);
  await expect(commit({ db: dbAt("object", account.id) }, [refused])).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});

test("of two operators who compare at once one goes on, and counts that triggers keep arrive as they are", async () => {
  const { account } = shop.of;
  const body = { url: "https://hooks.example/in", event_types: ["*"] };
  expect((await api(shop.of, "POST", "/api/webhook-endpoints", { body })).status).toBe(201);
  await done(shop.api, "POST", id, "pause");
  const [first, second] = [mover(account), mover(account)];
  await first.until("object", "copying");
  const owed =
    "UPDATE event_deliveries SET status = 'CANCELLED', next_attempt_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)";
  await execute(owed, account.id);
  const [hasCompared, hasWritten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let later: Promise<unknown> | undefined;
  const slow = before(first.ports().object, /INSERT INTO "event_deliveries"/, async () => {
    const object = before(second.ports().object, /FROM "event_deliveries"/, async () => {
      hasCompared.resolve();
      await hasWritten.promise;
    });
    later = second.step("object", { object });
    await hasCompared.promise;
  });
  await expect(first.step("object", { object: slow })).rejects.toMatchObject(overtaken);
  hasWritten.resolve();
  await later;
  await second.until("object", "leaving");
  const left = await everyRow(dbAt("d1", account.id), account.id);
  expect(left.event_delivery_counts).toMatchObject([{ status: "CANCELLED" }]);
  expect(await everyRow(dbAt("object", account.id), account.id)).toEqual(left);
});
