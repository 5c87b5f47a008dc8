export const readCustomer = `query Customer($id: ID!) {
  customer(id: $id) {
    id
    firstName
    lastName
    defaultEmailAddress { emailAddress }
    defaultPhoneNumber { phoneNumber }
  }
}`;
