/** After any history the counts of places equal a recount from the rows. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { seeded } from "../../support/records.ts";
import { addSlot, itemOf, nextDay, on, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { advance, startClock, useWorker } from "../../support/worker.ts";

const worker = useWorker();

type Place = { slot: string; day: string; count: number };
type World = { shop: Shop; slots: string[]; ids: string[] };
type Step = (world: World) => Promise<unknown>;

/** The counts in the table, and those that a recount gives: a delivery counts once, planned or ordered. */
async function places(shop: Shop): Promise<{ stored: Place[]; recounted: Place[] }> {
  const { id } = shop.of.account;
  const of = "account_seq = (SELECT seq FROM accounts WHERE id = ?)";
  const stored = await select<Place>(
    `SELECT delivery_slot_id AS slot, delivery_date AS day, count FROM delivery_counts WHERE ${of} AND count <> 0 ORDER BY 1, 2`,
    id,
  );
  const recounted = await select<Place>(
    `SELECT slot, day, COUNT(*) AS count FROM (
      SELECT delivery_slot_id AS slot, next_delivery_date AS day FROM subscriptions WHERE ${of} AND status = 'ACTIVE'
      UNION ALL SELECT delivery_slot_id, delivery_date FROM orders WHERE ${of} AND status <> 'CANCELLED'
    ) WHERE slot IS NOT NULL AND day IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    id,
    id,
  );
  return { stored, recounted };
}

const week = fc.nat(3);
const nth = fc.nat(2);
const day = (weeks: number) => nextDay(4, 14 + weeks * 7);

function change(which: number, method: string, part: string, body: (world: World) => object): Step {
  return (world) => {
    const id = world.ids[which % world.ids.length];
    return id === undefined
      ? Promise.resolve()
      : api(world.shop.api, method, on(id, part), { body: body(world) });
  };
}

const create = fc.tuple(nth, week, fc.boolean()).map(
  ([slot, weeks, isTwo]): Step =>
    async (world) => {
      const lines = [itemOf(world.shop.plan, { quantity: isTwo ? 2 : 1 })];
      const place = { next_delivery_date: day(weeks), delivery_slot_id: world.slots[slot] ?? null, lines };
      world.ids.push(await subscribe(world.shop, place).catch(() => world.ids[0] ?? ""));
    },
);
const move = fc.tuple(nth, nth, week).map(([which, slot, weeks]) =>
  change(which, "PUT", "schedule", ({ slots }) => ({
    next_delivery_date: day(weeks),
    delivery_slot_id: slots[slot] ?? null,
  })),
);
const act = fc
  .tuple(
    nth,
    fc.constantFrom("skip-deliveries", "unskip", "pause", "resume", "cancel", "reactivate", "ship-now"),
  )
  .map(([which, part]) => change(which, "POST", part, () => ({})));
const pass: fc.Arbitrary<Step> = fc.constantFrom(7, 14).map((days) => async ({ shop }) => {
  await worker.drain();
  await advance(shop, worker, days);
});
const cancelOrder: fc.Arbitrary<Step> = fc.constant(({ shop }) =>
  execute(
    `UPDATE orders SET status = 'CANCELLED' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)
      AND id = (SELECT MAX(id) FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?))`,
    shop.of.account.id,
    shop.of.account.id,
  ),
);

test("after any history the counts of places equal a recount from the rows", async () => {
  const history = fc.array(fc.oneof(create, create, move, act, act, pass, cancelOrder), {
    minLength: 10,
    maxLength: 16,
  });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const shop = await openShop();
      await startClock(shop, new Date().toISOString());
      const bound = { max_deliveries_per_day: 2 };
      const slots = [await addSlot(shop, { day_of_week: 4 }, bound), await addSlot(shop, { day_of_week: 4 })];
      const world = { shop, slots, ids: [] };
      for (const step of steps) {
        await step(world);
        const { stored, recounted } = await places(shop);
        expect(stored).toEqual(recounted);
      }
    }),
    seeded(8),
  );
});
