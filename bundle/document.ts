// Stands in for src/runtime/document.ts in the deployed script (scripts/deployed/make.ts).
import { env } from "cloudflare:workers";
import { countDaysFrom } from "./document-days.ts";

/** The OpenAPI document, as it was made of the operations when the script was. */
export async function makeDocument(_operations: unknown, now: Date): Promise<object> {
  const response = await env.ASSETS.fetch("https://assets/assets/api-document.json");
  if (!response.ok) throw new Error(`The API's document cannot be read: HTTP ${response.status}`);
  return JSON.parse(countDaysFrom(now, await response.text()));
}
