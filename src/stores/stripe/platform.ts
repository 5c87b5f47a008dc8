import type { Platform } from "../port/platform.ts";
import * as tables from "./tables.ts";

/** Accounts at Stripe, which merchants connect by their keys: https://docs.stripe.com/api */
export const stripe: Platform = {
  traits: {
    keepsContracts: false,
    keepsOrders: false,
    sendsMails: false,
    replacesCards: false,
    keepsMethods: true,
    entersMethods: true,
    checksProvinces: false,
  },
  open: async () => (await import("./open.ts")).openStripeStore,
  tables,
  connections: { table: tables.stripeConnections, place: tables.stripeConnections.store_account },
  webhooks: {
    path: "/webhooks/stripe/{account_id}",
    load: async () => (await import("./webhooks/webhooks.ts")).stripeWebhooks,
    describe: async () => (await import("./webhooks/webhook-operation.ts")).webhookOperation,
  },
  keyed: async () => (await import("./keyed.ts")).keyedStripe,
};
