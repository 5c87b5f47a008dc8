import { bulkJobs } from "../bulk/bulk-jobs.ts";
import { testClock } from "../clocks/test-clock.ts";
import { closedDays } from "../closed-days/closed-days.ts";
import { declarations } from "../declarations/declarations.ts";
import { disputes } from "../disputes/disputes.ts";
import { imports } from "../imports/imports.ts";
import type { Part, World } from "../kernel/world.ts";
import { leaving } from "../leaving/leaving.ts";
import { planPushes } from "../plans/plan-pushes.ts";
import { poison } from "../poison/poison.ts";
import { signIns } from "../portal/sign-ins.ts";
import { refunds } from "../refunds/refunds.ts";
import { removal } from "../removals/removal.ts";
import { shopifyOf } from "../stores/shopify/opened.ts";
import { stripeOf } from "../stores/stripe/opened.ts";
import { undo } from "../undo/undo.ts";
import type { BesideBilling } from "./names.ts";

/** Opens what goes on beside the schedule's billing. */
export async function openBeside(world: World, name: BesideBilling): Promise<Part | undefined> {
  const [shopify, stripe] = [shopifyOf(world), stripeOf(world)];
  if (name === "plans") return shopify && planPushes(world, shopify);
  if (name === "days") return closedDays(world);
  if (name === "imports") return imports(world);
  if (name === "bulk") return bulkJobs(world);
  if (name === "declarations") return declarations(world);
  if (name === "leaving") return leaving(world);
  if (name === "disputes") return stripe && disputes(world, stripe);
  if (name === "poison") return poison(world);
  if (name === "undo") return undo(world);
  if (name === "refunds") return refunds(world);
  if (name === "removal") return world.database.engine === "d1" ? removal(world) : undefined;
  return name === "links" ? signIns(world) : testClock(world);
}
