import { type ImportedLine, type ImportField, importFieldNames, orderFieldNames } from "../fields.ts";
import type { CsvRow } from "./columns.ts";
import type { MapContext, Members } from "./members.ts";
import { isSubscription, mapOwnFields, mapSubscription, unknownMembers } from "./perennial.ts";
import { subscriptionMembers } from "./perennial-members.ts";
import { rechargeColumns, rechargeMembers } from "./recharge/members.ts";
import { mapRechargeObject, mapRechargeRow } from "./recharge/subscription.ts";
import { mapShopifyRow, shopifyColumns } from "./shopify.ts";
import { stripeMembers } from "./stripe/members.ts";
import { mapStripeObject } from "./stripe/subscription.ts";

export const importFormats = ["perennial", "recharge", "shopify", "stripe", "csv", "orders"] as const;
export type ImportFormat = (typeof importFormats)[number];

type Json = Record<string, unknown>;

/** The reader of a format, which makes its rows ours. One without `mapRow` has no CSV, one without `mapObject` no JSON lines. */
type Format = {
  /** The columns that its CSV may have. */
  columns?: readonly string[];
  /** Our own fields that may be added to its rows: those whose names it does not have itself. */
  added: readonly ImportField[];
  mapRow?: (row: CsvRow, context: Partial<MapContext>) => ImportedLine[] | Promise<ImportedLine[]>;
  mapObject?: (object: Json, context: Partial<MapContext>) => ImportedLine[];
  /** The members of an object that are refused with their file; those of other systems' objects are their row's fault. */
  unknownMembers?: (object: Json) => string[];
};

const own: Format = {
  columns: importFieldNames,
  added: notIn(subscriptionMembers),
  mapRow: mapOwnFields,
  mapObject: (object, context) =>
    isSubscription(object) ? mapSubscription(object, context) : mapOwnFields(object),
  unknownMembers: (object) => (isSubscription(object) ? [] : unknownMembers(object)),
};

export const formats: Record<ImportFormat, Format> = {
  perennial: own,
  csv: own,
  recharge: {
    columns: rechargeColumns,
    added: notIn({ ...rechargeMembers, ...namesIn(rechargeColumns) }),
    mapRow: mapRechargeRow,
    mapObject: mapRechargeObject,
  },
  stripe: { added: notIn(stripeMembers), mapObject: mapStripeObject },
  shopify: { columns: shopifyColumns, added: notIn(namesIn(shopifyColumns)), mapRow: mapShopifyRow },
  orders: {
    columns: orderFieldNames,
    added: [],
    mapRow: mapOwnFields,
    mapObject: mapOwnFields,
    unknownMembers: (object) =>
      Object.keys(object).filter((name) => !(orderFieldNames as string[]).includes(name)),
  },
};

function notIn(members: Members | Record<string, true>): ImportField[] {
  return importFieldNames.filter((name) => !Object.hasOwn(members, name));
}

function namesIn(columns: readonly string[]): Record<string, true> {
  return Object.fromEntries(columns.map((name) => [name, true]));
}
