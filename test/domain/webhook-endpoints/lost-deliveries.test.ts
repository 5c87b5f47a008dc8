/** A delivery that is sent again or recovered by hand gets all its tries, whatever goes on beside it. */
import { beforeEach, describe, expect, test } from "vitest";
import { execute, select } from "../../support/database.ts";
import { sentBy } from "../../support/jobs.ts";
import { openShop, type Shop, subscribe } from "../../support/shops.ts";
import { gate, interrupted } from "../../support/slow-database.ts";
import { later, openWorker, setClock, type TestWorker } from "../../support/worker.ts";
import { type Endpoint, endpointsOf, network, refusal } from "./receiver.ts";

let worker: TestWorker;
let of: Shop;
beforeEach(async () => {
  worker = openWorker();
  of = await openShop();
});
const net = network();
const start = "2026-12-01T00:00:00.000Z";
const dayMs = 86_400_000;

function ago(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString();
}

/** An endpoint with a delivery that is due and whose message is lost. */
async function withDelivery(): Promise<{ endpoint: Endpoint; id: string }> {
  const endpoint = await endpointsOf(of, worker).create();
  await endpointsOf(of, worker).call("POST", `/${endpoint.id}/test`);
  worker.forget();
  const [{ id }] = await endpointsOf(of, worker).deliveries(endpoint);
  return { endpoint, id };
}

async function resend(endpoint: Endpoint, id: string): Promise<void> {
  const { status, text } = await endpointsOf(of, worker).call(
    "POST",
    `/${endpoint.id}/deliveries/${id}/resend`,
  );
  expect(status, text).toBe(202);
}

async function recover(endpoint: Endpoint, since: string): Promise<void> {
  const { status, text } = await endpointsOf(of, worker).call("POST", `/${endpoint.id}/recover`, { since });
  expect(status, text).toBe(202);
}

/** A worker in whose way an endpoint is disabled, right before a statement. */
function disabling(endpoint: Endpoint, statement: RegExp): TestWorker {
  const before = async () => {
    await endpointsOf(of, worker).call("PUT", `/${endpoint.id}`, { is_enabled: false });
  };
  return openWorker({ DB: interrupted(statement, { before, once: true }) });
}

describe("a delivery that is sent again by hand", () => {
  test("is sent also where ten tries have failed, and has all its tries anew", async () => {
    setClock(start);
    const { endpoint, id } = await withDelivery();
    await execute(
      "UPDATE event_deliveries SET status = 'FAILED', next_attempt_at = NULL, attempt_count = 10 WHERE event_id = ?",
      id,
    );
    net.answering(endpoint.url, 500);
    await resend(endpoint, id);
    await worker.drain({ soon: false });
    expect(net.to(endpoint.url)).toHaveLength(1);
    net.answering(endpoint.url, 200);
    await later(worker, 600);
    expect(await endpointsOf(of, worker).deliveries(endpoint)).toMatchObject([{ status: "DELIVERED" }]);
  });

  test("is not given up by the last of the ten tries, which was under way and fails afterwards", async () => {
    setClock(start);
    const { endpoint, id } = await withDelivery();
    await execute("UPDATE event_deliveries SET attempt_count = 9 WHERE event_id = ?", id);
    const last = gate();
    net.answering(endpoint.url, () => last.pass().then(() => new Response(null, { status: 500 })));
    const tick = worker.tick();
    await last.reached;
    net.answering(endpoint.url, 200);
    await resend(endpoint, id);
    worker.forget();
    last.open();
    await tick;
    await later(worker, 61);
    expect(await endpointsOf(of, worker).deliveries(endpoint)).toMatchObject([{ status: "DELIVERED" }]);
  });

  test("is refused, and stays cancelled, where its endpoint is disabled meanwhile", async () => {
    const { endpoint, id } = await withDelivery();
    const racing = disabling(endpoint, /update "event_deliveries"/);
    const answer = await endpointsOf(of, racing).call("POST", `/${endpoint.id}/deliveries/${id}/resend`);
    expect(refusal(answer)).toEqual([409, "INVALID_STATE", undefined]);
    expect(await endpointsOf(of, worker).deliveries(endpoint)).toMatchObject([{ id, status: "CANCELLED" }]);
  });

  test("is kept for its tries though it is a month old", async () => {
    setClock(start);
    const { endpoint, id } = await withDelivery();
    await execute("UPDATE event_deliveries SET created_at = ? WHERE event_id = ?", ago(29.9), id);
    net.answering(endpoint.url, 500);
    await resend(endpoint, id);
    await worker.drain({ soon: false });
    await later(worker, dayMs / 1000);
    net.answering(endpoint.url, 200);
    await later(worker, dayMs / 1000);
    expect(net.to(endpoint.url).length).toBeGreaterThan(2);
    expect((await endpointsOf(of, worker).read(endpoint)).last_success_at).toEqual(expect.any(String));
  });
});

