import { createAccount } from "../../src/base/accounts/actions.ts";
import { createKey, revokeKey } from "../../src/base/accounts/keys.ts";
import type { Scope } from "../../src/base/accounts/scopes.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import type { Engine } from "../../src/base/env.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { deriveColumns } from "../../src/domain/profiles/rules.ts";
import { type Profile, profiles } from "../../src/domain/profiles/tables.ts";
import { api, type Caller } from "./client.ts";
import { directoryDb, type Given, insert, numbersOf } from "./database.ts";
import { areOnObjects, beginObject, showDirectory } from "./objects.ts";

/** A merchant: an account and its API key, with which it calls. */
export type Tenant = Caller & { account: Account; key: string; keyId: string };

type TenantOptions = { shop?: string; timezone?: string; currency?: string; engine?: Engine };

/** A fresh account of a shop nobody else has. */
export async function openTenant({
  shop = `shop-${newId()}.myshopify.com`,
  timezone = "UTC",
  currency = "USD",
  engine = areOnObjects ? "object" : "d1",
}: TenantOptions = {}): Promise<Tenant> {
  const now = new Date().toISOString();
  const { account, text } = await createAccount(directoryDb(), { shop, timezone, currency, engine }, now);
  const seq = engine === "object" ? await beginObject(account) : account.seq;
  numbersOf.set(account.id, { directory: account.seq, own: seq });
  return {
    account: { ...account, seq },
    key: text,
    keyId: text.split("_")[1]!,
    credentials: { "X-API-Key": text },
  };
}

/** Another key of the account, which may do no more than these scopes allow. */
export async function limitedKey(
  of: Tenant,
  scopes: Scope[],
): Promise<Caller & { key: string; keyId: string }> {
  const { key, text } = await makeKey(of, { name: "limited", scopes });
  return { key: text, keyId: key.id, credentials: { "X-API-Key": text } };
}

type KeyRequest = Omit<Parameters<typeof createKey>[1], "accountId" | "now">;

/** Another key of the account, as an operator makes it. */
export async function makeKey(of: Tenant, request: KeyRequest): ReturnType<typeof createKey> {
  const now = new Date().toISOString();
  const made = await createKey(directoryDb(), { ...request, accountId: of.account.id, now });
  if (areOnObjects) await showDirectory(of.account.id);
  return made;
}

/** Revokes a key of the account, as an operator does. */
export async function endKey(of: Tenant, keyId: string): Promise<void> {
  await revokeKey(directoryDb(), keyId, new Date().toISOString());
  if (areOnObjects) await showDirectory(of.account.id);
}

export type TokenRequest = {
  actor_type: "admin" | "api" | "customer";
  name?: string;
  profile_id?: string;
  expires_in?: number;
  scopes?: Scope[];
};

/** A token as a merchant's server gets it. */
export async function token(of: Tenant, body: TokenRequest = { actor_type: "admin" }): Promise<string> {
  const answer = await api<{ access_token: string }>(of, "POST", "/api/auth/token", { body });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`);
  return answer.body.access_token;
}

/** A caller with a token alone. */
export function bearer(text: string): Caller {
  return { credentials: { Authorization: `Bearer ${text}` } };
}

/** A caller with the merchant's key and a token. */
export function both(of: Tenant, text: string): Caller {
  return {
    credentials: { ...of.credentials, Authorization: `Bearer ${text}` },
  };
}

/** A member of staff: key and admin token, as profiles, orders and activity logs ask. */
export async function staff(of: Tenant, name?: string): Promise<Caller> {
  return both(of, await token(of, { actor_type: "admin", ...(name === undefined ? {} : { name }) }));
}

type ProfileInsert = Given<typeof profiles.$inferInsert>;

/** The row of a customer, as the API would have made it. */
export function profileRow(of: Tenant, values: Partial<ProfileInsert> = {}): ProfileInsert {
  const id = values.id ?? newId();
  const now = new Date().toISOString();
  const row = {
    id,
    account_id: of.account.id,
    revision: 1,
    email: `${id}@customers.test`,
    created_at: now,
    updated_at: now,
    ...unnamed,
    ...values,
  };
  return { ...row, ...deriveColumns(row as unknown as Profile) };
}

export function profile(of: Tenant, values: Partial<ProfileInsert> = {}): Promise<ProfileInsert> {
  return insert(profiles, profileRow(of, values));
}

/** A customer with a profile of its own: its token alone. */
export async function customer(of: Tenant): Promise<Caller & { profileId: string }> {
  const { id } = await profile(of);
  return { ...bearer(await token(of, { actor_type: "customer", profile_id: id })), profileId: id };
}

const unnamed = {
  first_name: null,
  last_name: null,
  phone_number: null,
  external_id: null,
  store_customer_id: null,
  postal_code: null,
  city: null,
};
