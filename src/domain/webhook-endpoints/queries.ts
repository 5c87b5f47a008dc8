import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { mostCountedAlone } from "../../base/db/list/list-bounds.ts";
import { listReader } from "../../base/db/list/listing.ts";
import { selectBy, selectLivingBy } from "../../base/db/row-reads.ts";
import { first } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import {
  deliveryStatuses,
  type EventDelivery,
  eventDeliveries,
  eventDeliveryCounts,
  type WebhookEndpoint,
  webhookEndpoints,
} from "./tables.ts";

/** The condition of one endpoint of the account, unless it was deleted. */
export function isEndpoint({ account }: Ctx, id: string) {
  return and(
    eq(webhookEndpoints.account_seq, account.seq),
    eq(webhookEndpoints.id, id),
    isNull(webhookEndpoints.deleted_at),
  );
}

export function findEndpoint({ db, account }: Ctx, id: string): Promise<WebhookEndpoint | undefined> {
  return first(db, selectEndpoint({ account_seq: account.seq, id }));
}

/** An endpoint of the merchant's own. The one that mails customers has operations of its own (domain/mail). */
export async function getEndpoint(ctx: Ctx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(ctx, id);
  if (endpoint?.kind !== "http") throw notFound("Webhook endpoint");
  return endpoint;
}

export async function getDelivery(
  { db, account }: Ctx,
  endpointId: string,
  id: string,
): Promise<EventDelivery> {
  const values = { account_seq: account.seq, endpoint_id: endpointId, event_id: id };
  const delivery = await first(db, selectDelivery(values));
  if (!delivery) throw notFound("Delivery");
  return delivery;
}

const selectEndpoint = selectLivingBy(webhookEndpoints, "account_seq", "id");

export const listEndpoints = listReader({
  table: webhookEndpoints,
  columns: getTableColumns(webhookEndpoints),
  scope: (p) =>
    sql`${webhookEndpoints.account_seq} = ${p("account_seq")} AND ${webhookEndpoints.deleted_at} IS NULL AND ${webhookEndpoints.kind} = 'http'`,
  tiebreaker: webhookEndpoints.id,
  sorts: { created_at: webhookEndpoints.created_at },
  filters: {},
});

const selectDelivery = selectBy(eventDeliveries, "account_seq", "endpoint_id", "event_id");

/** So many deliveries that are to be sent are counted. */
const mostUnsent = sql.raw(String(mostCountedAlone));

/** Deliveries of an endpoint in the requested statuses: the newest of each status are read from its index and merged. */
export const listDeliveries = listReader({
  table: eventDeliveries,
  columns: getTableColumns(eventDeliveries),
  scope: (p) => sql`${eventDeliveries.account_seq} = ${p("account_seq")}
    AND ${eventDeliveries.endpoint_id} = ${p("endpoint_id")} AND ${eventDeliveries.is_mail} = 0`,
  key: eventDeliveries.event_id,
  tiebreaker: eventDeliveries.event_id,
  sorts: { created_at: eventDeliveries.created_at },
  filters: {},
  split: {
    name: "statuses",
    column: eventDeliveries.status,
    values: deliveryStatuses,
    sorts: ["created_at"],
  },
  totals: () => (p) =>
    sql`SELECT settled.total + unsent.total AS total, unsent.is_estimate FROM (
      SELECT COALESCE(SUM(count), 0) AS total FROM ${eventDeliveryCounts}
      WHERE ${eventDeliveryCounts.account_seq} = ${p("account_seq")}
        AND ${eventDeliveryCounts.endpoint_id} = ${p("endpoint_id")}
        AND ${eventDeliveryCounts.status} IN (SELECT value FROM json_each(${p("statuses")}))) AS settled, (
      SELECT COUNT(*) AS total, COUNT(*) > ${mostUnsent} AS is_estimate FROM (
        SELECT 1 FROM ${eventDeliveries} INDEXED BY event_deliveries_due
        WHERE ${eventDeliveries.endpoint_id} = ${p("endpoint_id")} AND ${eventDeliveries.status} = 'PENDING'
          AND 'PENDING' IN (SELECT value FROM json_each(${p("statuses")})) LIMIT ${mostUnsent} + 1)) AS unsent`,
});
