import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import {
  anyText,
  freeForm,
  idIn,
  imageUrl,
  instant,
  queryBoolean,
  sortDirection,
  text,
} from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";

const name = text({ max: 255 }).openapi({ example: "Biscuit" });
const entity_type = text({ max: 100 }).openapi({ example: "dog" });

/** The descriptions of an entity's fields, in requests and responses. */
const entityTexts = {
  ...commonTexts,
  ...referenceTexts,
  id: ["The entity's id.", demoId("entity", 1)],
  name: ["What the entity is called, at most 255 characters.", "Biscuit"],
  entity_type: ["What kind of entity it is, in the merchant's own words, at most 100 characters.", "dog"],
  is_active:
    "Whether the merchant still counts it: a mark for lists, which changes nothing else. True by default.",
  image_url: ["An https address of a picture; null for none.", "https://cdn.example.com/biscuit.jpg"],
  attributes: [
    "What else is known of it: a free-form object, at most 16,000 bytes as JSON. Empty by default.",
    { breed: "Beagle" },
  ],
} as const satisfies Record<string, FieldText>;

/** Somebody or something that a subscription is for: a pet, a person. */
export const EntityBody = named(
  "Entity",
  z.strictObject({
    id: idOut,
    name: z.string(),
    is_active: z.boolean(),
    account_id: idOut,
    profile_id: idOut,
    entity_type: z.string(),
    image_url: z.string().nullable(),
    wizard_id: z.string().nullable(),
    attributes: z.string(),
    created_at: instant,
    updated_at: instant,
  }),
  {
    ...entityTexts,
    wizard_id: [
      "The id that a sign-up wizard has given the entity; null for entities made by this API.",
      null,
    ],
    attributes: ["The attributes as JSON text: `{}` if there are none.", '{"breed":"Beagle"}'],
  },
  { description: "A named item of a customer's that subscriptions are for, such as a pet or a person." },
);

export const EntityData = dataOf(EntityBody, "EntityData", "The entity.");
export const EntityList = listOf(EntityBody, "EntityList");

export const EntityQuery = z.strictObject({
  ...pageQuery,
  profile_id: idIn
    .optional()
    .openapi({ description: "Only entities of this profile.", example: demoId("profile", 1) }),
  entity_type: anyText
    .optional()
    .openapi({ description: "Only entities of exactly this type.", example: "dog" }),
  is_active: queryBoolean
    .optional()
    .openapi({ param: { description: "Only active entities, or only inactive ones." } }),
  sort_by: z.enum(["created_at", "name", "entity_type"]).optional().openapi({
    description: "What the list is sorted by: `created_at` (the default), `name` or `entity_type`.",
  }),
  sort_order: sortDirection.optional().openapi({
    param: { description: "The direction: `desc` by default, `asc` for `name` and `entity_type`." },
  }),
});

export const EntityCreate = named(
  "EntityCreate",
  z.strictObject({
    profile_id: idIn,
    entity_type,
    name,
    attributes: freeForm.optional(),
    image_url: imageUrl.optional(),
    is_active: z.boolean().optional(),
  }),
  entityTexts,
  {
    example: {
      profile_id: demoId("profile", 1),
      entity_type: "dog",
      name: "Biscuit",
      attributes: { breed: "Beagle" },
    },
  },
);

export const EntityUpdate = named(
  "EntityUpdate",
  z.strictObject({
    name: name.optional(),
    attributes: freeForm.optional(),
    image_url: imageUrl.nullable().optional(),
    is_active: z.boolean().optional(),
  }),
  {
    ...entityTexts,
    is_active: "Whether the merchant still counts it: a mark for lists, which changes nothing else.",
    attributes: [
      "What else is known of it: a free-form object, at most 16,000 bytes as JSON, which replaces the whole one.",
      { breed: "Beagle" },
    ],
  },
  { description: "Fields that are absent stay as they are.", example: { name: "Biscuit II" } },
);

export type NewEntity = z.output<typeof EntityCreate>;
export type EntityChanges = z.output<typeof EntityUpdate>;
