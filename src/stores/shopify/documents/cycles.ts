/** One of the cycles that Shopify counts from a contract's creation. */
export const readCycle = `query Cycle($cycle: SubscriptionBillingCycleInput!) {
  subscriptionBillingCycle(billingCycleInput: $cycle) { cycleIndex skipped cycleStartAt cycleEndAt }
}`;
