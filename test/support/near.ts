import { env } from "cloudflare:workers";

/** Has D1's client ask the database of near-database.mjs. All that the client does with values, errors and sessions stays its own. */
export function leadToNearDatabase(): void {
  const database = env.DB as unknown as { fetcher: Fetcher; alwaysPrimarySession: { fetcher: Fetcher } };
  const near = { fetch: ask } as Fetcher;
  Object.assign(database, { fetcher: near });
  Object.assign(database.alwaysPrimarySession, { fetcher: near });
}

export async function emptyDatabase(): Promise<void> {
  await ask("http://database", { method: "DELETE" });
}

function ask(...request: Parameters<Fetcher["fetch"]>): Promise<Response> {
  return env.NEAR.getByName("directory").fetch(...request);
}
