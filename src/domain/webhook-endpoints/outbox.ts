import { and, eq, isNotNull, sql } from "drizzle-orm";
import { idOfSeq, selectId } from "../../base/db/account-seq.ts";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, prepare, raw, rows, statement } from "../../base/db/statement.ts";
import { deliverEventJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, minuteMs } from "../../base/lib/time/durations.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { pruneById } from "../../kit/outbox/prune.ts";
import type { Sweep } from "../../kit/outbox/sweep.ts";
import { commitIfEnabled } from "./enabled.ts";
import { getDelivery, getEndpoint } from "./queries.ts";
import {
  type EventDelivery,
  eventDeliveries,
  mostLeased,
  type WebhookEndpoint,
  webhookEndpoints,
} from "./tables.ts";

/**
 * Takes the due deliveries of an endpoint, the longest waiting first, and counts the try; none while the account has as many consumers
 * as it may. A leased delivery is due again when its lease ends, so one whose sender died is tried again. Raw, because the builder has
 * no computed LIMIT.
 */
export async function takeDue({ db, account, realNow }: Ctx, endpointId: string): Promise<EventDelivery[]> {
  const [leased] = await commit({ db }, [
    raw<EventDelivery>(leaseDue, account.seq, realNow, later(realNow, leaseMs), endpointId),
  ]);
  return leased.rows;
}

/**
 * The endpoints of the account to go on with, which have a due delivery and may be sent one: this one, and of the others the one that has
 * waited longest. Whoever ends its work wakes them, as a message that found all consumers of the account busy was dropped; a message that
 * finds nothing to lease wakes nobody. Raw, because the index is named and the leases are counted.
 */
export async function endpointsToWake(
  { db, account }: Ctx,
  endpointId: string,
  now: Instant,
): Promise<string[]> {
  const found = await rows(db, raw<{ id: string }>(selectToWake, account.seq, now, endpointId));
  return found.map(({ id }) => id);
}

/** Sends a delivery again at once, with all its tries anew. Throws INVALID_STATE while its endpoint is disabled. */
export async function resend(ctx: Ctx, endpointId: string, id: string): Promise<EventDelivery> {
  await getEndpoint(ctx, endpointId);
  await getDelivery(ctx, endpointId, id);
  const due = build
    .update(eventDeliveries)
    .set({ status: "PENDING", attempt_count: 0, next_attempt_at: ctx.realNow, lease_until: null })
    .where(
      and(
        eq(eventDeliveries.account_seq, ctx.account.seq),
        eq(eventDeliveries.event_id, id),
        eq(eventDeliveries.endpoint_id, endpointId),
      ),
    )
    .returning();
  const [delivery] = await commitIfEnabled(ctx, endpointId, statement(due));
  await ctx.send([deliverEventJob(ctx.account.id, endpointId)]);
  return delivery ?? getDelivery(ctx, endpointId, id);
}

/** Adds a test delivery, whatever types the endpoint asks for. Throws INVALID_STATE while it is disabled. */
export async function sendTest(ctx: Ctx, endpointId: string): Promise<EventDelivery> {
  const endpoint = await getEndpoint(ctx, endpointId);
  const delivery = newDelivery(ctx, endpoint, { id: ctx.newId(), type: testType, sequence: null });
  keepCreated(ctx, { eventDelivery: delivery.event_id });
  await commitIfEnabled(ctx, endpointId, insertRow(eventDeliveries, delivery));
  await ctx.send([deliverEventJob(ctx.account.id, endpointId)]);
  return delivery;
}

/** A delivery of an event that is due now. */
export function newDelivery(
  ctx: Ctx,
  { id: endpoint_id, kind }: Pick<WebhookEndpoint, "id" | "kind">,
  event: { id: string; type: string; sequence: number | null },
): EventDelivery {
  return {
    account_seq: ctx.account.seq,
    event_id: event.id,
    endpoint_id,
    is_mail: kind === "mail" ? 1 : 0,
    event_type: event.type,
    sequence: event.sequence,
    status: "PENDING",
    attempt_count: 0,
    next_attempt_at: ctx.realNow,
    lease_until: null,
    last_status: null,
    last_error: null,
    last_duration_ms: null,
    created_at: ctx.realNow,
    delivered_at: null,
  };
}

