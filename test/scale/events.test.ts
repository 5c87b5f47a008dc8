/** The rows that the stream and its deliveries read do not grow with the account. */
import { createScheduledController } from "cloudflare:test";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import type { Job } from "../../src/base/job.ts";
import app from "../../src/worker.ts";
import type { RequestOptions } from "../support/client.ts";
import { type Case, doesNotGrow, readsOfJobs } from "../support/growth.ts";
import { type Json, openShop, type Shop } from "../support/shops.ts";
import { measured, type Read } from "../support/slow-database.ts";
import { linked, openWorker, type TestWorker } from "../support/worker.ts";

/** Every endpoint accepts what it is sent. */
beforeAll(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response());
});
afterAll(() => {
  vi.restoreAllMocks();
});

let shop: Shop;
let worker: TestWorker;
let subscription: string;
let endpoint: { id: string };
let event: string;

async function call(method: string, path: string, options: RequestOptions = {}): Promise<Json> {
  const answer = await worker.call<Json>(shop.api, method, path, options);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

async function opened() {
  shop = await openShop();
  worker = openWorker();
  subscription = await linked(shop, worker, { next_delivery_date: "2035-01-01" });
  const body = {
    url: "https://hooks.example.com/in",
    event_types: ["subscription.paused", "subscription.resumed"],
  };
  endpoint = (await call("POST", "/api/webhook-endpoints", { body })).data;
  for (let nth = 0; nth < 4; nth++) await change();
  await worker.drain();
  event = (await call("GET", "/api/events", { query: { types: "subscription.paused" } })).data[0].id;
  return shop.of;
}

async function change(): Promise<void> {
  await call("POST", `/api/subscriptions/${subscription}/pause`);
  await call("POST", `/api/subscriptions/${subscription}/resume`);
}

/** The reads of the database that a request makes. */
function asking(method: string, path: () => string, options: RequestOptions = {}) {
  return async (): Promise<Read[]> => {
    const { DB, reads } = measured();
    const metered = openWorker({ DB });
    const answer = await metered.call(shop.api, method, path(), options);
    expect(answer.status, answer.text).toBeLessThan(300);
    return reads;
  };
}

function events() {
  return "/api/events";
}

function deliveries() {
  return `/api/webhook-endpoints/${endpoint.id}/deliveries`;
}

const requests: Case[] = [
  { title: "a page of the stream", read: asking("GET", events), most: 100 },
  {
    title: "a page of a type",
    read: asking("GET", events, { query: { types: "billing.succeeded", limit: 2 } }),
  },
  {
    title: "a type of which there is little",
    read: asking("GET", events, { query: { types: "subscription.paused", limit: 2 } }),
  },
  {
    title: "a kind",
    read: asking("GET", events, { query: { types: "subscription.*,integration.*", limit: 2 } }),
    most: 200,
  },
  {
    title: "an integration's, of which there is none",
    read: asking("GET", events, { query: { types: "integration.*" } }),
  },
  { title: "one event", read: asking("GET", () => `/api/events/${event}`), most: 10 },
  { title: "the end of the stream", read: asking("GET", events, { query: { after: 999_999 } }) },
  { title: "deliveries", read: asking("GET", deliveries, { query: { limit: 2 } }) },
  { title: "deliveries of a status", read: asking("GET", deliveries, { query: { status: "FAILED" } }) },
  { title: "endpoints", read: asking("GET", () => "/api/webhook-endpoints") },
  {
    title: "a change, with its entry and its delivery",
    read: async () => {
      const { DB, reads } = measured();
      const metered = openWorker({ DB });
      for (const part of ["pause", "resume"])
        await metered.call(shop.api, "POST", `/api/subscriptions/${subscription}/${part}`);
      return reads;
    },
  },
];

const jobs: Case[] = [
  {
    title: "what is due to an endpoint",
    read: async () => {
      await change();
      const due = worker.sent().filter(({ type }) => type === "deliver_event");
      worker.forget();
      return readsOfJobs(worker, due.slice(0, 1));
    },
  },
  {
    title: "a page of a recovery",
    read: async () => {
      const since = new Date().toISOString();
      await change();
      await worker.drain();
      await call("POST", `/api/webhook-endpoints/${endpoint.id}/recover`, { body: { since } });
      const due: Job[] = worker.sent();
      worker.forget();
      return readsOfJobs(worker, due);
    },
  },
  {
    // With a hundred charges, of which it counts those of the last hour.
    title: "the tick that finds both",
    most: 270,
    read: async () => {
      await change();
      const body = { since: new Date().toISOString() };
      await call("POST", `/api/webhook-endpoints/${endpoint.id}/recover`, { body });
      worker.forget();
      const { DB, reads } = measured();
      const soon = createScheduledController({ scheduledTime: Date.now() + 1000 });
      await app.scheduled(soon, { ...worker.bindings, DB });
      const found = worker.sent().map(({ type }) => type);
      expect(found).toEqual(expect.arrayContaining(["deliver_event", "recover_events"]));
      return reads;
    },
  },
];

describe("what is read of the stream and of deliveries does not grow with the account", () => {
  doesNotGrow([...requests, ...jobs], opened, () => worker.drain());
});