test("a test event is not sent to an endpoint that is disabled meanwhile", async () => {
  const endpoint = await endpointsOf(of, worker).create();
  const racing = disabling(endpoint, /insert into "event_deliveries"/);
  const answer = await endpointsOf(of, racing).call("POST", `/${endpoint.id}/test`);
  expect(refusal(answer)).toEqual([409, "INVALID_STATE", undefined]);
  expect(await endpointsOf(of, worker).deliveries(endpoint)).toEqual([]);
});

test("a sender whose lease has ended takes the delivery from nobody who sends it now", async () => {
  setClock(start);
  const { endpoint, id } = await withDelivery();
  const [slow, present] = [gate(), gate()];
  net.answering(endpoint.url, () => slow.pass().then(() => new Response(null, { status: 500 })));
  const first = worker.tick();
  await slow.reached;
  setClock(Date.now() + 61_000);
  await resend(endpoint, id);
  worker.forget();
  net.answering(endpoint.url, () => present.pass().then(() => new Response()));
  const second = openWorker().tick();
  await present.reached;
  net.answering(endpoint.url, 200);
  slow.open();
  await first;
  setClock(Date.now() + 10_000);
  await openWorker().tick();
  expect(net.to(endpoint.url)).toHaveLength(2);
  present.open();
  await second;
  expect(await endpointsOf(of, worker).deliveries(endpoint)).toMatchObject([{ status: "DELIVERED" }]);
});

describe("a recovery", () => {
  async function addEntries(count: number, created_at: string): Promise<void> {
    await execute(
      `INSERT INTO new_entries (id, account_seq, action, loggable_type, loggable_id, created_at, type)
        SELECT printf('0199f3c1-7a51-7c3e-9d55-%012d', value), (SELECT seq FROM accounts WHERE id = ?), 'frequency_changed', 'subscription', ?, ?, 'subscription.frequency_changed'
        FROM json_each(?)`,
      of.of.account.id,
      await subscribe(of),
      created_at,
      JSON.stringify(Array.from({ length: count }, (_, nth) => nth)),
    );
  }

  test("that is asked for while another one goes on takes nothing from that", async () => {
    await addEntries(1, ago(10));
    const endpoint = await endpointsOf(of, worker).create({
      event_types: ["subscription.frequency_changed"],
    });
    await recover(endpoint, ago(20));
    await recover(endpoint, ago(1));
    await worker.drain();
    expect(net.to(endpoint.url).map(({ body }) => body.timestamp)).toHaveLength(1);
  });

  test("misses none of more events than a page holds that came in one instant", async () => {
    await addEntries(203, ago(2));
    const endpoint = await endpointsOf(of, worker).create({
      event_types: ["subscription.frequency_changed"],
    });
    await recover(endpoint, ago(3));
    worker.forget();
    const job = { type: "recover_events", account_id: of.of.account.id, endpoint_id: endpoint.id };
    for (let page = 0, jobs = [job]; jobs.length > 0 && page < 9; page++)
      jobs = (await sentBy(jobs)).filter(({ type }) => type === job.type);
    expect(
      await select("SELECT COUNT(*) AS n FROM event_deliveries WHERE endpoint_id = ?", endpoint.id),
    ).toEqual([{ n: 203 }]);
  });

  test("does not begin at an endpoint that is disabled meanwhile", async () => {
    const endpoint = await endpointsOf(of, worker).create();
    const racing = disabling(endpoint, /recovering.* = json_object/);
    const answer = await endpointsOf(of, racing).call("POST", `/${endpoint.id}/recover`, { since: ago(1) });
    expect(refusal(answer)).toEqual([409, "INVALID_STATE", undefined]);
    expect(
      await select("SELECT is_enabled, recovering FROM webhook_endpoints WHERE id = ?", endpoint.id),
    ).toEqual([{ is_enabled: 0, recovering: null }]);
  });

  test("sends nothing more once its endpoint was disabled", async () => {
    await addEntries(1, ago(1));
    const endpoint = await endpointsOf(of, worker).create({ event_types: ["*"] });
    await recover(endpoint, ago(2));
    worker.forget();
    await execute("UPDATE webhook_endpoints SET is_enabled = 0 WHERE id = ?", endpoint.id);
    const job = { type: "recover_events", account_id: of.of.account.id, endpoint_id: endpoint.id };
    expect(await sentBy([job])).toEqual([]);
  });

  test("goes back as far as the earliest of those that are asked for at once", async () => {
    await addEntries(1, ago(10));
    const endpoint = await endpointsOf(of, worker).create({
      event_types: ["subscription.frequency_changed"],
    });
    const earlier = () => recover(endpoint, ago(20));
    const racing = openWorker({
      DB: interrupted(/recovering.* = json_object/, { before: earlier, once: true }),
    });
    await endpointsOf(of, racing).call("POST", `/${endpoint.id}/recover`, { since: ago(1) });
    await worker.drain();
    expect(net.to(endpoint.url)).toHaveLength(1);
  });
});
