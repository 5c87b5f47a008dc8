import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, vi } from "vitest";
import { forgetAccount } from "../../src/base/accounts/queries.ts";
import type { Bindings } from "../../src/base/env.ts";
import type { Job } from "../../src/base/job.ts";
import worker from "../../src/worker.ts";
import { type Answer, api, type Caller, deployment, type RequestOptions } from "./client.ts";
import { execute, select } from "./database.ts";
import { sharedWithObjects, tickInObjects } from "./objects.ts";
import { type Json, on, openShop, type Shop } from "./shops.ts";
import { staff, type Tenant } from "./tenant.ts";

type Sent = { body: Job; delaySeconds: number };

/**
 * The Worker with its queues in the test's hands: messages of both wait until `drain` delivers them, batch by batch, with the messages
 * that these send in turn. `soon` delivers delayed messages too; otherwise they stay for later.
 */
export function openWorker(overrides: Partial<Bindings> = {}, account?: string) {
  let waiting: Sent[] = [];
  const queue = {
    sendBatch: async (messages: Iterable<Sent>) => void waiting.push(...messages),
  } as unknown as Queue<unknown>;
  const bindings: Bindings = { ...env, JOBS: queue, EVENTS: queue, ...overrides };

  const deliverAll = async (sent: Sent[]): Promise<void> => {
    const messages = sent.map(({ body }, nth) => ({
      id: `m${nth}`,
      timestamp: new Date(),
      attempts: 1,
      body,
    }));
    for (let at = 0; at < messages.length; at += batchSize) {
      const batch = createMessageBatch("perennial-jobs", messages.slice(at, at + batchSize));
      await worker.queue(batch, sharedWithObjects(bindings));
      const { retryMessages } = await getQueueResult(batch, createExecutionContext());
      if (retryMessages.length > 0) throw new Error(`retried: ${JSON.stringify(retryMessages)}`);
    }
  };

  /** Delivers the messages that wait, and those that they send, until there are none. */
  const drain = async ({ soon = true } = {}): Promise<void> => {
    for (let turn = 0; ; turn++) {
      const due = waiting.filter(({ delaySeconds }) => soon || delaySeconds === 0);
      if (due.length === 0) return;
      if (turn === maxTurns) throw new Error(`does not end: ${JSON.stringify(due)}`);
      waiting = waiting.filter((message) => !due.includes(message));
      await deliverAll(due);
    }
  };

  /**
   * One call by cron, and the messages that it sends, of `account` alone if that is given: those of earlier tests have work to do for
   * weeks, and their stores are gone. The nightly comparison with the stores is left out unless a test is about it.
   */
  const tick = async (
    at: number | string | Date = Date.now(),
    { reconciles = false } = {},
  ): Promise<void> => {
    await worker.scheduled(createScheduledController({ scheduledTime: new Date(at).getTime() }), bindings);
    await tickInObjects(bindings, new Date(at));
    if (!reconciles) waiting = waiting.filter(({ body }) => body.type !== "reconcile");
    if (account) waiting = waiting.filter(({ body }) => body.account_id === account);
    await drain();
  };

  return {
    bindings,
    call: deployment(bindings),
    drain,
    tick,
    /** The messages that wait, oldest first. */
    sent: (): Job[] => waiting.map(({ body }) => body),
    forget: (): void => {
      waiting = [];
    },
  };
}

/** The Worker for all tests of a file, with its queue in their hands. After each test real time runs again. */
export function useWorker(): TestWorker {
  afterEach(() => {
    vi.useRealTimers();
  });
  return openWorker();
}

/** A shop with a customer for all tests of a file, and the Worker. The shop can be read from within tests only. */
export function useShop(options: Parameters<typeof openShop>[0] = {}): { shop: Shop; worker: TestWorker } {
  const shop = {} as Shop;
  beforeAll(async () => {
    Object.assign(shop, await openShop(options));
  });
  return { shop, worker: useWorker() };
}

/** A subscription with a contract at its store. */
export async function linked(shop: Shop, { call, drain }: TestWorker, more: object = {}): Promise<string> {
  const body = {
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: (await clockOf(shop)).slice(0, 10),
    lines: [
      {
        store_product_id: "product-1",
        store_variant_id: "variant-1",
        product_title: "Kibble",
        selling_plan_id: shop.plan,
        price: 10,
        quantity: 1,
      },
    ],
    ...more,
  };
  const [id] = must(await call(shop.api, "POST", "/api/subscriptions", { body })).ids;
  await drain();
  return id;
}

