import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import {
  aContract,
  done,
  force,
  inDays,
  itemOf,
  nextDay,
  on,
  type Shop,
  states,
} from "../../support/shops.ts";
import { offerId, openWithOffer } from "../cancellation/leaving.ts";

type Case = {
  method: string;
  part: string;
  body?: (target: Target) => unknown;
  /** Puts the subscription into the state that the operation needs. */
  prepare?: (target: Target) => Promise<unknown>;
  invalid: unknown;
  /** It creates another record, and the subscription stays as it is. */
  creates?: true;
  /** The response says that billing has started, with the attempt, instead of the subscription. */
  isBilling?: true;
};

/** The subscription that the operation is called on, and what its requests refer to. */
type Target = { account: Shop; slot: string; reason: string; id: string };

const discount = { title: "T", value: 5, value_type: "PERCENTAGE", target_type: "ORDER" };

const address = { address1: "2", city: "C", zip: "Z", country: "UK", country_code: "GB" };

/** Calls another operation first. */
function after(part: string, body?: unknown) {
  return ({ account, id }: Target) => done(account.api, "POST", id, part, body);
}

/** The entries of changes that are undone, by their subscriptions. */
const undoable = new Map<string, string | null>();

async function changeInstructions({ account, id }: Target): Promise<void> {
  const body = { delivery_instructions: "Ring" };
  const { headers } = await api(account.api, "PUT", on(id, "delivery-instructions"), { body });
  undoable.set(id, headers.get("Entry-Id"));
}

/** Each operation that changes a subscription, by its operationId. */
export const cases: Record<string, Case> = {
  pauseSubscription: {
    method: "POST",
    part: "pause",
    body: ({ reason }) => ({ pause_until: inDays(30), pause_reason_id: reason }),
    invalid: { pause_until: inDays(-1) },
  },
  resumeSubscription: {
    method: "POST",
    part: "resume",
    prepare: after("pause"),
    invalid: { next_delivery_date: "x" },
  },
  cancelSubscription: {
    method: "POST",
    part: "cancel",
    body: () => ({ reason: "Enough" }),
    invalid: { reason: 1 },
  },
  reactivateSubscription: {
    method: "POST",
    part: "reactivate",
    prepare: after("cancel"),
    body: () => ({ next_delivery_date: inDays(9) }),
    invalid: { next_delivery_date: inDays(-1) },
  },
  skipSubscription: {
    method: "POST",
    part: "skip",
    body: () => ({ skip_weeks: 2 }),
    invalid: { skip_weeks: 53 },
  },
  skipDeliveries: {
    method: "POST",
    part: "skip-deliveries",
    body: () => ({ count: 2 }),
    invalid: { count: 13 },
  },
  unskipSubscription: {
    method: "POST",
    part: "unskip",
    prepare: after("skip", { skip_weeks: 1 }),
    invalid: undefined,
  },
  undoChange: {
    method: "POST",
    part: "undo",
    prepare: changeInstructions,
    body: ({ id }) => ({ entry_id: undoable.get(id) }),
    invalid: { entry_id: "x" },
  },
  changeFrequency: {
    method: "PUT",
    part: "frequency",
    body: () => ({ interval: "month", interval_count: 2 }),
    invalid: { interval: "month", interval_count: 25 },
  },
  changeDeliveryInstructions: {
    method: "PUT",
    part: "delivery-instructions",
    body: () => ({ delivery_instructions: "Ring" }),
    invalid: { delivery_instructions: null },
  },
  reschedule: {
    method: "PUT",
    part: "schedule",
    body: ({ slot }) => ({ next_delivery_date: nextDay(4, 14), delivery_slot_id: slot }),
    invalid: { next_delivery_date: inDays(-1) },
  },
  changeDeliveryAddress: { method: "PUT", part: "delivery-address", body: () => address, invalid: {} },
  changePaymentMethod: {
    method: "PUT",
    part: "payment-method",
    body: () => ({ store_payment_method_id: `pm_${newId()}` }),
    invalid: { payment_method_id: newId() },
  },
  addLine: {
    method: "POST",
    part: "lines",
    body: ({ account }) => itemOf(account.plan, { price: 3 }),
    invalid: itemOf("none"),
  },
  changeLine: {
    method: "PUT",
    part: "lines/{line}",
    body: () => ({ quantity: 5 }),
    invalid: { price: 0.001 },
  },
  removeLine: { method: "DELETE", part: "lines/{line}", invalid: undefined },
  openCancellation: {
    method: "POST",
    part: "cancellations",
    body: () => ({ note: "Enough" }),
    invalid: { note: 5 },
    creates: true,
  },
  acceptCancellationOffer: {
    method: "POST",
    part: "cancellations/{case}/accept",
    prepare: ({ account, id }) => openWithOffer(account, id),
    body: () => ({ offer_id: offerId }),
    invalid: { offer_id: 5 },
  },
  confirmCancellation: {
    method: "POST",
    part: "cancellations/{case}/confirm",
    prepare: ({ account, id }) => openWithOffer(account, id),
    invalid: undefined,
  },
  applyDiscount: {
    method: "POST",
    part: "discounts",
    body: () => discount,
    invalid: { ...discount, value: 101 },
  },
  removeDiscount: {
    method: "DELETE",
    part: "discounts/{discount}",
    prepare: after("discounts", discount),
    invalid: undefined,
  },
  shipNow: {
    method: "POST",
    part: "ship-now",
    prepare: ({ id }) => force(id, { store_contract_id: aContract() }),
    body: ({ slot }) => ({ delivery_date: nextDay(4, 14), slot_id: slot, production_date: inDays(1) }),
    invalid: { delivery_date: inDays(-1) },
    isBilling: true,
  },
  retryPayment: {
    method: "POST",
    part: "retry-payment",
    prepare: ({ id }) => force(id, { ...states.PAYMENT_FAILED, store_contract_id: aContract() }),
    invalid: { delivery_date: inDays(7) },
    isBilling: true,
  },
  resumeBilling: {
    method: "POST",
    part: "resume-billing",
    prepare: ({ id }) => force(id, { disputed_at: "2026-11-20T12:00:00.000Z" }),
    invalid: { reason: "lost" },
  },
};

/** The state in which the API refuses an operation, if it is not the end of the subscription. */
export const refusing: Record<string, Parameters<typeof force>[1]> = {
  reactivate: states.PAUSED,
  "retry-payment": states.ACTIVE,
  "resume-billing": { disputed_at: null, billing_blocked_reason: "import_held" },
};
