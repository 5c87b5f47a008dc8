import { once } from "../once.ts";
import { nameKey } from "../text.ts";
import { readProvinceNames } from "./province-names.ts";

/** The fields of a province in an address. */
type Given = {
  country_code: string;
  province?: string | null | undefined;
  province_code?: string | null | undefined;
};

/** A province by its name and its code, as stores know it. */
type Province = { province: string; province_code: string };

/**
 * Both fields of a province whose name or code is known, with or without the country's code in front. The code decides, and a name
 * of the province stays as it was written. Undefined where the country has no list, or none of the two is on it.
 */
export function completeProvince(
  provinces: Provinces,
  { country_code, province, province_code }: Given,
): Province | undefined {
  const known = provinces.get(country_code);
  const [name, code] = [nameKey(province ?? ""), nameKey(province_code ?? "")];
  const named = known?.names.get(name);
  const found = known?.codes.get(code) ?? named ?? known?.codes.get(name);
  return found && province && named === found ? { ...found, province } : found;
}

/** Whether an address names no province of its country's list, where that has one. */
export function lacksProvince(provinces: Provinces, address: Given): boolean {
  return provinces.has(address.country_code) && !completeProvince(provinces, address);
}

type Known = { names: Map<string, Province>; codes: Map<string, Province> };

/** The provinces of each country that has a list of them. */
export type Provinces = ReadonlyMap<string, Known>;

/** Read and made when they are first asked for. */
export const readProvinces = once(async (): Promise<Provinces> => {
  const lists = Object.entries(await readProvinceNames());
  return new Map(lists.map(([country, list]) => [country, parse(country, list)]));
});

function parse(country: string, list: string): Known {
  const all = list.split(";").map((one) => {
    const [province_code = "", text = ""] = one.split(":");
    const names = text.split("/");
    const short = province_code.replace(`${country}-`, "");
    return { found: { province: names[0]!, province_code }, names, codes: [short, `${country}-${short}`] };
  });
  const mapBy = (part: "names" | "codes") =>
    new Map(all.flatMap((one) => one[part].map((text) => [nameKey(text), one.found] as const)));
  return { names: mapBy("names"), codes: mapBy("codes") };
}
