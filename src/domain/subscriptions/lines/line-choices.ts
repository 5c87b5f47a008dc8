import { DomainError } from "../../../base/errors.ts";
import { isForPlan } from "../../catalogue/rules.ts";
import type { CatalogueItem } from "../../catalogue/tables.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import { deliveriesOwed } from "../dates/index.ts";
import { invalidState, isAllowed } from "../lifecycle.ts";
import type { Subscription } from "../tables.ts";
import { type Line, recurringLines } from "./amounts.ts";

/** A subscription's lines, and what decides how a customer may change them. */
export type Contents = {
  row: Pick<
    Subscription,
    "status" | "currency_code" | "deliveries_per_billing" | "next_index" | "next_billed_index"
  >;
  lines: Line[];
  /** The plans that the lines are on, as they are now. */
  plans: SellingPlan[];
  /** The currency that the catalogue is priced in: the account's. */
  pricedIn: string;
};

/** A refusal: ITEM_NOT_OFFERED for what the catalogue does not have for this subscription, INVALID_STATE for what cannot be now. */
export type LineRefusal = DomainError | undefined;

export const changeOfLines = "change the lines";

/** The plan whose terms an added line takes: that of the first recurring line whose plan is still sold and has the item. */
export function planForAdding(
  { row, lines, plans, pricedIn }: Contents,
  item: CatalogueItem,
  isOneTime: boolean,
): SellingPlan | undefined {
  if (row.currency_code !== pricedIn || (isOneTime && item.is_one_time_allowed === 0)) return undefined;
  const paidFor = isOneTime ? 1 : row.deliveries_per_billing;
  const isSold = ({ id, is_active }: SellingPlan) => is_active === 1 && isForPlan(item, id, paidFor);
  return recurringLines(lines)
    .map(({ selling_plan_id }) => plans.find((plan) => plan.id === selling_plan_id))
    .find((plan) => plan !== undefined && isSold(plan));
}

export function refusalToAdd(contents: Contents, item: CatalogueItem, isOneTime: boolean): LineRefusal {
  if (!planForAdding(contents, item, isOneTime)) return notOffered();
  return refusalNow(contents, isOneTime) ?? refusalOfSecond(contents.lines, item, isOneTime);
}

/** A line keeps its plan when it is swapped, whether that is still sold or not. */
export function refusalToSwap(contents: Contents, line: Line, item: CatalogueItem): LineRefusal {
  if (!isPricedFor(contents, line, item)) return notOffered();
  const others = contents.lines.filter(({ id }) => id !== line.id);
  return refusalNow(contents, line.is_one_time) ?? refusalOfSecond(others, item, line.is_one_time);
}

export function refusalToChangeQuantity(contents: Contents, { is_one_time }: Line): LineRefusal {
  return refusalNow(contents, is_one_time);
}

/** Whether so many of a line are more than its price is for: a price that a customer has accepted as an offer. */
export function exceedsOffer({ price_quantity }: Line, quantity: number): boolean {
  return price_quantity !== undefined && quantity > price_quantity;
}

/** More than an accepted price is for are at the catalogue's, so that the catalogue has to have the product. */
export function refusalToExceedOffer(
  contents: Contents,
  line: Line,
  item: CatalogueItem | undefined,
): LineRefusal {
  if (item && isPricedFor(contents, line, item)) return undefined;
  return new DomainError(
    "INVALID_STATE",
    `Cannot have more than ${line.price_quantity}: the price that was accepted is for so many, and the catalogue has none for more`,
  );
}

/** Whether the catalogue's price of an item can be that of a line, on the plan that the line has. */
export function isPricedFor(
  {
    row,
    pricedIn,
  }: Pick<Contents, "pricedIn"> & { row: Pick<Subscription, "currency_code" | "deliveries_per_billing"> },
  line: Line,
  item: CatalogueItem,
): boolean {
  const { is_one_time: isOneTime, selling_plan_id } = line;
  const isPriced = row.currency_code === pricedIn && (!isOneTime || item.is_one_time_allowed === 1);
  return isPriced && isForPlan(item, selling_plan_id, isOneTime ? 1 : row.deliveries_per_billing);
}

export function refusalToRemove(contents: Contents, line: Line): LineRefusal {
  return refusalNow(contents, line.is_one_time) ?? refusalOfLast(contents, line);
}

/** The last recurring line cannot go: that would be a cancellation. */
export function refusalOfLast(
  { row, lines }: Pick<Contents, "row" | "lines">,
  { id: lineId }: Pick<Line, "id">,
): LineRefusal {
  if (recurringLines(lines).some(({ id }) => id !== lineId)) return undefined;
  return new DomainError(
    "INVALID_STATE",
    `Cannot remove the last line: the subscription is ${row.status}; cancel it instead`,
  );
}

export function notOffered(): DomainError {
  return new DomainError("ITEM_NOT_OFFERED", "The shop does not offer this for the subscription", [
    { path: "store_variant_id", message: "is not in the catalogue for this subscription" },
  ]);
}

/**
 * Deliveries that are paid for are packed as the lines then are, so until the last of them customers change nothing that is in them. Lines for one
 * order only wait for the next one that is charged.
 */
function refusalNow({ row }: Contents, isOneTime: boolean): LineRefusal {
  if (!isAllowed("change", row)) return invalidState(changeOfLines, row);
  if (isOneTime || deliveriesOwed(row) === 0) return undefined;
  return new DomainError(
    "INVALID_STATE",
    `Cannot ${changeOfLines}: the subscription is ${row.status}, and deliveries of it are paid for already`,
  );
}

/** More of an item is a matter of its line's quantity, which has a bound. */
function refusalOfSecond(
  lines: Line[],
  { store_variant_id }: CatalogueItem,
  isOneTime: boolean,
): LineRefusal {
  if (!lines.some((line) => line.is_one_time === isOneTime && line.store_variant_id === store_variant_id))
    return undefined;
  return new DomainError(
    "INVALID_STATE",
    "Cannot have this in two lines: change the quantity of the line that has it",
  );
}
