/** An event reaches each endpoint that asks for it, is tried ten times under one id, and stops when it must. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, read, subscribe } from "../../support/shops.ts";
import { later, linked, openWorker, setClock, type TestWorker } from "../../support/worker.ts";
import { type Endpoint, endpointsOf, network, verified } from "./receiver.ts";

let worker: TestWorker;
beforeAll(() => {
  worker = openWorker();
});
const net = network();

/** A shop with an endpoint, and a subscription whose changes are its events. */
async function opened(more: object = {}) {
  const of = await openShop();
  const id = await linked(of, worker);
  const endpoints = endpointsOf(of, worker);
  const endpoint = await endpoints.create(more);
  const pause = () => worker.call(of.api, "POST", `/api/subscriptions/${id}/pause`);
  const resume = () => worker.call(of.api, "POST", `/api/subscriptions/${id}/resume`);
  return { of, id, endpoints, endpoint, pause, resume };
}

function minutes(count: number) {
  return count * 60;
}

describe("an event reaches its endpoint", () => {
  test("by the message that its change sends, with the record as its GET answers it", async () => {
    const { of, id, endpoint, endpoints, pause } = await opened();
    await pause();
    await worker.drain();
    const [got] = net.to(endpoint.url);
    const [event] = (await api(of.api, "GET", "/api/events", { query: { types: "subscription.paused" } }))
      .body.data;
    expect(got?.body).toEqual({
      type: "subscription.paused",
      timestamp: event.created_at,
      data: { ...event, object: await read(of, id) },
    });
    expect(got?.id).toBe(event.id);
    expect(verified(endpoint, got!)).toEqual(got?.body);
    expect(Object.fromEntries(got!.headers)).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Perennial-Webhooks/1.0",
    });
    expect(await endpoints.deliveries(endpoint)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        event_id: event.id,
        event_type: "subscription.paused",
        sequence: event.sequence,
        status: "DELIVERED",
        attempt_count: 1,
        next_attempt_at: null,
        last_status: 200,
        last_error: null,
        last_duration_ms: expect.any(Number),
        created_at: expect.any(String),
        delivered_at: expect.any(String),
      },
    ]);
    expect(await endpoints.read(endpoint)).toMatchObject({
      failing_since: null,
      last_success_at: expect.any(String),
    });
  });

  test("by the next tick where the message was lost", async () => {
    const { endpoint, pause } = await opened();
    await pause();
    worker.forget();
    await worker.tick();
    expect(net.to(endpoint.url).map(({ body }) => body.type)).toEqual(["subscription.paused"]);
    await worker.tick();
    expect(net.to(endpoint.url)).toHaveLength(1);
  });

  test("thin: without the record", async () => {
    const { endpoint, pause } = await opened({ payload: "thin" });
    await pause();
    await worker.drain();
    expect(net.to(endpoint.url)[0]?.body.data).not.toHaveProperty("object");
  });

  test.each([
    [["*"], ["subscription.paused", "subscription.resumed"]],
    [["subscription.*"], ["subscription.paused", "subscription.resumed"]],
    [["subscription.paused", "billing.*"], ["subscription.paused"]],
    [["billing.*"], []],
    [["integration.*"], []],
  ])("only those that it asks for: %j", async (event_types, expected) => {
    const { endpoint, pause, resume } = await opened({ event_types });
    await pause();
    await resume();
    await worker.drain();
    expect(
      net
        .to(endpoint.url)
        .map(({ body }) => body.type)
        .sort(),
    ).toEqual(expected);
  });

  test("none that was before it, none while it is disabled, none after it is deleted", async () => {
    const { endpoint, endpoints, pause, resume } = await opened();
    const all = () => select("SELECT status FROM event_deliveries WHERE endpoint_id = ?", endpoint.id);
    expect(await all()).toEqual([]);
    await endpoints.call("PUT", `/${endpoint.id}`, { is_enabled: false });
    await pause();
    expect(await all()).toEqual([]);
    await endpoints.call("PUT", `/${endpoint.id}`, { is_enabled: true });
    await resume();
    expect(await all()).toEqual([{ status: "PENDING" }]);
    await endpoints.call("DELETE", `/${endpoint.id}`);
    expect(await all()).toEqual([{ status: "CANCELLED" }]);
    await pause();
    expect(await all()).toHaveLength(1);
    await worker.drain();
    expect(net.to(endpoint.url)).toEqual([]);
  });

  test("what was erased before it was sent is not sent", async () => {
    const { of, endpoint } = await opened();
    const body = { email: "canary@events.test", first_name: "Canary" };
    const { data } = (await worker.call<Json>(of.admin, "POST", "/api/profiles", { body })).body;
    await worker.call(of.admin, "DELETE", `/api/profiles/${data.id}`);
    await worker.drain();
    const got = net.to(endpoint.url);
    expect(got.map(({ body }) => body.type).sort()).toEqual(["profile.created", "profile.deleted"]);
    for (const { body, text } of got) {
      expect(body.data.object).toBeNull();
      expect(text).not.toMatch(/canary/i);
    }
  });
});

