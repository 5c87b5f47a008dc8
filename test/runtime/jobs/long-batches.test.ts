/** A job that is begun late in its batch follows the settings of then, and a failed one comes back later and later. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { consume } from "../../../src/runtime/jobs/consume.ts";
import { api } from "../../support/client.ts";
import { syncContract } from "../../support/jobs.ts";
import { deliver, openShop } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { episodesOf, linked, openWorker, setClock, shipNow } from "../../support/worker.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a job that is begun late in its batch follows the settings of then", async () => {
  const shop = await openShop();
  const call = openWorker();
  const id = await linked(shop, call, { store_payment_method_id: "pm_insufficient_funds" });
  const attempt_id = (await shipNow(shop, call, id)).body.billing_attempt_id;
  const account_id = shop.of.account.id;
  let isChanged = false;
  /** The first job takes ten seconds, in which the merchant changes how declined payments are tried again. */
  const before = async (): Promise<void> => {
    if (isChanged) return;
    isChanged = true;
    const body = { dunning_retry_days: [2] };
    expect((await api(shop.admin, "PUT", "/api/account", { body })).status).toBe(200);
    setClock(Date.now() + 10_000);
  };
  const { bindings } = openWorker({ DB: interrupted(/from "subscriptions"/i, { before }) });
  const jobs = [
    syncContract(account_id, id),
    { type: "charge", account_id, attempt_id, subscription_id: id },
  ];
  expect((await deliver(jobs, { bindings })).retried).toEqual([]);
  expect(isChanged).toBe(true);
  const [episode] = await episodesOf(shop, id);
  const days = (Date.parse(episode.next_retry_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(2);
});

test.each([
  [1, 10],
  [2, 20],
  [5, 160],
  [60, 3_600],
])(
  "a message that has failed %i times comes again after %i seconds, not at once",
  async (attempts, seconds) => {
    const body = syncContract(newId(), newId());
    const retried: unknown[] = [];
    const retry = (options: unknown) => void retried.push(options);
    const message = { id: "message", attempts, body, ack: () => {}, retry };
    const bindings = { ...env, JWT_ISSUER: "alone" } as Bindings;
    await consume({ queue: "perennial-jobs", messages: [message] }, bindings);
    expect(retried).toEqual([{ delaySeconds: seconds }]);
  },
);
