import { z } from "zod";
import type { Account } from "../../../base/accounts/tables.ts";
import { requestShopify, type ShopAccess } from "../client.ts";
import { readInstallation } from "../documents.ts";
import { parseResponse } from "../responses.ts";
import { missingScopes, scopesToAskFor } from "./scopes.ts";

/** The scopes that the app asks for and does not have at an account's store. */
export async function findMissingScopes(connection: ShopAccess, account: Account): Promise<string[]> {
  const answer = parseResponse(grantedSchema, await requestShopify(connection, readInstallation, {}));
  const granted = answer.currentAppInstallation.accessScopes.map(({ handle }) => handle);
  return missingScopes(scopesToAskFor(account), granted);
}

export const grantedSchema = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});
