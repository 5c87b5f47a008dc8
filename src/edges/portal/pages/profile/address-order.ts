import { isPostcodeLast } from "../../../../base/language/names.ts";
import type { Fields } from "../../../pages/fields.ts";

/** The fields of a form in the order of the page: those of an address's place stand as its country writes them. */
export function inPageOrder(names: readonly string[], { country_code }: Fields): string[] {
  const zip = names.indexOf("zip");
  const province = names.indexOf("province");
  if (!isPostcodeLast(country_code) || zip === -1 || province === -1) return [...names];
  return [...names.slice(0, zip), ...names.slice(zip + 1, province + 1), "zip", ...names.slice(province + 1)];
}
