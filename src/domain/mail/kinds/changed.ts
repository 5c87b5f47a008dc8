import { type EventType, eventTypes } from "../../../base/event-types.ts";
import { addressLines } from "../../../base/language/names.ts";
import { toMinor } from "../../../base/lib/money.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { EventRow } from "../../events/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { nextDatesOf } from "../facts/next-charge.ts";
import { SilenceError, WaitError } from "../facts/silence.ts";
import { factsOfSubscription, type MailProspect, subscriptionUrl } from "../facts/subscription.ts";
import { findJoining, isByStaff, isToldBy, type MailedChange } from "../joined-changes.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Change, ChangeKind, LetterLine, OfSubscription, WayBack } from "../render/facts.ts";
import type { LetterRow } from "../render/letter.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { listLines, type View } from "../render/view.ts";
import { paymentEnded } from "./payment-ended.ts";
import { priceChange } from "./price-change.ts";

type Facts = OfSubscription & {
  change: ChangeKind;
  changed_at: Instant;
  /** The number of deliveries that a skip leaves out; absent for one, and for other changes. */
  skipped_count?: number;
  by: "shop" | "customer";
  /** Each field that differs, in the order in which it is shown. */
  changes: Change[];
  next_charge_date: CalendarDate | null;
  way_back: WayBack | null;
};

/** The change that each event tells of. */
const changesByEvent: Partial<Record<string, ChangeKind>> = {
  [eventTypes.subscription_paused]: "paused",
  [eventTypes.subscription_resumed]: "resumed",
  [eventTypes.subscription_skipped]: "skipped",
  [eventTypes.subscription_unskipped]: "unskipped",
  [eventTypes.delivery_rescheduled]: "rescheduled",
  [eventTypes.frequency_changed]: "frequency",
  [eventTypes.delivery_address_changed]: "address",
  [eventTypes.lines_changed]: "lines",
  [eventTypes.subscription_cancelled]: "cancelled",
  [eventTypes.subscription_reactivated]: "reactivated",
  [eventTypes.subscription_change_undone]: "undone",
} satisfies Partial<Record<EventType, ChangeKind>>;

/**
 * A change of a subscription. One by staff waits for others, so that changes are told in their order, and those that are not of the status
 * as one. Throws WaitError until then, SilenceError where another mail tells of it.
 */
export const changed: MailKindDefinition<"changed", Facts> = {
  name: "changed",
  description:
    "A change by somebody else than the customer; a cancellation and a reactivation always. Changes within 5 minutes are one mail.",
  events: Object.keys(changesByEvent) as EventType[],
  /** Customers are told of these even if they have made them themselves. */
  ownEvents: [eventTypes.subscription_cancelled, eventTypes.subscription_reactivated],
  placeholders: subscriptionPlaceholders,
  async prepare(ctx, event, { isEnabled }): Promise<Facts> {
    const metadata = parseStored(event.metadata);
    const differences = (parseStored(event.changes) ?? {}) as Differences;
    const isDeclared = metadata?.declaration_id !== undefined;
    if (isDeclared && event.type === eventTypes.subscription_cancelled) throw new SilenceError("joined");
    const isByCustomer = event.actor_type === "customer" || isDeclared || metadata?.ends_on !== undefined;
    if (metadata?.reason === "Payment failed" && isEnabled(paymentEnded)) throw new SilenceError("joined");
    if (await isToldAsPrice(ctx, event)) throw new SilenceError("joined");
    if (isByStaff(event)) await requireNewest(ctx, event);
    const prospect = await readProspect(ctx, event.loggable_id);
    const { row } = prospect.view;
    const change = changesByEvent[event.type];
    if (change === undefined) throw new SilenceError("outdated");
    return {
      ...factsOfSubscription(ctx, prospect),
      change,
      changed_at: event.created_at,
      ...(typeof metadata?.deliveries === "number" ? { skipped_count: metadata.deliveries } : {}),
      by: isByCustomer ? "customer" : "shop",
      changes: [
        ...readChanges(row, differences),
        ...datesChange(prospect, differences),
        ...amountChange(row, differences),
      ],
      next_charge_date: nextDatesOf(prospect).charge,
      way_back: wayBackOf(ctx, event, change),
    };
  },
  letter(view, facts) {
    const { words, shop, dayOf, product } = view;
    const texts = words.changed;
    const { change, way_back } = facts;
    const first = texts.first[change](dayOf(facts.changed_at), facts.skipped_count ?? 1);
    return {
      subject: texts.subject[change],
      intro: [
        [
          `${words.labelled(first, product(facts.lines))}.`,
          ...(facts.by === "shop" ? [texts.byShop(shop)] : []),
        ].join(" "),
        ...nextChargeText(view, facts),
      ],
      facts: facts.changes.map((each) => changeRow(view, each, facts.currency_code)),
      button: way_back
        ? { text: texts.wayBack[way_back.kind].button, url: way_back.url }
        : { text: words.manageSubscription, url: facts.manage_url },
      closing: way_back ? [texts.wayBack[way_back.kind].sentence] : [],
    };
  },
  sample: ({ subscription, page, now }) => ({
    ...subscription,
    change: "paused",
    changed_at: now,
    by: "shop",
    changes: [{ field: "status", before: "ACTIVE", after: "PAUSED" }],
    next_charge_date: null,
    way_back: page ? { kind: "resume", url: page } : null,
  }),
};

