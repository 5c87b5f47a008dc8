/** Endpoints that hang or fail leave the consumers to the other endpoints and accounts. */
import { describe, expect, test } from "vitest";
import { mostConsumersOfAccount } from "../../../src/domain/webhook-endpoints/outbox.ts";
import { execute } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { deliver, type Json, openShop, type Shop } from "../../support/shops.ts";
import { linked, useWorker } from "../../support/worker.ts";
import { type Endpoint, endpointsOf, network } from "./receiver.ts";

const worker = useWorker();
const net = network();
const paused = { event_types: ["subscription.paused", "subscription.resumed"] };

/** A shop with so many endpoints, and the subscription whose changes are its events. */
async function openWith(count: number) {
  const shop = await openShop();
  const id = await linked(shop, worker);
  const of = endpointsOf(shop, worker);
  const endpoints: Endpoint[] = [];
  for (let nth = 0; nth < count; nth++) endpoints.push(await of.create(paused));
  await worker.drain();
  return { shop, id, of, endpoints };
}

async function pause(shop: Shop, id: string): Promise<void> {
  expect((await worker.call(shop.api, "POST", `/api/subscriptions/${id}/pause`)).status).toBe(200);
}

/** The messages that wait, each in the hands of a consumer of its own. */
function consumeEach(): Promise<unknown> {
  const jobs = worker.sent();
  worker.forget();
  return Promise.all(
    jobs.map((job) => deliver([job], { queue: "perennial-events", bindings: worker.bindings })),
  );
}

function dueNow() {
  return execute(
    "UPDATE event_deliveries SET next_attempt_at = ? WHERE status = 'PENDING'",
    new Date(0).toISOString(),
  );
}

test("twenty endpoints of one account that hang occupy a quarter of the consumers, and no other account waits", async () => {
  const many = await openWith(20);
  const one = await openWith(1);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  for (const { url } of many.endpoints)
    net.answering(url, async () => {
      await released;
      return new Response();
    });
  await pause(many.shop, many.id);
  const hanging = consumeEach();
  await expect.poll(() => net.received.length).toBe(mostConsumersOfAccount);
  await pause(one.shop, one.id);
  await consumeEach();
  expect(net.to(one.endpoints[0]!.url)).toHaveLength(1);
  expect(net.received).toHaveLength(mostConsumersOfAccount + 1);
  release();
  await hanging;
  await worker.drain();
  for (const endpoint of many.endpoints) {
    expect(net.to(endpoint.url)).toHaveLength(1);
    expect(await many.of.deliveries(endpoint)).toMatchObject([{ status: "DELIVERED", attempt_count: 1 }]);
  }
});

test("endpoints that fail leave a consumer to those of their account that do not", async () => {
  const { shop, id, of, endpoints } = await openWith(7);
  const [prompt, ...failing] = endpoints;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  for (const { url } of failing) {
    await execute(
      "UPDATE webhook_endpoints SET failing_since = ? WHERE url = ?",
      new Date().toISOString(),
      url,
    );
    net.answering(url, async () => {
      await released;
      return new Response();
    });
  }
  await pause(shop, id);
  const hanging = consumeEach();
  await expect.poll(() => net.to(prompt!.url).length).toBe(1);
  expect(net.received.length).toBeLessThanOrEqual(mostConsumersOfAccount);
  release();
  await hanging;
  await worker.drain();
  for (const endpoint of endpoints)
    expect(await of.deliveries(endpoint)).toMatchObject([{ status: "DELIVERED", attempt_count: 1 }]);
});

test("an endpoint whose last try failed gets one delivery at a time until it accepts one", async () => {
  const { shop, id, of, endpoints } = await openWith(1);
  const [endpoint] = endpoints;
  for (let nth = 0; nth < 6; nth++)
    await worker.call(shop.api, "POST", `/api/subscriptions/${id}/${nth % 2 === 0 ? "pause" : "resume"}`);
  net.answering(endpoint!.url, () => Promise.reject(new DOMException("?", "TimeoutError")));
  await worker.drain({ soon: false });
  expect(await of.read(endpoint!)).toMatchObject({ failing_since: expect.any(String) });
  net.received.length = 0;
  await dueNow();
  await worker.tick();
  const tried = net.received.length;
  const jobs = [{ type: "deliver_event", account_id: shop.of.account.id, endpoint_id: endpoint!.id }];
  await dueNow();
  net.received.length = 0;
  await deliver(jobs, { queue: "perennial-events", bindings: worker.bindings });
  expect([tried > 0, net.received.length]).toEqual([true, 1]);
  net.answering(endpoint!.url, 200);
  await dueNow();
  worker.forget();
  net.received.length = 0;
  await deliver(jobs, { queue: "perennial-events", bindings: worker.bindings });
  expect(net.received).toHaveLength(1);
  await worker.drain();
  expect((await of.deliveries(endpoint!)).map(({ status }: Json) => status)).toEqual(
    Array(6).fill("DELIVERED"),
  );
});

describe("a delivery whose payload cannot be made", () => {
  test("holds up none of those beside it", async () => {
    const { shop, id, of, endpoints } = await openWith(1);
    for (const action of ["pause", "resume", "pause"])
      expect((await worker.call(shop.api, "POST", `/api/subscriptions/${id}/${action}`)).status).toBe(200);
    await execute(
      "UPDATE activity_logs SET changes = 'no JSON' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND action = 'subscription_resumed'",
      shop.of.account.id,
    );
    const lines = await logged(() => worker.drain({ soon: false }));
    expect(lines.filter(({ event }) => event === "delivery_not_prepared")).toHaveLength(1);
    const outcomes = (await of.deliveries(endpoints[0]!)).map(({ event_type, status }: Json) => [
      event_type,
      status,
    ]);
    expect(outcomes.toSorted()).toEqual([
      ["subscription.paused", "DELIVERED"],
      ["subscription.paused", "DELIVERED"],
      ["subscription.resumed", "PENDING"],
    ]);
    expect(net.received.map(({ body }) => body.type)).toEqual(["subscription.paused", "subscription.paused"]);
  });

  test("is tried again after the usual pauses, alerts each time, and says nothing of its endpoint", async () => {
    const { shop, id, of, endpoints } = await openWith(1);
    await pause(shop, id);
    await execute(
      "UPDATE activity_logs SET changes = 'no JSON' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND action = 'subscription_paused'",
      shop.of.account.id,
    );
    const lines = await logged(() => worker.drain({ soon: false }));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "delivery_not_prepared", alert: true, endpoint_id: endpoints[0]!.id }),
    );
    const [delivery] = await of.deliveries(endpoints[0]!);
    expect(delivery).toMatchObject({
      status: "PENDING",
      attempt_count: 1,
      last_error: "its payload could not be made",
    });
    const pause_ms = Date.parse(delivery!.next_attempt_at) - Date.now();
    expect(pause_ms).toBeLessThan(7_000);
    expect(net.received).toEqual([]);
    expect(await of.read(endpoints[0]!)).toMatchObject({ failing_since: null });
    for (let tries = 2; tries <= 10; tries++) {
      await dueNow();
      await worker.tick();
      worker.forget();
    }
    expect(await of.deliveries(endpoints[0]!)).toMatchObject([{ status: "FAILED", attempt_count: 10 }]);
  });
});
