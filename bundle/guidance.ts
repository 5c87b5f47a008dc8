// Stands in for src/edges/mcp/guidance.ts in the deployed script (scripts/deployed/make.ts).
import { readAsset } from "./asset.ts";

/** The texts of tools, as they were when the script was made. */
export async function readGuidance(): Promise<Record<string, string>> {
  return JSON.parse(await readAsset("guidance.json"));
}
