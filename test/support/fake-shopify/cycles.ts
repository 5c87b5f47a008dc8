import type { Contract, Policy, UserError } from "./records.ts";

export type CycleSelector = { index?: number | null; date?: string | null };

/** The edits of one cycle's schedule. */
export type CycleEdit = { billingDate?: string | null; skip?: boolean | null };

/** The selected cycle, else the current one. */
export function selectedCycle(
  contract: Contract,
  selector: CycleSelector | null | undefined,
  now: string,
): number | UserError {
  const { index, date } = selector ?? {};
  if (index != null && date != null) return { code: "INVALID", field, message: "Select by index or by date" };
  if (date != null && Date.parse(date) < Date.parse(contract.createdAt))
    return { code: "CYCLE_START_DATE_OUT_OF_RANGE", field, message: "Billing cycle is outside of range" };
  const found = index ?? cycleAt(contract, Date.parse(date ?? now));
  return found >= 1
    ? found
    : { code: "CYCLE_INDEX_OUT_OF_RANGE", field, message: "Billing cycle is outside of index range" };
}

/** Why a cycle cannot be billed now: it is skipped, or its date is more than a day ahead. */
export function cycleError(
  contract: Contract,
  index: number,
  now: string,
  maySoon: boolean,
): UserError | undefined {
  const { skipped, billingDate } = scheduleOf(contract, index);
  if (skipped) return { code: "BILLING_CYCLE_SKIPPED", field, message: "Billing cycle must not be skipped" };
  return maySoon || Date.parse(now) >= billingDate - dayMs
    ? undefined
    : {
        code: "BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE",
        field,
        message: "Billing cycle charge attempt made more than 24 hours before the expected date",
      };
}

const dayMs = 86_400_000;

/** A month without the day has its last day instead. */
function plusMonths(start: Date, months: number): Date {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(start);
  moved.setUTCFullYear(year, month, Math.min(start.getUTCDate(), lastDay));
  return moved;
}

function after(start: string, { interval, intervalCount }: Policy, times: number): number {
  const count = intervalCount * times;
  if (interval === "DAY" || interval === "WEEK")
    return Date.parse(start) + count * dayMs * (interval === "WEEK" ? 7 : 1);
  return plusMonths(new Date(start), count * (interval === "YEAR" ? 12 : 1)).getTime();
}

/**
 * When the n-th cycle (from 1) is due. Cycles are counted from the contract's creation, whatever its nextBillingDate says, and
 * are due when they end, unless their schedule was edited.
 */
function scheduleOf(contract: Contract, index: number): { billingDate: number; skipped: boolean } {
  const { billingDate, skip } = contract.cycleEdits.get(index) ?? {};
  return {
    billingDate: billingDate
      ? Date.parse(billingDate)
      : after(contract.createdAt, contract.billingPolicy, index),
    skipped: skip ?? false,
  };
}

/** A cycle as the schema's object. It begins where the one before it ends. */
export function cycleNode(contract: Contract, index: number) {
  const { billingDate, skipped } = scheduleOf(contract, index);
  const { createdAt, billingPolicy } = contract;
  const instantOf = (time: number) => new Date(time).toISOString();
  return {
    cycleIndex: index,
    cycleStartAt: instantOf(after(createdAt, billingPolicy, index - 1)),
    cycleEndAt: instantOf(after(createdAt, billingPolicy, index)),
    billingAttemptExpectedDate: instantOf(billingDate),
    skipped,
  };
}

function cycleAt(contract: Contract, time: number): number {
  let index = 1;
  while (after(contract.createdAt, contract.billingPolicy, index) <= time) index += 1;
  return index;
}

const field = ["subscriptionBillingAttemptInput", "billingCycleSelector"];
