/** Shopify's checker of themes. It stands here because imports are resolved from the folder of a module. */
export { themeCheckRun } from "@shopify/theme-check-node";
