import { invalid } from "../../base/errors.ts";
import { countryNameOf } from "../../base/lib/places/countries.ts";
import { lacksProvince, type Provinces } from "../../base/lib/places/provinces.ts";
import type { Ctx } from "../../kit/context.ts";
import { traitsOf } from "../../stores/platforms.ts";

type Address = Parameters<typeof lacksProvince>[1];
type Where = Pick<Ctx, "account"> & { provinces: Provinces };

/** Whether the account's store would refuse the address for its province. */
export function isProvinceRefused({ account, provinces }: Where, address: Address): boolean {
  return traitsOf(account).checksProvinces && lacksProvince(provinces, address);
}

/** Throws VALIDATION_FAILED for an address that the account's store would refuse for its province; `within` is before its field's path. */
export function requireProvince(where: Where, address: Address, within = ""): void {
  if (!isProvinceRefused(where, address)) return;
  const path = `${within}${address.province_code ? "province_code" : "province"}`;
  throw invalid([{ path, message: `must be a province of ${countryNameOf(address.country_code)}` }]);
}
