/** The documents of the check besides the adapter's own. */

export const readDevelopmentPlan = `query DevelopmentPlan {
  shop {
    currencyCode
    enabledPresentmentCurrencies
    plan { partnerDevelopment }
    shopAddress { address1 address2 city company countryCodeV2 provinceCode zip }
  }
}`;

export const searchPlanGroups = `query SearchPlanGroups($query: String) {
  sellingPlanGroups(first: 25, query: $query) { nodes { id } }
}`;

/** The topics that the store's version knows; a topic's description names the scopes that it needs. */
export const describeTopics = `query DescribeTopics {
  __type(name: "WebhookSubscriptionTopic") { enumValues(includeDeprecated: true) { name description } }
}`;

/** Any customer, with what is protected customer data. */
export const findCustomer = `query FindCustomer {
  customers(first: 1) {
    nodes {
      id
      firstName
      lastName
      defaultEmailAddress { emailAddress }
      defaultPhoneNumber { phoneNumber }
      defaultAddress { address1 city zip }
    }
  }
}`;

/** An order of a billing attempt, with its taxes. */
export const readBilledOrder = `query BilledOrder($id: ID!) {
  order(id: $id) {
    id
    name
    test
    sourceName
    taxesIncluded
    taxLines { rate }
    totalPriceSet { presentmentMoney { amount currencyCode } }
    totalTaxSet { presentmentMoney { amount currencyCode } }
  }
}`;

/** A contract of the checkout, with nothing that is protected customer data. */
export const readSoldContract = `query SoldContract($id: ID!) {
  subscriptionContract(id: $id) {
    createdAt
    currencyCode
    nextBillingDate
    billingPolicy { interval intervalCount }
    deliveryPolicy { interval intervalCount }
    originOrder { id discountCodes totalPriceSet { presentmentMoney { amount currencyCode } } }
    billingAttempts(first: 1) { nodes { id } }
    discounts(first: 20) { nodes { usageCount } }
    lines(first: 50) { nodes { id discountAllocations { discount { __typename } } } }
  }
}`;
