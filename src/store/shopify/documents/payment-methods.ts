export const readPaymentMethod = `query PaymentMethod($id: ID!) {
  customerPaymentMethod(id: $id, showRevoked: true) {
    id
    revokedAt
    customer { id defaultEmailAddress { emailAddress } }
    instrument {
      __typename
      ... on CustomerCreditCard { brand lastDigits expiryMonth expiryYear }
      ... on CustomerShopPayAgreement { lastDigits expiryMonth expiryYear inactive }
      ... on CustomerPaypalBillingAgreement { paypalAccountEmail inactive }
      ... on BankAccount { bankName lastDigits }
    }
  }
}`;
