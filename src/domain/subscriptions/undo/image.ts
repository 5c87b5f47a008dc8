import type { Statement } from "../../../base/db/port.ts";
import { raw } from "../../../base/db/statement.ts";
import type { SystemAction } from "../../../base/event-types.ts";
import { diff, type FieldChange } from "../../../base/lib/diff.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { changeStatements } from "../../../kit/journal/write.ts";
import type { Discount, Line } from "../lines/amounts.ts";
import { discountsOf, linesOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";
import { diffElements, type ElementChange } from "./elements.ts";
import { relatedBefore, updateRelatedNote } from "./related.ts";
import { restorationOf } from "./restorations.ts";

/** The contents of an image: what a change has changed, each before and after. */
export type ImageChanges = {
  /** Columns that come back as they were. */
  columns: Record<string, FieldChange>;
  lines: ElementChange<Line>[];
  discounts: ElementChange<Discount>[];
};

type Changed = {
  row: Pick<Subscription, "id" | "activation" | "current_billing_cycle"> & Partial<Subscription>;
  after: Partial<Subscription>;
  /** The actions of its entries, its own first. */
  actions: SystemAction[];
};

/**
 * The statements of a change together with those that keep what was before, where the change can be undone. Nobody undoes what the service
 * itself does on schedule or by the store's word, but for an end that was agreed on, nor half of the acceptance of an offer.
 */
export function imagedStatements(
  ctx: Ctx,
  statements: ReturnType<typeof changeStatements>,
  { row, after, actions }: Changed,
): Statement[] {
  const restoration = restorationOf(actions[0] ?? "");
  const endsAsAgreed = actions[0] === "subscription_cancelled" && Boolean(row.ends_on);
  const isApart =
    (ctx.actor.type === "system" && !endsAsAgreed) || actions.includes("cancellation_offer_accepted");
  if (!restoration || isApart) return statements;
  const [entry, ...rest] = statements;
  const key = [ctx.account.seq, row.id, entry.entry_id] as const;
  const { hasRelated } = restoration;
  const image = raw(
    `INSERT INTO undo_images (account_seq, subscription_id, entry_id, activation, cycle, changes, created_at, prune_at, related_before)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ${hasRelated ? relatedBefore : "NULL"})`,
    ...key,
    ...[row.activation, row.current_billing_cycle, JSON.stringify(readImageChanges(row, after)), ctx.now],
    ctx.jobRow ? null : later(ctx.realNow, keptMs),
  );
  return [entry, image, ...rest, ...(hasRelated ? [updateRelatedNote(...key)] : [])];
}

/** The time that an image is kept that is none of a job's. */
const keptMs = 30 * dayMs;

/**
 * Columns that do not come back as they were: they follow from others, or hold the contract at the store, of which each life
 * has its own.
 */
const notRestored = new Set<keyof Subscription>([
  ...([
    "lines",
    "discounts",
    "subtotal",
    "discount_amount",
    "shipping_amount",
    "tax_amount",
    "total",
  ] as const),
  ...(["search_text", "store_contract_id", "former_contract_id", "restart_billing_date"] as const),
]);

function readImageChanges(row: Partial<Subscription>, after: Partial<Subscription>): ImageChanges {
  const changed = Object.entries(diff(row, after));
  const { lines = "[]", discounts = "[]" } = row;
  return {
    columns: Object.fromEntries(changed.filter(([column]) => !notRestored.has(column as keyof Subscription))),
    lines: diffElements(linesOf({ lines }), linesOf({ lines: after.lines ?? lines })),
    discounts: diffElements(
      discountsOf({ discounts }),
      discountsOf({ discounts: after.discounts ?? discounts }),
    ),
  };
}
