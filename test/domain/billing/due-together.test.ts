/** Subscriptions that fall due together are started in one batch, and one that cannot be billed holds up no other. */
import { describe, expect, test } from "vitest";
import { copiesOf } from "../../support/copies.ts";
import { execute, select } from "../../support/database.ts";
import { logged, processDue } from "../../support/jobs.ts";
import { actionsOf, deliver, force, inDays, rowOf } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { attemptsOf, linked, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

/** Subscriptions that are due today. */
async function due(count: number): Promise<string[]> {
  const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
  await force(id, { next_billing_date: inDays(0), next_delivery_date: inDays(0), anchor_date: inDays(0) });
  return [id, ...(await copiesOf(id, count - 1))];
}

async function countAttempts(ids: string[]) {
  return (
    await select<{ n: number }>(
      "SELECT COUNT(*) AS n FROM billing_attempts WHERE subscription_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    )
  )[0]?.n;
}

function sentTypes() {
  return worker.sent().map(({ type }) => type);
}

describe("what falls due together", () => {
  test("twenty are read in one trip and written in one more, each with its attempt, entry and message", async () => {
    const ids = await due(20);
    worker.forget();
    const lines = await logged(() => deliver([processDue(shop, ...ids)], { bindings: worker.bindings }));
    expect(lines.find(({ event }) => event === "job")).toMatchObject({
      subscriptions: 20,
      db_round_trips: 2,
    });
    expect(sentTypes()).toEqual(Array(20).fill("charge"));
    for (const id of ids) {
      expect((await attemptsOf(shop, id)).map(({ status }) => status)).toEqual(["QUEUED"]);
      expect((await actionsOf(id)).at(-1)).toBe("billing_started");
    }
    await worker.drain();
  });

  test("the same message twice starts nothing twice", async () => {
    const ids = await due(3);
    const job = processDue(shop, ...ids);
    await Promise.all([deliver([job, job], worker), deliver([job], worker)]);
    await worker.drain();
    expect(await countAttempts(ids)).toBe(3);
  });

  test("one that cannot be billed holds up no other, and is tried again by itself", async () => {
    const [first = "", bad = "", last = ""] = await due(3);
    await execute(
      `CREATE TRIGGER no_attempt BEFORE INSERT ON billing_attempts WHEN NEW.subscription_id = '${bad}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    try {
      worker.forget();
      expect(await deliver([processDue(shop, first, bad, last)], worker)).toMatchObject({ retried: [] });
      const alone = [first, bad, last].map((id) => processDue(shop, id));
      expect(worker.sent()).toEqual(alone);
      expect(await deliver(alone, worker)).toEqual({
        acked: ["message-0", "message-2"],
        retried: ["message-1"],
      });
    } finally {
      await execute("DROP TRIGGER no_attempt");
    }
    expect(await countAttempts([first, bad, last])).toBe(2);
    await deliver([processDue(shop, bad)], { ...worker, attempts: 2 });
    expect(await countAttempts([bad])).toBe(1);
    await worker.drain();
  });

  test("one that is changed meanwhile is decided on anew, as it is then", async () => {
    const [first = "", paused = ""] = await due(2);
    let isPaused = false;
    const DB = interrupted(/insert into "billing_attempts"/i, {
      before: async () => {
        if (isPaused) return;
        isPaused = true;
        await force(paused, { status: "PAUSED", revision: (await rowOf(paused)).revision + 1 });
      },
    });
    await deliver([processDue(shop, first, paused)], { bindings: { ...worker.bindings, DB } });
    await worker.drain();
    expect(isPaused).toBe(true);
    expect(await countAttempts([first])).toBe(1);
    expect(await countAttempts([paused])).toBe(0);
  });

  test("an outage is no reason to take them apart: the message is retried", async () => {
    const ids = await due(2);
    const DB = interrupted(/insert into "billing_attempts"/i, {
      before: () => Promise.reject(new Error("Network connection lost")),
    });
    worker.forget();
    const result = await deliver([processDue(shop, ...ids)], { bindings: { ...worker.bindings, DB } });
    expect([result.retried, worker.sent()]).toEqual([["message-0"], []]);
    expect(await countAttempts(ids)).toBe(0);
  });
});
