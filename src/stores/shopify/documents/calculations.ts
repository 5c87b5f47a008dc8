/**
 * The successor of drafts: https://shopify.dev/docs/apps/build/purchase-options/subscriptions/contracts/update-a-subscription-contract.
 * Its types are documented for 2026-10, and not in the published schema's package.
 */

const calculationFields = `
      __typename
      ... on SubscriptionContractCalculationPending { id }
      ... on SubscriptionContractCalculationFailure { id errors { code message } }
      ... on SubscriptionContractCalculationSuccess { id warnings { code message } }`;

export const calculateUpdate = `mutation CalculateUpdate($contract: ID!, $input: SubscriptionContractCalculationContractUpdateInput!) {
  subscriptionContractUpdateCalculate(contractId: $contract, contractUpdateInput: $input) {
    subscriptionContractCalculation {${calculationFields}
    }
    userErrors { code field message }
  }
}`;

export const readCalculation = `query Calculation($id: ID!) {
  subscriptionContractCalculation(id: $id) {${calculationFields}
  }
}`;

export const commitCalculation = `mutation CommitCalculation($id: ID!) {
  subscriptionContractCalculationCommit(id: $id) { userErrors { code field message } }
}`;

/** The parts of a contract that a calculation drops unless they are stated again. */
export const readRestated = `query RestatedParts($id: ID!) {
  subscriptionContract(id: $id) {
    lines(first: 250) { nodes { id customAttributes { key value } } }
    deliveryMethod {
      __typename
      ... on SubscriptionDeliveryMethodShipping {
        address { address1 address2 city company countryCodeV2 firstName lastName phone provinceCode zip }
        shippingOption { code description presentmentTitle title }
      }
      ... on SubscriptionDeliveryMethodLocalDelivery {
        address { address1 address2 city company countryCodeV2 firstName lastName phone provinceCode zip }
        localDeliveryOption { code description instructions phone presentmentTitle title }
      }
      ... on SubscriptionDeliveryMethodPickup {
        pickupOption { code description location { id } presentmentTitle title }
      }
    }
  }
}`;
