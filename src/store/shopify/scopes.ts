/** What the app may do at a store (docs/shopify.md, Connecting). */
export const requiredScopes = [
  "read_own_subscription_contracts",
  "write_own_subscription_contracts",
  "read_customer_payment_methods",
  "read_customers",
  "read_orders",
  "read_products",
  "write_products",
];
