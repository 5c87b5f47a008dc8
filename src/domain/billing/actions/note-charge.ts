import { and, inArray, sql } from "drizzle-orm";
import { commit } from "../../../base/db/commit.ts";
import { build, columnsEqual, type Params, prepare } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { UnknownOutcomeError } from "../../../stores/port.ts";
import { billingAttempts as attempts, type BillingAttempt, openStatuses } from "../tables.ts";

/** Notes the store's id of an attempt's charge while the claim holds. Throws UnknownOutcomeError if somebody else has claimed it. */
export async function noteCharge(
  ctx: Ctx,
  { account_seq, id, claims }: BillingAttempt,
  reference: string,
): Promise<void> {
  const [noted] = await commit({ db: ctx.db }, [updateNoted({ account_seq, id, claims, reference })]);
  if (noted.rows.length === 0) throw new UnknownOutcomeError("Somebody else charges the attempt by now");
}

const updateNoted = prepare(
  (p: Params<Pick<BillingAttempt, "account_seq" | "id" | "claims"> & { reference: string }>) =>
    build
      .update(attempts)
      .set({ noted_reference: sql`${p("reference")}` })
      .where(
        and(
          columnsEqual(attempts, p, "account_seq", "id", "claims"),
          inArray(attempts.status, [...openStatuses]),
        ),
      )
      .returning({ id: attempts.id }),
);