/** The account's own time. */
export async function clockOf(shop: Shop): Promise<string> {
  return must(await api(shop.api, "GET", "/api/account/test-clock")).data.now;
}

/** Starts the account's own time at an instant, past or future. */
export async function startClock({ of }: Shop, instant: string): Promise<void> {
  await execute("UPDATE accounts SET clock_at = ? WHERE id = ?", instant, of.account.id);
  forgetAccount(of.account.id);
}

/** Moves the account's time by so many days, and does all that falls due on the way. */
export async function advance(shop: Shop, { call, drain }: TestWorker, days: number): Promise<string> {
  const now = await clockOf(shop);
  const advance_to = new Date(Date.parse(now) + days * 86_400_000).toISOString();
  must(await call(shop.api, "POST", "/api/account/test-clock", { body: { advance_to } }));
  await drain();
  const then = must(await api(shop.api, "GET", "/api/account/test-clock")).data;
  if (then.advancing || then.now !== advance_to) throw new Error(`the clock is at ${JSON.stringify(then)}`);
  return then.now;
}

/** Attempts, newest first, over HTTP. */
export async function attemptsOf(shop: Shop, id: string): Promise<Json[]> {
  return must(await api(shop.api, "GET", on(id, "billing-attempts"), { query: { limit: 100 } })).data;
}

export async function episodesOf(shop: Shop, id: string): Promise<Json[]> {
  return must(await api(shop.api, "GET", on(id, "dunning-episodes"), { query: { limit: 100 } })).data;
}

/** A member of staff by a token that is valid now, whatever the clock has been set to; one serves for some minutes. */
async function adminOf({ of }: Shop): Promise<Caller> {
  const known = admins.get(of);
  const age = Date.now() - (known?.atMs ?? 0);
  if (known && age >= 0 && age < 600_000) return known.admin;
  const made = { atMs: Date.now(), admin: await staff(of, "Ada Admin") };
  admins.set(of, made);
  return made.admin;
}

const admins = new WeakMap<Tenant, { atMs: number; admin: Caller }>();

/** Orders of a subscription, newest first, over HTTP. */
export async function ordersOf(shop: Shop, subscription_id: string): Promise<Json[]> {
  const admin = await adminOf(shop);
  const list = (page: number) =>
    api(admin, "GET", "/api/subscriptions/orders", { query: { subscription_id, limit: 100, page } });
  const first = must(await list(1));
  const orders: Json[] = first.data;
  for (let page = 2; page <= first.meta.last_page; page++) orders.push(...must(await list(page)).data);
  return orders;
}

/** The dates and totals of a subscription's orders, oldest first. */
export async function deliveriesOf(shop: Shop, id: string): Promise<[string, number][]> {
  return (await ordersOf(shop, id))
    .map((order): [string, number] => [order.delivery_date, order.total])
    .reverse();
}

/** ship-now over HTTP, its message waiting. */
export function shipNow(
  shop: Shop,
  { call }: TestWorker,
  id: string,
  body?: object,
  options: RequestOptions = {},
): Promise<Answer<Json>> {
  return call(shop.api, "POST", on(id, "ship-now"), { ...options, ...(body === undefined ? {} : { body }) });
}

/** Sets the clock of the whole Worker, which then stands still until `vi.useRealTimers()`. */
export function setClock(at: string | number): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(new Date(at));
}

/** Lets real time pass, and calls cron. */
export async function later({ tick }: TestWorker, seconds: number): Promise<void> {
  setClock(Date.now() + seconds * 1000);
  await tick();
}

/** The charges that the sandbox store has made for a subscription: its ledger's amounts, in minor units. */
export function chargesOf(id: string): Promise<{ amount: number; state: string }[]> {
  return select(
    `SELECT c.amount, c.state FROM sandbox_charges AS c JOIN billing_attempts AS a ON a.store_key = c.idempotency_key
      AND a.status <> 'CANCELLED' WHERE a.subscription_id = ? ORDER BY c.charge_number`,
    id,
  );
}

/** As in wrangler.toml. */
const batchSize = 10;

/** One request and its consequences must be done within this many turns of the queue. */
const maxTurns = 50;

export type TestWorker = ReturnType<typeof openWorker>;

function must(answer: { status: number; text: string; body: Json }): Json {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}
