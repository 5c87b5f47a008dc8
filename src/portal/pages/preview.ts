import { html } from "hono/html";
import { type ActionName, actions, type Fields, type Undo } from "./actions.ts";
import { day, money } from "./format.ts";
import { type Html, layout } from "./layout.ts";
import {
  addressOf,
  frequencyOf,
  methodOf,
  type Subscription,
  slotOf,
  subtitleOf,
  titleOf,
} from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

type Change = { id: string; name: ActionName; fields: Fields };
type Row = [label: string, before: string, after: string];

/** What an action would do, as its dry run says, and the form that confirms it. Throws what the dry run refuses. */
export async function previewPage(visit: SignedIn, ask: AskOperations, change: Change): Promise<Html> {
  const { id, name, fields } = change;
  const { operation, bodyOf } = actions[name];
  const [{ data: before }, answer] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: operation, path: { id }, query: { dry_run: "true" }, body: bodyOf(fields) },
  );
  const outcome = answer as unknown;
  const { texts, base } = visit;
  const path = `${base}/subscriptions/${id}`;
  const content = html`<div class="medium"><p><a href="${path}">← ${texts.back}</a></p>
    <h1>${texts.actions[name]}</h1>
    <p class="quiet">${titleOf(visit, before)} · ${subtitleOf(before)}</p>
    <p>${texts.notes[name]}</p>
    <section class="card" aria-labelledby="check"><h2 id="check">${texts.checkChange}</h2>
      ${isCharge(outcome) ? chargeTable(visit, before, outcome.dry_run) : changeTable(visit, rowsOf(visit, { before, after: afterOf(outcome), name, fields }))}
      <form method="post" action="${path}/${name}">${hiddenInputs(fields)}
        <input type="hidden" name="confirm" value="1"><input type="hidden" name="key" value="page-${visit.c.get("requestId")}">
        <p class="buttons"><button${name === "cancel" ? html` class="danger"` : ""}>${name === "cancel" ? texts.confirmCancel : texts.confirm}</button>
        <a class="button quiet" href="${path}">${texts.keep}</a></p>
      </form>
    </section></div>`;
  return layout(visit, { title: texts.actions[name], content });
}

/** Does it, once however often the form is sent, and returns the subscription as it was before. */
export async function confirm(
  visit: SignedIn,
  ask: AskOperations,
  { id, name, fields, ...key }: Change & { key?: string },
): Promise<Confirmed> {
  const { operation, bodyOf } = actions[name];
  const [{ data: before }, { data: methods }, { data: shop }] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "getSubscriptionPaymentMethods", path: { id } },
    { id: "getOwnShop" },
  );
  const [answered] = await ask(visit, { id: operation, path: { id }, body: bodyOf(fields), ...key });
  const answer = answered as unknown;
  const after = isSubscription(answer) ? answer.data : before;
  const offered = shop.frequencies.map(({ interval, interval_count }) => `${interval}-${interval_count}`);
  return { before, after, methodId: methods.current?.id, offered, maxPauseDays: shop.max_pause_days };
}
type Confirmed = {
  before: Subscription;
  after: Subscription;
  methodId: string | undefined;
  offered: string[];
  maxPauseDays: number | null;
};

/** What undoes a change, where the customer may do that. */
export function undoOf(name: ActionName, confirmed: Confirmed): Undo | undefined {
  const { before, after, methodId, offered, maxPauseDays } = confirmed;
  if (name === "payment-method")
    return methodId === undefined ? undefined : { action: name, fields: { payment_method_id: methodId } };
  const undo = actions[name].undo?.(before, after);
  if (undo?.action === "frequency" && !offered.includes(undo.fields.frequency ?? "")) return undefined;
  return undo?.action === "pause" && maxPauseDays !== null ? undefined : undo;
}

function isSubscription(answer: unknown): answer is { data: Subscription } {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "data" in answer &&
    "can_cancel" in (answer.data as object)
  );
}

type Charge = { amount: number; currency_code: string; billing_date: string; delivery_date: string };

function isCharge(outcome: unknown): outcome is { dry_run: Charge } {
  return typeof outcome === "object" && outcome !== null && "dry_run" in outcome;
}

function afterOf(outcome: unknown): Subscription {
  return (outcome as { data: Subscription }).data;
}

function chargeTable({ texts, locale, ...rest }: SignedIn, before: Subscription, charge: Charge): Html {
  const rows: [string, string][] = [
    [texts.chargedNow, money(locale, charge.amount, charge.currency_code)],
    [texts.payment, methodOf({ texts, ...rest }, before)],
    [texts.delivery, day(locale, charge.delivery_date)],
  ];
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

type Compared = { before: Subscription; after: Subscription; name: ActionName; fields: Fields };

function rowsOf(visit: SignedIn, { before, after, name, fields }: Compared): Row[] {
  const { texts, locale } = visit;
  const date = (value: string | null) => (value === null ? texts.none : day(locale, value));
  const row = (label: string, of: (one: Subscription) => string): Row => [label, of(before), of(after)];
  const until = fields.pause_until;
  const always = [
    row(texts.nextDelivery, (one) => date(one.next_delivery_date)),
    row(texts.nextCharge, (one) => date(one.next_billing_date)),
    row(texts.amount, (one) => money(locale, one.total, one.currency_code)),
  ];
  const differing = [
    row(texts.status, (one) => texts.statuses[one.status]),
    row(texts.frequency, (one) => frequencyOf(visit, one)),
    row(texts.address, (one) => addressOf(one.delivery_address) || texts.none),
    row(texts.slot, (one) => slotOf(one) || texts.none),
    row(texts.instructions, (one) => one.delivery_instructions || texts.none),
    row(texts.payment, (one) => methodOf(visit, one)),
  ].filter(([, was, becomes]) => was !== becomes);
  const pause: Row[] =
    name === "pause"
      ? [[texts.pausedUntil, "–", until === undefined ? texts.untilResumed : date(until)]]
      : [];
  return [...differing, ...pause, ...always];
}

function changeTable({ texts }: SignedIn, rows: Row[]): Html {
  return html`<table class="compare"><thead><tr><td></td><th scope="col">${texts.before}</th><th scope="col">${texts.after}</th></tr></thead>
    <tbody>${rows.map(
      ([label, before, after]) =>
        html`<tr><th scope="row">${label}</th><td data-label="${texts.before}">${before}</td>
        <td data-label="${texts.after}">${before === after ? html`<span class="quiet">${texts.unchanged}</span>` : html`<strong>${after}</strong>`}</td></tr>`,
    )}</tbody></table>`;
}

function hiddenInputs(fields: Fields): Html {
  return html`${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
}
