import type { z } from "@hono/zod-openapi";
import type { Account } from "../../base/accounts/tables.ts";
import { toMajor } from "../../base/lib/money.ts";
import { planIdsOf } from "./rules.ts";
import type { CatalogueItemBody } from "./schemas.ts";
import type { CatalogueItem } from "./tables.ts";

export function presentCatalogueItem(
  row: CatalogueItem,
  { currency_code }: Pick<Account, "currency_code">,
): z.input<typeof CatalogueItemBody> {
  return {
    store_product_id: row.store_product_id,
    store_variant_id: row.store_variant_id,
    product_title: row.product_title,
    variant_title: row.variant_title,
    image_url: row.image_url,
    price: toMajor(row.price, currency_code),
    selling_plan_ids: planIdsOf(row),
    is_one_time_allowed: row.is_one_time_allowed === 1,
  };
}
