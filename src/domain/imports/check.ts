import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { raw, rows } from "../../base/db/statement.ts";
import type { ErrorDetail } from "../../base/errors.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { isOutage } from "../../kit/on-its-own.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import type { JobPage } from "../merchant-jobs/work.ts";
import { isProvinceRefused } from "../profiles/province.ts";
import type { Profile } from "../profiles/tables.ts";
import { profileAddress } from "../subscriptions/address/address.ts";
import { isComplete } from "../subscriptions/address/complete-address.ts";
import { isOver } from "../subscriptions/lifecycle.ts";
import { deliveryAddressOf } from "../subscriptions/row-codec.ts";
import { emailOf, type RowPlace } from "./causes.ts";
import { checkEach } from "./check-each.ts";
import { addTo, type Checked, chargesWithin, nothingDue, type PlacedRow } from "./check-summary.ts";
import { emptySummary, type ImportInput, type ImportSummary } from "./create.ts";
import { planOrders } from "./orders.ts";
import { paymentFault } from "./payment.ts";
import { planRows, type RowPlan } from "./plan-rows.ts";
import type { PlannedSubscription } from "./plan-subscription.ts";
import type { Surroundings } from "./planned/surroundings.ts";
import {
  type LinePlace,
  linesOfPage,
  type NextLine,
  readLines,
  readNextLines,
  readTaken,
} from "./queries.ts";
import { remoteFault } from "./remote-methods.ts";
import { linesOfRow } from "./tables.ts";
import { warningsOf, warnOfTotals } from "./warnings.ts";

/** The progress of a check: the last line that it has looked at, and the number of its last row. */
type CheckProgress = LinePlace & { n: number; isThrough?: true };

type CheckedRow = JobPage["rows"][number];

/**
 * Checks a page of an import: for each subscription a row that says what would be made of it, or what is wrong with it. Rows of an earlier
 * check are deleted first.
 */
export async function checkPage(ctx: Ctx, job: MerchantJob): Promise<JobPage> {
  const progress: Partial<CheckProgress> = JSON.parse(job.progress);
  const input: ImportInput = JSON.parse(job.input);
  if (progress.n === undefined && (await hasRows(ctx, job))) return clearPage(ctx, job);
  if (progress.isThrough) return warnOfTotals(ctx, job);
  const from: CheckProgress = { part: 0, line: 0, n: 0, ...progress };
  const { refs, last, isLast } = takeRefs(await readNextLines(ctx, job.id, from), from);
  const names = refs.map(({ ref }) => ref);
  const check = input.format === "orders" ? checkOrders : checkAll;
  const checked = await checkEach(ctx, job, names, { check, failed, before: from.n });
  const placed = checked.map((row, nth) => ({ ...row, place: placeOf(refs[nth]!) }));
  const listed = placed.map((row, nth): CheckedRow => ({ ...storedWithPlace(row), n: from.n + nth + 1 }));
  const n = from.n + listed.length;
  const isCut = checked.length < refs.length;
  const place = isCut ? placeBefore(refs[checked.length]!) : last;
  return {
    rows: listed,
    writes: guardNamed(ctx, job, placed),
    progress:
      isLast && !isCut ? (input.format === "orders" ? null : { n, isThrough: true }) : { ...place, n },
    total: n,
    summary: addTo(JSON.parse(job.summary), placed, n),
  };
}

function placeOf({ part, n, customer }: NextLine): RowPlace {
  return { part, line: Math.floor(n / linesOfRow), email: emailOf(customer) };
}

/** The e-mail address is not kept with the row, but read of its lines, which are erased with their customer. */
function storedWithPlace({ stored, place: { part, line } }: PlacedRow): PlacedRow["stored"] {
  return { ...stored, summary: JSON.stringify({ part, line, ...JSON.parse(stored.summary) }) };
}

