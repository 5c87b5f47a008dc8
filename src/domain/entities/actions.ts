import { commit } from "../../base/db/commit.ts";
import { changeLiving } from "../../base/db/living.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { requireProfile } from "../profiles/queries.ts";
import { getEntity } from "./queries.ts";
import type { EntityChanges, NewEntity } from "./schemas.ts";
import { type Entity, entities } from "./tables.ts";

export async function createEntity(ctx: Ctx, input: NewEntity): Promise<Entity> {
  const profile = await requireProfile(ctx, input.profile_id);
  const entity: Entity = {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    profile_id: profile.id,
    entity_type: input.entity_type,
    name: input.name,
    is_active: input.is_active === false ? 0 : 1,
    image_url: input.image_url ?? null,
    wizard_id: null,
    attributes: JSON.stringify(input.attributes ?? {}),
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  keepCreated(ctx, { entity: entity.id });
  await commit(ctx, [insertRow(entities, entity)]);
  return entity;
}

export function changeEntity(ctx: Ctx, id: string, input: EntityChanges): Promise<Entity> {
  const values: Partial<Entity> = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.image_url === undefined ? {} : { image_url: input.image_url }),
    ...(input.attributes === undefined ? {} : { attributes: JSON.stringify(input.attributes) }),
    ...(input.is_active === undefined ? {} : { is_active: input.is_active ? 1 : 0 }),
  };
  return Object.keys(values).length === 0
    ? getEntity(ctx, id)
    : changeLiving(ctx, { ...living, key: { id }, set: values });
}

/** Deletes the entity softly: its subscriptions keep it and its label. */
export function removeEntity(ctx: Ctx, id: string): Promise<Entity> {
  return changeLiving(ctx, { ...living, key: { id }, set: { deleted_at: ctx.now } });
}

const living = { table: entities, name: "Entity" };