/**
 * Endpoints with due deliveries: their message was lost, or it is time for another try. The index of pending deliveries is read
 * from one endpoint to the next, so a long queue of one endpoint does not hide the others. The longest waiting come first.
 */
export const endpointSweep: Sweep<Due> = {
  pageOf: ({ realNow }) => raw(selectDueEndpoints, realNow, mostEndpointsATick),
  jobOf: ({ account_id, endpoint_id }) => deliverEventJob(account_id, endpoint_id),
};

/** Endpoints with a recovery in progress: if its message was lost, the tick sends another. */
export const recoverySweep: Sweep<Due> = {
  pageOf: () => selectRecovering({}),
  jobOf: (due) => ({ type: "recover_events", ...due }),
};

/** An endpoint for which something is to be done. */
type Due = { account_id: string; endpoint_id: string };

/** Deletes deliveries that are a month old, a limited number in each tick. None of them is pending: tries end within days. */
export function pruneEventDeliveries(db: Db, now: Date): Promise<unknown> {
  const before = new Date(now.getTime() - keptMs).toISOString();
  const key = ["event_id", "endpoint_id"] as const;
  return pruneById(db, "event_deliveries", { key, before, where: "status <> 'PENDING'", size: pruneSize });
}

/** Whoever has taken a delivery knows it by its lease, and by the number of its tries. */
export const deliveryOutbox = defineOutbox({
  table: eventDeliveries,
  id: "event_id",
  due: "next_attempt_at",
  lease: "lease_until",
  open: eq(eventDeliveries.status, "PENDING"),
  fence: ["endpoint_id", "attempt_count", "lease_until"],
});

/** An endpoint that fails may hang: until it accepts one again it gets one at a time. */
const mostLeasedFailing = 1;

/** The most consumers that send for one account at the same time: a quarter of all there are (wrangler.toml, max_concurrency). */
export const mostConsumersOfAccount = 5;
/** One of them is left to the endpoints that do not fail. */
const mostForFailing = mostConsumersOfAccount - 1;
/** A second consumer may send to one endpoint while the account has so few, as the first may hang. */
const mostBesideItself = 2;

/** Longer than ten tries of fifteen seconds take, five at once, with their reads and writes. */
const leaseMs = minuteMs;

/** Those of `one`, deliveries of an endpoint, that are leased or not: the index of what is to be sent has them apart. */
function pendingOf(endpoint: string, isLeased: string): string {
  return `one.endpoint_id = ${endpoint} AND one.status = 'PENDING' AND (one.lease_until IS NOT NULL) = ${isLeased}`;
}

/** A leased delivery is due again when its lease ends. */
function leasesOf(endpoint: string): string {
  return `event_deliveries AS one INDEXED BY event_deliveries_due WHERE ${pendingOf(endpoint, "1")} AND one.next_attempt_at > ?2`;
}

const leasesOfEndpoint = `(SELECT COUNT(*) FROM ${leasesOf("endpoint.id")})`;
/** Each consumer has the leases of one endpoint and one instant. */
const consumersOfAccount = `(SELECT COUNT(*) FROM (SELECT DISTINCT one.endpoint_id, one.next_attempt_at
  FROM webhook_endpoints AS any_of INDEXED BY webhook_endpoints_enabled CROSS JOIN ${leasesOf("any_of.id")}
    AND any_of.account_seq = ?1 AND any_of.is_enabled = 1))`;

