import { entities } from "../../../src/domain/entities/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

export const entityPart: MakePart = ({ account }, mark, { profile, entity }) => ({
  writes: [
    insertOf(entities, {
      id: entity,
      account_id: account.id,
      profile_id: profile,
      entity_type: mark,
      name: mark,
      is_active: 1,
      attributes: JSON.stringify({ breed: mark }),
      ...stamps,
    }),
  ],
  paths: { "/api/subscriptions/entities/{id}": { id: entity } },
  bodies: {
    createEntity: { profile_id: profile, entity_type: "dog", name: mark, attributes: { breed: "Beagle" } },
  },
});
