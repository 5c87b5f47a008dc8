import { html } from "hono/html";
import { day, money, sheet, shortDay } from "../../../base/language/format.ts";
import type { NewestSubscription } from "../../../domain/sessions/sessions.ts";
import type { Html } from "../../pages/document.ts";
import { type ActionName, isOffered } from "./actions.ts";
import { chargeIn, dryRunOf } from "./confirm.ts";
import { type PicturesByVariant, pictureStack, picturesByVariant } from "./contents/pictures.ts";
import { endText, type ListedDelivery, pauseText, riskText, undatedText } from "./dates/next-dates.ts";
import { layout } from "./layout.ts";
import { expiryAlert, isChargeable, type Validity } from "./payment/card-expiry.ts";
import {
  confirmationBanner,
  isInQuestion,
  type PaymentState,
  paymentAlert,
  paymentStateOf,
  type ShownAttempt,
} from "./payment/payment-state.ts";
import { rhythmOf, type ShownSubscription, statusOf, subtitleOf, titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/** The first page: a card for each subscription, with its next dates and the main thing to do. */
export async function homePage(visit: SignedIn, ask: AskOperations): Promise<Html> {
  const { texts } = visit;
  const newest = newestOf(visit.session);
  const ids = newest.map(({ id }) => id);
  const inProgress = newest.flatMap(({ id, attemptId }) => (attemptId === null ? [] : [{ id, attemptId }]));
  const [{ data: pictures }, ...answers] = await ask(
    visit,
    { id: "listOwnPictures" },
    ...ids.map((id) => ({ id: "getSubscription", path: { id } }) as const),
    ...ids.map((id, index) => {
      const count = String(index < detailedSubscriptions ? each : 1);
      return { id: "listUpcomingDeliveries", path: { id }, query: { count } } as const;
    }),
    ...inProgress.map((path) => ({ id: "getBillingAttempt", path }) as const),
  );
  const subscriptions = answers.slice(0, ids.length).map(({ data }) => data as ShownSubscription);
  const upcoming = answers.slice(ids.length, 2 * ids.length).map(({ data }) => data as ListedDelivery[]);
  const attempts = answers.slice(2 * ids.length).map(({ data }) => data as ShownAttempt);
  const byVariant = picturesByVariant(pictures);
  const attemptOf = ({ id }: ShownSubscription) =>
    attempts.find(({ subscription_id }) => subscription_id === id);
  const failed = subscriptions.filter(
    (one, index) =>
      one.can_retry_payment &&
      isChargeable(newest[index]?.method ?? null) &&
      paymentStateOf(visit, one, attemptOf(one)) === "failed",
  );
  const tried = failed.length > 0 ? await ask(visit, ...failed.map(({ id }) => retryOf(id))) : [];
  const payable = new Set(failed.filter((_, index) => chargeIn(tried[index])).map(({ id }) => id));
  const content = html`${subscriptions.map((one) => {
    const attempt = attemptOf(one);
    return attempt ? confirmationBanner(visit, one, attempt) : "";
  })}
    <h1>${texts.portal}</h1>
    ${
      subscriptions.length === 0
        ? emptyState(visit)
        : html`<div class="cards">${subscriptions.map((item, index) =>
            card(visit, {
              item,
              attempt: attemptOf(item),
              coming: upcoming[index] ?? [],
              pictures: byVariant,
              method: newest[index]?.method ?? null,
              isPayable: payable.has(item.id),
            }),
          )}</div>`
    }`;
  return layout(visit, { title: texts.portal, content });
}

type Newest = { id: string; attemptId: string | null; method: Validity | null };

/** The customer's newest subscriptions as the session has them. */
function newestOf({ newest_subscriptions }: SignedIn["session"]): Newest[] {
  const listed: NewestSubscription[] = JSON.parse(newest_subscriptions);
  return listed.map(([id, attemptId, status, exp_month, exp_year]) => {
    return { id, attemptId, method: status === null ? null : { status, exp_month, exp_year } };
  });
}

/** Subscriptions of which several deliveries are read, and how many of each. */
const [detailedSubscriptions, each] = [10, 4];

/** The dry run of paying what is owed. Only what it does not refuse is offered, at the cost of another trip. */
function retryOf(id: string) {
  return dryRunOf({ id, name: "retry-payment", fields: {} });
}

type Card = {
  item: ShownSubscription;
  /** Its billing attempt in progress. */
  attempt: ShownAttempt | undefined;
  coming: ListedDelivery[];
  method: Validity | null;
  pictures: PicturesByVariant;
  isPayable: boolean;
};

function card(visit: SignedIn, { item, attempt, coming, method, pictures, isPayable }: Card): Html {
  const { texts, locale, base } = visit;
  const path = `${base}/subscriptions/${item.id}`;
  const heading = `s${item.number}`;
  const state = paymentStateOf(visit, item, attempt);
  const action = mainOf(visit, { item, attempt, method, isPayable }, state);
  const of = html`<span class="hidden">: ${titleOf(visit, item)}</span>`;
  return html`<article class="card" aria-labelledby="${heading}">
    <header>${pictureStack(visit, item.lines, pictures)}<div class="head"><h2 id="${heading}"><a href="${path}">${titleOf(visit, item)}</a></h2>
      <p class="quiet">${subtitleOf(item)} ${statusOf(visit, item.status)}</p></div></header>
    ${paymentAlert(visit, item, state)}
    ${expiryAlert(visit, { subscription: item, method, coming })}
    ${pauseText(visit, item)}
    ${endText(visit, item)}
    ${renderComing(visit, { item, coming, state })}
    <dl class="glance">
      <div><dt>${texts.amount}</dt><dd>${money(locale, item.total, item.currency_code)}</dd></div>
      <div><dt>${texts.frequency}</dt><dd>${rhythmOf(visit, item)}</dd></div>
    </dl>
    <p class="buttons">${action ? html`<a class="button${action === "skip" ? " quiet" : ""}" href="${path}/${action}">${action === "skip" ? texts.look.short.skip : texts.actions[action]}${of}</a>` : ""}
      <a class="button quiet" href="${path}">${texts.manage}${of}</a></p>
  </article>`;
}

/** The next delivery as a sheet of a calendar, and the dates after it. */
function renderComing(
  visit: SignedIn,
  {
    item: subscription,
    coming: [first, ...later],
    state,
  }: Pick<Card, "item" | "coming"> & { state: PaymentState },
): Html {
  const { texts, locale } = visit;
  const label = subscription.status === "CANCELLED" ? texts.lastPaidDelivery : texts.nextDelivery;
  if (!first)
    return html`<dl class="glance"><div><dt>${label}</dt><dd>${undatedText(visit, subscription, state)}</dd></div></dl>`;
  const { day: number, month } = sheet(locale, first.delivery_date);
  const paid = first.is_billed ? "" : html` <span class="quiet">· ${texts.free}</span>`;
  return html`<div class="coming"><p class="sheet" aria-hidden="true"><b>${number}</b> ${month}</p>
    <dl><div><dt>${label}</dt><dd><time datetime="${first.delivery_date}">${day(locale, first.delivery_date)}</time>${paid}${riskText(visit, first)}</dd></div></dl></div>
    ${
      later.length === 0
        ? ""
        : html`<p class="later">${texts.afterThat} ${later.map(
            ({ delivery_date: date }, index) =>
              html`${index > 0 ? " · " : ""}<time datetime="${date}">${shortDay(locale, date)}</time>`,
          )}</p>`
    }`;
}

type Main = Pick<Card, "item" | "attempt" | "method" | "isPayable">;

/** The main thing to do with a subscription. While a payment is in progress nothing is offered that its outcome decides. */
function mainOf(
  visit: SignedIn,
  { item, attempt, method, isPayable }: Main,
  state: PaymentState,
): ActionName | undefined {
  if (isPayable) return "retry-payment";
  if (state === "failed" && !isChargeable(method) && isOffered(visit, "payment-method", item))
    return "payment-method";
  const names = (["resume", "reactivate", "skip"] as const).filter((name) => isOffered(visit, name, item));
  return names.find((name) => name !== "skip" || (attempt === undefined && !isInQuestion(item)));
}

/** The page without a subscription: why there may be none to see, and where to go on. */
function emptyState({ texts, base, session, account, settings }: SignedIn): Html {
  const { return_url: shop } = session;
  const { support_email: address } = settings;
  return html`<div class="card empty-state"><h2>${texts.nothing}</h2><p>${texts.nothingText(account.name)}</p>
    <p class="buttons">${shop ? html`<a class="button" href="${shop}" rel="noreferrer">${texts.backToShop}</a>` : ""}
    <a class="button quiet" href="${base}/orders">${texts.orders}</a>
    ${address ? html`<a class="button quiet" href="mailto:${address}">${texts.writeToUs}</a>` : ""}</p></div>`;
}
