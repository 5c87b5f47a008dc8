import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, type Params, prepare, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { type CatalogueItem, catalogueItems, maxItems } from "./tables.ts";

/** The catalogue in the merchant's order. */
export function listCatalogue(ctx: Ctx): Promise<CatalogueItem[]> {
  return rows(ctx.db, wholeCatalogue(ctx));
}

/** The whole catalogue, to be read in one trip with others. */
export function wholeCatalogue({ account }: Ctx): Statement<CatalogueItem> {
  return ofAccount({ account_seq: account.seq });
}

/** The item that is this variant, to be read in one trip with others. */
export function catalogueItem({ account }: Ctx, store_variant_id: string): Statement<CatalogueItem> {
  return byVariant({ account_seq: account.seq, store_variant_id });
}

const ofAccount = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select()
    .from(catalogueItems)
    .where(eq(catalogueItems.account_seq, p("account_seq")))
    .orderBy(catalogueItems.position)
    .limit(maxItems),
);

const byVariant = prepare((p: Params<{ account_seq: AccountSeq; store_variant_id: string }>) =>
  build
    .select()
    .from(catalogueItems)
    .where(
      and(
        eq(catalogueItems.account_seq, p("account_seq")),
        eq(catalogueItems.store_variant_id, p("store_variant_id")),
      ),
    ),
);
