import { eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { build, type Params, prepare, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { type CatalogueItem, catalogueItems, maxItems } from "./tables.ts";

/** The catalogue in the merchant's order. */
export function listCatalogue(ctx: Ctx): Promise<CatalogueItem[]> {
  return rows(ctx.db, selectCatalogue(ctx));
}

/** The whole catalogue, to be read in one trip with others. */
export function selectCatalogue({ account }: Ctx): Statement<CatalogueItem> {
  return selectOfAccount({ account_seq: account.seq });
}

/** The item that is this variant, to be read in one trip with others. */
export function selectCatalogueItem({ account }: Ctx, store_variant_id: string): Statement<CatalogueItem> {
  return selectByVariant({ account_seq: account.seq, store_variant_id });
}

const selectOfAccount = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select()
    .from(catalogueItems)
    .where(eq(catalogueItems.account_seq, p("account_seq")))
    .orderBy(catalogueItems.position)
    .limit(maxItems),
);

const selectByVariant = selectBy(catalogueItems, "account_seq", "store_variant_id");
