import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as accounts from "../../../base/accounts/tables.ts";
import * as billing from "../../../domain/billing/tables.ts";
import * as cancellation from "../../../domain/cancellation/tables.ts";
import * as catalogue from "../../../domain/catalogue/tables.ts";
import * as contracts from "../../../domain/contracts/tables.ts";
import * as delivery from "../../../domain/delivery/tables.ts";
import * as dunning from "../../../domain/dunning/tables.ts";
import * as entities from "../../../domain/entities/tables.ts";
import * as goods from "../../../domain/goods/tables.ts";
import * as imports from "../../../domain/imports/tables.ts";
import * as mail from "../../../domain/mail/tables.ts";
import * as merchantJobs from "../../../domain/merchant-jobs/tables.ts";
import * as orders from "../../../domain/orders/tables.ts";
import * as ownOrders from "../../../domain/own-orders/tables.ts";
import * as paymentMethods from "../../../domain/payment-methods/tables.ts";
import * as privacy from "../../../domain/privacy/tables.ts";
import * as profiles from "../../../domain/profiles/tables.ts";
import * as reasons from "../../../domain/reasons/tables.ts";
import * as sellingPlans from "../../../domain/selling-plans/tables.ts";
import * as sessions from "../../../domain/sessions/tables.ts";
import * as subscriptions from "../../../domain/subscriptions/tables.ts";
import * as endpoints from "../../../domain/webhook-endpoints/tables.ts";
import * as idempotency from "../../../kit/http/idempotency/idempotency-tables.ts";
import * as journal from "../../../kit/journal/tables.ts";
import { platforms } from "../../../stores/platforms.ts";
import * as stores from "../../../stores/tables.ts";
import * as webhooks from "../../webhooks/tables.ts";

/** The columns of a table as the code declares them, by name; undefined for a table that it does not know. */
export function declaredColumns(table: string): Map<string, Column> | undefined {
  return declared.get(table);
}

/** A column, and whether it may be null. */
export type Column = { column: SQLiteColumn; isNullable: boolean };

const modules: object[] = [
  ...[
    accounts,
    billing,
    cancellation,
    catalogue,
    contracts,
    delivery,
    dunning,
    endpoints,
    entities,
    goods,
    idempotency,
    imports,
    journal,
  ],
  ...[
    mail,
    merchantJobs,
    orders,
    ownOrders,
    paymentMethods,
    privacy,
    profiles,
    reasons,
    sellingPlans,
    sessions,
  ],
  ...[stores, subscriptions, webhooks],
  ...Object.values(platforms).map(({ tables }) => tables),
];

const declared = new Map(
  modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value) => is(value, SQLiteTable))
    .map((table) => [getTableConfig(table).name, columnsOf(table)] as const),
);

function columnsOf(table: SQLiteTable): Map<string, Column> {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys.flatMap((one) => one.columns.map(({ name }) => name));
  return new Map(
    columns
      .filter(({ generated }) => generated === undefined)
      .map((column) => [
        column.name,
        { column, isNullable: !column.notNull && !column.primary && !key.includes(column.name) },
      ]),
  );
}
