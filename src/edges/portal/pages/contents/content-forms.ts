import { html } from "hono/html";
import { notFound } from "../../../../base/errors.ts";
import { nameOfGoods } from "../../../../base/language/names.ts";
import type { Html } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { Faults } from "../faults.ts";
import type { ShownSubscription } from "../summary.ts";
import type { AskOperations, SignedIn } from "../visit.ts";
import { catalogueList, type LineChoices, quantityInput } from "./catalogue.ts";
import { goods } from "./contents.ts";

type Parts = {
  visit: SignedIn;
  ask: AskOperations;
  form: { id: string; fields: Fields; faults?: Faults };
};
type Inputs = Promise<[ShownSubscription, Html | undefined, beside?: Html]>;

/** The quantity that a line is to have. */
export async function quantityInputs({ visit, ask, form: { id, fields, faults } }: Parts): Inputs {
  const [subscription, choices] = await read({ visit, ask, id });
  const line = lineOf(subscription, fields);
  const value = fields.quantity ?? String(line.quantity);
  const most = Math.max(choices.max_quantity, line.quantity);
  return [
    subscription,
    html`<p>${goods(line)}</p><input type="hidden" name="line" value="${line.id}">
      ${quantityInput(visit, { value, most, faults })}`,
  ];
}

/** The items that can be added, each for every delivery or for the next one only, as is accepted now. */
export async function addInputs({ visit, ask, form: { id, fields, faults } }: Parts): Inputs {
  const { texts, base } = visit;
  const [subscription, choices] = await read({ visit, ask, id });
  const list = catalogueList(visit, {
    path: `${base}/subscriptions/${id}/add`,
    choices: { ...choices, items: choices.items.filter((item) => item.can_add || item.can_add_one_time) },
    ...{ fields, faults, nothing: texts.goods.nothingToAdd },
    controls: (item, itsFaults) => {
      const button = (name: string, value: string) =>
        html`<button class="quiet" name="is_one_time" value="${value}">${name}<span class="hidden">: ${nameOfGoods(item)}</span></button>`;
      const value = (itsFaults && fields.quantity) ?? "1";
      return html`<input type="hidden" name="store_variant_id" value="${item.store_variant_id}">
        ${quantityInput(visit, { item, value, most: choices.max_quantity, faults: itsFaults })}
        <p class="buttons">${item.can_add ? button(texts.goods.everyTime, "") : ""}${
          item.can_add_one_time ? button(texts.goods.once, "1") : ""
        }</p>`;
    },
  });
  return [subscription, undefined, list];
}

/** The items that a line can be swapped for. */
export async function swapInputs({ visit, ask, form: { id, fields, faults } }: Parts): Inputs {
  const { texts, base } = visit;
  const [subscription, choices] = await read({ visit, ask, id });
  const line = lineOf(subscription, fields);
  const list = catalogueList(visit, {
    path: `${base}/subscriptions/${id}/swap`,
    choices: { ...choices, items: choices.items.filter((item) => item.swap_line_ids.includes(line.id)) },
    ...{ fields, faults, nothing: texts.goods.nothingToSwap },
    controls: (item) =>
      html`<input type="hidden" name="line" value="${line.id}"><input type="hidden" name="store_variant_id" value="${item.store_variant_id}">
        <p class="buttons"><button class="quiet">${texts.goods.swapFor}<span class="hidden">: ${nameOfGoods(item)}</span></button></p>`,
  });
  return [subscription, undefined, html`<p>${goods(line)}</p>${list}`];
}

async function read({
  visit,
  ask,
  id,
}: Pick<Parts, "visit" | "ask"> & { id: string }): Promise<[ShownSubscription, LineChoices]> {
  const [{ data: subscription }, { data: choices }] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "listLineChoices", path: { id } },
  );
  return [subscription, choices];
}

/** The line that a form is about. Throws NOT_FOUND. */
function lineOf({ lines }: ShownSubscription, { line: lineId }: Fields): ShownSubscription["lines"][number] {
  const line = lines.find(({ id }) => id === lineId);
  if (!line) throw notFound("Line");
  return line;
}
