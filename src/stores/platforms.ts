import { getTableName } from "drizzle-orm";
import type { Account } from "../base/accounts/tables.ts";
import type { Connections, Installing, Platform, PlatformTraits, Receiving } from "./port/platform.ts";
import { sandbox } from "./sandbox/platform.ts";
import { shopify } from "./shopify/platform.ts";
import { stripe } from "./stripe/platform.ts";

type Name = Account["store"];

/** The store platforms, each in a folder of its name (docs/change/recipes.md#a-new-store-adapter). */
export const platforms: Record<Name, Platform> = { sandbox, shopify, stripe };

export function traitsOf({ store }: Pick<Account, "store">): PlatformTraits {
  return platforms[store].traits;
}

export function storesWithoutContracts(): Name[] {
  return (Object.keys(platforms) as Name[]).filter((store) => !traitsOf({ store }).keepsContracts);
}

export const receiving: Receiving[] = Object.values(platforms).flatMap(({ webhooks }) => webhooks ?? []);

export const installing: Installing[] = Object.values(platforms).flatMap(({ installs }) => installs ?? []);

/** The platforms whose pages prove by tokens who is signed in on them. */
export const provingSessions = Object.values(platforms).flatMap(({ sessionTokens }) => sessionTokens ?? []);

/** The tables of connections of all platforms. */
export const allConnections: Connections[] = Object.values(platforms).flatMap(
  ({ connections }) => connections ?? [],
);

export const connectionTables: string[] = allConnections.map(({ table }) => getTableName(table));
