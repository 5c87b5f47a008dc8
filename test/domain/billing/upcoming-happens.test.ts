/** The deliveries of a year are those that upcoming showed before. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { seeded } from "../../support/records.ts";
import { type Json, on, openShop, read } from "../../support/shops.ts";
import { advance, clockOf, ordersOf, startClock, useWorker } from "../../support/worker.ts";
import { createSubscription, histories, perform, today } from "./upcoming-histories.ts";

const worker = useWorker();

type Delivery = Record<"billing_date" | "delivery_date" | "production_date" | "total", unknown>;

function fieldsOf(delivery: Json, isBilled: boolean): Delivery {
  return {
    billing_date: isBilled ? delivery.billing_date : null,
    delivery_date: delivery.delivery_date,
    production_date: delivery.production_date,
    total: delivery.total,
  };
}

test("the deliveries of a year are those that upcoming projected", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const shop = await openShop();
      await startClock(shop, `${today}T12:00:00.000Z`);
      const id = await createSubscription({ shop, worker }, history);
      for (const action of history.actions)
        if ((await read(shop, id)).status === "ACTIVE") await perform[action]({ shop, worker, id });
      const past = (await ordersOf(shop, id)).length;
      const now = (await clockOf(shop)).slice(0, 10);
      const projected: Json[] = (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 24 } }))
        .body.data;
      const last = [projected.at(-1)?.delivery_date ?? now, addDays(now, 366)].sort()[0] as string;
      const until = addDays(last, 1);
      await advance(shop, worker, (Date.parse(until) - Date.parse(now)) / 86_400_000);
      const orders = (await ordersOf(shop, id)).reverse().slice(past);
      const number = projected.filter(({ delivery_date }) => delivery_date <= until).length;
      expect(orders.length).toBeGreaterThanOrEqual(number);
      const compared = Math.min(orders.length, projected.length);
      const billed = projected.map(({ is_billed }) => is_billed);
      expect(orders.slice(0, compared).map((order, nth) => fieldsOf(order, billed[nth]))).toEqual(
        projected.slice(0, compared).map((delivery) => fieldsOf(delivery, delivery.is_billed)),
      );
      if (projected.length < 24 && projected.length === number)
        expect(await read(shop, id)).toMatchObject({
          status: history.actions.includes("cancel") ? expect.stringMatching(/CANCELLED|EXPIRED/) : "EXPIRED",
          next_delivery_date: null,
        });
    }),
    seeded(Math.min(20, Math.ceil(Number(env.MODEL_RUNS) / 12))),
  );
});
