/** What the adapter asks of the Admin API; each document is validated against the published schema (test/shopify). */

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
        totalPriceSet { shopMoney { amount currencyCode } }
        totalTaxSet { shopMoney { amount currencyCode } }
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

/** The newest attempts of a contract: there is no look-up by idempotency key. */
export const readAttempts = `query Attempts($contract: ID!, $first: Int!) {
  subscriptionContract(id: $contract) {
    billingAttempts(first: $first, reverse: true) { nodes { ${attemptFields} } }
  }
}`;

export const readPaymentMethod = `query PaymentMethod($id: ID!) {
  customerPaymentMethod(id: $id, showRevoked: true) {
    id
    revokedAt
    instrument {
      __typename
      ... on CustomerCreditCard { brand lastDigits expiryMonth expiryYear }
      ... on CustomerShopPayAgreement { lastDigits expiryMonth expiryYear inactive }
      ... on CustomerPaypalBillingAgreement { paypalAccountEmail inactive }
      ... on BankAccount { bankName lastDigits }
    }
  }
}`;

export const createContract = `mutation CreateContract($input: SubscriptionContractAtomicCreateInput!) {
  subscriptionContractAtomicCreate(input: $input) {
    contract { id }
    userErrors { code field message }
  }
}`;

/** Whether a contract was made already: those of its customer, newest first, with the mark that names ours. */
export const findContract = `query Contracts($customer: ID!, $first: Int!, $after: String) {
  customer(id: $customer) {
    subscriptionContracts(first: $first, after: $after, reverse: true) {
      nodes { id customAttributes { key value } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

export const readShop = `query Shop {
  shop { myshopifyDomain currencyCode ianaTimezone }
}`;
