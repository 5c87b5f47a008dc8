/** The shop, and what the app may do there. */
export const readInstallation = `query Installation {
  shop { myshopifyDomain currencyCode ianaTimezone enabledPresentmentCurrencies }
  currentAppInstallation { accessScopes { handle } }
}`;

export const readShop = `query Shop {
  shop { myshopifyDomain currencyCode ianaTimezone }
}`;

const money = "{ presentmentMoney { amount currencyCode } }";

/** The current state of an order. Its first 100 lines show which contracts it belongs to. */
export const readOrder = `query Order($id: ID!) {
  order(id: $id) {
    id
    name
    createdAt
    cancelledAt
    test
    sourceName
    tags
    displayFinancialStatus
    displayFulfillmentStatus
    returnStatus
    customer { id }
    subtotalPriceSet ${money}
    totalDiscountsSet ${money}
    totalPriceSet ${money}
    totalRefundedSet ${money}
    fulfillments(first: 50) { status trackingInfo(first: 10) { company number url } }
    lineItems(first: 100) { nodes { contract { id } sellingPlan { name } } }
  }
}`;

/** The webhook subscriptions of this app, by topic and address. */
export const listWebhooks = `query Webhooks($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { id topic uri includeFields }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const createWebhook = `mutation CreateWebhook($topic: WebhookSubscriptionTopic!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhook) {
    webhookSubscription { id }
    userErrors { field message }
  }
}`;

export const updateWebhook = `mutation UpdateWebhook($id: ID!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionUpdate(id: $id, webhookSubscription: $webhook) {
    webhookSubscription { id }
    userErrors { field message }
  }
}`;