describe("what does not accept an event is asked again", () => {
  test("after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, ten times in all, always with the same id", async () => {
    setClock("2026-12-01T00:00:00.000Z");
    // A forecast of each night would be told, too.
    const { endpoint, endpoints, pause } = await opened({ event_types: ["subscription.*"] });
    net.answering(endpoint.url, 500);
    await pause();
    await worker.drain({ soon: false });
    const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, seconds] of pauses.entries()) {
      const [delivery] = await endpoints.deliveries(endpoint);
      expect(delivery).toMatchObject({
        status: "PENDING",
        attempt_count: index + 1,
        last_status: 500,
        last_error: "answered 500",
      });
      const wait = (Date.parse(delivery.next_attempt_at) - Date.now()) / 1000;
      expect(wait).toBeGreaterThanOrEqual(seconds * 0.9 - 1);
      expect(wait).toBeLessThanOrEqual(seconds * 1.1 + 1);
      worker.forget();
      await later(worker, wait - 1);
      expect(net.to(endpoint.url)).toHaveLength(index + 1);
      worker.forget();
      await later(worker, 3);
      expect(net.to(endpoint.url)).toHaveLength(index + 2);
    }
    const [delivery] = await endpoints.deliveries(endpoint);
    expect(delivery).toMatchObject({ status: "FAILED", attempt_count: 10, next_attempt_at: null });
    const got = net.to(endpoint.url);
    expect(new Set(got.map(({ id }) => id)).size).toBe(1);
    expect(new Set(got.map(({ timestamp }) => timestamp)).size).toBe(10);
    expect(new Set(got.map(({ signature }) => signature)).size).toBe(10);
    expect((await endpoints.read(endpoint)).is_enabled).toBe(true);
  });

  test.each([
    [429, { "Retry-After": "3600" }, 3600],
    [503, { "Retry-After": "Wed, 02 Dec 2026 00:00:00 GMT" }, 86_400],
    [503, { "Retry-After": "999999" }, 86_400],
    [503, { "Retry-After": "0" }, 5],
  ])("%i with %j: after %i s", async (status, headers, seconds) => {
    setClock("2026-12-01T00:00:00.000Z");
    const { endpoint, endpoints, pause } = await opened();
    net.answering(endpoint.url, status, headers);
    await pause();
    await worker.drain({ soon: false });
    const [{ next_attempt_at }] = await endpoints.deliveries(endpoint);
    expect(Math.abs((Date.parse(next_attempt_at) - Date.now()) / 1000 - seconds)).toBeLessThan(2);
    worker.forget();
  });

  test.each([
    [
      "a redirect",
      () => new Response(null, { status: 307, headers: { Location: "http://10.0.0.1/" } }),
      /redirects/,
    ],
    ["a reset", () => Promise.reject(new Error("Network connection lost.")), /^could not be reached$/],
    [
      "no answer",
      () => Promise.reject(Object.assign(new Error("slow"), { name: "TimeoutError" })),
      /^did not answer within 15 seconds$/,
    ],
    ["404", () => new Response("canary", { status: 404 }), /^answered 404$/],
  ])("%s is a failure", async (_, answer, error) => {
    const { endpoint, endpoints, pause } = await opened();
    let redirect: unknown;
    net.answering(endpoint.url, (_received, init) => {
      redirect = init.redirect;
      return answer();
    });
    await pause();
    await worker.drain({ soon: false });
    const [delivery] = await endpoints.deliveries(endpoint);
    expect(delivery).toMatchObject({ status: "PENDING", attempt_count: 1 });
    expect(delivery.last_error).toMatch(error);
    expect(redirect).toBe("manual");
    worker.forget();
  });

  test.each([
    "http://0.0.0.0:9/in",
    "https://169.254.169.254/latest",
    "https://metadata.internal/",
    "https://perennial.test/in",
    "file:///etc/passwd",
  ])("nothing is sent to %s, however it came to be an endpoint's", async (url) => {
    const { endpoint, endpoints, pause } = await opened();
    await execute("UPDATE webhook_endpoints SET url = ? WHERE id = ?", url, endpoint.id);
    await pause();
    await worker.drain({ soon: false });
    expect(net.received).toEqual([]);
    const [delivery] = await endpoints.deliveries(endpoint);
    expect(delivery).toMatchObject({ status: "PENDING", attempt_count: 1, last_status: null });
    expect(delivery.last_error).toMatch(/^was not sent: the URL must /);
    worker.forget();
  });

  /** A body of so many kibibytes, one at a time, and what became of it. */
  const bodyOf = (kibibytes: number, end: (controller: ReadableStreamDefaultController) => unknown) => {
    const seen = { pulled: 0, isCancelled: false };
    const stream = new ReadableStream({
      pull: (controller) => {
        if (seen.pulled === kibibytes) return void end(controller);
        seen.pulled++;
        controller.enqueue(new Uint8Array(1024));
      },
      cancel: () => {
        seen.isCancelled = true;
      },
    });
    return { seen, stream };
  };

  test.each([
    ["a short one to its end", 3, (controller) => controller.close(), 3, false],
    ["of a gigabyte 4 KiB", 1_048_576, () => undefined, 5, true],
    [
      "one that breaks off as far as it comes",
      2,
      (controller) => controller.error(new Error("Network connection lost.")),
      2,
      false,
    ],
  ] as [string, number, (controller: ReadableStreamDefaultController) => unknown, number, boolean][])(
    "the body of an answer is read, and decides nothing: %s",
    async (_, kibibytes, end, read, isCancelled) => {
      const { endpoint, endpoints, pause } = await opened();
      const { seen, stream } = bodyOf(kibibytes, end);
      net.answering(endpoint.url, () => new Response(stream, { status: 200 }));
      await pause();
      await worker.drain();
      expect((await endpoints.deliveries(endpoint))[0]).toMatchObject({
        status: "DELIVERED",
        last_error: null,
      });
      expect(seen).toEqual({ pulled: read, isCancelled });
    },
  );

  test("success ends what was failing", async () => {
    setClock("2026-12-01T00:00:00.000Z");
    const { endpoint, endpoints, pause } = await opened();
    net.answering(endpoint.url, 500);
    await pause();
    await worker.drain({ soon: false });
    const { failing_since } = await endpoints.read(endpoint);
    expect(failing_since).toMatch(/^2026-12-01T00:00:00/);
    net.answering(endpoint.url, 200);
    worker.forget();
    await later(worker, 10);
    expect(await endpoints.read(endpoint)).toMatchObject({ failing_since: null, is_enabled: true });
    expect((await endpoints.deliveries(endpoint))[0]).toMatchObject({
      status: "DELIVERED",
      attempt_count: 2,
    });
  });
});

