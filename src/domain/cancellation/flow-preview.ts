import type { z } from "@hono/zod-openapi";
import { rows } from "../../base/db/statement.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { selectCancelledSince } from "./flow-queries.ts";
import type { FlowChanged } from "./flow-schemas.ts";
import { isMeantFor, type Leaving, type Offer, offersOf } from "./offers.ts";
import type { CancellationFlow } from "./tables.ts";

const lookBackMs = 90 * dayMs;
const looksAtMost = 5_000;

type Preview = Exclude<z.input<typeof FlowChanged>["data"], { offers: unknown }>;

/**
 * For how many of the last cancellations a flow would have shown an offer, had it been on. What the state of each subscription forbade at that
 * time nobody knows any more, so that it counts as allowed.
 */
export async function previewFlow(ctx: Ctx, flow: CancellationFlow): Promise<Preview> {
  const offers = offersOf(flow);
  const counts = new Map(offers.map(({ id }) => [id, 0]));
  const since = new Date(Date.parse(ctx.now) - lookBackMs).toISOString();
  const cancelled = await rows(ctx.db, selectCancelledSince(ctx, since, looksAtMost));
  let offered = 0;
  for (const { reason_id, cycle, deliveries, lines } of cancelled) {
    const billed = { cyclesBilled: cycle - 1, deliveriesPerBilling: deliveries };
    const leaving = { reasonId: reason_id, ...billed, lines: linesIn(lines) };
    const shown = shownOf(flow, offers, leaving);
    if (shown.length > 0) offered++;
    for (const { id } of shown) counts.set(id, counts.get(id)! + 1);
  }
  return {
    would_have_been_offered: offered,
    of: cancelled.length,
    by_offer: offers.map(({ id, kind }) => ({ id, kind, count: counts.get(id)! })),
  };
}

function shownOf({ show_at_most }: CancellationFlow, offers: Offer[], leaving: Leaving): Offer[] {
  return offers.filter((offer) => isMeantFor(offer, leaving)).slice(0, show_at_most);
}

function linesIn(json: string): Leaving["lines"] {
  const pairs: [string, string][] = JSON.parse(json);
  return pairs.map(([selling_plan_id, store_variant_id]) => ({
    selling_plan_id,
    store_variant_id,
    is_one_time: false,
  }));
}
