import type { z } from "@hono/zod-openapi";
import { nameGoods, nameOfGoods } from "../../base/language/names.ts";
import { toMajor } from "../../base/lib/money.ts";
import { snapshotOf } from "../billing/snapshot.ts";
import type { BillingAttempt } from "../billing/tables.ts";
import { declineReasonOf } from "../dunning/decline-reason.ts";
import { type AmountPart, splitAmount } from "./attempt-parts.ts";
import type { HistoryEntry } from "./history.ts";
import type { AttemptExplanationBody } from "./schemas.ts";
import type { Voice } from "./voice.ts";

type Explanation = z.input<typeof AttemptExplanationBody>;
type Fact = { fact: string; event_id?: string };

/** A mail that the customer got about a payment. */
export type ToldMail = Explanation["told"][number];

/** The rows that explain an attempt. `entries` are those of its subscription up to its end, the newest first. */
export type AttemptRows = { attempt: BillingAttempt; entries: HistoryEntry[]; told: ToldMail[] };

/** Explains an attempt: what its amount is made of, why it was made then, what the customer was told, and what came of it. */
export function explainAttempt({ attempt, entries, told }: AttemptRows, voice: Voice): Explanation {
  const { amount, currency_code, status, error_code } = attempt;
  const before = entries.filter(({ created_at }) => created_at <= attempt.created_at);
  const parts = splitAmount(snapshotOf(attempt), amount).map((part) => ({
    what: namePart(part, voice),
    amount: toMajor(part.amount, currency_code),
    ...eventOf(entryOfPart(part, before)),
  }));
  return {
    amount: toMajor(amount, currency_code),
    parts,
    why_now: whyNow(attempt, before, voice),
    told,
    outcome: { status, error_code, fact: outcomeOf(attempt, entries, voice) },
  };
}

function namePart(part: AmountPart, { words }: Voice): string {
  const { parts } = words.why;
  if (part.of === "line") return parts.line(nameOfGoods(part.line), part.line.quantity);
  if (part.of === "discount") return part.discount.title || words.discount;
  return { plan: parts.planned, shipping: words.shipping, tax: words.tax, other: parts.otherAmount }[part.of];
}

/** The entry of the change that has made a line or a discount what it was. */
function entryOfPart(part: AmountPart, before: HistoryEntry[]): HistoryEntry | undefined {
  if (part.of === "line") return before.find(({ changes }) => differs(changes.lines, part.line.id));
  if (part.of === "discount")
    return before.find(
      ({ action, changes }) => action === "discount_applied" && differs(changes.discounts, part.discount.id),
    );
  return undefined;
}

type Elements = { from: unknown; to: unknown } | undefined;

function differs(change: Elements, id: string): boolean {
  if (!change) return false;
  const [before, after] = [change.from, change.to].map((list) =>
    JSON.stringify(Array.isArray(list) ? list.find((one) => one.id === id) : undefined),
  );
  return before !== after;
}

/** Why the payment was tried at that time: what has started it, and what has moved its day since the last one. */
function whyNow(attempt: BillingAttempt, before: HistoryEntry[], voice: Voice): Fact[] {
  const { now, states } = voice.words.why;
  const started = before.find(({ metadata, action }) => startsAttempt(action) && isAbout(metadata, attempt));
  const by = voice.by(started);
  if (attempt.is_switch === 1) {
    const changed = before.find(({ action }) => action === "payment_method_changed");
    return [{ fact: now.switched(voice.by(changed)), ...eventOf(changed ?? started) }];
  }
  if (attempt.origin === "SHIP_NOW") return [{ fact: now.shipNow(by), ...eventOf(started) }];
  if (attempt.origin === "RETRY") return [{ fact: now.retry(by), ...eventOf(started) }];
  if (attempt.origin === "DUNNING") {
    const failed = before.find(
      ({ action, metadata }) => action === "billing_failed" && !isAbout(metadata, attempt),
    );
    return [{ fact: now.again, ...eventOf(failed ?? started) }];
  }
  const due = { fact: now.due(voice.day(snapshotOf(attempt).billing_date)), ...eventOf(started) };
  if (waitOpenAmong(before)) return [{ fact: now.afterWait, ...eventOf(waitOpenAmong(before)) }, due];
  const moved = before.slice(0, lastCharge(before)).find(({ action }) => Object.hasOwn(moves, action));
  if (!moved) return [due];
  const says = moves[moved.action as keyof typeof moves];
  return [due, { fact: states[says](voice.by(moved)), ...eventOf(moved) }];
}

/** Changes that move the day of a charge, and how they are told. */
export const moves = {
  subscription_skipped: "skipped",
  delivery_rescheduled: "moved",
} as const;

function startsAttempt(action: string): boolean {
  return action === "billing_started" || action === "ship_now_requested";
}

function isAbout({ billing_attempt_id }: Record<string, unknown>, { id }: BillingAttempt): boolean {
  return billing_attempt_id === id;
}

/** The number of entries that are newer than the last charge. */
function lastCharge(entries: HistoryEntry[]): number {
  const found = entries.findIndex(({ action }) => action === "billing_succeeded");
  return found === -1 ? entries.length : found;
}

/** The entry by which billing waits for others, if it still does in the newest of these. */
export function waitOpenAmong(entries: HistoryEntry[]): HistoryEntry | undefined {
  const last = entries.find(({ action }) =>
    ["billing_waiting", "billing_wait_ended", "billing_succeeded"].includes(action),
  );
  return last?.action === "billing_waiting" ? last : undefined;
}

function outcomeOf(attempt: BillingAttempt, entries: HistoryEntry[], voice: Voice): string {
  const { outcomes } = voice.words.why;
  const amount = voice.amount(attempt.amount);
  switch (attempt.status) {
    case "QUEUED":
      return outcomes.queued(amount);
    case "PROCESSING":
      return outcomes.running(amount);
    case "ACTION_REQUIRED":
      return outcomes.unconfirmed(amount);
    case "REVIEW":
      return outcomes.inReview(amount);
    case "SUCCEEDED":
      return outcomes.paid(amount, voice.dayOf(settledAt(attempt)));
    case "FAILED":
      return failureOf(attempt, voice, waitOpenAmong(entries) !== undefined);
    case "CANCELLED":
      return outcomes.withdrawn(amount);
  }
}

/** The sentence of a payment that has failed, which the mail about it has too. */
export function failureOf(attempt: BillingAttempt, voice: Voice, isWaiting: boolean): string {
  const { lines } = snapshotOf(attempt);
  const goods = nameGoods(
    voice.words,
    lines.map(({ product_title }) => product_title),
  );
  const reason = voice.words.reasons[declineReasonOf(attempt.error_code, isWaiting)];
  return voice.words.why.failedOn(
    voice.amount(attempt.amount),
    voice.dayOf(settledAt(attempt)),
    goods,
    reason,
  );
}

function settledAt({ settled_at, updated_at }: BillingAttempt): string {
  return settled_at ?? updated_at;
}

/** The event that proves a sentence, where one does. */
export function eventOf(entry: HistoryEntry | undefined): { event_id?: string } {
  return entry ? { event_id: entry.id } : {};
}
