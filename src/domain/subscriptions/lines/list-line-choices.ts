import type { z } from "@hono/zod-openapi";
import { portalSettingsOf } from "../../../base/accounts/portal-settings.ts";
import { pictureUrl } from "../../../base/pictures.ts";
import type { Ctx } from "../../../kit/context.ts";
import { presentCatalogueItem } from "../../catalogue/present.ts";
import { selectCatalogue } from "../../catalogue/queries.ts";
import type { CatalogueItem } from "../../catalogue/tables.ts";
import { isPastCutoff } from "../bounds/cutoff.ts";
import { getSubscriptionAnd } from "../queries.ts";
import { linesOf } from "../row-codec.ts";
import {
  type Contents,
  refusalToAdd,
  refusalToChangeQuantity,
  refusalToRemove,
  refusalToSwap,
} from "./line-choices.ts";
import { selectPlansOnLines } from "./line-plans.ts";
import type { LineChoicesData } from "./own-line-schemas.ts";

type Choices = z.input<typeof LineChoicesData>["data"];

/** Everything that a customer can do with a subscription's lines now, by the rules that the actions refuse by. */
export async function listLineChoices(ctx: Ctx, id: string): Promise<Choices> {
  const alongside = { items: selectCatalogue(ctx), plans: selectPlansOnLines(ctx, id) };
  const [view, { items, plans }] = await getSubscriptionAnd(ctx, id, alongside);
  const { account } = ctx;
  const settings = portalSettingsOf(account);
  const contents = { row: view.row, lines: linesOf(view.row), plans, pricedIn: account.currency_code };
  const isOpen = !isPastCutoff(view, view);
  const pictures = new Map(items.map(({ store_variant_id, image_url }) => [store_variant_id, image_url]));
  const offered = isOpen ? items.map((item) => choiceOf(item, contents, settings)) : [];
  return {
    currency_code: view.row.currency_code,
    max_quantity: settings.max_quantity,
    lines: contents.lines.map((line) => ({
      line_id: line.id,
      image_url: pictureUrl(ctx, pictures.get(line.store_variant_id) ?? null),
      can_change_quantity: isOpen && settings.can_change_quantity && !refusalToChangeQuantity(contents, line),
      can_swap: offered.some(({ swap_line_ids }) => swap_line_ids.includes(line.id)),
      can_remove: isOpen && settings.can_remove && !refusalToRemove(contents, line),
    })),
    items: offered
      .filter((one) => one.can_add || one.can_add_one_time || one.swap_line_ids.length > 0)
      .map(({ item, ...choice }) => {
        const { selling_plan_ids: _, is_one_time_allowed: _1, ...shown } = presentCatalogueItem(item, ctx);
        return { ...shown, ...choice };
      }),
  };
}

function choiceOf(
  item: CatalogueItem,
  contents: Contents,
  { can_add, can_swap }: { can_add: boolean; can_swap: boolean },
) {
  const others = contents.lines.filter(({ store_variant_id }) => store_variant_id !== item.store_variant_id);
  return {
    item,
    can_add: can_add && !refusalToAdd(contents, item, false),
    can_add_one_time: can_add && !refusalToAdd(contents, item, true),
    swap_line_ids: can_swap
      ? others.filter((line) => !refusalToSwap(contents, line, item)).map(({ id }) => id)
      : [],
  };
}
