import { html } from "hono/html";
import { day, money } from "../../../base/language/format.ts";
import { addressLines, cardOf } from "../../../base/language/names.ts";
import { isOver } from "../../../domain/subscriptions/lifecycle.ts";
import { isRefusal, previewOf } from "../../pages/ask.ts";
import { type Html, renderAlert } from "../../pages/document.ts";
import { withBreaks } from "../../pages/lines.ts";
import { type ChangeRow, hiddenInputs } from "../../pages/preview.ts";
import { type ActionName, actions, pathOf } from "./actions.ts";
import { besideSummary, subjectOf } from "./beside.ts";
import { changeList } from "./change-list.ts";
import { type ChosenAction, chargeIn, chargesIn, dryRunOf, type ShownCharge } from "./confirm.ts";
import { changedLines, nameLines, noLine } from "./contents/content-changes.ts";
import {
  chargeText,
  deliveryText,
  type ListedDelivery,
  mostUpcoming,
  nextDates,
  nextDatesAfter,
} from "./dates/next-dates.ts";
import { layout } from "./layout.ts";
import { testStoreText } from "./payment/payment-ways.ts";
import { answeringAttempt, outcomeOf, stillDueNote, switchNoteOf } from "./payment/payment-words.ts";
import { frequencyOf, methodOf, type ShownSubscription, slotOf, subtitleOf, titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/**
 * The effects of an action, as its dry run says, and the form that confirms it. Throws what the dry run refuses. `isOther`: it
 * would charge something else than was shown before.
 */
export async function previewPage(
  visit: SignedIn,
  ask: AskOperations,
  { isOther = false, ...change }: ChosenAction & { isOther?: boolean },
): Promise<Html> {
  const { id, name, fields } = change;
  const { texts, base } = visit;
  const path = `${base}/subscriptions/${id}`;
  const { before, note, shown, preview = "", isPossible } = await foresee(visit, ask, change);
  const content = html`<p class="back"><a href="${path}">← ${texts.back}</a></p>
    <h1>${texts.actions[name]}</h1>
    ${subjectOf(visit, before)}
    ${renderAlert(isOther ? texts.changedSince : undefined)}
    ${note === undefined ? "" : html`<p>${note}</p>`}
    ${
      isPossible
        ? html`<section class="card" aria-labelledby="check"><h2 id="check">${texts.checkChange}</h2>
      ${shown}<form method="post" action="${path}/${name}">${hiddenInputs(fields)}
        <input type="hidden" name="confirm" value="1"><input type="hidden" name="key" value="page-${visit.c.get("requestId")}">
        <input type="hidden" name="preview" value="${preview}">
        <p class="buttons"><button>${texts.confirm}</button>
        <a class="button quiet" href="${path}">${texts.keep}</a></p>
      </form></section>`
        : html`<section class="card">${shown}<p class="buttons"><a class="button" href="${path}">${texts.back}</a></p></section>`
    }`;
  return layout(visit, { title: texts.actions[name], content: besideSummary(visit, before, content) });
}

/** The effects of an action that a page shows before it is confirmed. Without `isPossible` there is nothing to confirm. */
type Foreseen = {
  before: ShownSubscription;
  note: string | undefined;
  shown: Html;
  preview?: string | undefined;
  isPossible: boolean;
};

function foresee(visit: SignedIn, ask: AskOperations, change: ChosenAction): Promise<Foreseen> {
  switch (change.name) {
    case "ship-now":
    case "retry-payment":
      return foreseenPayment(visit, ask, { ...change, name: change.name });
    case "payment-link":
      return foreseenLink(visit, ask, change);
    case "payment-method":
      return (change.fields.update_all === undefined ? foreseenSwitch : foreseenSwitchOfAll)(
        visit,
        ask,
        change,
      );
    default:
      return foreseenChange(visit, ask, change);
  }
}

/** A payment that would be started, or the one that is there instead. */
async function foreseenPayment(
  visit: SignedIn,
  ask: AskOperations,
  { id, name }: ChosenAction & { name: "ship-now" | "retry-payment" },
): Promise<Foreseen> {
  const { texts } = visit;
  const [{ data: before }, answer, { data: attempts }, { data: episodes }] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: actions[name].operation as "shipNow" | "retryPayment", path: { id }, query: { dry_run: "true" } },
    { id: "listBillingAttempts", path: { id }, query: { limit: "10" } },
    { id: "listDunningEpisodes", path: { id }, query: { limit: "1" } },
  );
  const charge = chargeIn(answer);
  if (charge)
    return {
      ...{ before, preview: previewOf(answer), note: texts.notes[name], isPossible: true },
      shown: chargeTable(visit, charge, { method: methodOf(visit, before), ...followingIn(answer) }),
    };
  const attempt = answeringAttempt(answer, attempts);
  const words = attempt
    ? outcomeOf(visit, { subscription: before, attempt, episode: episodes[0], isNew: false })
    : texts.payments.nothingFurther;
  return { before, note: undefined, shown: html`<p>${words}</p>`, isPossible: false };
}

