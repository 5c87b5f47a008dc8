import { addressFields } from "./fields.ts";

export const createContract = `mutation CreateContract($input: SubscriptionContractAtomicCreateInput!) {
  subscriptionContractAtomicCreate(input: $input) {
    contract { id }
    userErrors { code field message }
  }
}`;

/** The contracts of a customer, oldest first, with the mark by which ours are found. */
export const findContract = `query Contracts($customer: ID!, $first: Int!, $after: String) {
  customer(id: $customer) {
    subscriptionContracts(first: $first, after: $after) {
      nodes { id status customAttributes { key value } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/** The app's contracts, oldest first, with what tells whose they are. */
export const listContracts = `query ContractPage($first: Int!, $after: String, $query: String) {
  subscriptionContracts(first: $first, after: $after, query: $query, sortKey: CREATED_AT) {
    nodes { id status customAttributes { key value } }
    pageInfo { hasNextPage endCursor }
  }
}`;

const policyFields = "interval intervalCount minCycles maxCycles";

const lineFields = `
        id
        productId
        variantId
        title
        variantTitle
        sku
        quantity
        currentPrice { amount }
        lineDiscountedPrice { amount }
        sellingPlanId
        sellingPlanName
        discountAllocations {
          discount {
            __typename
            ... on SubscriptionManualDiscount { id }
            ... on SubscriptionAppliedCodeDiscount { id }
          }
        }`;

const methodFields = "customerPaymentMethod(showRevoked: true) { id revokedAt }";

/** Reads the parts of a contract that others change. */
export const readContractState = `query ContractState($id: ID!) {
  subscriptionContract(id: $id) { id status updatedAt ${methodFields} }
}`;

/** A contract with every field in which it can differ from the desired one. */
export const readContract = `query Contract($id: ID!) {
  subscriptionContract(id: $id) {
    id
    status
    currencyCode
    nextBillingDate
    note
    customAttributes { key value }
    ${methodFields}
    billingPolicy { ${policyFields} }
    deliveryPolicy { interval intervalCount }
    deliveryPrice { amount }
    deliveryMethod {
      __typename
      ... on SubscriptionDeliveryMethodShipping { address { ${addressFields} } }
      ... on SubscriptionDeliveryMethodLocalDelivery { address { ${addressFields} } }
      ... on SubscriptionDeliveryMethodPickup { pickupOption { code } }
    }
    lines(first: 250) { nodes { ${lineFields} } pageInfo { hasNextPage } }
    discounts(first: 250) { nodes { id targetType recurringCycleLimit } }
  }
}`;

/** The customer and origin of a contract, from which a subscription is created if it was sold at the checkout. */
export const readContractOwner = `query ContractOwner($id: ID!) {
  subscriptionContract(id: $id) {
    id
    createdAt
    originOrder { id }
    customer {
      id
      firstName
      lastName
      defaultEmailAddress { emailAddress }
      defaultPhoneNumber { phoneNumber }
      defaultAddress { ${addressFields} }
    }
  }
}`;

export const pauseContract = `mutation PauseContract($id: ID!) {
  subscriptionContractPause(subscriptionContractId: $id) {
    contract { id status }
    userErrors { code field message }
  }
}`;

export const activateContract = `mutation ActivateContract($id: ID!) {
  subscriptionContractActivate(subscriptionContractId: $id) {
    contract { id status }
    userErrors { code field message }
  }
}`;

export const cancelContract = `mutation CancelContract($id: ID!) {
  subscriptionContractCancel(subscriptionContractId: $id) {
    contract { id status }
    userErrors { code field message }
  }
}`;

export const expireContract = `mutation ExpireContract($id: ID!) {
  subscriptionContractExpire(subscriptionContractId: $id) {
    contract { id status }
    userErrors { code field message }
  }
}`;

export const failContract = `mutation FailContract($id: ID!) {
  subscriptionContractFail(subscriptionContractId: $id) {
    contract { id status }
    userErrors { code field message }
  }
}`;

export const setNextBillingDate = `mutation SetNextBillingDate($id: ID!, $date: DateTime!) {
  subscriptionContractSetNextBillingDate(contractId: $id, date: $date) {
    contract { id nextBillingDate }
    userErrors { code field message }
  }
}`;

/** One of the cycles that Shopify counts from a contract's creation. */
export const readCycle = `query Cycle($cycle: SubscriptionBillingCycleInput!) {
  subscriptionBillingCycle(billingCycleInput: $cycle) { cycleIndex skipped cycleStartAt cycleEndAt }
}`;
