import type { Ctx } from "../context.ts";
import { rows } from "../db/statement.ts";
import type { Profile } from "../profiles/tables.ts";
import { formsOf } from "../store/ids.ts";

/** The profiles of a customer of the store's, also those that were deleted: they hold what history shows. */
export const allProfilesOf = (
  { db, account }: Ctx,
  customerId: string,
): Promise<Pick<Profile, "id" | "deleted_at">[]> => {
  const ids = JSON.stringify(formsOf("Customer", customerId));
  const of = "account_id = ? AND store_customer_id IN (SELECT value FROM json_each(?))";
  return rows(db, {
    sql: `SELECT id, deleted_at FROM profiles WHERE ${of} AND deleted_at IS NULL
      UNION ALL SELECT id, deleted_at FROM profiles WHERE ${of} AND deleted_at IS NOT NULL`,
    params: [account.id, ids, account.id, ids],
  });
};
