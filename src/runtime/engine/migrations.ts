import { newestMigration } from "../../base/db/newest-migration.ts";
import type { Bindings } from "../../base/env.ts";

export type Migration = [name: string, sql: string];

/**
 * The migrations of this version, in order. They are an asset of the deployment, which an object reads only where it lacks one: so nothing
 * else carries them. Throws where they cannot be read, or are not this version's.
 */
export async function readMigrations({ ASSETS }: Pick<Bindings, "ASSETS">): Promise<Migration[]> {
  const response = await ASSETS.fetch("https://assets/assets/migrations.json");
  if (!response.ok) throw new Error(`The migrations cannot be read: HTTP ${response.status}`);
  const all = await response.json<Migration[]>();
  const newest = all.at(-1)?.[0];
  if (newest !== newestMigration)
    throw new Error(`The migrations end with ${newest}, and not with ${newestMigration}`);
  return all;
}
