import { and, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, type Params, prepare } from "../../base/db/statement.ts";
import { eventTypes } from "../../base/event-types.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { updateReminderAccepted } from "../billing/due/reminders.ts";
import type { EventRow } from "../events/queries.ts";
import { updateCancelledDeliveries } from "./actions.ts";
import { deliveryOutbox } from "./outbox.ts";
import { afterTry, isAccepted, isGone, longAgo, type TryOutcome } from "./outcome.ts";
import {
  type DisabledReason,
  type EventDelivery,
  eventDeliveries,
  type WebhookEndpoint,
  webhookEndpoints,
} from "./tables.ts";

type Try = {
  endpoint: WebhookEndpoint;
  delivery: EventDelivery;
  event: EventRow | undefined;
  outcome: TryOutcome;
  now: Instant;
};

type Columns = ReturnType<typeof afterTry>;

/**
 * Records the outcome of a try for the delivery and its endpoint in one batch, with what else follows from it, which is written while the
 * delivery still has its lease. Returns when the next try is due, if there is one.
 */
export async function recordOutcome(
  ctx: Ctx,
  made: Try,
  alsoWrite: (columns: Columns) => Statement[] = () => [],
): Promise<Instant | null> {
  const { endpoint, delivery, outcome, now } = made;
  const columns = afterTry(delivery, outcome, now);
  const reason = reasonToDisable(made);
  const disables = reason
    ? [disableStatements(ctx, endpoint, reason, now), updateCancelledDeliveries(ctx, endpoint.id, isDisabled)]
    : [];
  const results = await commit({ db: ctx.db }, [
    ...alsoWrite(columns),
    updateSettled(delivery, columns),
    ...updateHealth(ctx, made),
    ...reminderStatements(ctx, made),
    ...disables,
  ]);
  if (reason && results.at(-disables.length)?.rows.length === 1)
    ctx.log("webhook_endpoint_disabled", {
      alert: true,
      account_id: ctx.account.id,
      endpoint_id: endpoint.id,
      reason,
    });
  alertIfMailFails(ctx, made);
  return columns.next_attempt_at;
}

/** Customers are told of nothing else that fails, so that mails are not given up: a person has to look at their settings. */
function alertIfMailFails(ctx: Ctx, { endpoint, outcome, now }: Try): void {
  if (endpoint.kind !== "mail" || isAccepted(outcome) || !isLongFailing(endpoint, now)) return;
  ctx.log("mail_endpoint_failing", {
    alert: true,
    account_id: ctx.account.id,
    failing_since: endpoint.failing_since,
    last_error: outcome.error,
  });
}

/** Gives up a delivery that has had all its tries. Nothing was sent, so that it says nothing of the endpoint. */
export async function giveUpSpent(ctx: Ctx, delivery: EventDelivery, now: Instant): Promise<null> {
  await commit({ db: ctx.db }, [updateSettled(delivery, afterTry(delivery, untried, now))]);
  return null;
}

/**
 * A try whose payload could not be made: the next comes after the usual pause. Nothing was sent, so that it says nothing of the endpoint.
 * Returns when the next try is due, if there is one.
 */
export async function recordUnprepared(
  ctx: Ctx,
  delivery: EventDelivery,
  now: Instant,
): Promise<Instant | null> {
  const columns = afterTry(delivery, unprepared, now);
  await commit({ db: ctx.db }, [updateSettled(delivery, columns)]);
  return columns.next_attempt_at;
}

/** The event no longer exists: its account is being erased. */
export async function giveUpGone(ctx: Ctx, delivery: EventDelivery): Promise<null> {
  await commit({ db: ctx.db }, [deliveryOutbox.giveUp(delivery, { status: "CANCELLED" })]);
  return null;
}

const untried: TryOutcome = { status: null, error: "could not be tried", retry_after: null, duration_ms: 0 };

const unprepared: TryOutcome = { ...untried, error: "its payload could not be made" };

