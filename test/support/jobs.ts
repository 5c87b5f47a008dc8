import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { Bindings } from "../../src/base/env.ts";
import worker from "../../src/worker.ts";
import { areOnObjects, tickInObjects } from "./objects.ts";
import { aContract, deliver, force, type Json, outbox, type Shop, subscribe } from "./shops.ts";
import { interrupted } from "./slow-database.ts";

/** The messages of jobs, as the queue holds them. */
export function syncContract(account_id: string, subscription_id: string) {
  return {
    type: "sync_contract",
    account_id,
    subscription_id,
  };
}

export function findDue(shop: Shop) {
  return {
    type: "find_due",
    account_id: shop.of.account.id,
    kind: "schedule",
  };
}

export function processDue(shop: Shop, ...subscription_ids: string[]) {
  return {
    type: "process_due",
    account_id: shop.of.account.id,
    subscription_ids,
  };
}

/** A deployment whose database fails every statement. */
export function withoutDatabase(message = "Network connection lost"): Bindings {
  return {
    ...env,
    DB: interrupted(/./, { before: () => Promise.reject(new Error(message)) }),
  };
}

/** Calls cron at an instant; returns the jobs that it sends, which are not delivered. */
export async function tickAt(at: string | number | Date, bindings?: Bindings): Promise<Json[]> {
  const box = outbox();
  const controller = createScheduledController({ scheduledTime: new Date(at).getTime() });
  await worker.scheduled(controller, bindings ?? box.bindings);
  if (areOnObjects) await tickInObjects(bindings ?? box.bindings, new Date(at));
  return box.sent;
}

/** Delivers jobs; returns the jobs that the consumer sends, which are not delivered. */
export async function sentBy(jobs: Json[]): Promise<Json[]> {
  const { sent, bindings } = outbox();
  await deliver(jobs, { bindings });
  return sent;
}

/** A subscription with a contract that is paused until a date. */
export async function pausedUntil(shop: Shop, pause_until: string, more: object = {}): Promise<string> {
  const id = await subscribe(shop, { next_delivery_date: "2035-01-01", ...more });
  await force(id, {
    status: "PAUSED",
    paused_at: "2026-01-01T00:00:00.000Z",
    pause_until,
    store_contract_id: aContract(),
  });
  return id;
}

/** The lines that the Worker logs meanwhile, without their level, which follows from the rest (test/tools/log-lines.test.ts). */
export async function logged(act: () => Promise<unknown>): Promise<Json[]> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  await act().finally(() => spy.mockRestore());
  return lines.map((line) => {
    const { level: _, ...rest } = JSON.parse(line);
    return rest;
  });
}
