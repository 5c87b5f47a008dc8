import { and, eq } from "drizzle-orm";
import { accountInsert } from "../../src/base/accounts/actions.ts";
import { hashOfKey, keyIdOf } from "../../src/base/accounts/api-key.ts";
import { defaultSettings } from "../../src/base/accounts/settings.ts";
import { accounts, apiKeys } from "../../src/base/accounts/tables.ts";
import { build, statement } from "../../src/base/db/statement.ts";
import { demoApiKey, demoId, demoShop } from "../../src/base/demo.ts";
import type { Part } from "./part.ts";

const demoPortal = JSON.stringify({ is_enabled: true, support_email: "help@demo-store.example" });

export const accountPart: Part = (now) => {
  const at = now.toISOString();
  return [
    accountInsert({
      id: demoId("account", 1),
      name: "Demo Store",
      shop: demoShop,
      timezone: "America/New_York",
      currency_code: "USD",
      created_at: at,
      updated_at: at,
      ...defaultSettings,
      portal: demoPortal,
    }),
  ];
};

/** A part of its own: databases that were seeded before there was a portal get one. */
export const portalPart: Part = () => [
  statement(
    build
      .update(accounts)
      .set({ portal: demoPortal })
      .where(and(eq(accounts.id, demoId("account", 1)), eq(accounts.portal, "{}"))),
  ),
];

/** A part of its own: databases that were seeded with a key of the old form get the new one. */
export const keyPart: Part = async (now) => {
  const key = {
    id: keyIdOf(demoApiKey) ?? demoId("api_key", 1),
    account_id: demoId("account", 1),
    name: "demo",
    key_hash: await hashOfKey(demoApiKey),
    created_at: now.toISOString(),
  };
  const { key_hash } = key;
  return [
    statement(
      build.insert(apiKeys).values(key).onConflictDoUpdate({ target: apiKeys.id, set: { key_hash } }),
    ),
  ];
};
