import type { Log } from "../../base/lib/log.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { ttlCache } from "../../base/lib/ttl-cache.ts";
import { apiVersion } from "./client.ts";

/**
 * Notes the version by which Shopify has answered. It answers by the oldest one that it supports where the one that is asked for is no
 * more, so that a document may mean something else: https://shopify.dev/docs/api/usage/versioning
 */
export function alertOfVersion(shop: string, nowMs: number, log: Log): (answered: string) => void {
  return (answered) => {
    const key = `${shop} ${answered}`;
    if (answered === apiVersion || alerted.get(key, nowMs)) return;
    alerted.set(key, true, nowMs);
    log("store_api_version", { alert: true, shop, asked: apiVersion, answered });
  };
}

/** Every request is answered so: there is an alert an hour for each shop and version. */
const alerted = ttlCache<true>(hourMs, 1000);
