import { commit } from "../../src/base/db/commit.ts";
import { hexOf } from "../../src/base/lib/encoding.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { type StoredCredentials, writeConnection } from "../../src/stores/shopify/app/connection.ts";
import { writeConnection as writeStripeConnection } from "../../src/stores/stripe/connection.ts";
import { deployment } from "./client.ts";
import { execute, testDb } from "./database.ts";
import { openTenant, type Tenant } from "./tenant.ts";

/** A shop whose account is connected to Shopify. No store answers there. */
export async function connectedShop(): Promise<string> {
  return (await connectedTenant({ token: "shpat_of_the_batteries", secret })).account.shop;
}

export async function connectedTenant(credentials: StoredCredentials): Promise<Tenant> {
  const of = await openTenant();
  const { account } = of;
  const now = new Date().toISOString();
  const connection = { accountId: account.id, shop: account.shop, credentials, now };
  await commit({ db: testDb() }, [await writeConnection(credentialsKey, connection)]);
  await execute("UPDATE accounts SET store = 'shopify' WHERE id = ?", account.id);
  return of;
}

/** The headers of a new delivery with this body. */
export async function deliveryHeaders(
  shop: string,
  topic: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Record<string, string>> {
  return {
    "X-Shopify-Topic": topic,
    "X-Shopify-Shop-Domain": shop,
    "X-Shopify-Hmac-Sha256": await signatureOf(body),
    "X-Shopify-Webhook-Id": newId(),
  };
}

/** Gives an account the secret of a webhook endpoint at Stripe. Its store stays the one that it has. */
export async function keyedAccount(accountId: string): Promise<void> {
  const credentials = { secret_key: "sk_test_b", publishable_key: "pk_test_b", webhook_secrets: [secret] };
  const now = new Date().toISOString();
  const connection = { accountId, store_account: "acct_1", webhook_endpoint: null, credentials, now };
  await commit({ db: testDb() }, [await writeStripeConnection(credentialsKey, connection)]);
}

/** The headers with which Stripe sends this body now: the signature is of its bytes after the time. */
export async function stripeHeaders(body: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const at = Math.floor(Date.now() / 1000);
  const signed = await new Blob([`${at}.`, body]).arrayBuffer();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), hmac, false, ["sign"]);
  return {
    "Stripe-Signature": `t=${at},v1=${hexOf(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)))}`,
  };
}

const credentialsKey = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
const secret = "shpss_of_the_batteries";

/** A Worker that can open the credentials of `connectedShop` and `keyedAccount`. */
export const onShopify = deployment({ STORE_CREDENTIALS_KEY: credentialsKey });

/** X-Shopify-Hmac-Sha256: base64 of the raw body's HMAC with the app's secret. */
async function signatureOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), hmac, false, ["sign"]);
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", key, body))));
}
