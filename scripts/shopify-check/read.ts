import { missingScopes, requiredScopes } from "../../src/stores/shopify/app/scopes.ts";
import { apiVersion } from "../../src/stores/shopify/client.ts";
import { readInstallation } from "../../src/stores/shopify/documents.ts";
import { confirmed, confirmedIf, contradicted } from "../store-check/outcome.ts";
import type { Lab } from "./lab.ts";
import { checkCosts } from "./read/costs.ts";
import { checkCustomerData } from "./read/customer-data.ts";
import { checkRefusedGrant } from "./read/refused-grant.ts";
import { checkTopics } from "./read/topics.ts";
import { section } from "./section.ts";

type Installation = { currentAppInstallation: { accessScopes: { handle: string }[] } };

/** Writes nothing: it sends no mutation. */
export const readSection = section({
  name: "read",
  writes: {},
  needs: [],
  async prepare(lab: Lab) {
    const { currentAppInstallation } = (await lab.ask(readInstallation, {})) as Installation;
    return { ...lab, scopes: currentAppInstallation.accessScopes.map(({ handle }) => handle) };
  },
  checks: {
    "scopes-listed": async ({ scopes }) => {
      const missing = missingScopes(requiredScopes, scopes);
      if (missing.length === 0) return confirmed(`${scopes.length} scopes are listed`);
      return contradicted(`not listed: ${missing.join(", ")}`);
    },
    "topic-scopes": checkTopics,
    "customer-data": checkCustomerData,
    "query-cost": checkCosts,
    "own-currency": async ({ shop }) =>
      confirmedIf(
        shop.enabledPresentmentCurrencies.includes(shop.currencyCode),
        `${shop.enabledPresentmentCurrencies.length} currencies`,
      ),
    "refused-grants": checkRefusedGrant,
    "named-version": async ({ versions }) => {
      const others = [...versions].filter((version) => version !== apiVersion);
      return confirmedIf(versions.size > 0 && others.length === 0, [...versions].join(", ") || "none");
    },
  },
});
