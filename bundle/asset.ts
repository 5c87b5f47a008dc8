import { env } from "cloudflare:workers";

/** The text of a file that is deployed beside the script, in place of what would make that longer. */
export async function readAsset(file: string): Promise<string> {
  const response = await env.ASSETS.fetch(`https://assets/assets/${file}`);
  if (!response.ok) throw new Error(`The asset ${file} cannot be read: HTTP ${response.status}`);
  return response.text();
}
