import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";
import type { OpenShopify } from "../stores/shopify/opened.ts";

/**
 * No more e-mails than episodes that say so, and none missing where the store has confirmed it. A restore may have undone that a notice was
 * taken. Nothing is left to be sent, but where an attempt is open that only people can end.
 */
export function checkNotices(
  { report, restores }: World,
  { fake }: OpenShopify,
  { notices, subscriptions, entries }: FinalState,
): void {
  const sent = notices.filter(({ state }) => state === "SENT").length;
  const asked = sent + notices.filter(({ state }) => state === "UNKNOWN").length;
  const emails = fake.updateEmails.length;
  if (emails < sent || (emails > asked && restores === 0))
    report(once, `${emails} e-mails for ${asked} notices, ${sent} of which are certain`);
  const inHistory = entries.filter(({ action }) => action === "dunning_customer_notified").length;
  if (inHistory !== asked) report("history exactly per change", `${inHistory} of ${asked} notices are in it`);
  for (const { subscription_id, state, next_action_at } of notices) {
    const row = subscriptions.find(({ id }) => id === subscription_id);
    if (next_action_at !== null && row?.open_attempt_id === null)
      report("every notice is sent", `one is ${state}, and due at ${next_action_at}`);
  }
}

const once = "a customer is told once";
