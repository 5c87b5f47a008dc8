import { z } from "zod";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../../port.ts";
import type { App } from "./app.ts";
import { adminUrl } from "./domain.ts";

/** Exchanges client credentials for a token. Throws StoreRefusalError if Shopify does not accept them. */
export async function grantToken(shop: string, clientId: string, secret: string): Promise<string> {
  const answer = await requestToken(shop, {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: secret,
  });
  return parseGrant(grantSchema, answer).access_token;
}

/** Exchanges the code of an authorization, which is valid once. */
export function tokenOfCode(shop: string, app: App, code: string): Promise<OfflineToken> {
  return requestOfflineToken(shop, app, { code, expiring: "1" });
}

/** Exchanges the session token of an embedded app (RFC 8693). */
export function tokenOfSession(shop: string, app: App, idToken: string): Promise<OfflineToken> {
  return requestOfflineToken(shop, app, {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: idToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
    expiring: "1",
  });
}

/**
 * A new token for a refresh token. Shopify accepts the same refresh token again until its replacement is used, so that a lost
 * answer can be asked for again: https://shopify.dev/changelog/more-resilient-refreshes-for-expiring-offline-access-tokens
 */
export function refreshToken(shop: string, app: App, refresh_token: string): Promise<OfflineToken> {
  return requestOfflineToken(shop, app, { grant_type: "refresh_token", refresh_token });
}

const timeoutMs = 20_000;
const throttledSeconds = 2;

/** An offline token of an installed app, which expires, and the token that refreshes it. */
export type OfflineToken = z.output<typeof offlineSchema>;

const grantSchema = z.object({ access_token: z.string(), expires_in: z.number().positive() });

const offlineSchema = grantSchema.extend({
  refresh_token: z.string().min(1),
  refresh_token_expires_in: z.number().positive(),
});

async function requestOfflineToken(
  shop: string,
  { clientId, secrets }: App,
  fields: Record<string, string>,
): Promise<OfflineToken> {
  const [client_secret] = secrets;
  return parseGrant(
    offlineSchema,
    await requestToken(shop, { ...fields, client_id: clientId, client_secret }),
  );
}

async function requestToken(shop: string, fields: Record<string, string>): Promise<unknown> {
  const response = await fetch(adminUrl(shop, "oauth/access_token"), {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams(fields),
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  if (!response || response.status >= 500) throw new UnknownOutcomeError("Shopify grants no token now");
  if (response.status === 429) throw new StoreThrottledError("Shopify grants no token now", throttledSeconds);
  if (!response.ok)
    throw new StoreRefusalError("Shopify does not accept these client credentials", ["CREDENTIALS"]);
  return response.json().catch(() => undefined);
}

function parseGrant<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer);
  if (!result.success) throw new UnknownOutcomeError("Shopify's grant cannot be read");
  return result.data;
}
