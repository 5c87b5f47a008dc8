import { isUsable } from "./amounts.ts";
import { type CycleSelector, cycleError, selectedCycle } from "./cycles.ts";
import { globalId } from "./ids.ts";
import { orderOfContract } from "./orders.ts";
import type { Outcome } from "./outcomes.ts";
import type { Attempt, AttemptState, Contract, Order, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { attemptPayload, emit } from "./webhooks.ts";

export type AttemptInput = {
  idempotencyKey: string;
  inventoryPolicy: "ALLOW_OVERSELLING" | "PRODUCT_VARIANT_INVENTORY_POLICY";
  paymentProcessingPolicy: "FAIL_UNLESS_VALID_PAYMENT_METHOD" | "SKIP_PAYMENT_AND_CREATE_UNPAID_ORDER";
  originTime?: string | null;
  billingCycleSelector?: CycleSelector | null;
};

/** Completes a pending attempt. */
export function settle(store: FakeStore, attempt: Attempt): void {
  if (attempt.state.is === "pending")
    conclude(store, attempt, attempt.state.outcome ?? outcomeOf(store, attempt));
}

/** The customer answers a challenge: confirms it, or it fails with a payment error. */
export function answerChallenge(store: FakeStore, attempt: Attempt, code?: string): void {
  if (attempt.state.is !== "challenged") throw new Error(`${attempt.key} has no open challenge`);
  conclude(store, attempt, code === undefined ? attempt.state.outcome : { is: "payment", code });
}

/** Every read of a pending attempt brings it nearer to its completion. */
export function readAttempt(store: FakeStore, attempt: Attempt): Attempt {
  if (isUnanswered(store, attempt)) answerChallenge(store, attempt, "EXPIRED_BUYER_ACTION");
  if (attempt.state.is !== "pending") return attempt;
  attempt.state.reads -= 1;
  if (attempt.state.reads <= 0) settle(store, attempt);
  return attempt;
}

/** subscriptionBillingAttemptCreate: a known key of a contract returns its attempt, whatever the other fields say. */
export function createAttempt(store: FakeStore, contractId: string, input: AttemptInput): Answer {
  const contract = store.contracts.get(contractId);
  if (!contract)
    return refused({
      code: "CONTRACT_NOT_FOUND",
      field: ["subscriptionContractId"],
      message: "Subscription contract does not exist",
    });
  const seen = store.attempts.find((one) => one.contract === contract && one.key === input.idempotencyKey);
  if (seen) return { attempt: readAttempt(store, seen), userErrors: [] };
  const cycle = selectedCycle(contract, input.billingCycleSelector, store.now());
  if (typeof cycle !== "number") return refused(cycle);
  const { refusesEarly } = store.settings;
  const maySoon = refusesEarly === "never" || (refusesEarly === "selected" && !input.billingCycleSelector);
  const error = errorOf(input, contract) ?? cycleError(contract, cycle, store.now(), maySoon);
  if (error) return refused(error);
  const scripted = store.script.shift();
  const number = store.nextNumber("SubscriptionBillingAttempt");
  const attempt: Attempt = {
    id: globalId("SubscriptionBillingAttempt", number),
    number,
    key: input.idempotencyKey,
    contract,
    cycle,
    state: { is: "pending", reads: 0, outcome: scripted },
    allowsOverselling: input.inventoryPolicy === "ALLOW_OVERSELLING",
    skipsPayment: input.paymentProcessingPolicy === "SKIP_PAYMENT_AND_CREATE_UNPAID_ORDER",
    originTime: input.originTime ?? null,
    createdAt: store.now(),
    completedAt: null,
  };
  const reads = readsUntilSettled(store, scripted ?? outcomeOf(store, attempt));
  attempt.state = { is: "pending", reads, outcome: scripted };
  store.attempts.push(attempt);
  return { attempt, userErrors: [] };
}

/** Creates the order of a successful attempt, and its payment. */
function billedOrder(store: FakeStore, { contract, key, id, skipsPayment }: Attempt): Order {
  const order = orderOfContract(store, contract, {
    isPaid: !skipsPayment,
    sourceName: store.settings.billingSource,
  });
  const { duties, fees } = store.settings;
  const isTest = store.settings.usesTestGateway;
  Object.assign(order, { isTest, duties, fees, total: order.total + duties + fees });
  for (const discount of contract.discounts.filter(isUsable)) discount.used += 1;
  const { total: amount, currency } = order;
  if (order.isPaid)
    store.charges.push({ key, contract: contract.id, attempt: id, order: order.id, amount, currency });
  return order;
}

function complete(store: FakeStore, attempt: Attempt, state: AttemptState): void {
  attempt.state = state;
  attempt.completedAt = store.now();
  attempt.contract.lastPaymentStatus = state.is === "succeeded" ? "SUCCEEDED" : "FAILED";
  const topic = state.is === "succeeded" ? "success" : "failure";
  emit(store, `subscription_billing_attempts/${topic}`, attemptPayload(attempt));
}

/** Completes an open attempt with an outcome. */
function conclude(store: FakeStore, attempt: Attempt, outcome: Outcome): void {
  if (outcome.is === "success") {
    complete(store, attempt, { is: "succeeded", order: billedOrder(store, attempt) });
  } else if (outcome.is === "slow") {
    conclude(store, attempt, outcome.outcome);
  } else if (outcome.is === "challenge") {
    const url = `https://${store.settings.shop}/account/challenges/${attempt.number}`;
    attempt.state = { is: "challenged", url, outcome: outcome.outcome, since: store.now() };
    emit(store, "subscription_billing_attempts/challenged", attemptPayload(attempt));
  } else {
    complete(store, attempt, { is: "failed", why: outcome });
  }
}

/** The outcome that follows from the contract: from its stock, then from its payment method. */
function outcomeOf(store: FakeStore, { contract, allowsOverselling, skipsPayment }: Attempt): Outcome {
  if (!allowsOverselling && contract.lines.some(({ variantId }) => store.soldOut.has(variantId)))
    return { is: "inventory", code: "INSUFFICIENT_INVENTORY" };
  if (skipsPayment) return { is: "success" };
  if (!contract.method) return { is: "general", code: "PAYMENT_METHOD_NOT_SPECIFIED" };
  if (contract.method.revokedAt) return { is: "general", code: "PAYMENT_METHOD_NOT_FOUND" };
  return contract.method.outcome;
}

function isUnanswered({ settings, now }: FakeStore, { state }: Attempt): boolean {
  return (
    state.is === "challenged" && Date.parse(now()) - Date.parse(state.since) >= settings.challengeLivesMs
  );
}

const statusErrors: Partial<Record<Contract["status"], [code: string, message: string]>> = {
  PAUSED: ["CONTRACT_PAUSED", "Subscription contract cannot be billed if paused"],
  CANCELLED: ["CONTRACT_TERMINATED", "Subscription contract cannot be billed once terminated"],
  EXPIRED: ["CONTRACT_TERMINATED", "Subscription contract cannot be billed once terminated"],
};

function errorOf(
  { idempotencyKey, originTime }: AttemptInput,
  { status, createdAt }: Contract,
): UserError | undefined {
  const [code, message] = statusErrors[status] ?? [];
  if (code) return { code, field: ["subscriptionContractId"], message: message! };
  const at = (field: string) => ["subscriptionBillingAttemptInput", field];
  if (idempotencyKey.trim() === "")
    return { code: "BLANK", field: at("idempotencyKey"), message: "Idempotency key can't be blank" };
  if (originTime && Date.parse(originTime) < Date.parse(createdAt))
    return {
      code: "ORIGIN_TIME_BEFORE_CONTRACT_CREATION",
      field: at("originTime"),
      message: "Origin time cannot be before the contract creation time",
    };
  return undefined;
}

function readsUntilSettled({ settings }: FakeStore, outcome: Outcome): number {
  return settings.settlesAtRead + (outcome.is === "slow" ? outcome.reads : 0);
}

type Answer = { attempt: Attempt | null; userErrors: UserError[] };

function refused(...userErrors: UserError[]): Answer {
  return { attempt: null, userErrors };
}
