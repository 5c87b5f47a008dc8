const attemptFields = `
  id
  idempotencyKey
  state {
    __typename
    ... on SubscriptionBillingAttemptSuccessState {
      order {
        id
        name
        taxesIncluded
        totalPriceSet { presentmentMoney { amount currencyCode } }
        totalTaxSet { presentmentMoney { amount currencyCode } }
        originalTotalDutiesSet { presentmentMoney { amount currencyCode } }
        originalTotalAdditionalFeesSet { presentmentMoney { amount currencyCode } }
      }
    }
    ... on SubscriptionBillingAttemptFailedState {
      error {
        __typename
        ... on SubscriptionBillingAttemptGeneralError { generalCode: code }
        ... on SubscriptionBillingAttemptInventoryError { inventoryCode: code }
        ... on SubscriptionBillingAttemptPaymentError { paymentCode: code }
        ... on SubscriptionBillingAttemptUnexpectedError { message }
      }
    }
    ... on SubscriptionBillingAttemptActionRequiredState {
      action { ... on SubscriptionBillingAttemptPaymentChallenge { nextActionUrl } }
    }
  }`;

export const createAttempt = `mutation CreateAttempt($contract: ID!, $attempt: SubscriptionBillingAttemptInput!) {
  subscriptionBillingAttemptCreate(subscriptionContractId: $contract, subscriptionBillingAttemptInput: $attempt) {
    subscriptionBillingAttempt { ${attemptFields} }
    userErrors { code field message }
  }
}`;

export const readAttempt = `query Attempt($id: ID!) {
  subscriptionBillingAttempt(id: $id) { ${attemptFields} }
}`;

/** The contract of an attempt, with the mark that says for whom it was made. */
const contractFields = "subscriptionContract { id customAttributes { key value } }";

/** An attempt that anybody has made, and the contract that it is of. */
export const readMadeAttempt = `query MadeAttempt($id: ID!) {
  subscriptionBillingAttempt(id: $id) { createdAt ${contractFields} ${attemptFields} }
}`;

/** Reads the payments of an attempt, whose order may not be shown. */
export const readPayments = `query AttemptPayments($id: ID!) {
  subscriptionBillingAttempt(id: $id) {
    transactions(first: 20) { nodes { kind status amountSet { presentmentMoney { amount currencyCode } } } }
  }
}`;

/** The newest attempts of a contract, because attempts cannot be looked up by idempotency key. */
export const readAttempts = `query Attempts($contract: ID!, $first: Int!) {
  subscriptionContract(id: $contract) {
    billingAttempts(first: $first, reverse: true) { nodes { ${attemptFields} } }
  }
}`;

/** The attempts of the whole shop, oldest first. */
export const listAttempts = `query AllAttempts($query: String!, $first: Int!, $after: String) {
  subscriptionBillingAttempts(query: $query, first: $first, after: $after, sortKey: CREATED_AT) {
    nodes { createdAt ${contractFields} ${attemptFields} }
    pageInfo { hasNextPage endCursor }
  }
}`;
