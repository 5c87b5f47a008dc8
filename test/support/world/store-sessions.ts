import { app, sessionToken } from "../../edges/portal/session-token.ts";
import { api } from "../client.ts";
import { connectedTenant, onShopify } from "../deliveries.ts";
import { profile, type Tenant } from "../tenant.ts";
import type { MakePart } from "./part.ts";
import { storeNumber } from "./part.ts";

const placeholder = "e30.e30.valid";

/** Customers of a second shop, on Shopify: each request has one of its own, whose token is put into the body as it is sent. */
export const storeSessionPart: MakePart = () => {
  let opened: Promise<Tenant> | undefined;
  return {
    writes: [],
    bodies: { createStoreSession: { session_token: placeholder } },
    signed: {
      async createStoreSession(body) {
        const text = new TextDecoder().decode(body);
        if (!text.includes(placeholder)) return { headers: {}, ask: onShopify };
        opened ??= openStore();
        const token = await tokenOf(await opened);
        // A body that was filled up to a size keeps it.
        const excess = token.length - placeholder.length;
        const sent = text.replace(placeholder, token).replace(new RegExp(` {${excess}}$`), "");
        return { headers: {}, ask: onShopify, bytes: Uint8Array.from(new TextEncoder().encode(sent)) };
      },
    },
  };
};

async function openStore(): Promise<Tenant> {
  const of = await connectedTenant({ client_id: app.clientId, secret: app.secret });
  await api(of, "PUT", "/api/account/portal", { body: { is_enabled: true } });
  return of;
}

async function tokenOf(of: Tenant): Promise<string> {
  const customer = storeNumber();
  await profile(of, { store_customer_id: customer });
  return sessionToken({ dest: of.account.shop, sub: `gid://shopify/Customer/${customer}` });
}