describe("an endpoint is disabled", () => {
  test("at once by 410; what was open is cancelled, and nothing is made any more", async () => {
    const { endpoint, endpoints, pause, resume } = await opened();
    net.answering(endpoint.url, 500);
    await pause();
    await worker.drain({ soon: false });
    net.answering(endpoint.url, 410);
    await resume();
    await worker.drain({ soon: false });
    expect(await endpoints.read(endpoint)).toMatchObject({ is_enabled: false, disabled_reason: "gone" });
    const statuses = (await endpoints.deliveries(endpoint)).map(({ status, last_status }) => [
      status,
      last_status,
    ]);
    expect(statuses).toEqual([
      ["FAILED", 410],
      ["CANCELLED", 500],
    ]);
    await pause();
    expect(await endpoints.deliveries(endpoint)).toHaveLength(2);
    worker.forget();
  });

  test("after five days of failures, not by one, and by none that success has ended", async () => {
    setClock("2026-12-01T00:00:00.000Z");
    const { endpoint, endpoints, pause, resume } = await opened();
    net.answering(endpoint.url, 503);
    await pause();
    await worker.drain({ soon: false });
    worker.forget();
    await later(worker, minutes(60 * 24 * 5 - 10));
    expect((await endpoints.read(endpoint)).is_enabled).toBe(true);
    await resume();
    worker.forget();
    await later(worker, minutes(20));
    expect(await endpoints.read(endpoint)).toMatchObject({
      is_enabled: false,
      disabled_reason: "failing",
      failing_since: expect.stringMatching(/^2026-12-01/),
    });
    await endpoints.call("PUT", `/${endpoint.id}`, { is_enabled: true });
    expect(await endpoints.read(endpoint)).toMatchObject({
      is_enabled: true,
      disabled_reason: null,
      failing_since: null,
    });
    worker.forget();
  });

  test("by no failure beside a success: what was just accepted ends the five days", async () => {
    const { endpoint, endpoints, pause, resume } = await opened();
    await pause();
    await resume();
    await failingSince(endpoint.id, "2026-01-01T00:00:00.000Z");
    const accepted = Promise.withResolvers<void>();
    net.answering(endpoint.url, async ({ body }) => {
      if (body.type === "subscription.paused") return new Response();
      // The other outcome is recorded by then.
      for (let tries = 0; tries < 500 && (await endpoints.read(endpoint)).failing_since !== null; tries++);
      accepted.resolve();
      return new Response(null, { status: 500 });
    });
    await worker.drain({ soon: false });
    await accepted.promise;
    expect((await endpoints.read(endpoint)).is_enabled).toBe(true);
    expect((await endpoints.deliveries(endpoint)).map(({ status }) => status).sort()).toEqual([
      "DELIVERED",
      "PENDING",
    ]);
    worker.forget();
  });

  test("by no delivery that is given up untried, because the sender of its last try died", async () => {
    const { endpoint, endpoints, pause } = await opened();
    await pause();
    await failingSince(endpoint.id, "2026-01-01T00:00:00.000Z");
    await execute("UPDATE event_deliveries SET attempt_count = 10 WHERE endpoint_id = ?", endpoint.id);
    await worker.drain({ soon: false });
    expect(net.to(endpoint.url)).toEqual([]);
    expect(await endpoints.deliveries(endpoint)).toMatchObject([
      { status: "FAILED", last_error: "could not be tried" },
    ]);
    expect(await endpoints.read(endpoint)).toMatchObject({ is_enabled: true });
    worker.forget();
  });

  const failingSince = (id: string, at: string) =>
    execute("UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?", at, id);
});

