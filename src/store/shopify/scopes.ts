/** What the app may do at a store (docs/shopify.md, Connecting). */
export const requiredScopes = [
  "read_own_subscription_contracts",
  "write_own_subscription_contracts",
  "read_customer_payment_methods",
  "read_customers",
  "read_orders",
  "read_products",
  "write_products",
  "read_discounts",
];

/** The required scopes that an app has not been granted. Whoever may write may read as well. */
export function missingScopes(granted: string[]): string[] {
  const has = new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, "read_")]));
  return requiredScopes.filter((scope) => !has.has(scope));
}
