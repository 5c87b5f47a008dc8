import { html } from "hono/html";
import { notFound } from "../../../../base/errors.ts";
import { moment, money } from "../../../../base/language/format.ts";
import { chargeAttempt } from "../../../../domain/billing/actions/charge.ts";
import { hasCharged, knownChargeOf } from "../../../../domain/billing/known-charge.ts";
import { findAttempt } from "../../../../domain/billing/queries.ts";
import type { BillingAttempt } from "../../../../domain/billing/tables.ts";
import type { Ctx } from "../../../../kit/context.ts";
import type { PaymentConfirmation } from "../../../../stores/port/payment-methods.ts";
import { UnknownOutcomeError } from "../../../../stores/port.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { layout } from "../layout.ts";
import { openCustomerCtx, openSystemCtx } from "../page-ctx.ts";
import { subtitleOf, titleOf } from "../summary.ts";
import type { AskOperations, SignedIn } from "../visit.ts";
import { storeScript } from "./new-method.ts";
import type { ShownAttempt } from "./payment-state.ts";
import { outcomeOf, type Payment } from "./payment-words.ts";

/** The page on which a customer confirms a payment that waits for them; or that says what has become of it. */
export async function payPage(visit: SignedIn, ask: AskOperations, id: string): Promise<Html> {
  const ctx = await openCustomerCtx(visit);
  const { row, payment } = await getPayment(visit, ask, { ctx, id });
  const script = ctx.store.browserScript;
  if (!script || !isWaiting(visit, payment.attempt)) return outcomePage(visit, payment);
  const confirmation = await unlessUnknown(ctx.store.findConfirmation?.(knownChargeOf(row)));
  if (confirmation === "unknown") return unavailablePage(visit, payment);
  if (!confirmation) {
    await chargeAttempt(await openSystemCtx(visit.c), id);
    const settled = await unlessUnknown(findSettled(ctx, await getPayment(visit, ask, { ctx, id })));
    return settled === "unknown" ? unavailablePage(visit, payment) : outcomePage(visit, settled);
  }
  visit.c.set("foreignScript", script);
  return payLayout(visit, payment, confirmForm(visit, payment, confirmation), [script.src, storeScript]);
}

/** The customer's bank has answered: the store is asked now, and the page says what it has said. */
export async function lookAtPayment(visit: SignedIn, ask: AskOperations, id: string): Promise<Response> {
  await getPayment(visit, ask, { ctx: await openCustomerCtx(visit), id });
  await chargeAttempt(await openSystemCtx(visit.c), id);
  return visit.c.redirect(`${visit.base}/pay/${encodeURIComponent(id)}`, 303);
}

type Found = { row: BillingAttempt; payment: Payment };

/** A payment of the customer's own. Throws NOT_FOUND for another's. */
async function getPayment(
  visit: SignedIn,
  ask: AskOperations,
  { ctx, id }: { ctx: Ctx; id: string },
): Promise<Found> {
  const row = await findAttempt(ctx, id);
  if (!row) throw notFound("Payment");
  const path = { id: row.subscription_id };
  const [{ data: subscription }, { data: attempt }, episodes] = await ask(
    visit,
    { id: "getSubscription", path },
    { id: "getBillingAttempt", path: { ...path, attemptId: id } },
    { id: "listDunningEpisodes", path, query: { limit: "1" } },
  );
  return { row, payment: { subscription, attempt, episode: episodes.data[0], isNew: true } };
}

/** Whether it waits for the customer, and their time is not over. */
function isWaiting(
  { c, account }: SignedIn,
  { status, next_action_expires_at: until }: ShownAttempt,
): boolean {
  const now = account.clock_at ?? c.get("now").toISOString();
  return status === "ACTION_REQUIRED" && until !== null && until > now;
}

/**
 * The payment once it waits for nobody. Another request, as the webhook's, may be recording its outcome at this moment: then the store says
 * whether it was paid.
 */
async function findSettled(ctx: Ctx, { row, payment }: Found): Promise<Payment> {
  if (payment.attempt.status !== "ACTION_REQUIRED") return payment;
  const isPaid = hasCharged(await ctx.store.findCharge(knownChargeOf(row)));
  return isPaid ? { ...payment, attempt: { ...payment.attempt, status: "SUCCEEDED" } } : payment;
}

/** An answer of the store; `unknown` where it cannot be reached. */
async function unlessUnknown<T>(answer: T | Promise<T>): Promise<T | "unknown"> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UnknownOutcomeError) return "unknown";
    throw error;
  }
}

function confirmForm(
  visit: SignedIn,
  { subscription, attempt }: Payment,
  { publishable_key, client_secret, payment_method }: PaymentConfirmation,
): Html {
  const { texts, locale, account, base } = visit;
  const amount = money(locale, attempt.amount, attempt.currency_code);
  const until = moment(locale, attempt.next_action_expires_at ?? "", account.timezone);
  return html`<section class="card"><p>${texts.entering.payFor(amount, titleOf(visit, subscription))}</p>
    <p><strong>${texts.entering.payUntil(until)}</strong></p>
    <p data-fallback>${texts.entering.payNeedsScript}</p>
    <form method="post" action="${base}/pay/${attempt.id}" hidden data-store="payment" data-key="${publishable_key}" data-secret="${client_secret}" data-method="${payment_method}" data-wait="${texts.entering.saving}" data-failed="${texts.entering.payFailed}">
      <p class="alert" role="alert" hidden></p>
      <p class="buttons"><button>${texts.entering.pay(amount)}</button></p></form>
    ${
      visit.settings.can_change_payment_method
        ? html`<p class="buttons"><a class="button quiet" href="${base}/subscriptions/${subscription.id}/payment-method">${texts.actions["payment-method"]}</a></p>`
        : ""
    }</section>`;
}

function outcomePage(visit: SignedIn, payment: Payment): Html {
  const { texts, base } = visit;
  const { attempt, subscription } = payment;
  const text = attempt.status === "ACTION_REQUIRED" ? texts.entering.payOver : outcomeOf(visit, payment);
  return payLayout(
    visit,
    payment,
    html`<section class="card"><p class="told" role="status">${text}</p>
      <p class="buttons"><a class="button" href="${base}/subscriptions/${subscription.id}">${texts.entering.toSubscription}</a></p></section>`,
  );
}

function unavailablePage(visit: SignedIn, payment: Payment): Html {
  return payLayout(visit, payment, renderAlert(visit.texts.entering.notAvailable));
}

function payLayout(visit: SignedIn, { subscription }: Payment, body: Html, scripts: string[] = []): Html {
  const { texts, base } = visit;
  const content = html`<div class="medium"><p><a href="${base}/subscriptions/${subscription.id}">← ${texts.back}</a></p>
    <h1>${texts.entering.payTitle}</h1>
    <p class="quiet">${titleOf(visit, subscription)} · ${subtitleOf(subscription)}</p>${body}</div>`;
  return layout(visit, { title: texts.entering.payTitle, content, scripts });
}