/** The number of deliveries of `endpoint` that may be leased at ?2, in the account ?1. */
const mayBeLeased = `CASE WHEN ${consumersOfAccount} >= CASE WHEN ${leasesOfEndpoint} > 0 THEN ${mostBesideItself}
    WHEN failing_since IS NOT NULL THEN ${mostForFailing} ELSE ${mostConsumersOfAccount} END THEN 0
  ELSE MAX(0, CASE WHEN failing_since IS NULL THEN ${mostLeased} ELSE ${mostLeasedFailing} END - ${leasesOfEndpoint}) END`;

const dueOfEach = ["0", "1"].map(
  (isLeased) => `SELECT * FROM (SELECT event_id, next_attempt_at, sequence FROM event_deliveries AS one
      WHERE ${pendingOf("?4", isLeased)} AND one.account_seq = ?1 AND one.next_attempt_at <= ?2
      ORDER BY next_attempt_at, sequence LIMIT ${mostLeased})`,
);

const leaseDue = `UPDATE event_deliveries SET lease_until = ?3, next_attempt_at = ?3, attempt_count = attempt_count + 1
  WHERE account_seq = ?1 AND endpoint_id = ?4 AND event_id IN (
    SELECT event_id FROM (${dueOfEach.join(" UNION ALL ")}) ORDER BY next_attempt_at, sequence LIMIT (
      SELECT ${mayBeLeased} FROM webhook_endpoints AS endpoint WHERE account_seq = ?1 AND id = ?4))
  RETURNING *`;

/** Since when the delivery is due that has waited longest for an endpoint; `9` for none. */
function firstDueOf(endpoint: string): string {
  const each = ["0", "1"].map(
    (isLeased) =>
      `COALESCE((SELECT MIN(next_attempt_at) FROM event_deliveries AS one WHERE ${pendingOf(endpoint, isLeased)}), '9')`,
  );
  return `MIN(${each.join(", ")})`;
}

const selectToWake = `SELECT id FROM (
    SELECT endpoint.*, ${firstDueOf("endpoint.id")} AS due_at
    FROM webhook_endpoints AS endpoint INDEXED BY webhook_endpoints_enabled
    WHERE endpoint.account_seq = ?1 AND endpoint.is_enabled = 1) AS endpoint
  WHERE due_at <= ?2 AND ${mayBeLeased} > 0 ORDER BY id = ?3 DESC, due_at LIMIT 2`;

/** The builder has no recursive queries. */
const selectDueEndpoints = `WITH RECURSIVE pending (endpoint_id) AS (
    SELECT MIN(endpoint_id) FROM event_deliveries WHERE status = 'PENDING'
    UNION ALL
    SELECT (SELECT MIN(endpoint_id) FROM event_deliveries WHERE status = 'PENDING' AND endpoint_id > pending.endpoint_id)
    FROM pending WHERE pending.endpoint_id IS NOT NULL)
  SELECT ${idOfSeq("due.account_seq")}, due.endpoint_id FROM (
    SELECT endpoint_id, (SELECT account_seq FROM event_deliveries AS one
        WHERE one.endpoint_id = pending.endpoint_id AND one.status = 'PENDING' LIMIT 1) AS account_seq,
      ${firstDueOf("pending.endpoint_id")} AS due_at FROM pending) AS due
  WHERE due.due_at <= ? AND ${mayBeWritten("due.account_seq")} ORDER BY due.due_at LIMIT ?`;

/** The type of a test delivery, which is no event of the stream. */
export const testType = "webhook.test";

const mostEndpointsATick = 500;

const selectRecovering = prepare(() =>
  build
    .select({
      account_id: selectId(webhookEndpoints.account_seq).as("account_id"),
      endpoint_id: sql<string>`${webhookEndpoints.id}`.as("endpoint_id"),
    })
    .from(webhookEndpoints)
    .where(and(isNotNull(webhookEndpoints.recovering), sql.raw(mayBeWritten("account_seq"))))
    .orderBy(webhookEndpoints.updated_at)
    .limit(mostEndpointsATick),
);

const keptMs = 30 * dayMs;
const pruneSize = 1000;
