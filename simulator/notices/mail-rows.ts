import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import { build, first, type Params, prepare, rows } from "../../src/base/db/statement.ts";
import { mails } from "../../src/domain/mail/tables.ts";
import { eventDeliveries, webhookEndpoints } from "../../src/domain/webhook-endpoints/tables.ts";
import { activityLogs } from "../../src/kit/journal/tables.ts";
import type { World } from "../kernel/world.ts";

/** The committed event of a mail, or undefined. */
export function readEventOf({ database, account }: World, mailId: string) {
  return first(database, queries.event({ account_seq: account.seq, id: mailId }));
}

/** The mails of an account, each with its delivery. */
export function readMails({ database, account }: World) {
  return rows(database, queries.mails({ account_seq: account.seq }));
}

export function readEntries({ database, account }: World) {
  return rows(database, queries.entries({ account_seq: account.seq }));
}

type OfAccount = { account_seq: AccountSeq };

/** An event has deliveries to other endpoints, too. */
const isDelivery = sql`${eventDeliveries.account_seq} = ${mails.account_seq} AND ${eventDeliveries.event_id} = ${mails.id}
  AND ${eventDeliveries.endpoint_id} = (SELECT ${webhookEndpoints.id} FROM ${webhookEndpoints}
    WHERE ${webhookEndpoints.account_seq} = ${mails.account_seq} AND ${webhookEndpoints.kind} = 'mail')`;

const queries = {
  event: prepare((p: Params<OfAccount & { id: string }>) =>
    build
      .select({ type: activityLogs.type, created_at: activityLogs.created_at })
      .from(activityLogs)
      .where(and(eq(activityLogs.account_seq, p("account_seq")), eq(activityLogs.id, p("id")))),
  ),
  mails: prepare((p: Params<OfAccount>) =>
    build
      .select({
        id: mails.id,
        event_type: mails.event_type,
        status: mails.status,
        suppressed_reason: mails.suppressed_reason,
        last_error: mails.last_error,
        unsettled_at: mails.unsettled_at,
        attempt_count: sql<number | null>`${eventDeliveries.attempt_count}`.as("attempt_count"),
        next_attempt_at: sql<string | null>`${eventDeliveries.next_attempt_at}`.as("next_attempt_at"),
      })
      .from(mails)
      .leftJoin(eventDeliveries, isDelivery)
      .where(eq(mails.account_seq, p("account_seq"))),
  ),
  entries: prepare((p: Params<OfAccount>) =>
    build
      .select({
        id: activityLogs.id,
        type: activityLogs.type,
        sequence: activityLogs.sequence,
        created_at: activityLogs.created_at,
        actor_type: activityLogs.actor_type,
        subscription_id: activityLogs.subscription_id,
        metadata: activityLogs.metadata,
      })
      .from(activityLogs)
      .where(eq(activityLogs.account_seq, p("account_seq"))),
  ),
};
