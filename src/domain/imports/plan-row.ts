import { type ErrorDetail, invalid } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { ImportInput } from "./create.ts";
import { type PlannedSubscription, planSubscription } from "./plan-subscription.ts";
import { readLines, readSurroundings, readTaken, type Taken } from "./queries.ts";

/** The subscription that a row is to become by now, or the id of the one that is here already. Throws VALIDATION_FAILED with its faults. */
export async function planRow(
  ctx: Ctx,
  job: MerchantJob,
  key: string,
): Promise<{ here: string } | { planned: PlannedSubscription }> {
  const input: ImportInput = JSON.parse(job.input);
  const taken = await readTaken(ctx, { source: input.source, refs: [key], kind: "subscription" });
  const here = taken.imported.get(key) ?? (taken.own.has(key) ? key : undefined);
  if (here !== undefined) return { here };
  const lines = (await readLines(ctx, job.id, [key])).get(key) ?? [];
  const known = planSubscription(key, lines, await readSurroundings(ctx, input));
  if ("faults" in known) throw invalid(known.faults);
  const fault = takenFault(key, taken, known.planned);
  if (fault) throw invalid([fault]);
  return known;
}

/** A living subscription that was not moved in from this source has the ref: the two would be charged side by side. */
export function takenFault(
  ref: string,
  { holders }: Pick<Taken, "holders">,
  { row }: PlannedSubscription,
): ErrorDetail | undefined {
  const holder = row.status === "CANCELLED" ? undefined : holders.get(ref);
  return holder === undefined
    ? undefined
    : { path: "subscription_ref", message: `is that of the living subscription ${holder}` };
}
