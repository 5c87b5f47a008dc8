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
