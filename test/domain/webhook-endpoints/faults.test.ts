/** Each event is delivered under one id, whatever endpoints answer and whatever is lost. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { execute, select } from "../../support/database.ts";
import { openShop, type Shop } from "../../support/shops.ts";
import { linked, setClock, type TestWorker, useWorker } from "../../support/worker.ts";
import { type Endpoint, endpointsOf, network, type Received } from "./receiver.ts";

const worker = useWorker();
const net = network();

/** How an endpoint answers for a while. */
const faults: Record<string, () => Response | Promise<Response>> = {
  ok: () => new Response(),
  error: () => new Response(null, { status: 500 }),
  busy: () => new Response(null, { status: 429, headers: { "Retry-After": "600" } }),
  redirect: () => new Response(null, { status: 302, headers: { Location: "http://127.0.0.1/" } }),
  reset: () => Promise.reject(new Error("Network connection lost")),
  huge: () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) })),
  gone: () => new Response(null, { status: 410 }),
};
const fault = fc.constantFrom(...Object.keys(faults).filter((name) => name !== "gone"));

type Step = { faults: [string, string]; isLost: boolean; dies: boolean };
const step: fc.Arbitrary<Step> = fc.record({
  faults: fc.tuple(fault, fault),
  isLost: fc.boolean(),
  dies: fc.boolean(),
});

type Event = { id: string; type: string };
/** The effects of a seeded bug on the service; none unless told. */
type Bug = {
  before?: (endpoints: Endpoint[]) => Promise<unknown>;
  heard?: (received: Received[]) => Received[];
};

/** Changes a subscription under faults, then lets all recover; what was violated of the guarantees. */
async function violations(steps: Step[], { before, heard = (all) => all }: Bug = {}): Promise<string[]> {
  setClock("2026-12-01T00:00:00.000Z");
  const shop: Shop = await openShop();
  const id = await linked(shop, worker, { next_delivery_date: "2027-12-01" });
  const of = endpointsOf(shop, worker as TestWorker);
  const endpoints = [await of.create(), await of.create({ event_types: ["subscription.paused"] })];
  await before?.(endpoints);
  const known = new Set((await eventsOf(shop)).map((event) => event.id));
  const early: string[] = [];
  for (const [nth, { faults: names, isLost, dies }] of steps.entries()) {
    for (const [index, endpoint] of endpoints.entries())
      net.answering(endpoint.url, async (received) => {
        const committed = await select("SELECT 1 FROM activity_logs WHERE id = ?", received.id);
        if (committed.length === 0) early.push(`${received.id} was sent before its commit`);
        return faults[names[index] ?? "ok"]!();
      });
    await worker.call(shop.api, "POST", `/api/subscriptions/${id}/${nth % 2 === 0 ? "pause" : "resume"}`);
    if (isLost) worker.forget();
    if (dies)
      await execute(
        "UPDATE event_deliveries SET lease_until = ?1, next_attempt_at = ?1, attempt_count = attempt_count + 1 WHERE status = 'PENDING'",
        new Date(Date.now() + 60_000).toISOString(),
      );
    await worker.drain({ soon: false });
    worker.forget();
    setClock(Date.now() + 700_000);
  }
  for (const endpoint of endpoints) net.answering(endpoint.url, 200);
  for (let hours = 0; hours < 12; hours += 3) {
    setClock(Date.now() + 3 * 3_600_000);
    await worker.tick();
  }
  const events = (await eventsOf(shop)).filter((event) => !known.has(event.id));
  return [...early, ...(await missing(events, endpoints, heard)), ...(await disabled(endpoints))];
}

function eventsOf({ of }: Shop): Promise<Event[]> {
  return select(
    "SELECT id, type FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY sequence",
    of.account.id,
  );
}

async function missing(
  events: Event[],
  [all, paused]: Endpoint[],
  heard: (received: Received[]) => Received[],
): Promise<string[]> {
  const idsAt = (endpoint: Endpoint | undefined) =>
    new Set(heard(net.to(endpoint?.url ?? "")).map(({ id }) => id));
  const wanted = [
    [idsAt(all), events],
    [idsAt(paused), events.filter(({ type }) => type === "subscription.paused")],
  ] as const;
  return wanted.flatMap(([ids, its]) => [
    ...its.filter(({ id }) => !ids.has(id)).map(({ type }) => `${type} was not delivered`),
    ...[...ids]
      .filter((id) => !its.some((event) => event.id === id))
      .map((id) => `${id} is no event it asked for`),
  ]);
}

async function disabled(endpoints: Endpoint[]): Promise<string[]> {
  const ids = JSON.stringify(endpoints.map(({ id }) => id));
  const rows = await select<{ id: string }>(
    "SELECT id FROM webhook_endpoints WHERE is_enabled = 0 AND id IN (SELECT value FROM json_each(?))",
    ids,
  );
  return rows.map(({ id }) => `${id} was disabled`);
}

const settings = { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 6 };

test("whatever endpoints answer, and whatever is lost: each event is delivered, none early, under one id", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      expect(await violations(steps)).toEqual([]);
    }),
    settings,
  );
});

describe("seeded bugs are found", () => {
  const steps: Step[] = Array.from({ length: 4 }, () => ({
    faults: ["error", "ok"],
    isLost: false,
    dies: false,
  }));

  test("the trigger misses one type", async () => {
    const [{ sql }] = (await select<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE name = 'new_entries_insert'",
    )) as [{ sql: string }];
    await execute("DROP TRIGGER new_entries_insert");
    await execute(sql.replace("is_enabled = 1", "is_enabled = 1 AND NEW.type <> 'subscription.resumed'"));
    const found = await violations(steps);
    await execute("DROP TRIGGER new_entries_insert");
    await execute(sql);
    expect(found).toContain("subscription.resumed was not delivered");
  });

  test("each try has an id of its own", async () => {
    const renamed = (all: Received[]) => all.map((one, nth) => ({ ...one, id: `${one.id}-${nth}` }));
    expect((await violations(steps, { heard: renamed })).join()).toMatch(/is no event it asked for/);
  });

  test("one failure disables an endpoint", async () => {
    const before = () =>
      execute(`CREATE TRIGGER too_soon AFTER UPDATE OF failing_since ON webhook_endpoints WHEN NEW.failing_since IS NOT NULL
        BEGIN UPDATE webhook_endpoints SET is_enabled = 0, disabled_reason = 'failing' WHERE id = NEW.id; END`);
    const found = await violations(steps, { before });
    await execute("DROP TRIGGER too_soon");
    expect(found.join()).toMatch(/was disabled/);
  });

  test("a delivery is lost with whoever sends it", async () => {
    const before = () =>
      execute(`CREATE TRIGGER no_retry AFTER UPDATE OF attempt_count ON event_deliveries WHEN NEW.attempt_count = 1
        BEGIN UPDATE event_deliveries SET status = 'CANCELLED', next_attempt_at = NULL
        WHERE event_id = NEW.event_id AND endpoint_id = NEW.endpoint_id; END`);
    const dying = steps.map((one) => ({ ...one, dies: true }));
    const found = await violations(dying, { before });
    await execute("DROP TRIGGER no_retry");
    expect(found).toContain("subscription.paused was not delivered");
  });
});
