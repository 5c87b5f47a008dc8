import { accountInsert, keyInsert } from "../../src/accounts/actions.ts";
import { hashOfKey, keyIdOf } from "../../src/accounts/api-key.ts";
import { defaultSettings } from "../../src/accounts/settings.ts";
import { demoApiKey, demoId, demoShop } from "../../src/demo.ts";
import type { Part } from "./part.ts";

export const accountPart: Part = async (now) => {
  const at = now.toISOString();
  const account_id = demoId("account", 1);
  return [
    accountInsert({
      id: account_id,
      name: "Demo Store",
      shop: demoShop,
      timezone: "America/New_York",
      currency_code: "USD",
      created_at: at,
      updated_at: at,
      ...defaultSettings,
    }),
    keyInsert({
      id: keyIdOf(demoApiKey) ?? demoId("api_key", 1),
      account_id,
      name: "demo",
      key_hash: await hashOfKey(demoApiKey),
      created_at: at,
      last_used_at: null,
      revoked_at: null,
    }),
  ];
};
