import { hashOfKey, keyIdOf } from "../../src/base/accounts/api-key.ts";
import { defaultSettings } from "../../src/base/accounts/settings.ts";
import { accounts, apiKeys } from "../../src/base/accounts/tables.ts";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import { insertRow, updateRow } from "../../src/base/db/row-writes.ts";
import { build, statement } from "../../src/base/db/statement.ts";
import { demoApiKey, demoId, demoShop } from "../../src/base/demo.ts";
import { reconciliations } from "../../src/domain/billing/tables.ts";
import type { Part } from "./part.ts";

/** The schema gives this number to no other account. */
export const demoAccountSeq = 1 as AccountSeq;

const demoPortal = JSON.stringify({
  is_enabled: true,
  logo_url: "/assets/demo/logo.svg",
  support_email: "help@demo-store.example",
  can_change_quantity: true,
  can_swap: true,
  can_add: true,
  can_remove: true,
});

export const accountPart: Part = async (now) => {
  const at = now.toISOString();
  const id = demoId("account", 1);
  const key = {
    id: keyIdOf(demoApiKey) ?? demoId("api_key", 1),
    account_seq: demoAccountSeq,
    name: "demo",
    key_hash: await hashOfKey(demoApiKey),
    created_at: at,
  };
  return [
    insertRow(accounts, {
      seq: demoAccountSeq,
      id,
      name: "Demo Store",
      shop: demoShop,
      timezone: "America/New_York",
      currency_code: "USD",
      created_at: at,
      updated_at: at,
      ...defaultSettings,
      portal: demoPortal,
    }),
    statement(build.insert(apiKeys).values(key)),
    // The first forecast of goods is taken with the first minute, and not only at night.
    updateRow(reconciliations, { account_seq: demoAccountSeq }, { next_forecast_at: at }),
  ];
};
