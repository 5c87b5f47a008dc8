const money = "{ shopMoney { amount currencyCode } }";

/** An order as it is now, whatever has happened to it; 100 lines tell which contracts it is of. */
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
    customer { id }
    subtotalPriceSet ${money}
    totalDiscountsSet ${money}
    totalPriceSet ${money}
    totalRefundedSet ${money}
    fulfillments(first: 50) { status trackingInfo(first: 10) { company number url } }
    lineItems(first: 100) { nodes { contract { id } sellingPlan { name } } }
  }
}`;
