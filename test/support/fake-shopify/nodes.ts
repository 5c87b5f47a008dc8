import { addressNode, deliveryMethodNode } from "./addresses.ts";
import { isEntitled, moneyOf } from "./amounts.ts";
import { readAttempt } from "./attempts.ts";
import { connection, type Page } from "./connection.ts";
import { type Basket, lineNode } from "./lines.ts";
import { financialStatusOf } from "./order-payloads.ts";
import type {
  Attempt,
  Contract,
  Customer,
  Discount,
  Fulfillment,
  Order,
  PaymentMethod,
  Policy,
} from "./records.ts";
import { returnStatusOf } from "./returns.ts";
import type { FakeStore } from "./store.ts";

/** Records as the schema's objects. A function is a field with arguments, or one that leads to another record. */
export function orderNode(store: FakeStore, order: Order): Record<string, unknown> {
  const money = (minor: number) => ({ presentmentMoney: moneyOf(minor, order.currency) });
  return {
    id: order.id,
    name: order.name,
    createdAt: order.createdAt,
    cancelledAt: order.cancelledAt,
    test: order.isTest,
    sourceName: order.sourceName,
    tags: order.tags,
    discountCodes: order.discountCodes,
    displayFinancialStatus: financialStatusOf(order),
    displayFulfillmentStatus: order.fulfillmentStatus,
    returnStatus: returnStatusOf(order),
    customer: () => order.customer && customerNode(store, order.customer),
    taxesIncluded: order.taxesIncluded,
    taxLines: store.settings.taxRate === 0 ? [] : [{ rate: store.settings.taxRate }],
    subtotalPriceSet: money(order.subtotal),
    totalDiscountsSet: money(order.discounts),
    totalPriceSet: money(order.total),
    totalTaxSet: money(order.tax),
    originalTotalDutiesSet: order.duties === 0 ? null : money(order.duties),
    originalTotalAdditionalFeesSet: order.fees === 0 ? null : money(order.fees),
    totalRefundedSet: money(order.refunded),
    fulfillments: ({ first }: { first?: number | null }) =>
      order.fulfillments.slice(0, first ?? undefined).map(fulfillmentNode),
    lineItems: (page: Page) =>
      connection(order.lines, page, ({ contract, sellingPlanName }) => ({
        contract: contract && contractNode(store, contract),
        sellingPlan: sellingPlanName === null ? null : { name: sellingPlanName },
      })),
  };
}

export function attemptNode(store: FakeStore, attempt: Attempt): Record<string, unknown> {
  return {
    id: attempt.id,
    idempotencyKey: attempt.key,
    createdAt: attempt.createdAt,
    subscriptionContract: () => contractNode(store, attempt.contract),
    transactions: (page: Page) =>
      connection(
        store.charges
          .filter((charge) => charge.attempt === attempt.id)
          .map((charge) => ({ ...charge, id: charge.order })),
        page,
        ({ amount, currency }) => ({
          kind: "SALE",
          status: "SUCCESS",
          amountSet: { presentmentMoney: moneyOf(amount, currency) },
        }),
      ),
    state: stateNode(store, attempt),
  };
}

export function methodNode(store: FakeStore, method: PaymentMethod) {
  return {
    id: method.id,
    revokedAt: method.revokedAt,
    instrument: method.instrument,
    customer: () => customerNode(store, method.customer),
  };
}

export function customerNode(store: FakeStore, customer: Customer) {
  return {
    id: customer.id,
    firstName: customer.firstName,
    lastName: customer.lastName,
    defaultEmailAddress: customer.email === null ? null : { emailAddress: customer.email },
    defaultPhoneNumber: customer.phone === null ? null : { phoneNumber: customer.phone },
    defaultAddress: customer.defaultAddress && addressNode(customer.defaultAddress),
    paymentMethods: ({ showRevoked, ...page }: Page & { showRevoked: boolean }) =>
      connection(
        [...store.methods.values()].filter(
          (method) => method.customer === customer && (showRevoked || method.revokedAt === null),
        ),
        page,
        (method) => methodNode(store, method),
      ),
    subscriptionContracts: (page: Page) =>
      connection(
        [...store.contracts.values()].filter((contract) => contract.customer === customer),
        page,
        (contract) => contractNode(store, contract),
      ),
  };
}

