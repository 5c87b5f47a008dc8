import { getTableColumns } from "drizzle-orm";
import type { z } from "zod";
import { flagText, recordText } from "../../base/db/record-text.ts";
import type { EntityBody } from "./schemas.ts";
import { entities } from "./tables.ts";

const { account_seq: _account, deleted_at: _deleted, ...shown } = getTableColumns(entities);

/** A joined entity, as `presentEntity` shows it, but for the account, which whoever shows it knows. */
export const entityText = recordText<Omit<z.input<typeof EntityBody>, "account_id">>(entities.id, {
  ...shown,
  is_active: flagText(entities.is_active),
});
