import { isProvinceRefused } from "../profiles/province.ts";
import { missingFieldsOf } from "./address/complete-address.ts";
import { addressMissing } from "./lifecycle.ts";
import { deliveryAddressOf } from "./row-codec.ts";
import type { Subscription } from "./tables.ts";

export const warningCodes = [addressMissing, "province_unknown"] as const;

/** Something to look at in a subscription that was created all the same. */
export type Warning = { code: (typeof warningCodes)[number]; message: string; subscription_id: string };

export function warningsOf(
  where: Parameters<typeof isProvinceRefused>[0],
  rows: Pick<Subscription, "id" | "delivery_address">[],
): Warning[] {
  return rows.flatMap((row) => {
    const missing = missingFieldsOf(row);
    const address = deliveryAddressOf(row);
    const warn = (code: Warning["code"], message: string) => ({ code, message, subscription_id: row.id });
    return [
      ...(missing.length > 0
        ? [warn(addressMissing, `The delivery address is not complete without ${missing.join(", ")}`)]
        : []),
      ...(address && isProvinceRefused(where, address)
        ? [warn("province_unknown", `The store needs a province of ${address.country} that it knows`)]
        : []),
    ];
  });
}
