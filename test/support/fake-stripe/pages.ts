import { completeSession, findSession, successUrl } from "./checkout.ts";
import { completeChallenge, failChallenge } from "./confirmation.ts";
import { StripeError } from "./errors.ts";
import { formIn } from "./form.ts";
import type { CheckoutSession, PaymentIntent, SetupIntent } from "./records.ts";
import { completeSetup, confirmSetup, failSetupChallenge } from "./setup-intents.ts";
import type { FakeAccount } from "./store.ts";
import { stripeJs } from "./stripe-js.ts";
import { testMethods } from "./test-methods.ts";

/** The pages that customers see at Stripe, and its script; undefined for an address that is none of them. */
export async function pageFor(account: FakeAccount, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (/^\/v3\/?$/.test(pathname))
    return new Response(stripeJs(), {
      headers: { ...fromAnywhere, "Content-Type": "text/javascript; charset=utf-8" },
    });
  const [, kind, id = "", back] = /^\/(c\/pay|3ds)\/(\w+)(\/back)?$/.exec(pathname) ?? [];
  if (!kind) return undefined;
  const form = request.method === "POST" ? await formIn(request) : undefined;
  const field = (name: string): string => String(form?.[name] ?? "");
  if (kind === "3ds") return bankPage(account, id, form && field("outcome"));
  const session = account.sessions.has(id) ? findSession(account, id) : undefined;
  if (session?.status !== "open") return page("This page is over", 404);
  return back ? afterBank(account, session) : checkoutPage(account, session, form && field("payment_method"));
}

/** The script posts the bank's answer from the shop's page. */
const fromAnywhere = { "Access-Control-Allow-Origin": "*" };

/** Checkout in mode setup: the customer chooses a card, which is set up. */
function checkoutPage(account: FakeAccount, session: CheckoutSession, chosen?: string): Response {
  if (chosen === undefined) return chooseCard(session);
  const setup = account.setupIntents.get(session.setup_intent)!;
  try {
    confirmSetup(account, setup, chosen, `${account.settings.pagesAt}/c/pay/${session.id}/back`);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    return chooseCard(session, error.fields.message);
  }
  if (setup.status === "requires_action") return redirect(`${account.settings.pagesAt}/3ds/${setup.id}`);
  return complete(account, session);
}

/** The customer comes back from the bank. */
function afterBank(account: FakeAccount, session: CheckoutSession): Response {
  const setup = account.setupIntents.get(session.setup_intent)!;
  if (setup.status === "succeeded") return complete(account, session);
  return chooseCard(session, setup.last_setup_error?.message);
}

function complete(account: FakeAccount, session: CheckoutSession): Response {
  completeSession(account, session);
  return redirect(successUrl(session));
}

function chooseCard({ cancel_url }: CheckoutSession, error?: string): Response {
  const options = Object.keys(testMethods).map((token) => `<option>${token}</option>`);
  const back = cancel_url === null ? "" : `<p><a href="${escaped(cancel_url)}">Back</a></p>`;
  return page(
    "Save a payment method",
    200,
    `${error === undefined ? "" : `<p role="alert">${escaped(error)}</p>`}
<form method="post"><label>Test payment method <select name="payment_method">${options.join("")}</select></label>
<button>Save</button></form>${back}`,
  );
}

/** The bank's page of 3-D Secure (docs.stripe.com/payments/3d-secure/authentication-flow). */
function bankPage(account: FakeAccount, id: string, outcome: string | undefined): Response {
  const intent = account.intents.get(id) ?? account.setupIntents.get(id);
  if (intent?.status !== "requires_action") return page("There is nothing to confirm", 404);
  const returnUrl =
    intent.next_action?.type === "redirect_to_url"
      ? intent.next_action.redirect_to_url.return_url
      : undefined;
  if (outcome === undefined)
    return page(
      "Your bank",
      200,
      `<form method="post"><button name="outcome" value="complete">Complete authentication</button>
<button name="outcome" value="fail">Fail authentication</button></form>`,
    );
  answerBank(account, intent, outcome === "complete");
  return returnUrl === undefined ? page("You may close this page") : redirect(returned(returnUrl, intent));
}

/** The customer has answered their bank. */
export function answerBank(
  account: FakeAccount,
  intent: PaymentIntent | SetupIntent,
  isComplete: boolean,
): void {
  if (intent.object === "payment_intent")
    isComplete ? completeChallenge(account, intent) : failChallenge(account, intent);
  else isComplete ? completeSetup(account, intent) : failSetupChallenge(account, intent);
}

/** docs.stripe.com/payments/3d-secure/authentication-flow: the address gets the intent and its secret. */
function returned(
  returnUrl: string,
  { object, id, client_secret, status }: PaymentIntent | SetupIntent,
): string {
  const url = new URL(returnUrl);
  url.searchParams.set(object, id);
  url.searchParams.set(`${object}_client_secret`, client_secret);
  url.searchParams.set("redirect_status", status === "succeeded" ? "succeeded" : "failed");
  return url.href;
}

function redirect(address: string): Response {
  return new Response(null, { status: 303, headers: { ...fromAnywhere, Location: address } });
}

function page(title: string, status = 200, body = ""): Response {
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`,
    { status, headers: { ...fromAnywhere, "Content-Type": "text/html; charset=utf-8" } },
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
