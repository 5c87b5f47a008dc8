import type { z } from "@hono/zod-openapi";
import type { Scope } from "../../base/accounts/scopes.ts";
import { invalid } from "../../base/errors.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { dateFrom, todayOf } from "../../kit/days.ts";
import { newJob, startJob } from "../merchant-jobs/start.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { Cause } from "./causes.ts";
import type { FileReading } from "./files/read-part.ts";
import type { MissingPlans } from "./missing-plans.ts";
import type { ImportCreate } from "./schemas.ts";

/** The request of an import, as its job keeps it. One of orders has no charge_from. */
export type ImportInput = FileReading & {
  source: string;
  charge_from: CalendarDate | null;
  past_due: "bill" | "pause";
  create_plans?: boolean | undefined;
};

/** The sums of an import so far. Amounts are in major units. */
export type ImportSummary = {
  rows: number;
  subscriptions: number;
  errors: number;
  /** Null where no row says what the other system charges. */
  differing: number | null;
  /** Living subscriptions whose rows do not say it. */
  not_compared?: number;
  /** Living subscriptions without a payment method; the sums of the next 35 days leave them out. */
  without_card?: { subscriptions: number; charges: number; amount_here: number };
  /** Living subscriptions without a complete delivery address. */
  without_address?: number;
  /** Living subscriptions whose province the connected store does not know. */
  unknown_provinces?: number;
  /** The faults of rows by their cause. */
  faults?: Cause[];
  /** Traces of mistakes in rows that can be moved in. */
  warnings?: Cause[];
  /** Selling plans that rows need and the account lacks, or is to get by the writing. */
  missing_plans?: MissingPlans;
  currency_code: string;
  next_35_days: { charges: number; amount_here: number; amount_there: number | null };
};

/** Begins an import, whose parts are then put. Throws VALIDATION_FAILED for a charge_from before tomorrow. */
export async function createImport(
  ctx: Ctx,
  request: z.output<typeof ImportCreate>,
  dryRun: boolean,
): Promise<MerchantJob> {
  const job = newImport(ctx, inputOf(ctx, request));
  if (!dryRun) await startJob(ctx, job);
  return job;
}

function inputOf(ctx: Ctx, request: z.output<typeof ImportCreate>): ImportInput {
  const { source, format, mapping: columnsOf = {}, defaults = {}, past_due, create_plans } = request;
  const mapping = definedFields(columnsOf) as FileReading["mapping"];
  const texts = Object.entries(defaults).map(([field, value]) => [field, String(value)]);
  const columns = Object.values(mapping);
  const repeated = columns.find((column, nth) => columns.indexOf(column) !== nth);
  if (repeated !== undefined)
    throw invalid([{ path: "mapping", message: "names one column for two fields" }]);
  return {
    ...{ source, format, past_due, create_plans, mapping },
    defaults: Object.fromEntries(texts),
    charge_from: chargeFrom(ctx, request),
  };
}

function chargeFrom(ctx: Ctx, { charge_from, format }: z.output<typeof ImportCreate>): CalendarDate | null {
  if (charge_from !== undefined) return dateFrom(ctx, charge_from, addDays(todayOf(ctx), 1), "charge_from");
  if (format === "orders") return null;
  throw invalid([{ path: "charge_from", message: "is required" }]);
}

function newImport(ctx: Ctx, input: ImportInput): MerchantJob {
  return newJob(ctx, {
    kind: "IMPORT",
    input,
    progress: {},
    summary: emptySummary(ctx, 0),
    total: 0,
    scopes: scopesOf(input),
    status: "STAGING",
    isStagedByHand: true,
  });
}

/** The scopes that an import needs besides jobs:write. */
export function scopesOf({ format, create_plans }: Pick<ImportInput, "format" | "create_plans">): Scope[] {
  return [
    "subscriptions:write",
    "profiles:write",
    ...(format === "orders" ? (["orders:write"] as const) : []),
    ...(create_plans ? (["plans:write"] as const) : []),
  ];
}

export function emptySummary({ account }: Ctx, rows: number): ImportSummary {
  return {
    ...{ rows, subscriptions: 0, errors: 0, differing: null, currency_code: account.currency_code },
    next_35_days: { charges: 0, amount_here: 0, amount_there: null },
  };
}
