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
