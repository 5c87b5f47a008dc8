import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { Bindings } from "../../src/env.ts";
import worker from "../../src/worker.ts";
import { areOnObjects, tickInObjects } from "./objects.ts";
import { aContract, deliver, force, type Json, outbox, type Shop, subscribe } from "./shops.ts";
import { interrupted } from "./slow-database.ts";

/** The messages of jobs, as the queue holds them. */
export const syncContract = (account_id: string, subscription_id: string) => ({
  type: "sync_contract",
  account_id,
  subscription_id,
});
export const findDue = (shop: Shop) => ({
  type: "find_due",
  account_id: shop.of.account.id,
  kind: "schedule",
});
export const processDue = (shop: Shop, ...subscription_ids: string[]) => ({
  type: "process_due",
  account_id: shop.of.account.id,
  subscription_ids,
});

/** A deployment whose database fails every statement. */
export const withoutDatabase = (message = "Network connection lost"): Bindings => ({
  ...env,
  DB: interrupted(/./, { before: () => Promise.reject(new Error(message)) }),
});

/** Calls cron at an instant; returns the jobs that it sends, which are not delivered. */
export const tickAt = async (at: string | number | Date, bindings?: Bindings): Promise<Json[]> => {
  const box = outbox();
  const controller = createScheduledController({ scheduledTime: new Date(at).getTime() });
  await worker.scheduled(controller, bindings ?? box.bindings);
  if (areOnObjects) await tickInObjects(bindings ?? box.bindings, new Date(at));
  return box.sent;
};

/** Delivers jobs; returns the jobs that the consumer sends, which are not delivered. */
export const sentBy = async (jobs: Json[]): Promise<Json[]> => {
  const { sent, bindings } = outbox();
  await deliver(jobs, { bindings });
  return sent;
};

/** A subscription with a contract that is paused until a date. */
export const pausedUntil = async (shop: Shop, pause_until: string, more: object = {}): Promise<string> => {
  const id = await subscribe(shop, { next_delivery_date: "2035-01-01", ...more });
  await force(id, {
    status: "PAUSED",
    paused_at: "2026-01-01T00:00:00.000Z",
    pause_until,
    store_contract_id: aContract(),
  });
  return id;
};

/** The lines that the Worker logs meanwhile. */
export const logged = async (act: () => Promise<unknown>): Promise<Json[]> => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  await act().finally(() => spy.mockRestore());
  return lines.map((line) => JSON.parse(line));
};
