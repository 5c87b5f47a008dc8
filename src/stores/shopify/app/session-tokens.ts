import { decodeJwt, type JWTPayload, jwtVerify } from "jose";
import { normalizeShop } from "../../../base/accounts/shop.ts";
import type { SessionTokenInput, SessionTokens, SignedInCustomer } from "../../session-tokens.ts";
import { appOf } from "./app.ts";
import { findConnection } from "./connection.ts";
import { openApp, type SigningApp } from "./signing-app.ts";

/** The session tokens of extensions: https://shopify.dev/docs/api/customer-account-ui-extensions/latest/apis/session-token */
export const shopifySessionTokens: SessionTokens = { shopIn, prove };

function shopIn(token: string): string {
  try {
    const { dest } = decodeJwt(token);
    return typeof dest === "string" ? normalizeShop(dest) : "";
  } catch {
    return "";
  }
}

/** A shop that is not connected has the deployment's own app, if any. */
async function prove({ db, env, token, now, log }: SessionTokenInput): Promise<SignedInCustomer | undefined> {
  const stored = await findConnection(db, shopIn(token));
  const own = appOf(env);
  const app = stored ? await openApp(stored, { key: env.STORE_CREDENTIALS_KEY, app: own, log }) : own;
  const payload = app && (await verify(token, { ...app, now }));
  if (!payload) return undefined;
  return {
    account_id: stored?.account_id,
    store_customer_id: /^gid:\/\/shopify\/Customer\/(\d+)$/.exec(payload.sub ?? "")?.[1],
  };
}

/** Undefined unless one of the app's secrets has signed the token, for the app. It may be shown again until it expires. */
export async function verify(
  token: string,
  { clientId, secrets, now, issuer }: SigningApp & { now?: Date; issuer?: string },
): Promise<JWTPayload | undefined> {
  if (clientId === undefined) return undefined;
  for (const secret of secrets) {
    const verified = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ["HS256"],
      audience: clientId,
      requiredClaims: ["exp", "nbf", "dest"],
      clockTolerance: 10,
      ...(now ? { currentDate: now } : {}),
      ...(issuer === undefined ? {} : { issuer }),
    }).catch(() => undefined);
    if (verified) return verified.payload;
  }
  return undefined;
}
