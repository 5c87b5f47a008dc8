/** Reads the promises of a contract besides its current prices: prices by cycle, and discounts with their limits. */
export const readPromises = `query ContractPromises($id: ID!) {
  subscriptionContract(id: $id) {
    originOrder { id discountCodes }
    lines(first: 250) {
      nodes {
        id
        pricingPolicy { cycleDiscounts { afterCycle computedPrice { amount } } }
        discountAllocations {
          discount {
            __typename
            ... on SubscriptionAppliedCodeDiscount { redeemCode }
          }
        }
      }
    }
    discounts(first: 20) {
      nodes {
        title
        targetType
        recurringCycleLimit
        usageCount
        value {
          __typename
          ... on SubscriptionDiscountFixedAmountValue { amount { amount } appliesOnEachItem }
          ... on SubscriptionDiscountPercentageValue { percentage }
        }
        entitledLines { all lines(first: 20) { nodes { id } pageInfo { hasNextPage } } }
      }
      pageInfo { hasNextPage }
    }
  }
}`;

/** The terms of a discount code, which a contract only names. */
export const readCode = `query DiscountCode($code: String!) {
  codeDiscountNodeByCode(code: $code) {
    codeDiscount {
      __typename
      ... on DiscountCodeBasic {
        title
        recurringCycleLimit
        customerGets {
          value {
            __typename
            ... on DiscountPercentage { percentage }
            ... on DiscountAmount { amount { amount currencyCode } appliesOnEachItem }
            ... on DiscountOnQuantity { quantity { quantity } }
          }
        }
      }
      ... on DiscountCodeFreeShipping { title recurringCycleLimit appliesOnSubscription }
      ... on DiscountCodeApp { title recurringCycleLimit }
    }
  }
}`;
