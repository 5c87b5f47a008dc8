import { and, desc, gt, isNotNull, isNull, lte } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { insertRow } from "../../../base/db/row-writes.ts";
import { build, columnsEqual, type Params, prepare } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { type CalendarDate, dateIn } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { createRecord } from "../../../kit/journal/write.ts";
import type { StoreCycle } from "../../../stores/port/contracts.ts";
import { calendarOf, datesAfterSkipping } from "../dates/index.ts";
import { endOfWait, isAllowed, isOver, requireNotBilling } from "../lifecycle.ts";
import type { Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { type Skip, type Subscription, subscriptionSkips as skips } from "../tables.ts";
import { changeSubscription, subjectOf } from "./change-subscription.ts";
import { newSkip, undoSkip } from "./skip.ts";

/** A cycle as the store counts them: it is billed there after its start, up to its end. */
type Cycle = Pick<StoreCycle, "index" | "is_skipped"> & { starts_on: CalendarDate; ends_on: CalendarDate };

/**
 * Skips the next billing if it lies in a cycle that is skipped at the store, by one billing interval; takes such a skip back once the cycle is
 * skipped no more and nothing has moved the dates since. It compares the store's present with the row's, so that repeating it changes
 * nothing, and a cycle is never skipped twice. A skip that cannot be followed is an entry, and is logged, where `isNews` does not say that
 * people know of it already. Throws BILLING_IN_PROGRESS.
 */
export async function followCycle(
  ctx: Ctx,
  id: string,
  { index, is_skipped, starts_at, ends_at }: StoreCycle,
  { isNews = () => true }: { isNews?: (row: Subscription) => boolean } = {},
): Promise<void> {
  const { timezone } = ctx.account;
  const [starts_on, ends_on] = [dateIn(starts_at, timezone), dateIn(ends_at, timezone)];
  const cycle = { index, is_skipped, starts_on, ends_on };
  const alongside = {
    ours: selectSkipWithin({ account_seq: ctx.account.seq, subscription_id: id, starts_on, ends_on }),
  };
  const { row, result: why } = await changeSubscription<string, typeof alongside>(
    ctx,
    id,
    { alongside },
    (view, { ours: [ours] }) => {
      if (isOver(view.row)) return undefined;
      if (cycle.is_skipped) return ours ? undefined : followSkip(ctx, view, cycle);
      return ours && followUnskip(view, ours);
    },
  );
  if (why !== undefined && isNews(row)) await noteNotFollowed(ctx, row, { cycle, why });
}

function followUnskip(view: SubscriptionView, skip: Skip): Part<string> {
  try {
    return undoSkip(view, skip);
  } catch (error) {
    if (error instanceof DomainError && error.code === "INVALID_STATE") return { result: error.message };
    throw error;
  }
}

function followSkip(ctx: Ctx, view: SubscriptionView, cycle: Cycle): Part<string> | undefined {
  const { row } = view;
  const { next_billing_date: billed } = row;
  if (billed === null || billed > cycle.ends_on) return undefined;
  if (billed <= cycle.starts_on) return { result: "an earlier billing comes first" };
  if (!isAllowed("skip", row)) return { result: `the subscription is ${row.status}` };
  requireNotBilling("skip", row);
  const skip = newSkip(ctx, row, {
    deliveries: row.deliveries_per_billing,
    store_cycle: cycle.index,
    reason: "skipped at the store",
  });
  return {
    entry: {
      action: "subscription_skipped",
      metadata: { reason: skip.reason, store_cycle: cycle.index },
    },
    columns: {
      ...endOfWait(row),
      ...datesAfterSkipping(row, calendarOf(view), row.deliveries_per_billing),
      schedule_revision: skip.schedule_revision,
    },
    writes: [insertRow(skips, skip)],
  };
}

/** The history says what the store has and the schedule here has not. */
async function noteNotFollowed(
  ctx: Ctx,
  row: Subscription,
  { cycle: { index: store_cycle, is_skipped }, why }: { cycle: Cycle; why: string },
): Promise<void> {
  const metadata = { store_cycle, is_skipped, why };
  const logged = { subscription_id: row.id, store_cycle, is_skipped, cause: why };
  ctx.log("store_skip_not_followed", { alert: true, ...logged });
  await createRecord(ctx, [{ action: "store_skip_not_followed", subject: subjectOf(row), metadata }], []);
}

/** The skip that has put off a billing within a cycle of the store's, because it was skipped there. */
const selectSkipWithin = prepare(
  (p: Params<{ account_seq: AccountSeq; subscription_id: string; starts_on: string; ends_on: string }>) =>
    build
      .select()
      .from(skips)
      .where(
        and(
          columnsEqual(skips, p, "account_seq", "subscription_id"),
          isNotNull(skips.store_cycle),
          isNull(skips.undone_at),
          gt(skips.previous_billing_date, p("starts_on")),
          lte(skips.previous_billing_date, p("ends_on")),
        ),
      )
      .orderBy(desc(skips.created_at), desc(skips.id))
      .limit(1),
);
