import type { Platform } from "../port/platform.ts";
import * as tables from "./tables.ts";

/** Shopify, whose merchants install the deployment's app: https://shopify.dev/docs/api/admin-graphql */
export const shopify: Platform = {
  traits: {
    keepsContracts: true,
    keepsOrders: true,
    sendsMails: true,
    replacesCards: true,
    keepsMethods: true,
    entersMethods: false,
    checksProvinces: true,
  },
  open: async () => (await import("./open.ts")).openShopifyStore,
  tables,
  connections: { table: tables.shopifyConnections, place: tables.shopifyConnections.shop },
  forgetSent: "shopify_contracts SET delivery = NULL",
  webhooks: {
    path: "/webhooks/shopify",
    load: async () => (await import("./webhooks.ts")).shopifyWebhooks,
    describe: async () => (await import("./webhook-operation.ts")).webhookOperation,
  },
  sessionTokens: async () => (await import("./app/session-tokens.ts")).shopifySessionTokens,
  installs: {
    paths: { start: "/shopify/install", finish: "/shopify/callback" },
    load: async () => (await import("./app/installs.ts")).shopifyInstalls,
  },
};
