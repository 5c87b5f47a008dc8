import { sql } from "drizzle-orm";
import { insertRows } from "../../base/db/bulk.ts";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, raw, rows, statement } from "../../base/db/statement.ts";
import { invalid } from "../../base/errors.ts";
import { deliverEventJob, type Job } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { EventRow } from "../events/queries.ts";
import { commitIfEnabled } from "./enabled.ts";
import { newDelivery } from "./outbox.ts";
import { findEndpoint, getEndpoint, isEndpoint } from "./queries.ts";
import { type WebhookEndpoint, webhookEndpoints } from "./tables.ts";

/**
 * Starts to resend the events since a time that the endpoint asks for and has not accepted; a job does the work. Throws
 * VALIDATION_FAILED for more than 30 days ago and for the future, INVALID_STATE while the endpoint is disabled.
 */
export async function startRecovery(ctx: Ctx, id: string, since: Instant): Promise<Instant> {
  await getEndpoint(ctx, id);
  if (since < later(ctx.now, -reachMs))
    throw invalid([{ path: "since", message: "must be at most 30 days ago" }]);
  if (since > ctx.now) throw invalid([{ path: "since", message: "must not be in the future" }]);
  const [begun] = await commitIfEnabled(ctx, id, begin(ctx, id, since));
  await ctx.send([recoverJob(ctx, id)]);
  return begun!.since;
}

/**
 * Inserts a page of deliveries, records the position in one batch, and sends what follows. Nothing follows from a page that is refused: the
 * endpoint was disabled, or whoever has gone on meanwhile sends it.
 */
export async function recoverEvents(ctx: Ctx, endpointId: string): Promise<void> {
  const endpoint = await findEndpoint(ctx, endpointId);
  const progress = endpoint && progressOf(endpoint);
  if (!endpoint || !progress) return;
  const page = await pageAfter(ctx, progress);
  const wanted = page.filter(({ type }) => asksFor(endpoint, type));
  const next = nextOf(progress, page);
  try {
    await commit({ db: ctx.db }, [
      guardUnmoved(ctx, endpoint),
      ...insertDeliveries(ctx, endpoint, wanted),
      updateProgress(ctx, endpoint, next),
    ]);
  } catch (error) {
    if (isGuard(error)) return;
    throw error;
  }
  await ctx.send([
    ...(wanted.length > 0 ? [deliverEventJob(ctx.account.id, endpointId)] : []),
    ...(next ? [recoverJob(ctx, endpointId)] : []),
  ]);
}

const reachMs = 30 * dayMs;
const pageSize = 200;

/** The position of a recovery: it reads the entries of the feed first, then the others, each in order of time by its own index. */
type Progress = { since: Instant; is_fed: boolean; created_at: string; sequence: number };

function recoverJob({ account }: Ctx, endpoint_id: string): Job {
  return {
    type: "recover_events",
    account_id: account.id,
    endpoint_id,
  };
}

function progressOf({ recovering }: Pick<WebhookEndpoint, "recovering">): Progress | undefined {
  return recovering === null ? undefined : JSON.parse(recovering);
}

/** Whether an endpoint asks for a type; the trigger on the history decides by the same rule. */
function asksFor({ event_types }: WebhookEndpoint, type: string): boolean {
  return (JSON.parse(event_types) as string[]).some(
    (wanted) =>
      wanted === "*" || wanted === type || (wanted.endsWith(".*") && type.startsWith(wanted.slice(0, -1))),
  );
}

/** The history by one of its two indexes by time, and its condition (migrations/0001_schema.sql). */
function fedOrNot(is_fed: boolean): string {
  return is_fed
    ? "activity_logs INDEXED BY activity_logs_by_time WHERE loggable_type IN ('subscription', 'order')"
    : "activity_logs INDEXED BY activity_logs_unfed_by_time WHERE loggable_type NOT IN ('subscription', 'order')";
}

function pageAfter({ db, account }: Ctx, { is_fed, created_at, sequence }: Progress): Promise<EventRow[]> {
  const page = raw<EventRow>(
    `SELECT * FROM ${fedOrNot(is_fed)} AND account_seq = ? AND (created_ms, sequence) > (?, ?)
      ORDER BY created_ms, sequence LIMIT ?`,
    ...[account.seq, Date.parse(created_at), sequence, pageSize],
  );
  return rows(db, page);
}

function nextOf(progress: Progress, page: EventRow[]): Progress | undefined {
  const last = page.at(-1);
  if (last && page.length === pageSize)
    return { ...progress, created_at: last.created_at, sequence: last.sequence };
  return progress.is_fed
    ? { ...progress, is_fed: false, created_at: progress.since, sequence: 0 }
    : undefined;
}

/** Deliveries that the endpoint has accepted stay as they are, and so do pending ones. */
function insertDeliveries(ctx: Ctx, endpoint: WebhookEndpoint, events: EventRow[]): Statement[] {
  const deliveries = events.map((event) => newDelivery(ctx, endpoint, event));
  return insertRows("event_deliveries", deliveries).map(({ sql, params }) => ({
    sql: `${sql} WHERE TRUE ON CONFLICT (account_seq, event_id, endpoint_id) DO UPDATE
      SET status = 'PENDING', attempt_count = 0, next_attempt_at = excluded.next_attempt_at
      WHERE delivered_at IS NULL AND event_deliveries.status <> 'PENDING'`,
    params,
  }));
}

/** Makes the batch fail if the endpoint was disabled meanwhile or another job has continued its recovery. */
function guardUnmoved({ account }: Ctx, { id, recovering }: WebhookEndpoint): Statement {
  return guard(
    `NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE account_seq = ? AND id = ? AND is_enabled = 1 AND recovering = ?)`,
    [account.seq, id, recovering],
  );
}

/** From the earlier of two times, if one is recovered from already. */
function begin(ctx: Ctx, id: string, since: Instant) {
  const { recovering } = webhookEndpoints;
  const from = sql`MIN(COALESCE(${recovering} ->> 'since', ${since}), ${since})`;
  const progress = sql`json_object('since', ${from}, 'is_fed', json('true'), 'created_at', ${from}, 'sequence', 0)`;
  return statement(
    build
      .update(webhookEndpoints)
      .set({ recovering: progress })
      .where(isEndpoint(ctx, id))
      .returning({ since: sql<Instant>`${recovering} ->> 'since'`.as("since") }),
  );
}

function updateProgress(ctx: Ctx, endpoint: WebhookEndpoint, progress: Progress | undefined): Statement {
  const recovering = progress ? JSON.stringify(progress) : null;
  return statement(build.update(webhookEndpoints).set({ recovering }).where(isEndpoint(ctx, endpoint.id)));
}
