import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { build, type Params, prepare } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { type CatalogueItem, catalogueItems } from "../../catalogue/tables.ts";
import { type SellingPlan, sellingPlans } from "../../selling-plans/tables.ts";
import { subscriptions } from "../tables.ts";

/** The plans that a subscription's lines are on, as they are now, to be read in one trip with the subscription. */
export function selectPlansOnLines({ account }: Ctx, id: string): Statement<SellingPlan> {
  return selectOnLines({ account_seq: account.seq, id });
}

/** The item of the catalogue that a line is, to be read in one trip with the subscription. */
export function selectItemOfLine({ account }: Ctx, id: string, line_id: string): Statement<CatalogueItem> {
  return selectOnLine({ account_seq: account.seq, id, line_id });
}

const selectOnLines = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select()
    .from(sellingPlans)
    .where(
      and(
        eq(sellingPlans.account_seq, p("account_seq")),
        sql`${sellingPlans.id} IN (SELECT line.value ->> '$.selling_plan_id' FROM ${subscriptions}, json_each(${subscriptions.lines}) AS line
          WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${subscriptions.id} = ${p("id")})`,
      ),
    ),
);

const selectOnLine = prepare((p: Params<{ account_seq: AccountSeq; id: string; line_id: string }>) =>
  build
    .select()
    .from(catalogueItems)
    .where(
      and(
        eq(catalogueItems.account_seq, p("account_seq")),
        sql`${catalogueItems.store_variant_id} = (SELECT line.value ->> '$.store_variant_id' FROM ${subscriptions}, json_each(${subscriptions.lines}) AS line
          WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${subscriptions.id} = ${p("id")} AND line.value ->> '$.id' = ${p("line_id")})`,
      ),
    ),
);