describe("leases", () => {
  test("of an endpoint at most ten deliveries are sent at the same time, five by one invocation", async () => {
    const { of, endpoint } = await opened();
    const ids = [];
    for (let nth = 0; nth < 25; nth++) ids.push(await subscribe(of));
    let open = 0;
    let most = 0;
    net.answering(endpoint.url, async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return new Response();
    });
    worker.forget();
    await worker.tick();
    expect(most).toBe(5);
    const got = net.to(endpoint.url).filter(({ body }) => body.type === "subscription.created");
    expect(got).toHaveLength(25);
    expect(new Set(got.map(({ id }) => id)).size).toBe(25);
  });

  test("who dies between sending and recording leaves it to the next, after the lease, with the same id", async () => {
    setClock("2026-12-01T00:00:00.000Z");
    const { endpoint, endpoints, pause } = await opened();
    await pause();
    worker.forget();
    await select(
      "UPDATE event_deliveries SET lease_until = ?1, next_attempt_at = ?1, attempt_count = 1 WHERE endpoint_id = ?2 RETURNING event_id",
      "2026-12-01T00:01:00.000Z",
      endpoint.id,
    );
    await worker.tick();
    expect(net.to(endpoint.url)).toEqual([]);
    await later(worker, 61);
    expect((await endpoints.deliveries(endpoint))[0]).toMatchObject({
      status: "DELIVERED",
      attempt_count: 2,
    });
  });

  test("an endpoint that hangs keeps no other waiting", async () => {
    const { of, endpoint, endpoints, pause } = await opened();
    const other = await endpoints.create();
    const statuses = async (one: Endpoint) => [
      ...new Set((await endpoints.deliveries(one)).map(({ status }) => status)),
    ];
    let hangs = true;
    // It looks itself whether it may go on: a promise of the test's would be kept from an account's object.
    net.answering(endpoint.url, async () => {
      while (hangs) await new Promise((resolve) => setTimeout(resolve, 5));
      return new Response();
    });
    /** More than are sent to one endpoint at the same time. */
    for (let nth = 0; nth < 12; nth++) await subscribe(of);
    worker.forget();
    await pause();
    const messages = worker.sent();
    expect(messages.map((job) => "endpoint_id" in job && job.endpoint_id).sort()).toEqual(
      [endpoint.id, other.id].sort(),
    );
    const slow = worker.tick();
    const another = openWorker();
    await another.tick();
    while ((await statuses(other)).includes("PENDING")) await new Promise((resolve) => setImmediate(resolve));
    expect(await statuses(other)).toEqual(["DELIVERED"]);
    expect(await statuses(endpoint)).toEqual(["PENDING"]);
    hangs = false;
    await slow;
    expect(await statuses(endpoint)).toEqual(["DELIVERED"]);
  });
});