/** A discount of a contract or a draft. */
export function discountNode(
  store: FakeStore,
  { lines, discounts, currency }: Basket,
  discount: Discount,
): Record<string, unknown> {
  const { id, title, type, target, percentage, fixed, recurringCycleLimit, used, redeemCode } = discount;
  if (redeemCode !== null) return { __typename: "SubscriptionAppliedCodeDiscount", id, redeemCode };
  return {
    __typename: "SubscriptionManualDiscount",
    id,
    title,
    type,
    targetType: target,
    recurringCycleLimit,
    usageCount: used,
    value:
      percentage === null
        ? {
            __typename: "SubscriptionDiscountFixedAmountValue",
            amount: moneyOf(fixed?.amount ?? 0, currency),
            appliesOnEachItem: fixed?.each ?? false,
          }
        : { __typename: "SubscriptionDiscountPercentageValue", percentage },
    entitledLines: {
      all: discount.entitled === "all",
      lines: (page: Page) =>
        connection(
          lines.filter((line) => isEntitled(discount, line)),
          page,
          (line) => lineNode(store, { lines, discounts, currency }, line),
        ),
    },
  };
}

export function contractNode(store: FakeStore, contract: Contract): Record<string, unknown> {
  return {
    id: contract.id,
    status: contract.status,
    createdAt: contract.createdAt,
    updatedAt: contract.updatedAt,
    nextBillingDate: contract.nextBillingDate,
    currencyCode: contract.currency,
    customAttributes: contract.customAttributes,
    note: contract.note,
    billingPolicy: policyNode(contract.billingPolicy),
    deliveryPolicy: policyNode(contract.deliveryPolicy),
    deliveryPrice: moneyOf(contract.deliveryPrice, contract.currency),
    deliveryMethod: contract.deliveryMethod && deliveryMethodNode(contract.deliveryMethod),
    originOrder: () =>
      contract.originOrder?.isDeleted === false ? orderNode(store, contract.originOrder) : null,
    customer: () => customerNode(store, contract.customer),
    customerPaymentMethod: ({ showRevoked }: { showRevoked: boolean }) =>
      contract.method && (showRevoked || !contract.method.revokedAt)
        ? methodNode(store, contract.method)
        : null,
    lines: (page: Page) => connection(contract.lines, page, (line) => lineNode(store, contract, line)),
    discounts: (page: Page) =>
      connection(
        contract.discounts.filter(({ redeemCode }) => redeemCode === null),
        page,
        (discount) => discountNode(store, contract, discount),
      ),
    billingAttempts: (page: Page) =>
      connection(
        store.attempts.filter((attempt) => attempt.contract === contract),
        page,
        (attempt) => attemptNode(store, readAttempt(store, attempt)),
      ),
  };
}

function fulfillmentNode({ status, tracking }: Fulfillment) {
  return {
    status,
    trackingInfo: ({ first }: { first?: number | null }) =>
      tracking.slice(0, first ?? undefined).map(({ company, number, url }) => ({
        company: company ?? null,
        number: number ?? null,
        url: url ?? null,
      })),
  };
}

const prefix = "SubscriptionBillingAttempt";
const errorTypes = {
  general: `${prefix}GeneralError`,
  inventory: `${prefix}InventoryError`,
  payment: `${prefix}PaymentError`,
  unexpected: `${prefix}UnexpectedError`,
};

function stateNode(store: FakeStore, { state }: Attempt) {
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
    const order = state.order.isDeleted ? null : orderNode(store, state.order);
    return { __typename: `${prefix}SuccessState`, order };
  }
  return {
    __typename: `${prefix}FailedState`,
    error: { __typename: errorTypes[state.why.is], ...state.why },
  };
}

function policyNode({ interval, intervalCount, minCycles, maxCycles }: Policy) {
  return {
    interval,
    intervalCount,
    minCycles: minCycles ?? null,
    maxCycles: maxCycles ?? null,
  };
}
