import { html } from "hono/html";
import { declineReasonOf } from "../../../../domain/dunning/decline-reason.ts";
import type { Html } from "../../../pages/document.ts";
import type { ActionName } from "../actions.ts";
import type { Links } from "../links.ts";
import type { SignedIn } from "../visit.ts";
import type { ShownAttempt } from "./payment-state.ts";
import { outcomeOf, type Payment } from "./payment-words.ts";

/** A failed payment: why it has failed, when it is tried next, and what the customer can do. */
export function failureAlert(
  visit: SignedIn,
  { attempts, ...facts }: Failure,
  { path, offers }: Links,
): Html {
  const { texts } = visit;
  const attempt = attempts.find(({ status }) => status === "FAILED");
  const words = attempt ? html`<p>${outcomeOf(visit, { ...facts, attempt, isNew: true })}</p>` : "";
  const names = remedies(attempt).filter((name) => offers.includes(name));
  const buttons = names.map(
    (name, index) =>
      html`<a class="button${index === 0 ? "" : " quiet"}" href="${path}/${name}">${texts.actions[name]}</a>`,
  );
  return html`<section class="alert" aria-labelledby="failed"><h2 id="failed">${texts.paymentFailed}</h2>${words}
    ${names.length > 0 ? html`<p class="buttons">${buttons}</p>` : ""}</section>`;
}

/** The ways to mend a failed payment, the most promising first: a card that has expired is declined again. */
function remedies(attempt: ShownAttempt | undefined): ActionName[] {
  const isExpired = attempt !== undefined && declineReasonOf(attempt.error_code, false) === "expired";
  return isExpired ? ["payment-method", "retry-payment"] : ["retry-payment", "payment-method"];
}

type Failure = Pick<Payment, "subscription" | "episode"> & { attempts: ShownAttempt[] };
