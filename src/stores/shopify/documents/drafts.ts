/** Differences are written into a draft, and take effect when it is committed. It also has the discounts that the contract does not show. */
export const beginDraft = `mutation BeginDraft($contract: ID!) {
  subscriptionContractUpdate(contractId: $contract) {
    draft {
      id
      discounts(first: 250) {
        nodes {
          __typename
          ... on SubscriptionManualDiscount { id }
          ... on SubscriptionAppliedCodeDiscount { id }
        }
      }
    }
    userErrors { code field message }
  }
}`;

export const changeDraft = `mutation ChangeDraft($draft: ID!, $input: SubscriptionDraftInput!) {
  subscriptionDraftUpdate(draftId: $draft, input: $input) {
    draft { id }
    userErrors { code field message }
  }
}`;

export const addDraftLine = `mutation AddDraftLine($draft: ID!, $input: SubscriptionLineInput!) {
  subscriptionDraftLineAdd(draftId: $draft, input: $input) {
    lineAdded { id }
    userErrors { code field message }
  }
}`;

export const changeDraftLine = `mutation ChangeDraftLine($draft: ID!, $line: ID!, $input: SubscriptionLineUpdateInput!) {
  subscriptionDraftLineUpdate(draftId: $draft, lineId: $line, input: $input) {
    lineUpdated { id }
    userErrors { code field message }
  }
}`;

export const removeDraftLine = `mutation RemoveDraftLine($draft: ID!, $line: ID!) {
  subscriptionDraftLineRemove(draftId: $draft, lineId: $line) {
    lineRemoved { id }
    userErrors { code field message }
  }
}`;

export const addDraftDiscount = `mutation AddDraftDiscount($draft: ID!, $input: SubscriptionManualDiscountInput!) {
  subscriptionDraftDiscountAdd(draftId: $draft, input: $input) {
    discountAdded { id }
    userErrors { code field message }
  }
}`;

export const removeDraftDiscount = `mutation RemoveDraftDiscount($draft: ID!, $discount: ID!) {
  subscriptionDraftDiscountRemove(draftId: $draft, discountId: $discount) {
    draft { id }
    userErrors { code field message }
  }
}`;

export const commitDraft = `mutation CommitDraft($draft: ID!) {
  subscriptionDraftCommit(draftId: $draft) {
    contract { id }
    userErrors { code field message }
  }
}`;
