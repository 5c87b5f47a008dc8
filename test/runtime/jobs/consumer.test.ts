/** The consumer acknowledges what it cannot understand, and touches no other account's records. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { execute } from "../../support/database.ts";
import {
  findDue,
  logged,
  pausedUntil,
  processDue,
  syncContract,
  withoutDatabase,
} from "../../support/jobs.ts";
import { seeded } from "../../support/records.ts";
import { actionsOf, deliver, openShop, rowOf, subscribe } from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { useShop } from "../../support/worker.ts";

const { shop } = useShop();

function link(id: string, account_id = shop.of.account.id) {
  return syncContract(account_id, id);
}

describe("the consumer", () => {
  test("acknowledges what it cannot understand, and never throws", async () => {
    const before = await rowsOf(shop.of.account.id);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.anything({ withDate: true, withMap: true }), { maxLength: 10 }),
        async (bodies) => {
          const { acked, retried } = await deliver(bodies);
          expect([acked.length, retried]).toEqual([bodies.length, []]);
        },
      ),
      seeded(60),
    );
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test.each<[string, () => unknown]>([
    ["an unknown account", () => link(newId(), newId())],
    ["another type", () => ({ ...link(newId()), type: "resume" })],
    ["another type's fields", () => ({ ...link(newId()), type: "charge" })],
    ["no subscription", () => ({ type: "sync_contract", account_id: shop.of.account.id })],
    ["nothing to find", () => ({ ...findDue(shop), kind: "birthday" })],
  ])("%s is not understood, and acknowledged", async (_, body) => {
    const lines = await logged(async () => {
      expect(await deliver([body()])).toEqual({ acked: ["message-0"], retried: [] });
    });
    expect(lines.map(({ event }) => event)).toEqual(["message_not_understood"]);
  });

  test("a subscription of another account is not touched", async () => {
    const other = await openShop();
    const [unlinked, paused] = [await subscribe(other), await pausedUntil(other, "2026-05-01")];
    await deliver([link(unlinked), processDue(shop, paused)]);
    expect((await rowOf(unlinked)).store_contract_id).toBeNull();
    expect((await rowOf(paused)).status).toBe("PAUSED");
  });

  test("a subscription that does not exist will not come to be: acknowledged, not retried", async () => {
    expect(await deliver([link(newId()), processDue(shop, newId())])).toEqual({
      acked: ["message-0", "message-1"],
      retried: [],
    });
  });

  test("one message that fails is retried by itself", async () => {
    const [bad, good] = [await subscribe(shop), await subscribe(shop)];
    await execute(
      `CREATE TRIGGER no_link BEFORE UPDATE OF store_contract_id ON subscriptions WHEN NEW.id = '${bad}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    try {
      expect(await deliver([link(bad), link(good), "poison"])).toEqual({
        acked: ["message-1", "message-2"],
        retried: ["message-0"],
      });
    } finally {
      await execute("DROP TRIGGER no_link");
    }
    expect(await actionsOf(bad)).toEqual(["subscription_created"]);
    await deliver([link(bad)], { attempts: 2 });
    expect((await rowOf(bad)).store_contract_id).not.toBeNull();
  });

  test("a database that is unreachable: everything is retried, nothing thrown", async () => {
    for (const attempts of [1, 5, 100]) {
      const jobs = [link(newId()), findDue(shop), processDue(shop, newId())];
      const result = await deliver(jobs, { bindings: withoutDatabase(), attempts });
      expect(result).toEqual({ acked: [], retried: ["message-0", "message-1", "message-2"] });
    }
  });

  test("a wrong setting: everything is retried, nothing thrown", async () => {
    const bindings = { ...env, JWT_ISSUER: "alone" } as Bindings;
    expect((await deliver([link(newId())], { bindings })).retried).toEqual(["message-0"]);
  });

  test("dead letters are logged and acknowledged, whatever they are", async () => {
    const id = await subscribe(shop);
    const lines = await logged(async () => {
      const result = await deliver([link(id), { any: "thing", email: "ada@customers.test" }, null], {
        queue: "perennial-jobs-dlq",
      });
      expect(result).toEqual({ acked: ["message-0", "message-1", "message-2"], retried: [] });
    });
    const dead = lines.filter(({ event }) => event === "dead_letter");
    expect(dead.map(({ alert, body }) => [alert, body])).toEqual([
      [true, link(id)],
      [true, null],
      [true, null],
    ]);
    expect(JSON.stringify(lines)).not.toContain("ada@");
    expect((await rowOf(id)).store_contract_id).toBeNull();
  });
});