/** The store's e-mail changes nothing by itself. */
async function foreseenLink(visit: SignedIn, ask: AskOperations, { id }: ChosenAction): Promise<Foreseen> {
  const { texts } = visit;
  const [{ data: before }, answer] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "requestPaymentUpdate", path: { id }, query: { dry_run: "true" } },
  );
  const shown = html`<dl><div><dt>${texts.payment}</dt><dd>${methodOf(visit, before)}</dd></div></dl>`;
  const preview = previewOf(answer);
  return {
    before,
    preview,
    note: `${texts.notes["payment-link"]}${testStoreText(visit)}`,
    shown,
    isPossible: true,
  };
}

/** A switch of the payment method charges what is owed, at once or later. */
async function foreseenSwitch(visit: SignedIn, ask: AskOperations, change: ChosenAction): Promise<Foreseen> {
  const { id, name, fields } = change;
  const [{ data: before }, answer, { data: attempts }, { data: coming }] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    {
      id: "changePaymentMethod",
      path: { id },
      query: { dry_run: "true" },
      body: actions[name].bodyOf(fields),
    },
    { id: "listBillingAttempts", path: { id }, query: { limit: "1" } },
    { id: "listUpcomingDeliveries", path: { id }, query: { count: String(mostUpcoming) } },
  );
  const charge = chargeIn(answer);
  const after = (answer as { data: ShownSubscription }).data;
  return {
    ...{ before, preview: previewOf(answer), isPossible: true },
    note: charge ? visit.texts.switches.charges : switchNoteOf(visit, before, attempts[0]),
    shown: charge
      ? chargeTable(visit, charge, { method: methodOf(visit, after) })
      : changeList(visit, compareRows(visit, { before, after, name, coming, paused: undefined })),
  };
}

/** A switch of all subscriptions of the customer: which these are, and what each of them is charged at once. */
async function foreseenSwitchOfAll(
  visit: SignedIn,
  ask: AskOperations,
  change: ChosenAction,
): Promise<Foreseen> {
  const { id, fields } = change;
  const { texts, locale } = visit;
  const [{ data: before }, { data: methods }, answer] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "getSubscriptionPaymentMethods", path: { id } },
    dryRunOf(change),
  );
  if (isRefusal(answer)) throw answer;
  const { data } = answer as unknown as { data: { subscription_ids: string[] } };
  const charges = chargesIn(answer);
  const method = [...methods.alternatives, methods.current].find(
    (each) => each?.id === fields.payment_method_id,
  );
  const switched = await ask(visit, ...data.subscription_ids.map(getOne));
  const used = switched.map((each) => each.data);
  const rows: [string, string][] = [
    [texts.payment, cardOf(method?.brand ?? null, method?.last4 ?? null, texts)],
    [texts.reach.usedFor, used.map((each) => `${titleOf(visit, each)} · ${subtitleOf(each)}`).join("\n")],
    ...charges.map(({ subscription_id, amount, currency_code }): [string, string] => {
      const charged = used.find((each) => each.id === subscription_id);
      const title = charged ? ` · ${titleOf(visit, charged)}` : "";
      return [texts.chargedNow, `${money(locale, amount, currency_code)}${title}`];
    }),
  ];
  return {
    ...{ before, preview: previewOf(answer), isPossible: true },
    note: charges.length > 0 ? texts.switches.charges : texts.notes["payment-method"],
    shown: factList(rows),
  };
}

async function foreseenChange(visit: SignedIn, ask: AskOperations, change: ChosenAction): Promise<Foreseen> {
  const { id, name, fields } = change;
  const { operation, bodyOf } = actions[name];
  const upcoming = { id: "listUpcomingDeliveries", path: { id } } as const;
  const count = String(mostUpcoming);
  const { pause_until } = fields;
  const [{ data: before }, answer, { data: coming }, { data: episodes }, ...paused] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: operation, path: pathOf(change), query: { dry_run: "true" }, body: bodyOf(fields) },
    { ...upcoming, query: { count } },
    { id: "listDunningEpisodes", path: { id }, query: { limit: "1" } },
    ...(pause_until === undefined ? [] : [{ ...upcoming, query: { count, pause_until } }]),
  );
  const { data: after, following_delivery_date: following } = answer as unknown as {
    data: ShownSubscription;
    following_delivery_date?: string | null;
  };
  const facts = { before, after, name, coming, paused: paused[0]?.data };
  const due = name === "skip" ? stillDueNote(visit, { subscription: before, episode: episodes[0] }) : "";
  return {
    before,
    preview: previewOf(answer),
    note: `${noteOf(visit, change) ?? ""} ${due}`.trim(),
    shown: changeList(visit, [
      ...compareRows(visit, facts),
      ...followingRow(visit, coming[1]?.delivery_date, following),
    ]),
    isPossible: true,
  };
}

