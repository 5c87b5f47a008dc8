import { minorOf } from "../../base/amounts.ts";
import { first, readNamed } from "../../base/db/statement.ts";
import { exponentOf } from "../../base/lib/money.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import type { Ctx } from "../../kit/context.ts";
import { dateFrom, todayOf } from "../../kit/days.ts";
import { traitsOf } from "../../stores/platforms.ts";
import { selectCatalogueItem } from "../catalogue/queries.ts";
import { requireDeliverySlot, selectNamedSlot } from "../delivery/queries.ts";
import { parseReduction } from "../selling-plans/rules.ts";
import { requireMoney } from "../subscriptions/lines/lines.ts";
import type { BulkAction, BulkInput } from "./actions.ts";

/**
 * The input of a job, with what is looked up once for all of its subscriptions. Throws for a slot that the account does not have, and for a
 * date or an amount that none of them could be given.
 */
export async function prepareInput(
  ctx: Ctx,
  { action, input }: Pick<BulkInput, "action" | "input">,
): Promise<object> {
  requireDates(ctx, { action, input });
  requireAmounts(ctx, { action, input });
  if (action === "move_slot") {
    const { named } = await readNamed(ctx.db, { named: selectNamedSlot(ctx, input.to_slot_id) });
    const { day } = requireDeliverySlot(named, "input.to_slot_id");
    return { ...input, day_of_week: day.day_of_week };
  }
  if (action === "swap_variant")
    return { ...input, to: { ...(await productOf(ctx, input.to)), ...input.to } };
  return input;
}

/** The dates that an action can name, each with the fewest days that it lies ahead. */
const daysAhead: Partial<Record<BulkAction, readonly [field: string, days: number]>> = {
  reschedule: ["next_delivery_date", 0],
  resume: ["next_delivery_date", 1],
  pause: ["pause_until", 1],
  change_price: ["effective_on", 0],
};

function requireDates(ctx: Ctx, { action, input }: Pick<BulkInput, "action" | "input">): void {
  const [field, days] = daysAhead[action] ?? ["", 0];
  const date = input[field];
  if (date) dateFrom(ctx, date, addDays(todayOf(ctx), days), `input.${field}`);
}

function requireAmounts({ account }: Ctx, { action, input }: Pick<BulkInput, "action" | "input">): void {
  const currency = finestCurrency(account);
  if (action === "apply_discount") {
    const { value_type, value, max_amount } = input;
    parseReduction(value_type, value, currency, "input.value");
    if (typeof max_amount === "number") minorOf(max_amount, currency, "input.max_amount");
  } else if (input.price !== "keep") requireMoney(currency, input, "input.");
}

/** The account's currency; of a store whose contracts may be in others, at least one with the decimals that most have. */
function finestCurrency({ currency_code, store }: Ctx["account"]): string {
  return traitsOf({ store }).keepsContracts && exponentOf(currency_code) < 2 ? "USD" : currency_code;
}

/** The product of a variant as the catalogue has it; nothing of one that is not in it. */
async function productOf(ctx: Ctx, { store_variant_id }: { store_variant_id: string }): Promise<object> {
  const item = await first(ctx.db, selectCatalogueItem(ctx, store_variant_id));
  if (!item) return {};
  const { store_product_id, product_title, variant_title } = item;
  return { store_product_id, product_title, variant_title };
}
