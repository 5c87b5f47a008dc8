import { and, isNotNull, isNull } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, columnsEqual, type Params, prepare, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId } from "../../stores/ids.ts";
import { type Profile, profiles } from "../profiles/tables.ts";

type Found = Pick<Profile, "id" | "deleted_at">;

/** The profiles of a customer of the store. Deleted ones are among them, as they hold what the history shows. */
export function findAllProfiles({ db, account }: Ctx, customerId: string): Promise<Found[]> {
  const store_customer_id = plainId("Customer", customerId);
  return rows(db, selectOfCustomer({ account_seq: account.seq, store_customer_id }));
}

/** Each half has an index of its own. */
const selectOfCustomer = prepare((p: Params<{ account_seq: AccountSeq; store_customer_id: string }>) => {
  const select = (deletion: ReturnType<typeof isNull>) =>
    build
      .select({ id: profiles.id, deleted_at: profiles.deleted_at })
      .from(profiles)
      .where(and(columnsEqual(profiles, p, "account_seq", "store_customer_id"), deletion));
  return unionAll(select(isNull(profiles.deleted_at)), select(isNotNull(profiles.deleted_at)));
});
