import { html } from "hono/html";
import { day } from "../../../base/language/format.ts";
import type { Html } from "../../pages/document.ts";
import type { ActionName } from "./actions.ts";
import type { Notice } from "./notice.ts";
import type { PaymentState, ShownAttempt } from "./payment/payment-state.ts";
import { testStoreText } from "./payment/payment-ways.ts";
import { nextTryOf, outcomeOf, type Payment, switchNoteOf } from "./payment/payment-words.ts";
import { lowerFirst, methodOf, rhythmOf, type ShownSubscription } from "./summary.ts";
import type { SignedIn } from "./visit.ts";

type Done = {
  subscription: ShownSubscription;
  notice: Notice;
  /** The latest attempts, newest first. */
  attempts: ShownAttempt[];
  episode: Payment["episode"];
  state: PaymentState;
  /** The preview of undoing it; undefined where it cannot be undone. */
  undo: string | undefined;
};

/**
 * The change that was just made, the state of its payment since, and the button that undoes it. Beside a failed payment it is no
 * success.
 */
export function renderNotice(visit: SignedIn, done: Done): Html {
  const { texts, base, c } = visit;
  const { subscription, notice, state, undo } = done;
  const { entry } = notice;
  const words = wordsOf(visit, done);
  if (words === "") return html``;
  const hasFailed = state === "failed" || attemptOf(done)?.status === "FAILED";
  return html`<div class="${hasFailed ? "told" : "notice"}" role="status"><p>${words}</p>
    ${
      entry && undo !== undefined
        ? html`<form method="post" action="${base}/subscriptions/${subscription.id}/undo">
        <input type="hidden" name="entry_id" value="${entry}"><input type="hidden" name="done" value="${notice.done}">
        <input type="hidden" name="key" value="undo-${c.get("requestId")}"><input type="hidden" name="preview" value="${undo}">
        <button>${texts.undo}</button></form>`
        : ""
    }</div>`;
}

/** Actions that pay. Nothing is said of one that has failed, unless it is known what has become of it. */
const paying: readonly string[] = ["retry-payment", "ship-now"] satisfies ActionName[];

function wordsOf(visit: SignedIn, done: Done): string {
  const { texts } = visit;
  const { subscription, notice, state } = done;
  if (notice.done === "offer") return texts.leaving.taken;
  if (notice.done === "undo") return takenBack(visit, done);
  const outcome = outcomeIn(visit, done);
  if (isToldAbove(done)) return "";
  if (paying.includes(notice.done)) return outcome ?? (state === "failed" ? "" : texts.done[notice.done]);
  if (notice.done === "payment-link") return `${texts.done[notice.done]}${testStoreText(visit)}`;
  if (notice.done !== "payment-method") return texts.done[notice.done];
  const { is_in_dunning, status } = subscription;
  const owes = (is_in_dunning && status !== "PAUSED") || status === "PAYMENT_FAILED";
  return `${texts.done[notice.done]} ${outcome ?? (owes ? laterIn(visit, done) : "")}`.trim();
}

/** The subscription as it is again after the change was undone, by what the change was about. */
function takenBack(visit: SignedIn, { subscription, notice: { undone } }: Done): string {
  const { texts, locale } = visit;
  const back = texts.takenBack;
  const { next_delivery_date: date, status } = subscription;
  switch (undone) {
    case "frequency":
      return back.frequency(lowerFirst(locale, rhythmOf(visit, subscription)));
    case "skip":
    case "unskip":
    case "schedule":
      return date === null ? back.all : back.delivery(day(locale, date));
    case "payment-method":
      return back.payment(methodOf(visit, subscription));
    case "address":
    case "instructions":
    case "quantity":
    case "swap":
    case "add":
    case "remove":
      return back[undone];
    case "pause":
    case "resume":
    case "cancel":
    case "reactivate":
      return back.status[status];
    default:
      return back.all;
  }
}

/** Whether the alert of a failed payment, which stands above, says the outcome already. */
function isToldAbove(done: Done): boolean {
  const { notice, state, attempts } = done;
  const failed = attempts.find(({ status }) => status === "FAILED");
  const isIt = notice.attempt?.isNew === true && notice.attempt.id === failed?.id;
  return state === "failed" && isIt && paying.includes(notice.done);
}

/** The attempt that has answered what was done. */
function attemptOf({ notice, attempts }: Done): ShownAttempt | undefined {
  return attempts.find(({ id }) => id === notice.attempt?.id);
}

function outcomeIn(visit: SignedIn, done: Done): string | undefined {
  const attempt = attemptOf(done);
  if (!attempt) return undefined;
  const isNew = done.notice.attempt?.isNew ?? false;
  const words = outcomeOf(visit, { ...done, attempt, isNew });
  const isComing = isNew && ["QUEUED", "PROCESSING", "SUCCEEDED"].includes(attempt.status);
  return done.notice.done === "ship-now" && isComing
    ? `${words} ${visit.texts.payments.deliveryFollows}`
    : words;
}

/** A switch that has charged nothing, while something is owed. */
function laterIn(visit: SignedIn, done: Done): string {
  const { subscription, attempts } = done;
  const note = switchNoteOf(visit, subscription, attempts[0]);
  return note === visit.texts.switches.nextTry ? `${note} ${nextTryOf(visit, done)}` : note;
}
