import { type ClosedStatus, changeDispute, closeDispute, type NewDispute, openDispute } from "./disputes.ts";
import { emit } from "./events.ts";
import { decline, type Outcome } from "./outcomes.ts";
import { detach } from "./payment-methods.ts";
import type { Card, Charge, Dispute, DisputeStatus, PaymentMethod, Refund } from "./records.ts";
import { createRefund, settleRefund } from "./refunds.ts";
import { type FakeAccount, findRecord } from "./store.ts";

/** Acts at Stripe that no request of ours causes: the merchant's in the Dashboard, the customer's, and those of banks. */
export function dashboardOf(account: FakeAccount) {
  const paidCharge = (intentId: string): Charge => {
    const intent = findRecord(account.intents, "payment_intent", intentId);
    return findRecord(account.charges, "charge", intent.latest_charge ?? "");
  };
  const method = (id: string): PaymentMethod => findRecord(account.methods, "PaymentMethod", id);
  return {
    /** The merchant refunds a payment, or a part of it. */
    refundAtStripe: (intentId: string, amount?: number): Refund =>
      createRefund(account, {
        payment_intent: intentId,
        ...(amount === undefined ? {} : { amount: String(amount) }),
      }),
    /** A refund that is pending has arrived, or any has failed. */
    settleRefund: (id: string, status: "succeeded" | "failed" = "succeeded"): void =>
      settleRefund(account, findRecord(account.refunds, "refund", id), status),

    /** The customer disputes a payment. */
    dispute: (intentId: string, how?: NewDispute): Dispute => openDispute(account, paidCharge(intentId), how),
    changeDispute: (id: string, status: DisputeStatus): void =>
      changeDispute(account, findRecord(account.disputes, "dispute", id), status),
    closeDispute: (id: string, status: ClosedStatus): void =>
      closeDispute(account, findRecord(account.disputes, "dispute", id), status),

    /**
     * The bank has issued a new card, which Stripe takes over under the same id (docs.stripe.com/payments/cards/overview, "Automatic card
     * updates"; docs.stripe.com/api/events/types, `payment_method.automatically_updated`).
     */
    updateCard(id: string, changed: Partial<Pick<Card, "exp_month" | "exp_year" | "last4">>): void {
      const { card } = method(id);
      if (!card) throw new Error(`${id} is no card`);
      const names = Object.keys(changed) as (keyof typeof changed)[];
      const before = Object.fromEntries(names.map((name) => [name, card[name]]));
      Object.assign(card, changed);
      emit(account, "payment_method.automatically_updated", method(id), { card: before });
    },
    /** The card is over, and nobody has told Stripe of another one: no event (guess). */
    expireCard(id: string): void {
      const { card } = method(id);
      if (!card) throw new Error(`${id} is no card`);
      const lastMonth = new Date(account.nowMs());
      lastMonth.setUTCMonth(lastMonth.getUTCMonth() - 1, 1);
      card.exp_month = lastMonth.getUTCMonth() + 1;
      card.exp_year = lastMonth.getUTCFullYear();
      account.behaviours.set(id, { outcome: decline("expired_card"), authentication: "never" });
    },
    /** Gives the charges of a payment method another outcome from now on. */
    behave(id: string, outcome: Outcome): void {
      const before = account.behaviours.get(method(id).id);
      account.behaviours.set(id, { authentication: before?.authentication ?? "never", outcome });
    },
    /** The merchant removes a payment method from its customer. */
    detachAtStripe: (id: string): void => void detach(account, method(id)),
  };
}
