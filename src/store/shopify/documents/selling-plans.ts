const planFields = `
      id
      name
      category
      billingPolicy {
        __typename
        ... on SellingPlanRecurringBillingPolicy { interval intervalCount minCycles maxCycles }
      }
      deliveryPolicy {
        __typename
        ... on SellingPlanRecurringDeliveryPolicy { interval intervalCount }
      }
      pricingPolicies {
        __typename
        ... on SellingPlanFixedPricingPolicy {
          adjustmentType
          adjustmentValue {
            __typename
            ... on MoneyV2 { amount currencyCode }
            ... on SellingPlanPricingPolicyPercentageValue { percentage }
          }
        }
      }`;

/** The plans of a group, which can have 31 at most. */
export const readPlanGroup = `query PlanGroup($id: ID!) {
  sellingPlanGroup(id: $id) {
    id
    sellingPlans(first: 50) { nodes { ${planFields} } }
  }
}`;

export const listPlanGroups = `query PlanGroups($after: String) {
  sellingPlanGroups(first: 10, after: $after) {
    nodes { id }
    pageInfo { hasNextPage endCursor }
  }
}`;