describe("reminders", () => {
  test.each([
    [["subscription.payment_reminder_due"], 200, "SENT"],
    [["*"], 200, "DUE"],
    [["subscription.*"], 200, "DUE"],
    [["subscription.payment_reminder_due"], 500, "DUE"],
  ])(
    "are sent once an endpoint that names them has accepted: %j answering %i: %s",
    async (event_types, status, expected) => {
      const of = await openShop();
      const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const id = await linked(of, worker, { next_delivery_date: day(2) });
      const endpoints = endpointsOf(of, worker);
      const endpoint = await endpoints.create({ event_types });
      net.answering(endpoint.url, status);
      const { revision } = (
        await select<{ revision: number }>("SELECT revision FROM subscriptions WHERE id = ?", id)
      )[0]!;
      await worker.tick();
      worker.forget();
      expect(await read(of, id)).toMatchObject({
        payment_reminder_status: expected,
        last_payment_reminder_sent_at: expected === "SENT" ? expect.any(String) : null,
        last_payment_reminder_billing_date: day(2),
      });
      expect(await select("SELECT revision FROM subscriptions WHERE id = ?", id)).toEqual([{ revision }]);
      const [event] = (
        await api(of.api, "GET", "/api/events", { query: { types: "subscription.payment_reminder_due" } })
      ).body.data;
      expect(event).toMatchObject({
        actor_type: "system",
        metadata: { billing_date: day(2) },
        changes: null,
      });
    },
  );
});
