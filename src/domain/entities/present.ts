import type { z } from "@hono/zod-openapi";
import type { Account } from "../../base/accounts/tables.ts";
import type { EntityBody } from "./schemas.ts";
import type { Entity } from "./tables.ts";

export function presentEntity(row: Entity, account: Pick<Account, "id">): z.input<typeof EntityBody> {
  return {
    id: row.id,
    name: row.name,
    is_active: row.is_active === 1,
    account_id: account.id,
    profile_id: row.profile_id,
    entity_type: row.entity_type,
    image_url: row.image_url,
    wizard_id: row.wizard_id,
    attributes: row.attributes,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
