// Stands in for src/base/lib/places/province-names.ts in the deployed script (scripts/deployed/make.ts).
import { readAsset } from "./asset.ts";

/** The lists of provinces, as they were when the script was made. */
export async function readProvinceNames(): Promise<Record<string, string>> {
  return JSON.parse(await readAsset("provinces.json"));
}
