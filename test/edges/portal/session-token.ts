import { SignJWT } from "jose";

export const app = { clientId: "client-of-the-extension", secret: "shpss_of_the_extension" };

type Made = {
  clientId?: string | undefined;
  secret?: string;
  dest?: string;
  sub?: string | undefined;
  /** Seconds from now. */
  from?: number;
  until?: number;
  more?: object;
};

/**
 * A session token as Shopify's extensions get it:
 * https://shopify.dev/docs/api/customer-account-ui-extensions/latest/apis/session-token
 */
export function sessionToken({
  clientId = app.clientId,
  secret = app.secret,
  from = 0,
  until = 300,
  more = {},
  ...claims
}: Made): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const times = { nbf: now + from, iat: now + from, exp: now + until };
  const payload: object = { aud: clientId, jti: crypto.randomUUID(), ...times, ...claims, ...more };
  return new SignJWT({ ...payload })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(secret));
}
