import type { Route } from "./routes.ts";

/** docs.stripe.com/api/accounts/retrieve: the account of the key. */
export const accountRoutes: Route[] = [
  {
    operation: "accounts.retrieve",
    method: "GET",
    path: "/v1/account",
    params: [],
    run: ({ account: { settings } }) => ({
      id: settings.accountId,
      object: "account",
      business_profile: { name: "Fake shop", support_email: null, url: null },
      capabilities: { card_payments: "active", transfers: "active" },
      charges_enabled: true,
      country: settings.country,
      default_currency: settings.defaultCurrency,
      details_submitted: true,
      email: "owner@example.com",
      payouts_enabled: true,
      settings: { dashboard: { display_name: "Fake shop", timezone: "Etc/UTC" } },
      type: "standard",
    }),
  },
];
