import type { FakeStore } from "./store.ts";

/** How long a granted token is valid, as Shopify documents it. */
const livesSeconds = 86_399;

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
  });

/** POST /admin/oauth/access_token: exchanges the app's client credentials for the store's token. */
export const granted = async (request: Request, { settings, isInstalled }: FakeStore): Promise<Response> => {
  const form = await request.formData();
  if (form.get("grant_type") !== "client_credentials") return json(400, { error: "unsupported_grant_type" });
  if (form.get("client_id") !== settings.clientId || form.get("client_secret") !== settings.secret)
    return json(400, { error: "invalid_client" });
  if (!isInstalled) return json(400, { error: "shop_not_permitted" });
  return json(200, {
    access_token: settings.token,
    scope: "read_customer_payment_methods,write_own_subscription_contracts",
    expires_in: livesSeconds,
  });
};
