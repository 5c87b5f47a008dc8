import type { FieldChange } from "../../../base/lib/diff.ts";
import { exponentOf, toMajor } from "../../../base/lib/money.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { revenueOf } from "../../orders/revenue.ts";
import type { LaterEntry, OrderOfEntry } from "./queries.ts";

/** ShownFields of a subscription as the API shows them, by name. */
export type ShownFields = Record<string, unknown>;

/**
 * The fields that a subscription had before these entries, the newest first. What an entry says of its own changes is taken back; of a prepaid
 * delivery and of money that has come or gone at an order, its order says what the entry does not repeat.
 */
export function walkBack(now: ShownFields, entries: LaterEntry[], currency: string): ShownFields {
  const fields = { ...now };
  const orders = new Map<string, OrderOfEntry>();
  for (const { action, order, actor_type, ...entry } of entries) {
    const changes = (parseStored(entry.changes) ?? {}) as Record<string, FieldChange>;
    const metadata = parseStored(entry.metadata) ?? {};
    if (order === null) {
      if (!isOfMethod(action, metadata)) takeBack(fields, changes);
      continue;
    }
    const known = orders.get(order.id) ?? order;
    const before = orderBefore(known, changes, currency);
    orders.set(order.id, before);
    if (action === "order_placed" && metadata.prepaid === true) takeBackDelivery(fields, known, metadata);
    fields.total_revenue = moneyLess(
      fields.total_revenue,
      earnedBy({ action, actor_type, metadata, known, before }),
      currency,
    );
  }
  return fields;
}

/** The changes of a card, whose status is not the subscription's. */
function isOfMethod(action: string, metadata: ShownFields): boolean {
  return action === "payment_method_changed" && "brand" in metadata;
}

function takeBack(fields: ShownFields, changes: Record<string, FieldChange>): void {
  for (const [column, { from }] of Object.entries(changes)) fields[nameOf(column)] = from;
}

/** The dates of the delivery that an order has made were the next ones before; what else it has moved is in its entry. */
function takeBackDelivery(fields: ShownFields, order: OrderOfEntry, { before }: ShownFields): void {
  fields.next_delivery_date = order.delivery_date;
  fields.next_production_date = order.production_date;
  Object.assign(fields, before);
}

function nameOf(column: string): string {
  return column === "dunning_episode_id" ? "current_dunning_episode" : column;
}

function orderBefore(
  order: OrderOfEntry,
  { status, total, refunded_amount, subscriptions, has_subscription }: Record<string, FieldChange>,
  currency: string,
): OrderOfEntry {
  return {
    ...order,
    ...(status ? { status: status.from as OrderOfEntry["status"] } : {}),
    ...(total ? { total: minorIn(currency, total.from as number) } : {}),
    ...(refunded_amount ? { refunded_amount: minorIn(currency, refunded_amount.from as number) } : {}),
    ...(subscriptions ? { owners: (subscriptions.from as string[]).length } : {}),
    ...(has_subscription?.from === false ? { owners: 0 } : {}),
  };
}

type OrderEvent = Pick<LaterEntry, "action" | "actor_type"> & {
  metadata: ShownFields;
  known: OrderOfEntry;
  before: OrderOfEntry;
};

/**
 * The revenue that an entry of an order has brought its subscription, in minor units. A charge's own entry says what it has brought, so that its
 * order's says nothing. An order that people have cancelled here earns what was paid until it is paid back; one that its store keeps earns
 * nothing once it is cancelled.
 */
function earnedBy({ action, actor_type, metadata, known, before }: OrderEvent): number {
  if (metadata.billing_attempt_id !== undefined) return 0;
  if (metadata.refund_id !== undefined) return before.refunded_amount - known.refunded_amount;
  if (action === "order_cancelled" && actor_type !== "system") return 0;
  return shareOf(known) - (made.has(action) ? 0 : shareOf(before));
}

const made = new Set(["order_placed", "order_imported"]);

/** An order of several subscriptions brings none of them revenue. */
function shareOf(order: OrderOfEntry): number {
  return order.owners === 1 ? revenueOf(order) : 0;
}

function moneyLess(amount: unknown, minor: number, currency: string): number {
  return toMajor(minorIn(currency, amount as number) - minor, currency);
}

/** An amount of the history in minor units: it was written from these. */
export function minorIn(currency: string, major: number): number {
  return Math.round(major * 10 ** exponentOf(currency));
}
