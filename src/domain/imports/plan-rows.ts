import type { ErrorDetail } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { Profile } from "../profiles/tables.ts";
import { isOver } from "../subscriptions/lifecycle.ts";
import type { ImportInput } from "./create.ts";
import { profileIn, readCustomers } from "./customers.ts";
import { type PlannedSubscription, planSubscription, type Unplanned } from "./plan-subscription.ts";
import type { Surroundings } from "./planned/surroundings.ts";
import { readLines, readSurroundings, readTaken, type Taken } from "./queries.ts";

/**
 * The plan for a row: nothing, as a subscription of this id is here already, which is taken over from an import that has left it held; a
 * subscription of this customer; or nothing for these faults, of which those of what is here are found once it is planned.
 */
export type RowPlan =
  | { here: string; leftBy: string | undefined }
  | { planned: PlannedSubscription; profile: Profile | undefined }
  | (Unplanned & { planned?: PlannedSubscription });

type Plans = { around: Surroundings; plans: Map<string, RowPlan> };

/** Plans rows by what is here by now. All that they need is read together, however many they are. */
export async function planRows(ctx: Ctx, job: MerchantJob, refs: string[]): Promise<Plans> {
  const input: ImportInput = JSON.parse(job.input);
  const taken = await readTaken(ctx, { source: input.source, refs, kind: "subscription" });
  const lines = await readLines(ctx, job.id, refs);
  const around = await readSurroundings(ctx, input);
  const made = refs.map((ref) => {
    const here = taken.imported.get(ref) ?? (taken.own.has(ref) ? ref : undefined);
    return [
      ref,
      here === undefined
        ? planSubscription(ref, lines.get(ref) ?? [], around)
        : { here, leftBy: taken.leftBy.get(ref) },
    ] as const;
  });
  const planned = made.flatMap(([, plan]) => ("planned" in plan ? [plan.planned] : []));
  const customers = await readCustomers(
    ctx,
    planned.map(({ customer }) => customer),
  );
  const plans = made.map(([ref, plan]): [string, RowPlan] => {
    if (!("planned" in plan)) return [ref, plan];
    const fault = takenFault(ref, taken, plan.planned);
    const found = fault ? { fault } : profileIn(customers, plan.planned.customer);
    return [ref, "fault" in found ? { ...plan, faults: [found.fault] } : { ...plan, ...found }];
  });
  return { around, plans: new Map(plans) };
}

/** The plan of one row. */
export async function planRow(ctx: Ctx, job: MerchantJob, ref: string): Promise<RowPlan> {
  const { plans } = await planRows(ctx, job, [ref]);
  return plans.get(ref)!;
}

/** A living subscription that was not moved in from this source has the ref: the two would be charged side by side. */
function takenFault(
  ref: string,
  { holders }: Pick<Taken, "holders">,
  { row }: PlannedSubscription,
): ErrorDetail | undefined {
  const holder = isOver(row) ? undefined : holders.get(ref);
  return holder === undefined
    ? undefined
    : { path: "subscription_ref", message: `is that of the living subscription ${holder}` };
}
