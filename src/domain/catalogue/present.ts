import type { z } from "@hono/zod-openapi";
import { toMajor } from "../../base/lib/money.ts";
import { pictureUrl } from "../../base/pictures.ts";
import type { Ctx } from "../../kit/context.ts";
import { planIdsOf } from "./rules.ts";
import type { CatalogueItemBody } from "./schemas.ts";
import type { CatalogueItem } from "./tables.ts";

export function presentCatalogueItem(
  row: CatalogueItem,
  { env, account: { currency_code } }: Pick<Ctx, "env" | "account">,
): z.input<typeof CatalogueItemBody> {
  return {
    store_product_id: row.store_product_id,
    store_variant_id: row.store_variant_id,
    product_title: row.product_title,
    variant_title: row.variant_title,
    image_url: pictureUrl({ env }, row.image_url),
    price: toMajor(row.price, currency_code),
    selling_plan_ids: planIdsOf(row),
    is_one_time_allowed: row.is_one_time_allowed === 1,
  };
}
