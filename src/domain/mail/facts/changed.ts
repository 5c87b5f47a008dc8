import { later } from "../../../base/lib/dates.ts";
import { minuteMs } from "../../../base/lib/durations.ts";
import { toMinor } from "../../../base/lib/money.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import type { EventRow } from "../../events/queries.ts";
import { getSubscription } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { eventTypesOf } from "../events.ts";
import { hasNewerChange } from "../newer-change.ts";
import type { Change, ChangeKind, Line, MailFacts } from "../render/facts.ts";
import { SilenceError, WaitError } from "./silence.ts";
import { factsOfSubscription, subscriptionUrl } from "./subscription.ts";

/** The change that each event tells of. */
export const changesByEvent: Record<string, ChangeKind> = {
  "subscription.paused": "paused",
  "subscription.resumed": "resumed",
  "subscription.skipped": "skipped",
  "subscription.unskipped": "unskipped",
  "subscription.delivery_rescheduled": "rescheduled",
  "subscription.frequency_changed": "frequency",
  "subscription.delivery_address_changed": "address",
  "subscription.lines_changed": "lines",
  "subscription.cancelled": "cancelled",
  "subscription.reactivated": "reactivated",
};

/**
 * A change of a subscription. Somebody who changes one for its customer seldom makes one change alone: of those within five minutes the
 * newest is told, once they are over. Throws WaitError until then.
 */
export async function prepareChanged(
  ctx: Ctx,
  event: EventRow,
  { tellsOfEnds }: { tellsOfEnds: boolean },
): Promise<MailFacts["changed"]> {
  const { metadata, changes } = {
    metadata: parseStored(event.metadata),
    changes: parseStored(event.changes),
  };
  const isByCustomer = event.actor_type === "customer";
  if (metadata?.reason === "Payment failed" && tellsOfEnds) throw new SilenceError("joined");
  if (!isByCustomer) await requireNewest(ctx, event, isOfPricesAlone((changes ?? {}) as Differences));
  const view = await getSubscription(ctx, event.loggable_id);
  const { row } = view;
  const change = changesByEvent[event.type];
  if (change === undefined) throw new SilenceError("outdated");
  const undo = undoing[change];
  return {
    ...factsOfSubscription(ctx, view),
    change,
    changed_at: event.created_at,
    ...(typeof metadata?.deliveries === "number" ? { skipped_count: metadata.deliveries } : {}),
    by: isByCustomer ? "customer" : "shop",
    changes: readChanges(row, (changes ?? {}) as Differences),
    next_charge_date: row.status === "ACTIVE" ? row.next_billing_date : null,
    undo_url: undo ? subscriptionUrl(ctx, row.id, `/${undo}`) || null : null,
  };
}

const joinedMs = 5 * minuteMs;

/** The page of the portal that undoes a change. */
const undoing: Partial<Record<ChangeKind, string>> = {
  paused: "resume",
  skipped: "unskip",
  cancelled: "reactivate",
};

/** Throws SilenceError where another mail tells of more: of a later change, or, where prices alone have changed, of the new price. */
async function requireNewest(ctx: Ctx, event: EventRow, isOfPrices: boolean): Promise<void> {
  const until = later(event.created_at, joinedMs);
  const types = [...Object.keys(changesByEvent), ...(isOfPrices ? eventTypesOf("price_change") : [])];
  if (await hasNewerChange(ctx, event, { until, types })) throw new SilenceError("joined");
  if (ctx.now < until) throw new WaitError(Date.parse(until) - Date.parse(ctx.now));
}

/** Whether lines have other prices, and are the same otherwise. */
function isOfPricesAlone({ lines }: Differences): boolean {
  if (!lines) return false;
  const withoutPrices = (shown: unknown) =>
    JSON.stringify(shown, (field, value) => (amounts.includes(field) ? undefined : value));
  return withoutPrices(lines.from) === withoutPrices(lines.to);
}

/** The changes of an entry, as the history shows them (readable-changes.ts). */
type Differences = Record<string, { from: unknown; to: unknown }>;

/** The fields that mean something to a customer, in the order in which they are shown. */
function readChanges(row: Subscription, differences: Differences): Change[] {
  const pair = (field: string) => {
    const change = differences[field];
    return change && { before: change.from as never, after: change.to as never };
  };
  const plain = (field: Change["field"], column: string): Change[] => {
    const change = pair(column);
    return change ? [{ field, ...change } as Change] : [];
  };
  return [
    ...plain("status", "status"),
    ...plain("pause_until", "pause_until"),
    ...frequencyChange(row, differences),
    ...linesChange(row, differences),
    ...plain("delivery_address", "delivery_address"),
    ...plain("next_delivery_date", "next_delivery_date"),
    ...plain("next_charge_date", "next_billing_date"),
    ...amountChange(row, differences),
  ];
}

/** Only the part of an interval that differs is in the entry; the other is as it was. */
function frequencyChange(row: Subscription, differences: Differences): Change[] {
  const { billing_interval: interval, billing_interval_count: count } = differences;
  if (!interval && !count) return [];
  const at = (side: "from" | "to") => ({
    interval: (interval?.[side] ?? row.billing_interval) as Subscription["billing_interval"],
    interval_count: Number(count?.[side] ?? row.billing_interval_count),
  });
  return [{ field: "frequency", before: at("from"), after: at("to") }];
}

/** The fields of a line in an entry that follow from its price. */
const amounts = ["price", "line_total", "discount_amount"];

type ShownLine = {
  product_title: string;
  variant_title: string | null;
  quantity: number;
  line_total: number;
};

function linesChange({ currency_code }: Subscription, { lines }: Differences): Change[] {
  if (!lines) return [];
  const read = (shown: unknown): Line[] =>
    (shown as ShownLine[]).map(({ product_title, variant_title, quantity, line_total }) => ({
      title: product_title,
      variant_title,
      quantity,
      amount: toMinor(line_total, currency_code) ?? null,
    }));
  return [{ field: "lines", before: read(lines.from), after: read(lines.to) }];
}

function amountChange({ currency_code }: Subscription, { total }: Differences): Change[] {
  if (!total) return [];
  const minor = (major: unknown) => toMinor(Number(major), currency_code) ?? 0;
  return [{ field: "amount", before: minor(total.from), after: minor(total.to) }];
}
