import { day, money } from "../../../../base/language/format.ts";
import { addressLines, cardOf, nameOfGoods } from "../../../../base/language/names.ts";
import { isOver } from "../../../../domain/subscriptions/lifecycle.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import type { StaffForm } from "../forms/form.ts";
import { wordOf } from "../table.ts";
import type { PageAnswer } from "../visit.ts";

export type Shown = PageAnswer<"getSubscription">["data"];
export type SubscriptionForm = StaffForm<Shown>;

/** A subscription before and after a change: whatever differs, and always what comes when, and for how much. */
export function compareSubscriptions(_: StaffVisit, before: Shown, answer: unknown): ChangeRow[] {
  const { data: after } = answer as { data: Shown };
  const row = (label: string, tell: (one: Shown) => string): ChangeRow => [label, tell(before), tell(after)];
  const always = [
    row("Next delivery", ({ next_delivery_date }) => dateText(next_delivery_date)),
    row("Next charge", ({ next_billing_date }) => dateText(next_billing_date)),
    row("Amount", (one) => (isOver(one) ? "nothing" : money("en", one.total, one.currency_code))),
  ];
  const differing = [
    row("State", ({ status }) => wordOf(status)),
    row("Paused until", ({ status, pause_until }) =>
      status === "PAUSED" ? (pause_until === null ? "it is resumed" : day("en", pause_until)) : "–",
    ),
    row("Frequency", ({ frequency_label }) => frequency_label),
    row("Items", itemsText),
    row("Discounts", ({ discounts }) =>
      textOr(discounts.filter(({ is_active }) => is_active).map(({ title }) => title)),
    ),
    row("Address", ({ delivery_address }) => textOr(addressLines(delivery_address))),
    row("Slot", ({ delivery_slot }) => delivery_slot?.label ?? "none"),
    row("Instructions", ({ delivery_instructions }) => delivery_instructions || "none"),
    row("Card", cardText),
    row("Billing waits", ({ billing_blocked_reason }) => billing_blocked_reason ?? "no"),
  ].filter(([, was, becomes]) => was !== becomes);
  return [...differing, ...always];
}

function itemsText({ lines, currency_code }: Shown): string {
  return textOr(
    lines.map(
      (line) => `${line.quantity} × ${nameOfGoods(line)}, ${money("en", line.line_total, currency_code)}`,
    ),
  );
}

function cardText({ payment_method_brand: brand, payment_method_last4: last4 }: Shown): string {
  return cardOf(brand, last4) || "none";
}

function dateText(date: string | null): string {
  return date === null ? "none" : day("en", date);
}

function textOr(lines: string[]): string {
  return lines.join("\n") || "none";
}

type Charge = { amount: number; currency_code: string; delivery_date?: string };

/** The charge that would be made at once. */
export function chargeRows(_: StaffVisit, before: Shown, answer: unknown): ChangeRow[] {
  const { dry_run } = answer as { dry_run?: Charge | Charge[] | null };
  const charges = dry_run ? [dry_run].flat() : [];
  const card = cardText(before);
  return charges.flatMap(({ amount, currency_code, delivery_date }): ChangeRow[] => [
    ["Charged now", "–", money("en", amount, currency_code)],
    ["Card", card, card],
    ...(delivery_date === undefined
      ? []
      : [["Delivered on", dateText(before.next_delivery_date), day("en", delivery_date)] as ChangeRow]),
  ]);
}
