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
