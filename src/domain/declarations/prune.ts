import { lt } from "drizzle-orm";
import type { Db } from "../../base/db/port.ts";
import { later } from "../../base/lib/time/dates.ts";
import { prune } from "../../kit/outbox/prune.ts";
import { windowMs } from "./limits.ts";
import { declarations, declarationVisits } from "./tables.ts";

/** Deletes declarations once the law asks for them no more, and visits of more than an hour ago, a limited number at each tick. */
export async function pruneDeclarations(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  const { prune_at } = declarations;
  await prune(db, declarations, { where: lt(prune_at, at), oldestBy: prune_at, size });
  const { created_at } = declarationVisits;
  const where = lt(created_at, later(at, -windowMs));
  await prune(db, declarationVisits, { where, oldestBy: created_at, size });
}

const size = 1000;
