import { first, readNamed } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { catalogueItem } from "../catalogue/queries.ts";
import { namedSlot, requireDeliverySlot } from "../delivery/queries.ts";
import type { BulkInput } from "./actions.ts";

/** The input of a job, with what is looked up once for all of its subscriptions. Throws for a slot that the account does not have. */
export async function prepareInput(
  ctx: Ctx,
  { action, input }: Pick<BulkInput, "action" | "input">,
): Promise<object> {
  if (action === "move_slot") {
    const { named } = await readNamed(ctx.db, { named: namedSlot(ctx, input.to_slot_id) });
    const { day } = requireDeliverySlot(named, "input.to_slot_id");
    return { ...input, day_of_week: day.day_of_week };
  }
  if (action === "swap_variant")
    return { ...input, to: { ...(await productOf(ctx, input.to)), ...input.to } };
  return input;
}

/** The product of a variant as the catalogue has it; nothing of one that is not in it. */
async function productOf(ctx: Ctx, { store_variant_id }: { store_variant_id: string }): Promise<object> {
  const item = await first(ctx.db, catalogueItem(ctx, store_variant_id));
  if (!item) return {};
  const { store_product_id, product_title, variant_title } = item;
  return { store_product_id, product_title, variant_title };
}