function getOne(id: string) {
  return { id: "getSubscription", path: { id } } as const;
}

function noteOf({ texts }: SignedIn, { name, fields }: ChosenAction): string | undefined {
  const notes: Partial<Record<ActionName, string>> = texts.notes;
  if (name === "schedule") return fields.scope === "this" ? texts.reach.movesOne : texts.reach.movesFollowing;
  return fields.is_one_time === undefined ? notes[name] : texts.goods.onceNote;
}

/** The day of the delivery after the next one, before and after a move, where both are known. */
function followingRow(
  { texts, locale }: SignedIn,
  before: string | undefined,
  after: string | null | undefined,
): ChangeRow[] {
  return before && after ? [[texts.reach.deliveryAfter, day(locale, before), day(locale, after)]] : [];
}

type Beside = { method: string; following?: string | null };

function chargeTable({ texts, locale }: SignedIn, charge: ShownCharge, { method, following }: Beside): Html {
  const { amount, currency_code, delivery_date: date } = charge;
  const rows: [string, string][] = [
    [texts.chargedNow, money(locale, amount, currency_code)],
    [texts.payment, method],
    ...(date === undefined ? [] : [[texts.delivery, day(locale, date)] as [string, string]]),
    ...(following == null ? [] : [[texts.reach.deliveryAfter, day(locale, following)] as [string, string]]),
  ];
  return factList(rows);
}

/** The delivery after the one that a request to bill pays for, as its dry run says. */
function followingIn(answer: unknown): { following?: string | null } {
  const { following_delivery_date: following = null } = answer as { following_delivery_date?: string | null };
  return { following };
}

function factList(rows: [string, string][]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${withBreaks(value)}</dd></div>`)}</dl>`;
}

type Compared = {
  before: ShownSubscription;
  after: ShownSubscription;
  name: ActionName;
  /** The deliveries that come without the change, and those after a pause with a date. */
  coming: ListedDelivery[];
  paused: ListedDelivery[] | undefined;
};

export function compareRows(visit: SignedIn, { before, after, name, coming, paused }: Compared): ChangeRow[] {
  const { texts, locale } = visit;
  const row = (label: string, of: (one: ShownSubscription) => string): ChangeRow => [
    label,
    of(before),
    of(after),
  ];
  const now = nextDates(before, coming);
  const then = paused ? nextDates(after, paused) : nextDatesAfter(before, after, now);
  const always: ChangeRow[] = [
    [texts.nextDelivery, deliveryText(visit, before, now), deliveryText(visit, after, then)],
    [texts.nextCharge, chargeText(visit, before, now), chargeText(visit, after, then)],
    row(texts.amount, (one) =>
      isOver(one) ? texts.none.amount : money(locale, one.total, one.currency_code),
    ),
  ];
  const differing = [
    ...contentRows(visit, { before, after }),
    row(texts.status, (one) => texts.statuses[one.status]),
    row(texts.frequency, (one) => frequencyOf(visit, one)),
    row(texts.address, (one) => addressLines(one.delivery_address, locale).join("\n") || texts.none.address),
    row(texts.slot, (one) => slotOf(one) || texts.none.slot),
    row(texts.instructions, (one) => one.delivery_instructions || texts.none.instructions),
    row(texts.payment, (one) => methodOf(visit, one)),
  ].filter(([, was, becomes]) => was !== becomes);
  const pause: ChangeRow[] =
    name === "pause"
      ? [
          row(texts.pausedUntil, ({ status, pause_until: until }) =>
            status !== "PAUSED" ? "–" : until === null ? texts.untilResumed : day(locale, until),
          ),
        ]
      : [];
  return [...differing, ...pause, ...always];
}

/** The lines that change, and what they cost. */
function contentRows(
  { texts, locale }: SignedIn,
  { before, after }: Pick<Compared, "before" | "after">,
): ChangeRow[] {
  const { was, becomes } = changedLines({ before, after });
  const { currency_code } = after;
  const price = (lines: typeof was) =>
    lines.length === 0
      ? noLine
      : money(
          locale,
          lines.reduce((sum, line) => sum + line.line_total, 0),
          currency_code,
        );
  return [
    [texts.goods.item, nameLines(was, texts), nameLines(becomes, texts)],
    [texts.goods.price, price(was), price(becomes)],
  ];
}
