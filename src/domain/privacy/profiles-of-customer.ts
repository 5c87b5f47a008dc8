import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { build, inJson, type Params, prepare, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { formsOf } from "../../stores/ids.ts";
import { type Profile, profiles } from "../profiles/tables.ts";

type Found = Pick<Profile, "id" | "deleted_at">;

/** The profiles of a customer of the store. Deleted ones are among them, as they hold what the history shows. */
export function allProfilesOf({ db, account }: Ctx, customerId: string): Promise<Found[]> {
  const ids = JSON.stringify(formsOf("Customer", customerId));
  return rows(db, ofCustomer({ account_id: account.id, ids }));
}

/** Each half has an index of its own. */
const ofCustomer = prepare((p: Params<{ account_id: string; ids: string }>) => {
  const select = (deletion: ReturnType<typeof isNull>) =>
    build
      .select({ id: profiles.id, deleted_at: profiles.deleted_at })
      .from(profiles)
      .where(
        and(eq(profiles.account_id, p("account_id")), inJson(profiles.store_customer_id, p("ids")), deletion),
      );
  return unionAll(select(isNull(profiles.deleted_at)), select(isNotNull(profiles.deleted_at)));
});
