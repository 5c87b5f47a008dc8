/** A ship-now with other terms than the open one is refused instead of answered with it. */
import { expect, test } from "vitest";
import { inDays, openShop, refusal } from "../../support/shops.ts";
import { linked, shipNow, useWorker } from "../../support/worker.ts";

const worker = useWorker();

test.each([
  ["another day of packing", { production_date: inDays(2) }],
  ["another day of delivery", { delivery_date: inDays(4) }],
])(
  "within ten minutes of a ship-now one that asks for %s is refused, and not answered with the former",
  async (_, other) => {
    const shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
    const asked = { delivery_date: inDays(3), production_date: inDays(1) };
    const first = await shipNow(shop, worker, id, asked);
    expect(first.status).toBe(200);
    await worker.drain();
    const again = await shipNow(shop, worker, id, asked);
    expect(again.body.billing_attempt_id).toBe(first.body.billing_attempt_id);
    expect(refusal(await shipNow(shop, worker, id, { ...asked, ...other }))).toEqual([
      409,
      "BILLING_IN_PROGRESS",
    ]);
  },
);
