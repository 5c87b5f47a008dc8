import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import { build, first, type Params, prepare, read, rows } from "../../src/base/db/statement.ts";
import { eventDeliveries, webhookEndpoints } from "../../src/domain/webhook-endpoints/tables.ts";
import { activityLogs } from "../../src/kit/journal/tables.ts";
import { instantOf, type World } from "../kernel/world.ts";

/** An event that is committed, or undefined. */
export function readCommittedEvent({ database, account }: World, id: string) {
  return first(database, queries.event({ account_seq: account.seq, id }));
}

/** The place of the last event in the account's stream. */
export async function readLastSequence({ database, account }: World): Promise<number> {
  return (await first(database, queries.last({ account_seq: account.seq })))?.sequence ?? 0;
}

export function readEndpoint({ database, account }: World, id: string) {
  return first(database, queries.endpoint({ account_seq: account.seq, id }));
}

/** The events of an account, and what became of those that an endpoint was to be sent. */
export function readDeliveries({ database, account }: World, endpoint_id: string) {
  return rows(database, queries.deliveries({ account_seq: account.seq, endpoint_id }));
}

export function readEvents({ database, account }: World) {
  return rows(database, queries.events({ account_seq: account.seq }));
}

/** Endpoints that something is due to, and of which nothing is being sent. */
export async function readWaitingEndpoints(world: World): Promise<string[]> {
  const { database, account } = world;
  const found = await rows(database, queries.waiting({ account_seq: account.seq, now: instantOf(world) }));
  return found.map(({ endpoint_id }) => endpoint_id);
}

/** When something is next due to an endpoint. */
export async function readNextDelivery(world: World): Promise<number | undefined> {
  const { database, account } = world;
  const of = { account_seq: account.seq };
  const [[next], [recovering]] = await read(database, [queries.next(of), queries.recovering(of)]);
  if (recovering) return world.clock;
  return next?.at ? Date.parse(next.at) : undefined;
}

type OfAccount = { account_seq: AccountSeq };

const queries = {
  event: prepare((p: Params<OfAccount & { id: string }>) =>
    build
      .select({ type: activityLogs.type })
      .from(activityLogs)
      .where(and(eq(activityLogs.account_seq, p("account_seq")), eq(activityLogs.id, p("id")))),
  ),
  events: prepare((p: Params<OfAccount>) =>
    build
      .select({
        id: activityLogs.id,
        type: activityLogs.type,
        sequence: activityLogs.sequence,
        created_at: activityLogs.created_at,
      })
      .from(activityLogs)
      .where(eq(activityLogs.account_seq, p("account_seq"))),
  ),
  last: prepare((p: Params<OfAccount>) =>
    build
      .select({ sequence: sql<number | null>`MAX(${activityLogs.sequence})`.as("sequence") })
      .from(activityLogs)
      .where(eq(activityLogs.account_seq, p("account_seq"))),
  ),
  endpoint: prepare((p: Params<OfAccount & { id: string }>) =>
    build
      .select()
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.account_seq, p("account_seq")), eq(webhookEndpoints.id, p("id")))),
  ),
  deliveries: prepare((p: Params<OfAccount & { endpoint_id: string }>) =>
    build
      .select()
      .from(eventDeliveries)
      .where(
        and(
          eq(eventDeliveries.account_seq, p("account_seq")),
          eq(eventDeliveries.endpoint_id, p("endpoint_id")),
        ),
      ),
  ),
  next: prepare((p: Params<OfAccount>) =>
    build
      .select({ at: sql<string | null>`MIN(${eventDeliveries.next_attempt_at})`.as("at") })
      .from(eventDeliveries)
      .where(
        and(eq(eventDeliveries.account_seq, p("account_seq")), sql`${eventDeliveries.status} = 'PENDING'`),
      ),
  ),
  recovering: prepare((p: Params<OfAccount>) =>
    build
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.account_seq, p("account_seq")), isNotNull(webhookEndpoints.recovering))),
  ),
  waiting: prepare((p: Params<OfAccount & { now: string }>) =>
    build
      .select({ endpoint_id: eventDeliveries.endpoint_id })
      .from(eventDeliveries)
      .where(
        and(eq(eventDeliveries.account_seq, p("account_seq")), sql`${eventDeliveries.status} = 'PENDING'`),
      )
      .groupBy(eventDeliveries.endpoint_id)
      .having(
        sql`MIN(${eventDeliveries.next_attempt_at}) <= ${p("now")}
          AND COALESCE(MAX(${eventDeliveries.lease_until}), '') <= ${p("now")}`,
      ),
  ),
};