/** Fails the batch where lines of customers whom the summary names have been erased since they were read. */
function guardNamed({ account }: Ctx, { id }: MerchantJob, placed: PlacedRow[]): Statement[] {
  const refs = placed.flatMap(({ stored, warnings = [] }) =>
    stored.status === "FAILED" || warnings.length > 0 ? [stored.key] : [],
  );
  if (refs.length === 0) return [];
  return [
    guard(
      `EXISTS (SELECT 1 FROM json_each(?3) AS named WHERE NOT EXISTS
        (SELECT 1 FROM import_lines WHERE account_seq = ?1 AND job_id = ?2 AND ref = named.value))`,
      [account.seq, id, JSON.stringify(refs)],
    ),
  ];
}

async function hasRows({ db, account }: Ctx, { id }: MerchantJob): Promise<boolean> {
  const found = await rows(
    db,
    raw("SELECT 1 FROM job_rows WHERE account_seq = ? AND job_id = ? LIMIT 1", account.seq, id),
  );
  return found.length > 0;
}

/** Deletes a page of the rows of an earlier check, and counts anew. */
function clearPage(ctx: Ctx, job: MerchantJob): JobPage {
  const { rows: read }: ImportSummary = JSON.parse(job.summary);
  return {
    rows: [],
    writes: [
      raw(
        `DELETE FROM job_rows WHERE rowid IN (SELECT rowid FROM job_rows WHERE account_seq = ? AND job_id = ? LIMIT 2000)`,
        ...[ctx.account.seq, job.id],
      ),
      raw(
        "UPDATE jobs SET done = 0, failed = 0, skipped = 0, undone = 0 WHERE account_seq = ? AND id = ?",
        ...[ctx.account.seq, job.id],
      ),
    ],
    progress: {},
    total: 0,
    summary: emptySummary(ctx, read),
  };
}

/** The subscriptions that a page checks, and about how long their lines may be together. */
const refsOfPage = 25;
const longestPage = 3_000_000;

type Refs = { refs: NextLine[]; last: LinePlace; isLast: boolean };

function takeRefs(lines: NextLine[], from: LinePlace): Refs {
  const refs: NextLine[] = [];
  let last: LinePlace = { part: from.part, line: from.line };
  let size = 0;
  for (const line of lines) {
    if (line.is_first) {
      if (refs.length === refsOfPage || (refs.length > 0 && size + line.size > longestPage))
        return { refs, last, isLast: false };
      refs.push(line);
      size += line.size;
    }
    last = { part: line.part, line: line.n };
  }
  return { refs, last, isLast: lines.length < linesOfPage };
}

/** The place from which a line is read next. */
function placeBefore({ part, n }: NextLine): LinePlace {
  return { part, line: n - 1 };
}

/** Checks the subscriptions of a page; fewer, where the store asks for a pause or does not answer. */
async function checkAll(ctx: Ctx, job: MerchantJob, refs: string[]): Promise<Checked[]> {
  const { around, plans } = await planRows(ctx, job, refs);
  const checked: Checked[] = [];
  for (const ref of refs)
    try {
      checked.push(await checkOne(ctx, ref, { plan: plans.get(ref)!, around }));
    } catch (error) {
      if (isOutage(error) && checked.length > 0) return checked;
      throw error;
    }
  return checked;
}

/** A row that is here already: nothing is to be done with it. */
function passedOver(ref: string, record_id: string): Checked {
  return {
    stored: {
      ...{ key: ref, status: "SKIPPED", record_id, input: null, undo: null },
      errors: JSON.stringify([{ path: "subscription_ref", message: alreadyHere }]),
      summary: JSON.stringify(emptyOutcome),
    },
    differs: false,
    next: nothingDue,
  };
}

/** A row that another import has left held: this one is to make it its own. */
function takenOver(ref: string): Checked {
  return {
    stored: {
      ...{ key: ref, status: "PENDING", record_id: null, errors: "[]", input: null, undo: null },
      summary: JSON.stringify(emptyOutcome),
    },
    differs: false,
    next: nothingDue,
  };
}

export const alreadyHere = "is here already";
const emptyOutcome = { total_here: null, expected_total: null, next_billing_date: null };

type Asked = { plan: RowPlan; around: Surroundings };

