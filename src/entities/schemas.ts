import { z } from "@hono/zod-openapi";
import { demoId } from "../demo.ts";
import { listOf, pageQuery } from "../http/pagination.ts";
import {
  anyText,
  freeForm,
  idIn,
  imageUrl,
  instant,
  queryBoolean,
  sortDirection,
  text,
} from "../http/params.ts";

const name = text({ max: 255 }).openapi({ example: "Biscuit" });
const entity_type = text({ max: 100 }).openapi({ example: "dog" });

/** What a subscription is for: a pet, a person. */
export const EntityBody = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    is_active: z.boolean(),
    account_id: z.string(),
    profile_id: z.string(),
    entity_type: z.string(),
    image_url: z.string().nullable(),
    wizard_id: z.string().nullable(),
    attributes: z
      .string()
      .openapi({ description: "The attributes' JSON text.", example: '{"breed":"Beagle"}' }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Entity");

export const EntityData = z.strictObject({ data: EntityBody }).openapi("EntityData");
export const EntityList = listOf(EntityBody, "EntityList");

export const EntityQuery = z.strictObject({
  ...pageQuery,
  profile_id: idIn.optional(),
  entity_type: anyText.optional(),
  is_active: queryBoolean.optional(),
  sort_by: z.enum(["created_at", "name", "entity_type"]).optional(),
  sort_order: sortDirection.optional(),
});

export const EntityCreate = z
  .strictObject({
    profile_id: idIn,
    entity_type,
    name,
    attributes: freeForm.optional(),
    image_url: imageUrl.optional(),
    is_active: z.boolean().optional(),
  })
  .openapi("EntityCreate", {
    example: {
      profile_id: demoId("profile", 1),
      entity_type: "dog",
      name: "Biscuit",
      attributes: { breed: "Beagle" },
    },
  });

export const EntityUpdate = z
  .strictObject({
    name: name.optional(),
    attributes: freeForm.optional(),
    image_url: imageUrl.nullable().optional(),
    is_active: z.boolean().optional(),
  })
  .openapi("EntityUpdate", { example: { name: "Biscuit II" } });

export type NewEntity = z.output<typeof EntityCreate>;
export type EntityChanges = z.output<typeof EntityUpdate>;
