/** Work on a webhook that has to wait or whose message was lost is done later, and is then deleted. */
import { describe, expect, test } from "vitest";
import { jobSchema } from "../../../src/base/job-schema.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { execute } from "../../support/database.ts";
import type { Webhook } from "../../support/fake-shopify.ts";
import { tickAt } from "../../support/jobs.ts";
import { put } from "../../support/records.ts";
import { deliver, type Json } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { attemptsOf, later, openWorker, ordersOf, setClock } from "../../support/worker.ts";
import {
  chargePending,
  credentialsKey,
  deliveriesOf,
  expectAllDone,
  hookedShop,
  logged,
  sendAccepted,
  sendAll,
  undoneDeliveries,
} from "./hooks.ts";

const shop = useShop(hookedShop);

function accountId() {
  return shop.merchant.of.account.id;
}
describe("a delivery that has to wait", () => {
  /** The order of a charge whose attempt is still open here: it is billing's to record. */
  const early = async (): Promise<string> => {
    const id = await subscribed(shop);
    await chargePending(shop, id);
    shop.store.settle();
    shop.store.fail({ kind: "http500", times: 1, on: "Attempt" });
    const hooks = await shop.store.webhooks();
    await sendAccepted(shop, hooks.find(({ topic }) => topic === "orders/create") as Webhook);
    return id;
  };

  test("is postponed by delayed messages with growing delays, until it can be done", async () => {
    setClock(Date.now());
    const id = await early();
    await execute(
      "UPDATE billing_attempts SET lease_until = '2099-01-01T00:00:00.000Z' WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    const expected = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600];
    const delays: number[] = [];
    const sent: Json[] = [];
    const queue = {
      sendBatch: async (messages: Iterable<Json>) => void sent.push(...messages),
    } as unknown as Queue<unknown>;
    const bindings = { ...shop.worker.bindings, JOBS: queue };
    const [job] = shop.worker.sent();
    for (const [nth] of expected.entries()) {
      await deliver([job], { bindings });
      const [{ next_action_at, tries }] = (await undoneDeliveries(shop)) as [Json];
      expect(tries).toBe(nth + 1);
      const webhooks = sent.splice(0).filter(({ body }) => body.type === "webhook");
      expect(webhooks).toHaveLength(1);
      delays.push(webhooks[0].delaySeconds);
      expect(Date.parse(next_action_at) - Date.now()).toBe((webhooks[0].delaySeconds + 60) * 1000);
    }
    expect(delays).toEqual(expected);
    await execute(
      "UPDATE billing_attempts SET lease_until = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    shop.worker.forget();
    await later(shop.worker, 3700);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
    await expectAllDone(shop);
  });
});

describe("lost messages", () => {
  const sendSuccess = async (): Promise<string> => {
    const id = await subscribed(shop);
    await chargePending(shop, id);
    shop.store.settle();
    await sendAll(shop, (hooks) => hooks.filter(({ topic }) => topic.endsWith("/success")));
    return id;
  };

  test("a delivery whose message was lost is found by the sweep after a minute, not before", async () => {
    setClock(Date.now());
    const id = await sendSuccess();
    await execute(
      "UPDATE billing_attempts SET next_action_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      accountId(),
    );
    shop.worker.forget();
    await later(shop.worker, 55);
    expect(await undoneDeliveries(shop)).toHaveLength(1);
    await later(shop.worker, 10);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    await expectAllDone(shop);
  });

  test("a queue that accepts nothing: the webhook is answered, and found by the sweep", async () => {
    setClock(Date.now());
    const refusing = { sendBatch: async () => Promise.reject(new Error("no")) } as unknown as Queue<unknown>;
    const worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, JOBS: refusing });
    await sendAccepted({ worker }, await shop.store.webhookOf("app/uninstalled", {}));
    expect(await undoneDeliveries(shop)).toHaveLength(1);
    await later(shop.worker, 61);
    await expectAllDone(shop);
  });

  test("a failed delivery is retried by the queue, then found by the sweep", async () => {
    setClock(Date.now());
    shop.worker.forget();
    await sendAccepted(shop, await shop.store.webhookOf("app/uninstalled", {}));
    const jobs = shop.worker.sent();
    shop.worker.forget();
    shop.store.fail({ kind: "http500", times: 2 });
    const { bindings } = shop.worker;
    expect(await deliver(jobs, { bindings })).toEqual({ acked: [], retried: ["message-0"] });
    expect(await undoneDeliveries(shop)).toMatchObject([{ tries: 1 }]);
    expect(await deliver(jobs, { bindings, attempts: 2 })).toEqual({ acked: [], retried: ["message-0"] });
    const lines = await logged(() => deliver(jobs, { bindings, queue: "perennial-jobs-dlq" }));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "dead_letter", alert: true, body: jobs[0] }),
    );
    await later(shop.worker, 1800);
    expect(await undoneDeliveries(shop)).toMatchObject([{ tries: 2 }]);
    await later(shop.worker, 1900);
    await expectAllDone(shop);
  });

  test("interrupted before it begins, or before it is marked as done: it is repeated without harm", async () => {
    for (const matching of [
      /update "webhook_deliveries" set .*"done_at" = /,
      /update "webhook_deliveries" set "tries"/,
    ]) {
      const id = await sendSuccess();
      const jobs = shop.worker.sent().filter(({ type }) => type === "webhook");
      shop.worker.forget();
      const DB = interrupted(matching, {
        before: () => Promise.reject(new Error("Network connection lost")),
      });
      const { retried } = await deliver(jobs, { bindings: { ...shop.worker.bindings, DB } });
      expect(retried).toHaveLength(1);
      await deliver(jobs, { bindings: shop.worker.bindings });
      expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
      expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
      await expectAllDone(shop);
    }
  });

  test("the same message twice at once, and again after it is done", async () => {
    const id = await sendSuccess();
    const jobs = shop.worker.sent().filter(({ type }) => type === "webhook");
    const { bindings } = shop.worker;
    await Promise.all([
      deliver(jobs, { bindings }),
      deliver(jobs, { bindings }),
      deliver(jobs, { bindings }),
    ]);
    await shop.worker.drain();
    const before = await rowsOf(accountId());
    expect(await deliver(jobs, { bindings })).toEqual({ acked: ["message-0"], retried: [] });
    expect(await rowsOf(accountId())).toBe(before);
    expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
  });

  test("a topic that is no longer known is ignored", async () => {
    await put("webhook_deliveries", [
      {
        account_id: accountId(),
        webhook_id: "w",
        topic: "gone/by",
        subject: "x",
        tries: 0,
        received_at: "2026-01-01",
      },
    ]);
    await deliver([{ type: "webhook", account_id: accountId(), webhook_id: "w" }]);
    await expectAllDone(shop);
  });

  test("a message names an account and a delivery, and nothing else", () => {
    expect(jobSchema.safeParse({ type: "webhook", account_id: "a", webhook_id: "w" }).success).toBe(true);
    for (const wrong of [{}, { webhook_id: "" }, { webhook_id: 1 }, { webhook_id: "w".repeat(256) }])
      expect(jobSchema.safeParse({ type: "webhook", account_id: "a", ...wrong }).success).toBe(false);
  });
});

