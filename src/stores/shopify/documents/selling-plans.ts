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
    appId
    merchantCode
    sellingPlans(first: 50) { nodes { ${planFields} } }
  }
}`;

export const listPlanGroups = `query PlanGroups($after: String) {
  sellingPlanGroups(first: 10, after: $after) {
    nodes { id appId merchantCode }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** A group that this service has created, with the products that it is offered for. */
export const readOwnGroup = `query OwnPlanGroup($id: ID!) {
  sellingPlanGroup(id: $id) {
    id
    name
    sellingPlans(first: 2) { nodes { ${planFields} } }
    products(first: 250) { nodes { id } pageInfo { hasNextPage } }
  }
}`;

export const createPlanGroup = `mutation CreatePlanGroup($input: SellingPlanGroupInput!, $resources: SellingPlanGroupResourceInput) {
  sellingPlanGroupCreate(input: $input, resources: $resources) {
    sellingPlanGroup { id }
    userErrors { code message }
  }
}`;

export const updatePlanGroup = `mutation UpdatePlanGroup($id: ID!, $input: SellingPlanGroupInput!) {
  sellingPlanGroupUpdate(id: $id, input: $input) { userErrors { code message } }
}`;

export const deletePlanGroup = `mutation DeletePlanGroup($id: ID!) {
  sellingPlanGroupDelete(id: $id) { userErrors { code message } }
}`;

export const addGroupProducts = `mutation AddGroupProducts($id: ID!, $products: [ID!]!) {
  sellingPlanGroupAddProducts(id: $id, productIds: $products) { userErrors { code message } }
}`;

export const removeGroupProducts = `mutation RemoveGroupProducts($id: ID!, $products: [ID!]!) {
  sellingPlanGroupRemoveProducts(id: $id, productIds: $products) { userErrors { code message } }
}`;