/** Only while this lease holds: a delivery that was cancelled or leased again is no longer this sender's to record. */
function updateSettled(delivery: EventDelivery, after: Columns): Statement {
  const { next_attempt_at, ...columns } = after;
  if (next_attempt_at !== null) return deliveryOutbox.later(delivery, next_attempt_at, columns);
  return columns.status === "DELIVERED"
    ? deliveryOutbox.done(delivery, columns)
    : deliveryOutbox.giveUp(delivery, columns);
}

/** A refusal of one delivery for good says nothing of its endpoint. */
function updateHealth(ctx: Ctx, { endpoint, outcome, now }: Try): Statement[] {
  const key = { account_seq: ctx.account.seq, id: endpoint.id };
  if (isAccepted(outcome)) return [updateSucceeding({ ...key, now, minute_ago: later(now, -minuteMs) })];
  return outcome.isFinal ? [] : [updateFailing({ ...key, now })];
}

/** The time of the last success is exact to the minute: else each delivery would write a row to say it. */
const updateSucceeding = prepare(
  (p: Params<{ account_seq: AccountSeq; id: string; now: Instant; minute_ago: Instant }>) =>
    build
      .update(webhookEndpoints)
      .set({ last_success_at: sql`${p("now")}`, failing_since: null })
      .where(
        and(
          columnsEqual(webhookEndpoints, p, "account_seq", "id"),
          sql`(${webhookEndpoints.failing_since} IS NOT NULL OR COALESCE(${webhookEndpoints.last_success_at}, '') < ${p("minute_ago")})`,
        ),
      ),
);

const updateFailing = prepare((p: Params<{ account_seq: AccountSeq; id: string; now: Instant }>) =>
  build
    .update(webhookEndpoints)
    .set({ failing_since: sql`COALESCE(${webhookEndpoints.failing_since}, ${p("now")})` })
    .where(columnsEqual(webhookEndpoints, p, "account_seq", "id")),
);

function reasonToDisable({ endpoint, outcome, now }: Try): DisabledReason | undefined {
  if (isAccepted(outcome)) return undefined;
  if (endpoint.kind === "mail") return undefined;
  if (isGone(outcome)) return "gone";
  return isLongFailing(endpoint, now) ? "failing" : undefined;
}

function isLongFailing({ failing_since: since }: WebhookEndpoint, now: Instant): boolean {
  return since !== null && since <= longAgo(now);
}

/** A success that was recorded since the endpoint was read has ended its failures. */
const updateDisabled = prepare((p: Params<Disabling>) =>
  build
    .update(webhookEndpoints)
    .set({
      is_enabled: 0,
      disabled_reason: sql`${p("reason")}`,
      recovering: null,
      updated_at: sql`${p("now")}`,
    })
    .where(
      and(
        columnsEqual(webhookEndpoints, p, "account_seq", "id"),
        sql`${webhookEndpoints.is_enabled} = 1`,
        sql`(${p("reason")} = 'gone' OR ${webhookEndpoints.failing_since} <= ${p("long_ago")})`,
      ),
    )
    .returning({ id: webhookEndpoints.id }),
);

type Disabling = {
  account_seq: AccountSeq;
  id: string;
  reason: DisabledReason;
  now: Instant;
  long_ago: Instant;
};

function disableStatements(
  { account }: Ctx,
  { id }: WebhookEndpoint,
  reason: DisabledReason,
  now: Instant,
): Statement {
  return updateDisabled({ account_seq: account.seq, id, reason, now, long_ago: longAgo(now) });
}

const isDisabled = sql`EXISTS (SELECT 1 FROM ${webhookEndpoints}
  WHERE ${webhookEndpoints.account_seq} = ${eventDeliveries.account_seq}
  AND ${webhookEndpoints.id} = ${eventDeliveries.endpoint_id} AND ${webhookEndpoints.is_enabled} = 0)`;

/** A reminder counts as sent once an endpoint that names its type has accepted it; an endpoint of all types may be no mailer. */
function reminderStatements(ctx: Ctx, { endpoint, event, outcome }: Try): Statement[] {
  const type = eventTypes.payment_reminder_due;
  const isNamed = (JSON.parse(endpoint.event_types) as string[]).includes(type);
  return event?.type === type && isNamed && isAccepted(outcome) ? [updateReminderAccepted(ctx, event)] : [];
}