async function checkOne(ctx: Ctx, ref: string, { plan, around }: Asked): Promise<Checked> {
  if ("here" in plan) return plan.leftBy ? takenOver(ref) : passedOver(ref, plan.here);
  if ("faults" in plan)
    return {
      ...failed(ref, plan.faults, plan.planned),
      missing: around.create_plans ? undefined : plan.missing,
    };
  const { planned, profile } = plan;
  const fault = await methodFault(ctx, planned, profile);
  if (fault) return failed(ref, [fault], planned);
  const { expected_total, row } = planned;
  return {
    stored: {
      ...{ key: ref, status: "PENDING", record_id: null, errors: "[]", undo: null },
      input: planned.remote ? "{}" : null,
      summary: JSON.stringify(outcomeOf(planned)),
    },
    differs: expected_total !== null && expected_total !== row.total,
    missing: planned.missing,
    ...(isOver(row)
      ? {}
      : {
          isCompared: expected_total !== null,
          isWithoutCard: isWithoutCard(planned),
          warnings: warningsOf(planned),
          ...addressFlags({ ...ctx, provinces: around.provinces }, planned, profile),
        }),
    next: chargesWithin(planned, around),
  };
}

function isWithoutCard({ store_payment_method_id: method, remote }: PlannedSubscription): boolean {
  return method === null && remote === null;
}

/** A row without an address goes to the customer's own. */
function addressFlags(
  where: Pick<Ctx, "account"> & Pick<Surroundings, "provinces">,
  { row }: PlannedSubscription,
  profile: Profile | undefined,
) {
  const delivery_address =
    row.delivery_address ?? (profile ? profileAddress(where.provinces, profile) : null);
  const address = deliveryAddressOf({ delivery_address });
  return {
    isWithoutAddress: !isComplete(address),
    isProvinceUnknown: address !== null && isProvinceRefused(where, address),
  };
}

function failed(ref: string, faults: ErrorDetail[], planned?: PlannedSubscription): Checked {
  return {
    stored: {
      ...{ key: ref, status: "FAILED", record_id: null, input: null, undo: null },
      errors: JSON.stringify(faults),
      summary: JSON.stringify(planned ? outcomeOf(planned) : emptyOutcome),
    },
    differs: false,
    next: nothingDue,
  };
}

/** The summary of a row: what is charged here and there for the next cycle, in major units, when, and how often. */
export function outcomeOf({ row, expected_total }: PlannedSubscription) {
  const { currency_code: currency } = row;
  return {
    total_here: toMajor(row.total, currency),
    expected_total: expected_total === null ? null : toMajor(expected_total, currency),
    next_billing_date: row.next_billing_date,
    billing_interval: row.billing_interval,
    billing_interval_count: row.billing_interval_count,
  };
}

/** The objection to the payment method that a row names: the store's, or one before it is asked. */
async function methodFault(
  ctx: Ctx,
  { customer, store_payment_method_id: method, remote }: PlannedSubscription,
  profile: Profile | undefined,
): Promise<ErrorDetail | undefined> {
  if (remote) return remoteFault(ctx, { customer, profile });
  return method === null ? undefined : paymentFault(ctx, method, { customer, profile });
}

/** Checks past orders. They charge nothing. */
async function checkOrders(ctx: Ctx, job: MerchantJob, refs: string[]): Promise<Checked[]> {
  const input: ImportInput = JSON.parse(job.input);
  const lines = await readLines(ctx, job.id, refs);
  const taken = await readTaken(ctx, { source: input.source, refs, kind: "order" });
  const planned = await planOrders(ctx, { input, refs, lines });
  return refs.map((ref): Checked => {
    const here = taken.imported.get(ref);
    if (here !== undefined) return passedOver(ref, here);
    const plan = planned.get(ref)!;
    if ("faults" in plan) return failed(ref, plan.faults);
    return {
      stored: {
        ...{
          key: ref,
          status: "PENDING" as JobRow["status"],
          record_id: null,
          errors: "[]",
          input: null,
          undo: null,
        },
        summary: JSON.stringify(plan.outcome),
      },
      differs: false,
      next: nothingDue,
    };
  });
}
