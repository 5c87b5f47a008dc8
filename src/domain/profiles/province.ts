import { invalid } from "../../base/errors.ts";
import { countryNameOf } from "../../base/lib/places/countries.ts";
import { lacksProvince } from "../../base/lib/places/provinces.ts";
import type { Ctx } from "../../kit/context.ts";
import { traitsOf } from "../../stores/platforms.ts";

type Address = Parameters<typeof lacksProvince>[0];

/** Whether the account's store would refuse the address for its province. */
export function isProvinceRefused({ account }: Pick<Ctx, "account">, address: Address): boolean {
  return traitsOf(account).checksProvinces && lacksProvince(address);
}

/** Throws VALIDATION_FAILED for an address that the account's store would refuse for its province; `within` is before its field's path. */
export function requireProvince(ctx: Ctx, address: Address, within = ""): void {
  if (!isProvinceRefused(ctx, address)) return;
  const path = `${within}${address.province_code ? "province_code" : "province"}`;
  throw invalid([{ path, message: `must be a province of ${countryNameOf(address.country_code)}` }]);
}