describe("many", () => {
  const rows = (count: number, more: object): object[] =>
    Array.from({ length: count }, () => ({
      account_id: accountId(),
      webhook_id: newId(),
      topic: "app/uninstalled",
      subject: "x",
      tries: 0,
      received_at: "2026-01-01T00:00:00.000Z",
      ...more,
    }));
  const found = async (at: string): Promise<string[]> => {
    await shop.worker.forget();
    const { bindings, sent, forget } = shop.worker;
    await tickAt(at, bindings);
    const ids = sent().flatMap((job) => (job.type === "webhook" ? [job.webhook_id] : []));
    forget();
    return ids;
  };

  test("all lost deliveries are found at once, the longest waiting again first", async () => {
    const due = rows(450, { next_action_at: "2026-01-01T00:00:00.000Z" }) as { webhook_id: string }[];
    await put("webhook_deliveries", due);
    const at = "2026-01-01T01:00:00.000Z";
    expect((await found(at)).sort()).toEqual(due.map(({ webhook_id }) => webhook_id).sort());
    expect(await found(at)).toEqual([]);
    expect(await found("2026-01-01T01:01:00.000Z")).toHaveLength(200);
  });

  test("done ones are deleted after a week, a limited number at each tick; others never", async () => {
    await put("webhook_deliveries", [
      ...rows(1200, { done_at: "2026-01-01T00:00:00.000Z" }),
      ...rows(3, { done_at: "2026-01-02T00:00:00.000Z" }),
      ...rows(2, { next_action_at: "2030-01-01T00:00:00.000Z" }),
    ]);
    const left = async () => (await deliveriesOf(shop)).length;
    await found("2026-01-08T00:00:00.000Z");
    expect(await left()).toBe(1205);
    await found("2026-01-08T00:00:01.000Z");
    expect(await left()).toBe(205);
    await found("2026-01-08T00:00:02.000Z");
    expect(await left()).toBe(5);
  });
});
