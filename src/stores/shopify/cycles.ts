import { z } from "zod";
import { gidOf } from "../global-ids.ts";
import type { StoreCycle } from "../port.ts";
import { readCycle } from "./documents.ts";
import type { Ask } from "./request.ts";
import { instantIn, parseResponse } from "./responses.ts";

/** A billing cycle of a contract as Shopify counts them; undefined for one that it does not have. */
export async function findCycle(
  ask: Ask,
  contractId: number,
  index: number,
): Promise<StoreCycle | undefined> {
  const cycle = { contractId: gidOf("SubscriptionContract", String(contractId)), selector: { index } };
  const { subscriptionBillingCycle: found } = parseResponse(cycleSchema, await ask(readCycle, { cycle }));
  if (!found) return undefined;
  const { skipped, cycleStartAt, cycleEndAt } = found;
  return { index, is_skipped: skipped, starts_at: instantIn(cycleStartAt), ends_at: instantIn(cycleEndAt) };
}

const cycleSchema = z.object({
  subscriptionBillingCycle: z
    .object({ skipped: z.boolean(), cycleStartAt: z.string(), cycleEndAt: z.string() })
    .nullable(),
});
