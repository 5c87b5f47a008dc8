import { minorOf } from "../../base/amounts.ts";
import { DomainError } from "../../base/errors.ts";
import { toMajor } from "../../base/lib/money.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { dateFrom, todayOf } from "../../kit/days.ts";
import { billingsToCome, firstBillingAt } from "../billing/upcoming/billings-to-come.ts";
import { prospectOf, readForProspect } from "../billing/upcoming/prospect.ts";
import type { Prospect } from "../billing/upcoming/upcoming-steps.ts";
import { type CommandWith, changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { linesDecision } from "../subscriptions/actions/lines.ts";
import { requireAllowed } from "../subscriptions/lifecycle.ts";
import { type Line, lastPriceOf, recurringLines, withoutPromises } from "../subscriptions/lines/amounts.ts";
import { changeOfLines } from "../subscriptions/lines/line-choices.ts";
import type { ActivityEntry, Part } from "../subscriptions/part.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";

/** Days of notice of a higher price where the request does not say. */
const noticeDaysOfRise = 30;

/** Days of notice that a request names; undefined where it names none. */
type Noticed = { noticeDays: number | undefined };

type PriceRequest = {
  store_variant_id: string;
  price: number;
  from_cycle?: number;
  effective_on?: string;
};

/**
 * Changes the price of a variant's lines from a cycle on, or from the first billing on a day or after it: at once where that is the next
 * billing, else as the lines' price change of a later cycle. Throws INVALID_STATE where no line is of the variant, or the notice is too short.
 */
export function changePrice(
  ctx: Ctx,
  { id, request, noticeDays }: CommandWith<PriceRequest> & Noticed,
): Promise<SubscriptionView> {
  const alongside = readForProspect(ctx, id);
  return changeSubscription(ctx, id, { alongside }, (view, found): Part | undefined => {
    const { row } = view;
    const price = minorOf(request.price, row.currency_code, "price");
    requireAllowed("change", row, changeOfLines);
    const lines = linesOf(row);
    const named = requireLines(row, lines, request.store_variant_id);
    if (named.every((line) => isPromised(line, price))) return undefined;
    const prospect = prospectOf(ctx, view, found);
    const in_cycles = cyclesUntil(ctx, prospect, request);
    const concerned = in_cycles === 0 ? named : requireRecurring(row, named);
    const priced = concerned.filter((line) => !isPromised(line, price));
    if (priced.length === 0) return undefined;
    const changed = priced.map((line) => withPrice(line, price, in_cycles));
    const after = lines.map((line) => changed.find(({ id }) => id === line.id) ?? line);
    const announced = announce(ctx, prospect, { before: priced, after, noticeDays });
    const decision = linesDecision(row, after);
    const [entry, ...ownEntries] = [...(in_cycles === 0 ? [decision.entry!] : []), ...announced];
    return { ...decision, ...(entry && { entry }), ownEntries };
  });
}

type SwapRequest = { from: string; to: Partial<Line> & { store_variant_id: string }; price: number | "keep" };

/** Swaps the lines of a variant for another, as changing a line does. Throws INVALID_STATE as `changePrice` does. */
export function swapVariant(
  ctx: Ctx,
  { id, request: { from, to, price }, noticeDays }: CommandWith<SwapRequest> & Noticed,
): Promise<SubscriptionView> {
  const alongside = readForProspect(ctx, id);
  return changeSubscription(ctx, id, { alongside, beforeCutoff: changeOfLines }, (view, found) => {
    const { row } = view;
    const own = price === "keep" ? {} : { price: minorOf(price, row.currency_code, "price") };
    requireAllowed("change", row, changeOfLines);
    const lines = linesOf(row);
    const swapped = requireLines(row, lines, from);
    const after = lines.map((line) => {
      if (!swapped.includes(line)) return line;
      return { ...withoutPromises(line), ...to, ...own };
    });
    const announced = announce(ctx, prospectOf(ctx, view, found), { before: swapped, after, noticeDays });
    return { ...linesDecision(row, after), ownEntries: announced };
  });
}

function requireLines(row: Subscription, lines: Line[], variant: string): Line[] {
  const found = lines.filter(({ store_variant_id }) => store_variant_id === variant);
  if (found.length > 0) return found;
  throw new DomainError("INVALID_STATE", `Subscription ${row.number} has no line of the variant ${variant}`);
}

/** The lines that are in later orders too: a price that begins with one of these is none of a line of the next order alone. */
function requireRecurring(row: Subscription, named: Line[]): Line[] {
  const recurring = recurringLines(named);
  if (recurring.length > 0) return recurring;
  const variant = named[0]?.store_variant_id;
  throw new DomainError(
    "INVALID_STATE",
    `Subscription ${row.number} has no line of the variant ${variant} that is in later orders`,
  );
}

/** Whether a line has this price already, now and later. */
function isPromised({ price: now, price_changes = [] }: Line, price: number): boolean {
  return now === price && price_changes.length === 0;
}

/** The line with this price once so many further cycles were billed, in place of whatever was promised from then on. */
function withPrice(line: Line, price: number, in_cycles: number): Line {
  if (in_cycles === 0) return { ...withoutPromises(line), price };
  const { price_changes = [] } = line;
  const earlier = price_changes.filter((change) => change.in_cycles < in_cycles);
  return { ...line, price_changes: [...earlier, { in_cycles, price }] };
}

/** After how many further billings the price begins: none where it is that of the next one. */
function cyclesUntil(ctx: Ctx, prospect: Prospect, { from_cycle, effective_on }: PriceRequest): number {
  const { row } = prospect.view;
  if (from_cycle !== undefined) return Math.max(0, from_cycle - row.current_billing_cycle);
  const day = dateFrom(ctx, effective_on!, todayOf(ctx), "effective_on");
  const earlier = billingsToCome(ctx, prospect).find(({ billing }) => billing >= day);
  if (earlier) return earlier.cycle - row.current_billing_cycle;
  throw new DomainError(
    "INVALID_STATE",
    `Nobody knows when a subscription that is ${row.status} is billed next`,
  );
}

type Announcing = Noticed & { before: Line[]; after: Line[] };

/**
 * The entry that tells of the lines' new price: from, to, and the day of the first billing at it. Each of several lines has its former price
 * in it, as a customer is told once. A price at which nothing is told beforehand has none. Throws INVALID_STATE where the first billing is
 * nearer than the notice.
 */
function announce(ctx: Ctx, prospect: Prospect, { before, after, noticeDays }: Announcing): ActivityEntry[] {
  const { currency_code: currency } = prospect.view.row;
  const announced = before.flatMap((line) => {
    const changed = after.find(({ id }) => id === line.id)!;
    const [from, to] = [line.price, lastPriceOf(changed)];
    if (from === to) return [];
    const notice = noticeDays ?? (to > from ? noticeDaysOfRise : 0);
    const first = dayOfFirstBilling(ctx, { prospect, after }, changed);
    requireNotice(ctx, first, notice);
    if (notice === 0 && changed.price_changes === undefined) return [];
    const { id: line_id, store_variant_id } = changed;
    return [{ from: toMajor(from, currency), to: toMajor(to, currency), first, line_id, store_variant_id }];
  });
  const [one, ...others] = announced;
  if (!one) return [];
  const { first, ...told } = one;
  const metadata = {
    ...told,
    first_billing_date: first ?? null,
    ...(others.length > 0 && { lines: announced.map(({ line_id, from }) => ({ line_id, from })) }),
    ...(noticeDays === undefined ? {} : { notice_days: noticeDays }),
  };
  return [{ action: "price_change_announced", metadata }];
}

/** The day of the first billing at a line's last price; undefined where nobody knows it. */
function dayOfFirstBilling(
  ctx: Ctx,
  { prospect, after }: { prospect: Prospect; after: Line[] },
  line: Line,
): CalendarDate | undefined {
  const { view } = prospect;
  const row = { ...view.row, lines: JSON.stringify(after) };
  const changed = { ...prospect, view: { ...view, row } };
  return firstBillingAt(ctx, changed, { id: line.id, price: lastPriceOf(line) })?.billing;
}

function requireNotice(ctx: Ctx, first: CalendarDate | undefined, days: number): void {
  if (days === 0) return;
  if (first === undefined)
    throw new DomainError("INVALID_STATE", "Nobody knows when the first billing at the new price is");
  if (first >= addDays(todayOf(ctx), days)) return;
  throw new DomainError(
    "INVALID_STATE",
    `The first billing at the new price is on ${first}, less than ${days} days from today`,
  );
}
