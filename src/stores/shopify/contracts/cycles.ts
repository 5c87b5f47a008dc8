import { z } from "zod";
import { gidOf } from "../../global-ids.ts";
import type { CycleSelector, StoreCycle } from "../../port/contracts.ts";
import { readCycle } from "../documents.ts";
import type { AskShopify } from "../request.ts";
import { instantIn, parseResponse } from "../responses.ts";

/** A billing cycle of a contract as Shopify counts them; undefined for one that it does not have. */
export async function findCycle(
  ask: AskShopify,
  contractId: number,
  selector: CycleSelector,
): Promise<StoreCycle | undefined> {
  const cycle = { contractId: gidOf("SubscriptionContract", String(contractId)), selector };
  const { subscriptionBillingCycle: found } = parseResponse(cycleSchema, await ask(readCycle, { cycle }));
  if (!found) return undefined;
  const { cycleIndex: index, skipped, cycleStartAt, cycleEndAt } = found;
  return { index, is_skipped: skipped, starts_at: instantIn(cycleStartAt), ends_at: instantIn(cycleEndAt) };
}

const cycleSchema = z.object({
  subscriptionBillingCycle: z
    .object({
      cycleIndex: z.int(),
      skipped: z.boolean(),
      cycleStartAt: z.string(),
      cycleEndAt: z.string(),
    })
    .nullable(),
});
