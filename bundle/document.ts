// Stands in for src/runtime/document.ts in the deployed script (scripts/deployed/make.ts).
import { readAsset } from "./asset.ts";
import { countDaysFrom } from "./document-days.ts";

/** The OpenAPI document, as it was made of the operations when the script was. */
export async function makeDocument(_operations: unknown, now: Date): Promise<object> {
  return JSON.parse(countDaysFrom(now, await readAsset("api-document.json")));
}
