import { demoApiKey, demoId, demoPlanIds, demoShop } from "../src/base/demo.ts";

export type Asked = { method: string; path: string; headers: Record<string, string>; body?: string };
export type Case = {
  name: string;
  /** Which of its requests this is: writes are each about another subscription. */
  request: (nth: number, caller: Caller) => Asked;
  /** Leaves something written, so that no two requests are the same. */
  writes?: boolean;
  /** The ratio to a bare Worker that is not to be exceeded. */
  target?: number;
  cached?: boolean;
  /** A POST under an Idempotency-Key of its own. */
  keyed?: boolean;
};
export type Caller = { key: Record<string, string>; both: Record<string, string> };

/** `writes` is how many requests of each kind of write there may be. */
export function casesFor(writes: number): Case[] {
  return [
    { name: "portal look-up, cached", request: read(portalPath), cached: true, target: 1.15 },
    { name: "skip reasons", request: read(`${subscriptions}/skip-reasons`) },
    { name: "list of 25 subscriptions, with total", request: read(`${subscriptions}?limit=25`), target: 1 },
    {
      name: "get a subscription",
      request: read(`${subscriptions}/${demoId("subscription", 1)}`),
      target: 1.1,
    },
    {
      name: "activity, a day",
      request: read(`/api/activity-logs?start_date=${yesterday}&end_date=${yesterday}`, "both"),
      target: 1.05,
    },
    { name: "list of 25 orders", request: read(`${subscriptions}/orders?limit=25`, "both") },
    { name: "list of 25 profiles", request: read("/api/profiles?limit=25", "both") },
    { name: "create", request: write(() => subscriptions, newSubscription), writes: true, target: 1.3 },
    {
      name: "create, with Idempotency-Key",
      request: write(() => subscriptions, newSubscription, true),
      writes: true,
      keyed: true,
    },
    {
      name: "skip",
      request: write((nth) => `${subscriptions}/${billable(nth)}/skip`, {
        skip_weeks: 1,
        skip_reason_id: demoId("skip_reason", 1),
      }),
      writes: true,
      target: 1.25,
    },
    { name: "ship-now, the request", request: shipNow(writes), writes: true, target: 1.3 },
    { name: "ship-now, with Idempotency-Key", request: shipNow(2 * writes, true), writes: true, keyed: true },
  ];
}

const json = { "Content-Type": "application/json" };
const key = { "X-API-Key": demoApiKey };

/** The key of the demo store alone, for requests that need no token. */
export const keyOnly: Caller = { key, both: key };

/** Credentials of the demo store: its key, and a token of one of its staff. */
export async function callerOf(address: string): Promise<Caller> {
  const response = await fetch(`${address}/api/auth/token`, {
    method: "POST",
    headers: { ...key, ...json },
    body: JSON.stringify({ actor_type: "admin", name: "Bench", expires_in: 86_400 }),
  });
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
  const { access_token } = (await response.json()) as { access_token: string };
  return { key, both: { ...key, Authorization: `Bearer ${access_token}` } };
}

function read(path: string, needs: keyof Caller = "key"): Case["request"] {
  return (_, caller) => ({ method: "GET", path, headers: caller[needs] });
}

function write(pathOf: (nth: number) => string, body: object, keyed = false): Case["request"] {
  return (nth, caller) => ({
    method: "POST",
    path: pathOf(nth),
    headers: { ...caller.key, ...json, ...(keyed ? { "Idempotency-Key": crypto.randomUUID() } : {}) },
    body: JSON.stringify(body),
  });
}

/**
 * The nth subscription of the seed that may be skipped and billed: an active one that is not prepaid, by the seed's own rhythm of statuses
 * and plans. Each kind of write has its own, as a subscription that is being billed cannot be billed again.
 */
function billable(nth: number): string {
  const [round, place] = [Math.floor(nth / ofThirty.length), nth % ofThirty.length];
  return demoId("subscription", 60 + round * 30 + (ofThirty[place] ?? 0));
}
const ofThirty = Array.from({ length: 30 }, (_, n) => n + 1).filter(
  (n) => [0, 1, 4, 6, 8, 9].includes(n % 10) && n % 15 !== 0,
);

/** How many requests of a kind of write there may be, and how many subscriptions the database needs for them. */
export const mostWrites = 600;
export const subscriptionsForWrites = 60 + Math.ceil((3 * mostWrites) / ofThirty.length) * 30 + 30;

const subscriptions = "/api/subscriptions";

function shipNow(first: number, keyed = false) {
  return write((nth) => `${subscriptions}/${billable(first + nth)}/ship-now`, {}, keyed);
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
const yesterday = day(new Date(Date.now() - 86_400_000));

const newSubscription = {
  profile_id: demoId("profile", 1),
  store_payment_method_id: "pm_success",
  next_delivery_date: "2035-01-15",
  lines: [
    {
      store_product_id: "product-1",
      store_variant_id: "variant-1-large",
      product_title: "Beef and carrot, 1.5 kg",
      price: 19.95,
      quantity: 2,
      selling_plan_id: demoPlanIds.monthly,
    },
  ],
};

export const portalPath = `/api/public/portal/skip-reasons?shop=${demoShop}`;

/** The call of a tool, and the request over HTTP that it stands for. */
export const mcpCall: Case = {
  name: "MCP call of getSubscription",
  request: () => ({
    method: "POST",
    path: "/mcp",
    headers: { ...key, ...json, Accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "getSubscription", arguments: { id: demoId("subscription", 1) } },
    }),
  }),
};
