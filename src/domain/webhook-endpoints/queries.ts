import { and, eq, getTableColumns, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { facetWhere, type Param, rareIn, unindexedFilter } from "../../base/db/filters.ts";
import { mostCountedAlone } from "../../base/db/list/list-bounds.ts";
import type { Filters } from "../../base/db/list/list-shape.ts";
import { listReader } from "../../base/db/list/listing.ts";
import { selectBy, selectLivingBy } from "../../base/db/row-reads.ts";
import { first, inJson } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import {
  type DeliveryStatus,
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

/** The filters of `listDeliveries` for these statuses: by an index of their own where there is one. */
export function filtersByStatus(statuses: DeliveryStatus[] | undefined): Filters {
  if (!statuses) return {};
  const names = JSON.stringify(statuses);
  if (statuses.every((status) => undelivered.includes(status))) return { undelivered: names };
  return { statuses: names, ...(statuses.every((status) => status === "PENDING") ? { unsent: 1 } : {}) };
}

const { status } = eventDeliveries;
const undelivered: DeliveryStatus[] = ["FAILED", "CANCELLED"];

/** Deliveries of an endpoint. Most are delivered, so that only the others are found by their status. */
export const listDeliveries = listReader({
  table: eventDeliveries,
  columns: getTableColumns(eventDeliveries),
  scope: (p) => sql`${eventDeliveries.account_seq} = ${p("account_seq")}
    AND ${eventDeliveries.endpoint_id} = ${p("endpoint_id")} AND ${eventDeliveries.is_mail} = 0`,
  key: eventDeliveries.event_id,
  index: "event_deliveries_of_endpoint",
  tiebreaker: eventDeliveries.event_id,
  sorts: { created_at: eventDeliveries.created_at },
  filters: {
    statuses: { ...unindexedFilter((p) => inJson(status, p("statuses"))), reads: 2 },
    unsent: { ...facetWhere(() => sql`${status} = 'PENDING'`, []), index: "event_deliveries_due" },
    undelivered: { ...rareIn(status, undelivered, "undelivered"), index: "event_deliveries_undelivered" },
  },
  totals: (names) => {
    const name = ["statuses", "undelivered"].find((one) => names.includes(one));
    if (!name && names.length > 0) return undefined;
    const isOf = (column: SQLWrapper, p: Param) => (name ? inJson(column, p(name)) : sql`1`);
    return (p) =>
      sql`SELECT settled.total + unsent.total AS total, unsent.is_estimate FROM (
      SELECT COALESCE(SUM(count), 0) AS total FROM ${eventDeliveryCounts}
      WHERE ${eventDeliveryCounts.account_seq} = ${p("account_seq")}
        AND ${eventDeliveryCounts.endpoint_id} = ${p("endpoint_id")}
        AND ${isOf(eventDeliveryCounts.status, p)}) AS settled, (
      SELECT COUNT(*) AS total, COUNT(*) > ${mostUnsent} AS is_estimate FROM (
        SELECT 1 FROM ${eventDeliveries} INDEXED BY event_deliveries_due
        WHERE ${eventDeliveries.endpoint_id} = ${p("endpoint_id")} AND ${eventDeliveries.status} = 'PENDING'
          AND ${isOf(sql`'PENDING'`, p)} LIMIT ${mostUnsent} + 1)) AS unsent`;
  },
});
