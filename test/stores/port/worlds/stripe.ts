import { newId } from "../../../../src/base/lib/ids.ts";
import { execute } from "../../../support/database.ts";
import { outcomes } from "../../../support/fake-stripe.ts";
import { accountOnStripe, subscribed } from "../../stripe/account.ts";
import { apiOf } from "../../stripe/api.ts";
import { type Fate, type StoreWorld, worldOf } from "../world.ts";

/** An account at the fake Stripe. */
export async function stripeWorld(): Promise<StoreWorld> {
  const connected = await accountOnStripe({ random: Math.random });
  const { merchant, worker, stripe, customer, card } = connected;
  const { account } = merchant.of;
  const base = worldOf(merchant.of, {
    bindings: { ...worker.bindings, PUBLIC_URL: "https://subscriptions.example.com" },
    store_customer_id: customer,
    store_payment_method_id: card,
  });
  const prepared: Record<Fate, () => void> = {
    is_made: () => {},
    is_declined: () => stripe.nextOutcomes(outcomes.decline("insufficient_funds")),
    waits: () => stripe.nextOutcomes(outcomes.challenge(outcomes.success, { evenOffSession: true })),
    loses_answer: () => stripe.fail({ kind: "network", effect: "done", on: "payment_intents.confirm" }),
    does_not_arrive: () => stripe.fail({ kind: "network", effect: "none", on: "payment_intents.create" }),
  };
  return {
    ...base,
    isAsked: (member) => member !== "createContract",
    /** The adapter reads whose subscription it is. */
    newContract: async () => ({
      ...(await base.newContract()),
      subscription_id: await subscribed(connected),
    }),
    methodThat(fate) {
      prepared[fate]();
      return card;
    },
    countPaid: async () => stripe.charges().length,
    async pay(count) {
      const { post } = apiOf(stripe);
      const keys = Array.from({ length: count }, () => newId());
      for (const key of keys) {
        stripe.advance(1000);
        await post("payment_intents", {
          ...{ amount: 1000, currency: "eur", customer, payment_method: card },
          ...{ confirm: true, off_session: true, return_url: "https://shop.example" },
          metadata: { key, account_id: account.id },
        });
      }
      return keys;
    },
    passDays: (days) => stripe.advance(days * 86_400_000),
    unknownMethod: "pm_none",
    expiredMethod() {
      const { id } = stripe.addPaymentMethod(customer);
      stripe.expireCard(id);
      return id;
    },
    disconnect: () =>
      execute(
        "UPDATE stripe_connections SET disconnected_at = created_at WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        account.id,
      ),
    reconnect: () =>
      execute(
        "UPDATE stripe_connections SET disconnected_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        account.id,
      ),
    customers: { known: customer, unknown: "cus_none" },
    ownerless: "pm_card_visa",
    enter: (setup) => void stripe.setUp(setup),
    amounts: { tooSmall: [10, "EUR"], uneven: [1005, "KWD"] },
    refunds: {
      prepare(fate) {
        if (fate === "loses_answer") stripe.fail({ kind: "network", effect: "done", on: "refunds.create" });
      },
      refundElsewhere: async (reference, amount) => stripe.refundAtStripe(reference, amount),
    },
    dispute: (reference) => stripe.dispute(reference).id,
    webhooks: {
      count: () => stripe.endpoints().length,
      drop: () =>
        Promise.all(stripe.endpoints().map(({ id }) => apiOf(stripe).delete(`webhook_endpoints/${id}`))),
    },
  };
}
