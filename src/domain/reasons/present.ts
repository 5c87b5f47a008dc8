import type { z } from "@hono/zod-openapi";
import type { Account } from "../../base/accounts/tables.ts";
import { labelsOf } from "./labels.ts";
import type { ReasonData } from "./schemas.ts";
import type { Reason } from "./tables.ts";

export function presentReason(row: Reason, account: Pick<Account, "id">): z.input<typeof ReasonData> {
  return {
    data: {
      id: row.id,
      is_active: row.is_active === 1,
      account_id: account.id,
      position: row.position,
      label: row.label,
      labels: labelsOf(row),
      description: row.description,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  };
}
