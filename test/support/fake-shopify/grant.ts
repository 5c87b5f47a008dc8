import type { FakeStore } from "./store.ts";

/** POST /admin/oauth/access_token: client credentials, an authorization code, a session token or a refresh token for a token. */
export async function granted(request: Request, store: FakeStore): Promise<Response> {
  const { settings, isInstalled, grants } = store;
  const form = await request.formData();
  const kind = form.get("grant_type") ?? (form.has("code") ? "authorization_code" : null);
  if (form.get("client_id") !== settings.clientId || form.get("client_secret") !== settings.secret)
    return json(400, { error: "invalid_client" });
  if (kind === "client_credentials") {
    if (!isInstalled) return json(400, { error: "shop_not_permitted" });
    return json(200, {
      access_token: settings.token,
      scope: "read_customer_payment_methods,write_own_subscription_contracts",
      expires_in: livesSeconds,
    });
  }
  if (kind === "authorization_code" || kind === tokenExchange) {
    if (form.get("expiring") !== "1")
      throw new Error("The fake store has no offline tokens that do not expire");
    if (kind === "authorization_code" && !grants.codes.delete(String(form.get("code"))))
      return json(400, { error: "invalid_request" });
    store.isInstalled = true;
    return issue(store, null);
  }
  if (kind === "refresh_token") {
    const token = String(form.get("refresh_token"));
    const { refresh } = grants;
    if (!isInstalled || !refresh || ![refresh.current, refresh.previous].includes(token))
      return json(400, { error: "invalid_grant" });
    return issue(store, token);
  }
  return json(400, { error: "unsupported_grant_type" });
}

export function isAccepted({ settings, grants, now }: FakeStore, token: string | null): boolean {
  return token !== null && (token === settings.token || (grants.access.get(token) ?? 0) > Date.parse(now()));
}

/** How long a granted token is valid, as Shopify documents it: client credentials for a day, an expiring offline token for an hour. */
const livesSeconds = 86_399;
const offlineSeconds = 3600;
const refreshSeconds = 7_776_000;

/** Offline tokens of the installed app. A used refresh token is good until its replacement is used. */
export type Grants = {
  codes: Set<string>;
  /** Access tokens, and when each expires. */
  access: Map<string, number>;
  refresh: { current: string; previous: string | null } | null;
};

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
  });
}

const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A new pair of tokens; `used` is the refresh token that it replaces. */
function issue(store: FakeStore, used: string | null): Response {
  const [access_token, refresh_token] = [`shpat_${crypto.randomUUID()}`, `shprt_${crypto.randomUUID()}`];
  store.grants.access.set(access_token, Date.parse(store.now()) + offlineSeconds * 1000);
  store.grants.refresh = { current: refresh_token, previous: used };
  return json(200, {
    access_token,
    scope: "write_own_subscription_contracts",
    expires_in: offlineSeconds,
    refresh_token,
    refresh_token_expires_in: refreshSeconds,
  });
}
