/** The adapter's queries and mutations; a test validates each against the published schema (test/shopify). */

export * from "./documents/attempts.ts";
export * from "./documents/calculations.ts";
export * from "./documents/contracts.ts";
export * from "./documents/customers.ts";
export * from "./documents/cycles.ts";
export * from "./documents/drafts.ts";
export * from "./documents/orders.ts";
export * from "./documents/payment-methods.ts";
export * from "./documents/promises.ts";
export * from "./documents/selling-plans.ts";
export * from "./documents/shop.ts";
export * from "./documents/webhooks.ts";
