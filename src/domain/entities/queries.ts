import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { countedBy, facet, facetWhere, narrowBy, rareWhere, unindexedFilter } from "../../base/db/filters.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectLivingBy } from "../../base/db/row-reads.ts";
import { build, first, inJson, type Params, prepare } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { type Entity, entities, entityCounts } from "./tables.ts";

export async function getEntity(ctx: Ctx, id: string): Promise<Entity> {
  const entity = await first(ctx.db, selectById({ account_seq: ctx.account.seq, id }));
  if (!entity) throw notFound("Entity");
  return entity;
}

export const listEntities = listReader({
  columns: getTableColumns(entities),
  table: entities,
  scope: (p) => sql`${entities.account_seq} = ${p("account_seq")} AND ${entities.deleted_at} IS NULL`,
  tiebreaker: entities.id,
  sorts: { created_at: entities.created_at, name: entities.name, entity_type: entities.entity_type },
  filters: {
    profile_id: narrowBy(entities.profile_id, "profile_id", ["created_at"]),
    entity_type: facet(entities.entity_type, "entity_type", ["entity_type", "created_at"]),
    is_active: unindexedFilter((p) => sql`${entities.is_active} = ${p("is_active")}`),
    is_inactive: rareWhere(() => sql`${entities.is_active} = 0`),
  },
  totals: countedBy(entityCounts, entityCounts.account_seq, {
    entity_type: facet(entityCounts.entity_type, "entity_type"),
    is_active: facet(entityCounts.is_active, "is_active"),
    is_inactive: facetWhere(() => sql`${entityCounts.is_active} = 0`),
  }),
});

/** The entities that a request names, to be read in one trip with others; nothing where it names none. */
export function selectNamedEntities({ account }: Ctx, ids: string[]): Statement<Entity>[] {
  return ids.length === 0 ? [] : [selectByIds({ account_seq: account.seq, ids: JSON.stringify(ids) })];
}

/**
 * The profile's own entities that a request names, by id, of what `selectNamedEntities` finds. `pathOf` returns the field of the
 * request that names one. Throws UNKNOWN_ENTITY.
 */
export function requireEntities(
  profileId: string,
  ids: string[],
  found: Entity[] = [],
  pathOf: (id: string) => string,
): Map<string, Entity> {
  const own = new Map(
    found.filter(({ profile_id }) => profile_id === profileId).map((entity) => [entity.id, entity]),
  );
  const missing = ids.find((id) => !own.has(id));
  if (missing === undefined) return own;
  throw new DomainError("UNKNOWN_ENTITY", "The profile has no such entity", [
    { path: pathOf(missing), message: "is not known" },
  ]);
}

const selectById = selectLivingBy(entities, "account_seq", "id");

const selectByIds = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select()
    .from(entities)
    .where(
      and(
        eq(entities.account_seq, p("account_seq")),
        inJson(entities.id, p("ids")),
        isNull(entities.deleted_at),
      ),
    ),
);
