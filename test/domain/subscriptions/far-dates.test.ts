/** A subscription with a date at the end of the calendar holds up nobody. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { force, inDays, type Json, on, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const last = "9999-12-30";
const states: [string, Parameters<typeof force>[1]][] = [
  ["paused until the year 8999", { status: "PAUSED", paused_at: inDays(0), pause_until: "8999-01-01" }],
  [
    "paused until the end of the calendar",
    { status: "PAUSED", paused_at: inDays(0), pause_until: "9999-12-31" },
  ],
  [
    "delivered next at the end of the calendar",
    { anchor_date: last, next_delivery_date: last, next_billing_date: last },
  ],
];

/** Requests take no such date: a store, or an earlier version, may have left it. */
describe.each(states)("a subscription %s holds up nobody", (_, values) => {
  let id: string;
  beforeEach(async () => {
    id = await subscribe(shop);
    await force(id, values);
  });

  test("what is asked about it is answered", async () => {
    for (const part of ["upcoming", "upcoming?count=24"]) {
      const { status, body } = await api<Json>(shop.api, "GET", on(id, part));
      expect(status, part).toBe(200);
      for (const { delivery_date } of body.data) expect(delivery_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
    for (const [method, part, body] of [
      ["POST", "resume", {}],
      ["POST", "skip-deliveries", { count: 12 }],
      ["PUT", "frequency", { interval: "MONTH", interval_count: 1 }],
    ] as const) {
      const asked = await api(shop.customer, method, on(id, part), { body, query: { dry_run: true } });
      expect(asked.status, part).toBeLessThan(500);
    }
  });

  test("the account's jobs are done", async () => {
    const days = { from: inDays(1), to: inDays(40) };
    const start = async (path: string, body: object, query = {}) =>
      (await worker.call<Json>(shop.api, "POST", path, { body, query })).body.data.id;
    const jobs = [
      await start("/api/forecast/goods/runs", days),
      await start("/api/bulk", {
        action: "change_price",
        input: { store_variant_id: "variant-1", price: 30, effective_on: inDays(30) },
        filter: {},
      }),
    ];
    const closed = { from: inDays(60), to: inDays(61), rule: "later", label: "Stocktaking" };
    await start("/api/subscriptions/closed-days", closed);
    await worker.drain();
    for (const job of jobs) {
      const { data } = (await api<Json>(shop.api, "GET", `/api/jobs/${job}`)).body;
      expect([data.kind, data.status]).toEqual([data.kind, "DONE"]);
    }
  });
});
