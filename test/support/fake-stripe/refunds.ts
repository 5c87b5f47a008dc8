import { written } from "./charges.ts";
import { invalid, wrongParameter } from "./errors.ts";
import { emit } from "./events.ts";
import type { Params } from "./form.ts";
import { listPage, listParams } from "./lists.ts";
import { changedMetadata, integer, oneOf, text } from "./parameters.ts";
import type { Charge, Refund } from "./records.ts";
import type { Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

/** docs.stripe.com/api/refunds */
export const refundRoutes: Route[] = [
  {
    operation: "refunds.create",
    method: "POST",
    path: "/v1/refunds",
    params: ["charge", "payment_intent", "amount", "reason", "metadata"],
    run: ({ account, params }) => createRefund(account, params),
  },
  {
    operation: "refunds.list",
    method: "GET",
    path: "/v1/refunds",
    params: [...listParams, "charge", "payment_intent"],
    run: ({ account, params }) => {
      const charge = text(params, "charge");
      const intent = text(params, "payment_intent");
      const found = [...account.refunds.values()].filter(
        (one) => (!charge || one.charge === charge) && (!intent || one.payment_intent === intent),
      );
      return listPage("/v1/refunds", found, params);
    },
  },
  {
    operation: "refunds.retrieve",
    method: "GET",
    path: "/v1/refunds/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => findRecord(account.refunds, "refund", id),
  },
];

const reasons = ["duplicate", "fraudulent", "requested_by_customer"] as const;

/** Refunds a charge, or a part of it, as often as anything is left (docs.stripe.com/api/refunds/create). */
export function createRefund(account: FakeAccount, params: Params): Refund {
  const charge = chargeIn(account, params);
  const left = charge.amount - charge.amount_refunded;
  const amount = integer(params, "amount") ?? left;
  if (integer(params, "amount") !== undefined && amount < 1)
    throw wrongParameter(
      "amount",
      "parameter_invalid_integer",
      "This value must be greater than or equal to 1.",
    );
  // docs.stripe.com/error-codes, `charge_disputed` and `charge_already_refunded`.
  if (charge.disputed && !isInquired(account, charge))
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  // It has no code (logs of public apps).
  if (amount > left)
    throw invalid(
      `Refund amount (${written(amount, charge.currency)}) is greater than unrefunded amount on charge (${written(left, charge.currency)})`,
      { param: "amount" },
    );
  const { livemode: _, ...made } = newRecord(account, "refund", "re");
  const refund: Refund = {
    ...made,
    amount,
    balance_transaction: account.id("txn"),
    charge: charge.id,
    currency: charge.currency,
    metadata: changedMetadata(params),
    payment_intent: charge.payment_intent,
    reason: oneOf(params, "reason", reasons) ?? null,
    receipt_number: null,
    // Those of cards are final at once; those of debits wait (docs.stripe.com/refunds, "Refund statuses": guess by type).
    status:
      account.settings.refundsPend || charge.payment_method_details.type !== "card" ? "pending" : "succeeded",
  };
  account.refunds.set(refund.id, refund);
  addRefunded(charge, amount);
  emit(account, "refund.created", refund);
  emit(account, "charge.refunded", charge);
  return refund;
}

/** A refund that waited is over, or one that was over has failed days later (docs.stripe.com/refunds#failed-refunds). */
export function settleRefund(account: FakeAccount, refund: Refund, status: "succeeded" | "failed"): void {
  const charge = findRecord(account.charges, "charge", refund.charge);
  const before = { status: refund.status };
  refund.status = status;
  if (status === "failed") {
    refund.failure_reason = "expired_or_canceled_card";
    // That the charge is as it was before: guess; the money is back in the account's balance.
    addRefunded(charge, -refund.amount);
  }
  emit(account, "refund.updated", refund, before);
  emit(account, "charge.refund.updated", refund, before);
  if (status === "failed") emit(account, "refund.failed", refund, before);
}

function addRefunded(charge: Charge, amount: number): void {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}

/** The paid charge that a request names, by itself or by its intent. The texts: logs of public apps. */
function chargeIn(account: FakeAccount, params: Params): Charge {
  const intentId = text(params, "payment_intent");
  const chargeId = text(params, "charge");
  if (intentId === undefined && chargeId === undefined)
    throw invalid(
      "One of the following params should be provided for this request: payment_intent or charge.",
    );
  const intent =
    intentId === undefined
      ? undefined
      : findRecord(account.intents, "payment_intent", intentId, "payment_intent");
  const charge = findRecord(
    account.charges,
    "charge",
    chargeId ?? intent?.latest_charge ?? "",
    "payment_intent",
  );
  if (!charge.paid)
    throw invalid(
      `This PaymentIntent (${charge.payment_intent}) does not have a successful charge to refund.`,
      {
        param: "payment_intent",
      },
    );
  return charge;
}

/** An inquiry is no chargeback yet: it can be answered by a refund (docs.stripe.com/disputes/how-disputes-work). */
function isInquired(account: FakeAccount, charge: Charge): boolean {
  const disputes = [...account.disputes.values()].filter((one) => one.charge === charge.id);
  return disputes.every(({ is_charge_refundable }) => is_charge_refundable);
}
