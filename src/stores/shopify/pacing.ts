import { secondMs } from "../../base/lib/time/durations.ts";
import { StoreThrottledError } from "../port.ts";

/** The state of a shop's bucket of points in an answer, and the points that the query has cost. */
type QueryCost = {
  requestedQueryCost: number;
  throttleStatus?: ThrottleStatus | undefined;
};
type ThrottleStatus = { currentlyAvailable: number; maximumAvailable: number; restoreRate: number };

/**
 * Sends a query once its shop's bucket holds the points that it costs: Shopify would refuse it before, and a refusal leads to the
 * whole job being done again. The points in the bucket follow from the last answer, the time since then and the queries under
 * way. Nobody else waits meanwhile; a query that would wait for longer is not sent, and throws StoreThrottledError with the time
 * that it needs.
 */
export async function sendPaced<T>(shop: string, query: string, send: () => Promise<T>): Promise<T> {
  const bucket = buckets.get(shop);
  const cost = costs.get(query) ?? 0;
  if (!bucket) return send();
  const seconds = secondsUntil(bucket, cost);
  if (seconds > longestWaitSeconds)
    throw new StoreThrottledError("The shop's points are used up", Math.ceil(seconds));
  bucket.underWay += cost;
  try {
    if (seconds > 0) await new Promise((resolve) => setTimeout(resolve, seconds * secondMs));
    return await send();
  } finally {
    bucket.underWay -= cost;
  }
}

/** Notes what an answer says of its shop's points. Each isolate knows what it has heard itself, which each answer sets right. */
export function noteCost(
  shop: string,
  query: string,
  { requestedQueryCost, throttleStatus }: QueryCost,
): void {
  if (requestedQueryCost > 0) costs.set(query, requestedQueryCost);
  if (!throttleStatus) return;
  const { currentlyAvailable: points, maximumAvailable: maximum, restoreRate } = throttleStatus;
  if (buckets.size >= mostShops) buckets.clear();
  const known = buckets.get(shop);
  const heard = { points, maximum, restoreRate, heardAt: Date.now() };
  if (known) Object.assign(known, heard);
  else buckets.set(shop, { ...heard, underWay: 0 });
}

/** The points of a shop when they were heard of, and what the queries that wait or are under way cost. */
type Bucket = { points: number; maximum: number; restoreRate: number; heardAt: number; underWay: number };

const buckets = new Map<string, Bucket>();
/** The points that each of the adapter's documents cost last. */
const costs = new Map<string, number>();

const mostShops = 1000;
/** A charge asks several times, and all of it has to be over well within the lease of its claim. */
const longestWaitSeconds = 3;

function secondsUntil({ points, maximum, restoreRate, heardAt, underWay }: Bucket, cost: number): number {
  const restored = (restoreRate * Math.max(0, Date.now() - heardAt)) / secondMs;
  const available = Math.min(maximum, points + restored) - underWay;
  return Math.max(0, (cost - available) / restoreRate);
}
