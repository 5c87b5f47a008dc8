import { z } from "zod";
import { bytesOfHex } from "../../../base/lib/encoding.ts";
import { seal, unseal } from "../../../base/lib/secrets/sealed.ts";
import { isHmacOf } from "../../hmac.ts";
import type { App } from "./app.ts";
import { shopOrigin } from "./domain.ts";
import { verify } from "./session-tokens.ts";

export function sealState(key: string, state: InstallState): Promise<string> {
  return seal(key, stateOwner, JSON.stringify(state));
}

export async function openState(key: string, sealed: string): Promise<InstallState | undefined> {
  const opened = await unseal(key, stateOwner, sealed).catch(() => undefined);
  return opened === undefined ? undefined : stateSchema.parse(JSON.parse(opened));
}

/**
 * Whether Shopify has signed the parameters of an address with one of the app's secrets, compared in constant time:
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
export async function isSignedByShopify({ secrets }: App, { searchParams }: URL): Promise<boolean> {
  const claimed = /^[0-9a-f]{64}$/.exec(searchParams.get("hmac") ?? "")?.[0];
  if (claimed === undefined) return false;
  const others = new URLSearchParams([...searchParams].filter(([name]) => name !== "hmac"));
  others.sort();
  return isHmacOf(new TextEncoder().encode(others.toString()), [bytesOfHex(claimed)], secrets);
}

/** Whether a session token of the admin is Shopify's, for this app and this shop. */
export async function isSessionTokenOf(app: App, shop: string, idToken: string): Promise<boolean> {
  const issuer = `${shopOrigin(shop)}/admin`;
  return (await verify(idToken, { ...app, issuer }))?.dest === shopOrigin(shop);
}

const stateSchema = z.object({ shop: z.string(), browser: z.string(), expires_at: z.string() });
/**
 * The state that we send through the store's consent, sealed: nobody else can make it, and it is good for one browser and one
 * shop.
 */
export type InstallState = z.output<typeof stateSchema>;

const stateOwner = "shopify installation";
