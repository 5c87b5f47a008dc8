/** A webhook endpoint is created, changed, tested and recovered, and its secret is shown once. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { customer } from "../../support/tenant.ts";
import { linked, openWorker, setClock, type TestWorker } from "../../support/worker.ts";
import { aUrl, type Endpoint, endpointsOf, network, refusal, verified } from "./receiver.ts";

let worker: TestWorker;
let of: Shop;
beforeAll(async () => {
  worker = openWorker();
  of = await openShop();
});
const net = network();

function endpoints() {
  return endpointsOf(of, worker);
}

describe("an endpoint", () => {
  test("is created with a secret, which is shown once and stored sealed", async () => {
    const url = aUrl();
    const answer = await endpoints().call("POST", "", { url });
    expect(answer.status).toBe(201);
    const { secret, ...shown } = answer.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      id: expect.any(String),
      url,
      description: null,
      event_types: ["*"],
      payload: "full",
      is_enabled: true,
      disabled_reason: null,
      failing_since: null,
      last_success_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const got = await endpoints().call("GET", `/${shown.id}`);
    expect(got.body).toEqual({ data: shown });
    expect((await endpoints().call("GET", "")).text).not.toContain(secret);
    const rows = JSON.stringify(await select("SELECT * FROM webhook_endpoints WHERE id = ?", shown.id));
    expect(rows).not.toContain(secret.slice(6));
  });

  test("is changed, by hand disabled and enabled, and deleted", async () => {
    const { id } = await endpoints().create();
    const put = async (body: object) => (await endpoints().call("PUT", `/${id}`, body)).body.data;
    const url = aUrl();
    const all = { url, description: "Warehouse", event_types: ["order.*"], payload: "thin" };
    expect(await put(all)).toMatchObject(all);
    expect(await put({ description: null })).toMatchObject({ ...all, description: null });
    expect(await put({ is_enabled: false })).toMatchObject({ is_enabled: false, disabled_reason: "by_hand" });
    expect(await put({ is_enabled: true })).toMatchObject({ is_enabled: true, disabled_reason: null });
    expect((await endpoints().call("DELETE", `/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ["GET", `/${id}`],
      ["PUT", `/${id}`],
      ["DELETE", `/${id}`],
      ["POST", `/${id}/test`],
      ["POST", `/${id}/rotate-secret`],
      ["GET", `/${id}/deliveries`],
    ] as const)
      expect((await endpoints().call(method, path)).status, `${method} ${path}`).toBe(404);
  });

  test("of another account does not exist, and a customer has none", async () => {
    const { id } = await endpoints().create();
    const other = await openShop();
    expect((await api(other.api, "GET", `/api/webhook-endpoints/${id}`)).status).toBe(404);
    expect((await api(other.api, "POST", `/api/webhook-endpoints/${id}/test`)).status).toBe(404);
    expect((await api(await customer(of.of), "GET", "/api/webhook-endpoints")).status).toBe(403);
  });

  test.each([
    ["a type that is none", { event_types: ["subscription.painted"] }, "event_types.0"],
    ["a pattern that is none", { event_types: ["sub*"] }, "event_types.0"],
    ["a test, which is no event", { event_types: ["webhook.test"] }, "event_types.0"],
    ["no type", { event_types: [] }, "event_types"],
    ["a payload that is none", { payload: "fat" }, "payload"],
    ["a reason", { disabled_reason: "gone" }, "disabled_reason"],
  ])("with %s is refused", async (_, more, path) => {
    const answer = await endpoints().call("POST", "", { url: aUrl(), ...more });
    expect(refusal(answer)).toEqual([400, "VALIDATION_FAILED", path]);
  });

  test("the twenty-first is refused, also where two are made at once", async () => {
    of = await openShop();
    await Promise.all(Array.from({ length: 19 }, () => endpoints().create()));
    const answers = await Promise.all([1, 2].map(() => endpoints().call("POST", "", { url: aUrl() })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const [{ id }] = (await endpoints().call("GET", "")).body.data;
    expect(refusal(await endpoints().call("POST", "", { url: aUrl() }))).toEqual([
      409,
      "INVALID_STATE",
      undefined,
    ]);
    await endpoints().call("DELETE", `/${id}`);
    expect((await endpoints().call("POST", "", { url: aUrl() })).status).toBe(201);
    of = await openShop();
  });

  test("is answered to a repeated request with its secret, of which no plain copy is kept", async () => {
    const headers = { "Idempotency-Key": "one-endpoint" };
    const post = (body: object) =>
      worker.call<Json>(of.api, "POST", "/api/webhook-endpoints", { headers, body });
    const body = { url: aUrl() };
    const first = await post(body);
    const again = await post(body);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    const kept = JSON.stringify(await select("SELECT * FROM idempotency_keys WHERE key = 'one-endpoint'"));
    expect(kept).not.toContain(first.body.data.secret.slice(6));
    expect(kept).not.toContain(body.url);
  });
});

describe("a secret that is rotated", () => {
  const signatures = (text: string) => text.split(" ");
  const testsOf = async (endpoint: Endpoint) => {
    await endpoints().call("POST", `/${endpoint.id}/test`);
    await worker.drain();
    return net.to(endpoint.url).at(-1)!;
  };

  test("signs beside the one before it for a day, then alone", async () => {
    setClock("2026-12-01T00:00:00.000Z");
    const old = await endpoints().create();
    const { secret } = (await endpoints().call("POST", `/${old.id}/rotate-secret`)).body.data;
    expect(secret).not.toBe(old.secret);
    setClock("2026-12-01T23:59:00.000Z");
    const during = await testsOf(old);
    expect(signatures(during.signature)).toHaveLength(2);
    expect(verified(old, during)).toEqual(verified({ secret }, during));
    setClock("2026-12-02T00:01:00.000Z");
    const after = await testsOf(old);
    expect(signatures(after.signature)).toHaveLength(1);
    expect(() => verified(old, after)).toThrow();
    expect(verified({ secret }, after)).toEqual(after.body);
  });
});

describe("a test event", () => {
  test("is sent whatever types are asked for, in the form of an event", async () => {
    const endpoint = await endpoints().create({ event_types: ["order.placed"] });
    const answer = await endpoints().call("POST", `/${endpoint.id}/test`);
    expect([answer.status, answer.body.data.status]).toEqual([202, "PENDING"]);
    await worker.drain();
    const [got] = net.to(endpoint.url);
    expect(got?.body).toMatchObject({
      type: "webhook.test",
      data: { sequence: null, subject: { type: "webhook_endpoint", id: endpoint.id } },
    });
    expect(verified(endpoint, got!)).toEqual(got?.body);
    expect(await endpoints().deliveries(endpoint)).toMatchObject([
      { id: answer.body.data.id, event_type: "webhook.test", status: "DELIVERED" },
    ]);
  });

  test("is refused while the endpoint is disabled", async () => {
    const { id } = await endpoints().create({ is_enabled: false });
    expect(refusal(await endpoints().call("POST", `/${id}/test`))).toEqual([409, "INVALID_STATE", undefined]);
  });
});

describe("a delivery", () => {
  test("is sent again, whatever became of it, under the same id", async () => {
    const endpoint = await endpoints().create();
    await endpoints().call("POST", `/${endpoint.id}/test`);
    await worker.drain();
    const [{ id }] = await endpoints().deliveries(endpoint);
    const answer = await endpoints().call("POST", `/${endpoint.id}/deliveries/${id}/resend`);
    expect([answer.status, answer.body.data.status]).toEqual([202, "PENDING"]);
    await worker.drain();
    const got = net.to(endpoint.url);
    expect(got).toHaveLength(2);
    expect(got[1]?.id).toBe(got[0]?.id);
    const other = await endpoints().create();
    expect((await endpoints().call("POST", `/${other.id}/deliveries/${id}/resend`)).status).toBe(404);
    await endpoints().call("PUT", `/${endpoint.id}`, { is_enabled: false });
    expect((await endpoints().call("POST", `/${endpoint.id}/deliveries/${id}/resend`)).status).toBe(409);
  });

  test("is listed by its status, with true totals", async () => {
    const endpoint = await endpoints().create();
    for (const status of [200, 410]) {
      net.answering(endpoint.url, status);
      await endpoints().call("POST", `/${endpoint.id}/test`);
      await worker.drain();
    }
    const list = async (query: Record<string, string | number>) => {
      const { body } = await endpoints().call("GET", `/${endpoint.id}/deliveries`, undefined, query);
      return [body.data.map(({ status }: Json) => status), body.meta.total];
    };
    expect(await list({})).toEqual([["FAILED", "DELIVERED"], 2]);
    expect(await list({ limit: 1, page: 2 })).toEqual([["DELIVERED"], 2]);
    expect(await list({ status: "FAILED" })).toEqual([["FAILED"], 1]);
    expect(await list({ status: "PENDING,CANCELLED" })).toEqual([[], 0]);
    expect(
      (await endpoints().call("GET", `/${endpoint.id}/deliveries`, undefined, { status: "LOST" })).status,
    ).toBe(400);
  });

  test("is forgotten after thirty days", async () => {
    // Ids never go back in time: a file that ran before may have been further ahead.
    setClock("2090-01-01T00:00:00.000Z");
    const endpoint = await endpoints().create();
    await endpoints().call("POST", `/${endpoint.id}/test`);
    await worker.drain();
    setClock(Date.now() + 29 * 86_400_000);
    await worker.tick();
    expect(await endpoints().deliveries(endpoint)).toHaveLength(1);
    setClock(Date.now() + 2 * 86_400_000);
    await worker.tick();
    expect(await endpoints().deliveries(endpoint)).toEqual([]);
    expect(
      await select(
        "SELECT SUM(count) AS count FROM event_delivery_counts WHERE endpoint_id = ? GROUP BY endpoint_id",
        endpoint.id,
      ),
    ).toEqual([{ count: 0 }]);
  });
});

describe("recovering", () => {
  const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  const recover = (endpoint: Endpoint, since: string) =>
    endpoints().call("POST", `/${endpoint.id}/recover`, { since });
  const typesAt = (endpoint: Endpoint): string[] =>
    net
      .to(endpoint.url)
      .map(({ body }) => body.type)
      .sort();

  test("sends what was missed and is asked for, what was accepted not again, also of before the endpoint", async () => {
    of = await openShop();
    const id = await linked(of, worker);
    const change = (part: string) => worker.call(of.api, "POST", `/api/subscriptions/${id}/${part}`);
    await change("pause");
    const endpoint = await endpoints().create({ event_types: ["subscription.*", "profile.*"] });
    await change("resume");
    await worker.drain();
    expect(typesAt(endpoint)).toEqual(["subscription.resumed"]);
    await endpoints().call("PUT", `/${endpoint.id}`, { is_enabled: false });
    await change("pause");
    await worker.call(of.admin, "POST", "/api/profiles", { body: { email: "missed@events.test" } });
    await endpoints().call("PUT", `/${endpoint.id}`, { is_enabled: true });
    const answer = await recover(endpoint, ago(1));
    expect(answer.status).toBe(202);
    await worker.drain();
    expect(typesAt(endpoint)).toEqual([
      "profile.created",
      "subscription.created",
      "subscription.paused",
      "subscription.paused",
      "subscription.resumed",
      "subscription.store_contract_linked",
    ]);
    await recover(endpoint, ago(1));
    await worker.drain();
    expect(net.to(endpoint.url)).toHaveLength(6);
  });

  test("goes on page by page, and where its message was lost", async () => {
    of = await openShop();
    const id = await linked(of, worker);
    for (let nth = 0; nth < 210; nth++)
      await execute(
        `INSERT INTO new_entries (id, account_seq, action, loggable_type, loggable_id, created_at, type)
          VALUES (?, (SELECT seq FROM accounts WHERE id = ?), 'frequency_changed', 'subscription', ?, ?, 'subscription.frequency_changed')`,
        ...[`0199f3c1-7a51-7c3e-9d55-${String(nth).padStart(12, "0")}`, of.of.account.id, id, ago(2)],
      );
    const endpoint = await endpoints().create({ event_types: ["subscription.frequency_changed"] });
    await recover(endpoint, ago(3));
    worker.forget();
    await worker.tick();
    expect(new Set(net.to(endpoint.url).map(({ id }) => id)).size).toBe(210);
    expect(await select("SELECT recovering FROM webhook_endpoints WHERE id = ?", endpoint.id)).toEqual([
      { recovering: null },
    ]);
  });

  test("sends what ten tries have failed to", async () => {
    of = await openShop();
    const endpoint = await endpoints().create({ event_types: ["profile.*"] });
    await worker.call(of.admin, "POST", "/api/profiles", { body: { email: "failed@events.test" } });
    await execute(
      "UPDATE event_deliveries SET status = 'FAILED', next_attempt_at = NULL, attempt_count = 10 WHERE endpoint_id = ?",
      endpoint.id,
    );
    worker.forget();
    await recover(endpoint, ago(1));
    await worker.drain();
    expect(await endpoints().deliveries(endpoint)).toMatchObject([{ status: "DELIVERED", attempt_count: 1 }]);
  });

  test.each([
    ["over 30 days", () => ago(31)],
    ["the future", () => ago(-1)],
    ["no instant", () => "yesterday"],
  ])("%s is refused", async (_, since) => {
    const endpoint = await endpoints().create();
    expect(refusal(await recover(endpoint, since()))).toEqual([400, "VALIDATION_FAILED", "since"]);
  });

  test("is refused while the endpoint is disabled", async () => {
    const endpoint = await endpoints().create({ is_enabled: false });
    expect(refusal(await recover(endpoint, ago(1)))).toEqual([409, "INVALID_STATE", undefined]);
  });
});
