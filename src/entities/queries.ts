import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { countedBy, facet, listReader, narrowBy } from "../db/listing.ts";
import { build, first, prepare } from "../db/statement.ts";
import { notFound } from "../errors.ts";
import { type Entity, entities, entityCounts } from "./tables.ts";

const byId = prepare<{ account_id: string; id: string }>((p) =>
  build
    .select()
    .from(entities)
    .where(
      and(eq(entities.account_id, p("account_id")), eq(entities.id, p("id")), isNull(entities.deleted_at)),
    ),
);

export const getEntity = async (ctx: Ctx, id: string): Promise<Entity> => {
  const entity = await first<Entity>(ctx.db, byId({ account_id: ctx.account.id, id }));
  if (!entity) throw notFound("Entity");
  return entity;
};

export const listEntities = listReader<Entity, "name" | "entity_type">({
  columns: getTableColumns(entities),
  table: entities,
  scope: (p) => sql`${entities.account_id} = ${p("account_id")} AND ${entities.deleted_at} IS NULL`,
  id: entities.id,
  sorts: { created_at: entities.created_at, name: entities.name, entity_type: entities.entity_type },
  filters: {
    profile_id: narrowBy(entities.profile_id, "profile_id"),
    entity_type: facet(entities.entity_type, "entity_type"),
    is_active: facet(entities.is_active, "is_active"),
  },
  totals: countedBy(entityCounts, entityCounts.account_id, {
    entity_type: facet(entityCounts.entity_type, "entity_type"),
    is_active: facet(entityCounts.is_active, "is_active"),
  }),
});
