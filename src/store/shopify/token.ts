import { z } from "zod";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import { adminUrl } from "./domain.ts";

const timeoutMs = 20_000;
const throttledSeconds = 2;

/** Exchanges client credentials for a token. Throws StoreRefusalError if Shopify does not accept them. */
export async function grantToken(shop: string, clientId: string, secret: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: secret,
  });
  const response = await fetch(adminUrl(shop, "oauth/access_token"), {
    method: "POST",
    headers: { Accept: "application/json" },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  if (!response || response.status >= 500) throw new UnknownOutcomeError("Shopify grants no token now");
  if (response.status === 429) throw new StoreThrottledError("Shopify grants no token now", throttledSeconds);
  if (!response.ok)
    throw new StoreRefusalError("Shopify does not accept these client credentials", ["CREDENTIALS"]);
  const answer = grantSchema.safeParse(await response.json().catch(() => undefined));
  if (!answer.success) throw new UnknownOutcomeError("Shopify's grant cannot be read");
  return answer.data.access_token;
}

const grantSchema = z.object({ access_token: z.string(), expires_in: z.number().positive() });
