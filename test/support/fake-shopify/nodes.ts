import { moneyOf } from "./amounts.ts";
import { readAttempt } from "./attempts.ts";
import { connection, type Page } from "./connection.ts";
import type { Attempt, Contract, Customer, Order, PaymentMethod } from "./records.ts";
import type { FakeStore } from "./store.ts";

/** Records as the schema's objects: functions are fields with arguments, or such as lead on. */
export const orderNode = (order: Order) => {
  const money = (minor: number) => {
    const amount = moneyOf(minor, order.currency);
    return { shopMoney: amount, presentmentMoney: amount };
  };
  return {
    id: order.id,
    legacyResourceId: String(order.number),
    name: order.name,
    createdAt: order.createdAt,
    taxesIncluded: order.taxesIncluded,
    currencyCode: order.currency,
    displayFinancialStatus: order.isPaid ? "PAID" : "PENDING",
    totalPriceSet: money(order.total),
    totalTaxSet: money(order.tax),
  };
};

const prefix = "SubscriptionBillingAttempt";
const errorTypes = {
  general: `${prefix}GeneralError`,
  inventory: `${prefix}InventoryError`,
  payment: `${prefix}PaymentError`,
  unexpected: `${prefix}UnexpectedError`,
};

const stateNode = ({ state }: Attempt) => {
  if (state.is === "pending") return { __typename: `${prefix}PendingState`, processing: true };
  if (state.is === "challenged")
    return {
      __typename: `${prefix}ActionRequiredState`,
      action: {
        __typename: `${prefix}PaymentChallenge`,
        nextActionUrl: state.url,
        status: "ON_SESSION_CHALLENGED",
      },
    };
  if (state.is === "succeeded") {
    const order = state.order.isDeleted ? null : orderNode(state.order);
    return { __typename: `${prefix}SuccessState`, order };
  }
  return {
    __typename: `${prefix}FailedState`,
    error: { __typename: errorTypes[state.why.is], ...state.why },
  };
};

export const attemptNode = (store: FakeStore, attempt: Attempt) => ({
  id: attempt.id,
  idempotencyKey: attempt.key,
  createdAt: attempt.createdAt,
  completedAt: attempt.completedAt,
  originTime: attempt.originTime,
  respectInventoryPolicy: !attempt.allowsOverselling,
  state: stateNode(attempt),
  subscriptionContract: () => contractNode(store, attempt.contract),
});

export const methodNode = (store: FakeStore, method: PaymentMethod) => ({
  id: method.id,
  revokedAt: method.revokedAt,
  instrument: method.instrument,
  customer: () => customerNode(store, method.customer),
});

export const customerNode = (store: FakeStore, customer: Customer) => ({
  id: customer.id,
  email: customer.email,
  subscriptionContracts: (page: Page) =>
    connection(
      [...store.contracts.values()].filter((contract) => contract.customer === customer),
      page,
      (contract) => contractNode(store, contract),
    ),
});

const lineNode = (line: Contract["lines"][number], currency: string) => ({
  id: line.id,
  variantId: line.variantId,
  quantity: line.quantity,
  sellingPlanId: line.sellingPlanId,
  sellingPlanName: line.sellingPlanName,
  customAttributes: line.customAttributes,
  pricingPolicy: line.pricingPolicy,
  currentPrice: moneyOf(line.price, currency),
});

export const contractNode = (store: FakeStore, contract: Contract): Record<string, unknown> => ({
  id: contract.id,
  status: contract.status,
  createdAt: contract.createdAt,
  nextBillingDate: contract.nextBillingDate,
  currencyCode: contract.currency,
  customAttributes: contract.customAttributes,
  note: contract.note,
  billingPolicy: contract.billingPolicy,
  deliveryPolicy: contract.deliveryPolicy,
  deliveryPrice: moneyOf(contract.deliveryPrice, contract.currency),
  lastPaymentStatus: contract.lastPaymentStatus,
  customer: () => customerNode(store, contract.customer),
  customerPaymentMethod: ({ showRevoked }: { showRevoked: boolean }) =>
    contract.method && (showRevoked || !contract.method.revokedAt)
      ? methodNode(store, contract.method)
      : null,
  lines: (page: Page) => connection(contract.lines, page, (line) => lineNode(line, contract.currency)),
  orders: (page: Page) =>
    connection(
      store.orders.filter((order) => order.contract === contract && !order.isDeleted),
      page,
      orderNode,
    ),
  billingAttempts: (page: Page) =>
    connection(
      store.attempts.filter((attempt) => attempt.contract === contract),
      page,
      (attempt) => attemptNode(store, readAttempt(store, attempt)),
    ),
});
