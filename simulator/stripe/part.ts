import type { StripeEvent } from "../../test/support/fake-stripe.ts";
import { finalStateOf } from "../accounts/final-state.ts";
import { runToEnd } from "../kernel/invocations.ts";
import type { Part, World } from "../kernel/world.ts";
import { stripeOf } from "../stores/stripe/opened.ts";
import { checkIntents } from "./check-intents.ts";
import { checkWebhooks } from "./check-webhooks.ts";
import { receiveWebhook } from "./receive-webhooks.ts";

function readyOf(world: World): StripeEvent[] {
  return stripeOf(world)?.webhooks?.ready ?? [];
}

/** Stripe's webhooks come to the Worker's own route. */
export const stripe: Part = {
  acts: [
    {
      name: "receive a webhook",
      weight: (world) => (readyOf(world).length > 0 ? 15 : 0),
      act: (world) => receiveWebhook(world, stripeOf(world)!, world.choices.below(readyOf(world).length)),
    },
  ],
  keepsBooks: /^update "?webhook_deliveries/i,
  dueAt: ["SELECT MIN(next_action_at) FROM webhook_deliveries WHERE account_seq = ?1"],
  async arrive(world) {
    while (readyOf(world).length > 0) {
      await receiveWebhook(world, stripeOf(world)!, 0);
      await runToEnd(world);
    }
  },
  async checkAccount(world) {
    const opened = stripeOf(world);
    if (!opened) return;
    checkIntents(world, opened, await finalStateOf(world));
    if (opened.webhooks) await checkWebhooks(world, opened);
  },
};
