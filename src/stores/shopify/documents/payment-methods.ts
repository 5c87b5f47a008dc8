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

/** Its user errors have no codes. The customer is left out, because an app may be allowed to send the e-mail and not to read them. */
export const sendPaymentMethodEmail = `mutation SendPaymentMethodEmail($method: ID!) {
  customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: $method) {
    userErrors { field message }
  }
}`;
