/** The adapter's queries and mutations; a test validates each against the published schema (test/stores/shopify). */

export * from "./documents/attempts.ts";
export * from "./documents/calculations.ts";
export * from "./documents/contracts.ts";
export * from "./documents/customers.ts";
export * from "./documents/drafts.ts";
export * from "./documents/promises.ts";
export * from "./documents/selling-plans.ts";
export * from "./documents/shop.ts";
