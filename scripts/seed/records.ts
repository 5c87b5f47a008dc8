import { insertRows } from "../../src/base/db/bulk.ts";
import type { Statement, Value } from "../../src/base/db/port.ts";
import { draw } from "./draw.ts";
import { type Amounts, type Extent, numbersIn, type Range } from "./extent.ts";
import { orderHistory, subscriptionEntries } from "./history.ts";
import { daysAgoOf, linkRows, orderOutline, orderRow } from "./orders.ts";
import { addressRow, entityOf, entityRow, paymentMethodRow, personOf, profileRow } from "./profiles.ts";
import { contractRow, subscriptionRow } from "./subscriptions.ts";
import { instantOf } from "./times.ts";

type Row = Record<string, Value>;

/** The demo store's: small enough to read, large enough for every list to have pages. */
export const demoExtent: Extent = {
  amounts: { profiles: 60, subscriptions: 60, orders: 300 },
  after: { profiles: 0, subscriptions: 0, orders: 0 },
  nextNumber: 1001,
};

/** Some of the records: rows of tables, and the orders whose history is made from them. */
export type Piece = { count: number; rows: [table: string, rows: Row[]][]; ordersWithHistory?: Range };

/** In the order in which records refer to one another. */
export function* recordPieces(extent: Extent, now: Date, size = pieceSize): Generator<Piece> {
  for (const kind of ["profiles", "subscriptions", "orders"] as const)
    for (const range of rangesOf(extent, kind, size)) yield piecesOf[kind](range, extent, now);
}

/** Each piece as the statements of one batch. */
export function* recordBatches(extent: Extent, now: Date): Generator<Statement[]> {
  for (const { rows, ordersWithHistory } of recordPieces(extent, now))
    yield [
      ...rows.flatMap(([table, its]) => insertRows(table, its)),
      ...(ordersWithHistory ? [orderHistory(ordersWithHistory, extent)] : []),
    ];
}

/** How many batches so many records are. */
export function batchesOf(amounts: Amounts): number {
  return Object.values(amounts).reduce((sum, count) => sum + Math.ceil(count / pieceSize), 0);
}

const pieceSize = 20_000;

const piecesOf: Record<keyof Amounts, (range: Range, extent: Extent, now: Date) => Piece> = {
  profiles: (range, _, now) => {
    const profiles = numbersIn(range).map((n) => ({ n, profile: profileRow(n, now) }));
    return {
      count: profiles.length,
      rows: [
        ["profiles", profiles.map(({ profile }) => profile)],
        ["payment_methods", profiles.map(({ n, profile }) => paymentMethodRow(n, profile))],
        ["delivery_addresses", profiles.map(({ n, profile }) => addressRow(n, profile))],
        ["entities", profiles.map(({ n }) => entityRow(n, now))],
      ],
    };
  },
  subscriptions: (range, extent, now) => {
    const subscriptions = numbersIn(range).map((n) => ({ n, row: subscriptionOf(n, extent, now) }));
    return {
      count: subscriptions.length,
      rows: [
        ["subscriptions", subscriptions.map(({ row }) => row)],
        ["own_contracts", subscriptions.map(({ n, row }) => contractRow(n, row))],
        ["new_entries", subscriptions.flatMap(({ n, row }) => subscriptionEntries(n, row))],
      ],
    };
  },
  orders: (range, extent, now) => {
    const orders = numbersIn(range);
    return {
      count: orders.length,
      rows: [
        ["orders", orders.map((n) => orderRow(n, extent, now))],
        ["order_subscriptions", orders.flatMap((n) => linkRows(n, extent))],
      ],
      ordersWithHistory: range,
    };
  },
};

/** A subscription amid its owner, entity and the orders it has made. */
function subscriptionOf(n: number, extent: Extent, now: Date): Row {
  const { amounts, after, nextNumber } = extent;
  const index = n - after.subscriptions - 1;
  const owner = after.profiles + (index % amounts.profiles) + 1;
  const rounds = Math.ceil(amounts.orders / amounts.subscriptions);
  const own = Array.from({ length: rounds }, (_, round) => index + round * amounts.subscriptions)
    .filter((position) => position < amounts.orders)
    .map((position) => after.orders + position + 1)
    .map((order) => ({ order, ...orderOutline(order, extent) }))
    .filter(({ order_type }) => order_type !== "ONE_TIME");
  const around = {
    number: nextNumber + index,
    owner: personOf(owner),
    entity: draw(n, 23, 3) > 0 ? entityOf(owner) : undefined,
    created_at: instantOf(now, Math.max(365, daysAgoOf(n, rounds)), n),
    lastOrder: own[0]?.order,
    revenue: own
      .filter(({ status }) => status !== "PENDING" && status !== "CANCELLED")
      .reduce((sum, { total, refunded_amount }) => sum + total - refunded_amount, 0),
  };
  return subscriptionRow(n, around, now);
}

function* rangesOf({ amounts, after }: Extent, kind: keyof Amounts, size: number): Generator<Range> {
  const last = after[kind] + amounts[kind];
  for (let first = after[kind] + 1; first <= last; first += size)
    yield { first, last: Math.min(last, first + size - 1) };
}
