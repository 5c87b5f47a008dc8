import type { Instant } from "../../../base/lib/time/dates.ts";
import { pricedColumns } from "../lines/lines.ts";
import { discountsOf, linesOf } from "../row-codec.ts";
import type { Subscription, UndoImage } from "../tables.ts";
import { restoreElements } from "./elements.ts";
import type { ImageChanges } from "./image.ts";
import { restoreDiscountAt, restoreLineAfter } from "./restore-contents.ts";

/** The columns that take a change back, or the names of those that have been changed since. */
type RestoredColumns = { columns: Partial<Subscription> } | { changed: string[] };

/**
 * Takes a change back: whatever it has changed gets the value of before, if all of that is as the change has left it. Lines and discounts are
 * compared one by one, so that others may have changed since.
 */
export function restoreColumns(
  row: Subscription,
  image: Pick<UndoImage, "activation" | "cycle"> & { changes: ImageChanges },
  now: Instant,
): RestoredColumns {
  const { columns, lines, discounts } = image.changes;
  const known = Object.entries(columns).filter(([name]) => name in row);
  const changed = known.filter(([name, { to }]) => row[name as keyof Subscription] !== to);
  const cycles = row.activation === image.activation ? row.current_billing_cycle - image.cycle : 0;
  const restored = {
    lines: restoreElements(linesOf(row), lines, restoreLineAfter(cycles)),
    discounts: restoreElements(discountsOf(row), discounts, restoreDiscountAt(now)),
  };
  const names = [
    ...changed.map(([name]) => name),
    ...(["lines", "discounts"] as const).filter((name) => restored[name] === undefined),
  ];
  if (names.length > 0) return { changed: names };
  const hasContents = lines.length > 0 || discounts.length > 0;
  return {
    columns: {
      ...Object.fromEntries(known.map(([name, { from }]) => [name, from])),
      ...(hasContents ? pricedColumns(restored.lines!, restored.discounts!, row.tax_amount) : {}),
    },
  };
}
