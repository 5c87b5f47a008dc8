import { type ImportedLine, importFieldNames, orderFieldNames } from "../fields.ts";
import type { CsvRow } from "./columns.ts";
import { isSubscription, mapOwnFields, mapSubscription, unknownMembers } from "./perennial.ts";
import { mapRechargeObject, mapRechargeRow, rechargeColumns } from "./recharge.ts";
import { mapShopifyRow, shopifyColumns } from "./shopify.ts";
import { mapStripeObject } from "./stripe.ts";

export const importFormats = ["perennial", "recharge", "shopify", "stripe", "csv", "orders"] as const;
export type ImportFormat = (typeof importFormats)[number];

type Json = Record<string, unknown>;

/** How the rows of a format become ours. One without `mapRow` has no CSV, one without `mapObject` no JSON lines. */
type Format = {
  /** The columns that its CSV may have. */
  columns?: readonly string[];
  mapRow?: (row: CsvRow) => ImportedLine[] | Promise<ImportedLine[]>;
  mapObject?: (object: Json, takesRemoteMethods?: boolean) => ImportedLine[];
  /** The members of an object that are refused; by default other systems' objects may have any. */
  unknownMembers?: (object: Json) => string[];
};

const own: Format = {
  columns: importFieldNames,
  mapRow: mapOwnFields,
  mapObject: (object) => (isSubscription(object) ? mapSubscription(object) : mapOwnFields(object)),
  unknownMembers: (object) => (isSubscription(object) ? [] : unknownMembers(object)),
};

export const formats: Record<ImportFormat, Format> = {
  perennial: own,
  csv: own,
  recharge: { columns: rechargeColumns, mapRow: mapRechargeRow, mapObject: mapRechargeObject },
  stripe: { mapObject: mapStripeObject },
  shopify: { columns: shopifyColumns, mapRow: mapShopifyRow },
  orders: {
    columns: orderFieldNames,
    mapRow: mapOwnFields,
    mapObject: mapOwnFields,
    unknownMembers: (object) =>
      Object.keys(object).filter((name) => !(orderFieldNames as string[]).includes(name)),
  },
};
