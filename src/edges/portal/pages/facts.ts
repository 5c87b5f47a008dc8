import { html } from "hono/html";
import type { Html } from "../../pages/document.ts";
import { addressBlock } from "../../pages/lines.ts";
import { type ActionName, isOffered } from "./actions.ts";
import type { Links } from "./links.ts";
import { contactText } from "./payment/payment-ways.ts";
import { methodOf, rhythmOf, type ShownSubscription, slotOf } from "./summary.ts";
import type { SignedIn } from "./visit.ts";

/** A fact about a subscription, and the action that changes it, if one does. */
type Fact = [label: string, value: string | Html, change?: ActionName];

/** The facts of delivery and payment of a subscription, each with the way to change it. */
export function factsCard(visit: SignedIn, subscription: ShownSubscription, { path, offers }: Links): Html {
  const { texts } = visit;
  const change = (label: string, name: ActionName | undefined) =>
    name && offers.includes(name)
      ? html`<dd class="change"><a href="${path}/${name}">${texts.change}<span class="hidden">: ${label}</span></a></dd>`
      : "";
  return html`<section class="card" aria-labelledby="facts"><h2 id="facts">${texts.deliveryAndPayment}</h2>
    <dl class="facts">${factsOf(visit, subscription).map(
      ([label, value, name]) => html`<div><dt>${label}</dt><dd>${value}</dd>${change(label, name)}</div>`,
    )}</dl>
    ${isLackingWay(visit, subscription, offers) ? html`<p class="quiet">${contactText(visit)}</p>` : ""}</section>`;
}

/** Whether the customer may choose how to pay, and there is nothing to choose. */
function isLackingWay(visit: SignedIn, subscription: ShownSubscription, offers: Links["offers"]): boolean {
  return isOffered(visit, "payment-method", subscription) && !offers.includes("payment-method");
}

function factsOf(visit: SignedIn, subscription: ShownSubscription): Fact[] {
  const { texts } = visit;
  const slot = slotOf(subscription);
  const { delivery_address: address } = subscription;
  return [
    [texts.frequency, rhythmOf(visit, subscription), "frequency"],
    [texts.address, address ? addressBlock(address, visit.locale) : texts.none.address, "address"],
    ...(slot === "" ? [] : [[texts.slot, slot, "schedule"] as Fact]),
    [texts.instructions, subscription.delivery_instructions || texts.none.instructions, "instructions"],
    [texts.payment, methodOf(visit, subscription), "payment-method"],
  ];
}