/** Customers undo what they have done themselves. What somebody else has done has its own answer, which begins anew. */
function wayBackOf(ctx: Ctx, event: EventRow, change: ChangeKind): WayBack | null {
  const done = ownActions[change];
  const isOwn = event.actor_type === "customer" && done !== undefined;
  const kind = isOwn ? "undo" : answers[change];
  const page = isOwn ? `?${new URLSearchParams({ done, undo: event.id })}` : `/${kind}`;
  const url = kind && subscriptionUrl(ctx, event.loggable_id, page);
  return url ? { kind, url } : null;
}

/** The portal's name of what a customer has done, of which a mail tells. */
const ownActions: Partial<Record<ChangeKind, string>> = { cancelled: "cancel", reactivated: "reactivate" };
/** The page of the portal that answers a change. */
const answers: Partial<Record<ChangeKind, WayBack["kind"]>> = {
  paused: "resume",
  skipped: "unskip",
  cancelled: "reactivate",
};

/** Changes that are told by themselves, whatever follows them. */
const statusChanges: readonly ChangeKind[] = ["paused", "resumed", "cancelled", "reactivated", "undone"];
const joinedTypes = Object.keys(changesByEvent).filter(
  (type) => !statusChanges.includes(changesByEvent[type]!),
);

async function requireNewest(ctx: Ctx, event: EventRow): Promise<void> {
  const types = joinedTypes.includes(event.type) ? joinedTypes : [];
  const { until, newer } = await findJoining(ctx, event, types);
  for (const change of newer) if (!(await isToldAsPrice(ctx, change))) throw new SilenceError("joined");
  if (ctx.now < until) throw new WaitError(Date.parse(until) - Date.parse(ctx.now));
}

/** Whether another mail tells of a change, which is one of prices alone. */
async function isToldAsPrice(ctx: Ctx, change: MailedChange): Promise<boolean> {
  const differences = (parseStored(change.changes) ?? {}) as Differences;
  return isOfPricesAlone(differences) && (await isToldBy(ctx, change, priceChange.events));
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
  ];
}

/**
 * The next days before and after, as `upcoming` lists them: what is owed is tried when it would have been, whatever the change has done to
 * the schedule. Nothing where the change has begun or ended dunning, as the days before are not known any more.
 */
function datesChange(prospect: MailProspect, differences: Differences): Change[] {
  const { status, next_billing_date, next_delivery_date, pause_until, dunning_episode_id } = differences;
  if (dunning_episode_id || (!next_billing_date && !next_delivery_date)) return [];
  const former = Object.entries({ status, next_billing_date, next_delivery_date, pause_until }).flatMap(
    ([column, change]) => (change ? [[column, change.from]] : []),
  );
  const { view } = prospect;
  const row: Subscription = { ...view.row, ...Object.fromEntries(former) };
  const [before, after] = [nextDatesOf({ ...prospect, view: { ...view, row } }), nextDatesOf(prospect)];
  return (["delivery", "charge"] as const).flatMap((next) =>
    before[next] === after[next]
      ? []
      : [{ field: `next_${next}_date`, before: before[next], after: after[next] } as const],
  );
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
  const read = (shown: unknown): LetterLine[] =>
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

function nextChargeText(view: View, facts: Facts): string[] {
  const { words, day } = view;
  const texts = words.changed;
  if (facts.next_charge_date !== null)
    return [words.nextChargeIs(view.amountOf(facts), day(facts.next_charge_date))];
  if (facts.change === "cancelled")
    return [
      texts.nothingMore,
      ...(facts.next_date === null ? [] : [texts.lastDelivery(day(facts.next_date))]),
    ];
  return facts.change === "paused" ? [texts.nothingPaused] : [];
}

function changeRow(view: View, change: Change, currency: string): LetterRow {
  const { words, day, amount, frequency } = view;
  const { none } = words;
  const pair = <Value>(
    label: string,
    values: { before: Value; after: Value },
    show: (value: Value) => string,
  ) => ({
    label,
    value: show(values.after),
    before: show(values.before),
  });
  const dateOr = (nothing: string) => (value: string | null) => (value === null ? nothing : day(value));
  switch (change.field) {
    case "status":
      return pair(words.status, change, (status) => words.statuses[status]);
    case "next_delivery_date":
      return pair(words.nextDelivery, change, dateOr(none.delivery));
    case "next_charge_date":
      return pair(words.nextCharge, change, dateOr(none.charge));
    case "pause_until":
      return pair(words.pausedUntil, change, (value) => (value === null ? "–" : day(value)));
    case "frequency":
      return pair(words.frequency, change, frequency);
    case "delivery_address":
      return pair(
        words.address,
        change,
        (address) => addressLines(address, view.locale).join("\n") || none.address,
      );
    case "lines":
      return pair(words.items, change, (lines) => listLines(lines) || none.items);
    case "amount":
      return pair(words.amount, change, (minor) => amount(minor, currency));
  }
}
