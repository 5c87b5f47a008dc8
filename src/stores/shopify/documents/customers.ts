import { addressFields } from "./fields.ts";

/** Any customer, with every field of theirs that the app reads: whether it may is known from the answer alone. */
export const readAnyCustomer = `query AnyCustomer {
  customers(first: 1) {
    nodes {
      id
      firstName
      lastName
      defaultEmailAddress { emailAddress }
      defaultPhoneNumber { phoneNumber }
      defaultAddress { ${addressFields} }
    }
  }
}`;

export const readCustomer = `query Customer($id: ID!) {
  customer(id: $id) {
    id
    firstName
    lastName
    defaultEmailAddress { emailAddress }
    defaultPhoneNumber { phoneNumber }
  }
}`;

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

/** All of a customer's, those that were revoked as well: one that the provider's answer has revoked was made all the same. */
export const readPaymentMethodsOfCustomer = `query PaymentMethodsOfCustomer($id: ID!) {
  customer(id: $id) {
    paymentMethods(first: 100, showRevoked: true) {
      nodes { id }
    }
  }
}`;

export const createRemotePaymentMethod = `mutation CreateRemotePaymentMethod($customer: ID!, $remote: CustomerPaymentMethodRemoteInput!) {
  customerPaymentMethodRemoteCreate(customerId: $customer, remoteReference: $remote) {
    customerPaymentMethod { id }
    userErrors { code field message }
  }
}`;

/** Its user errors have no codes. The customer is left out, because an app may be allowed to send the e-mail and not to read them. */
export const sendPaymentMethodEmail = `mutation SendPaymentMethodEmail($method: ID!) {
  customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: $method) {
    userErrors { field message }
  }
}`;
