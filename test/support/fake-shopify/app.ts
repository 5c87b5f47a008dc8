import { SignJWT } from "jose";
import { isTerminated } from "./contract-changes.ts";
import { type Registration, subscribe } from "./registrations.ts";
import type { FakeStore } from "./store.ts";
import { deliveryOf, emit, signatureOf, type Webhook } from "./webhooks.ts";

/** The app as Shopify sees it: it receives webhooks as long as it is installed. */
export function appOf(store: FakeStore) {
  return {
    /** Its webhook subscriptions. */
    registered: (): Registration[] => [...store.registrations.values()],
    /** Subscribes an address to topics. */
    subscribe: (uri: string, topics: { topic: string; fields?: string[] }[]): void =>
      subscribe(store, uri, topics),
    /**
     * Deletes the subscriptions to topics, or all: Shopify does after eight failed deliveries in four hours
     * (apps/build/webhooks/troubleshooting-webhooks).
     */
    dropSubscriptions(...topics: string[]): void {
      for (const { id, topic } of [...store.registrations.values()])
        if (topics.length === 0 || topics.includes(topic)) store.registrations.delete(id);
    },
    /** The merchant gives or takes away scopes (api/webhooks, `app/scopes_update`, has the payload). */
    changeScopes(change: (scopes: string[]) => string[]): void {
      const previous = store.settings.scopes;
      store.settings.scopes = change(previous);
      const current = store.settings.scopes;
      emit(store, "app/scopes_update", { id: 1, previous, current, updated_at: store.now() });
    },
    /** The webhooks that Shopify would have sent since the last call, in the order of events. */
    webhooks: (): Promise<Webhook[]> =>
      Promise.all(store.events.splice(0).map((event) => deliveryOf(store, event))),
    /** Any webhook as Shopify would send it, also one that nothing in the fake store causes, such as customers/redact. */
    webhookOf: (topic: string, payload: Record<string, unknown>): Promise<Webhook> =>
      deliveryOf(store, { topic, id: crypto.randomUUID(), at: store.now(), payload }),
    /** Ends its token; app/uninstalled is the last webhook that it receives. */
    uninstall(): void {
      const { shop, currency, timezone } = store.settings;
      emit(store, "app/uninstalled", {
        id: 1,
        domain: shop,
        myshopify_domain: shop,
        currency,
        iana_timezone: timezone,
      });
      store.registrations.clear();
      store.grants.access.clear();
      store.isInstalled = false;
      store.uninstalledAt = store.now();
    },
    /** The merchant consents at the address that an installation leads to; returns the address that Shopify then leads to. */
    async consent(authorization: string): Promise<URL> {
      const { searchParams } = new URL(authorization);
      const code = crypto.randomUUID().replaceAll("-", "");
      store.grants.codes.add(code);
      return signedAddress(store, searchParams.get("redirect_uri") ?? "", {
        code,
        host: btoa(`${store.settings.shop}/admin`).replaceAll("=", ""),
        shop: store.settings.shop,
        state: searchParams.get("state") ?? "",
      });
    },
    /** The address at which Shopify's admin opens the app: embedded with a session token, or not. */
    async opened(app: string, { embedded = false, expiresSeconds = 60 } = {}): Promise<URL> {
      const { shop, clientId, secret } = store.settings;
      const now = Math.floor(Date.parse(store.now()) / 1000);
      const claims = { iss: `https://${shop}/admin`, dest: `https://${shop}`, aud: clientId, sub: "1" };
      const session = new SignJWT({ ...claims, exp: now + expiresSeconds, nbf: now - 5 }).setProtectedHeader({
        alg: "HS256",
      });
      const id_token = await session.sign(new TextEncoder().encode(secret));
      return signedAddress(store, app, { shop, ...(embedded ? { embedded: "1", id_token } : {}) });
    },
    /** The merchant installs it again, which issues another token. After two days its contracts and plans are gone. */
    install(token: string): void {
      cancelAbandoned(store);
      store.settings.token = token;
      store.isInstalled = true;
    },
  };
}

/** An address with the parameters that Shopify signs. */
async function signedAddress(
  store: FakeStore,
  address: string,
  parameters: Record<string, string>,
): Promise<URL> {
  const url = new URL(address);
  const timestamp = String(Math.floor(Date.parse(store.now()) / 1000));
  const signed = new URLSearchParams({ ...parameters, timestamp });
  signed.sort();
  const base64 = await signatureOf(store.settings.secret, signed.toString());
  const hmac = Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  url.search = `${signed}&hmac=${hmac}`;
  return url;
}

const graceMs = 48 * 3_600_000;

/** Nobody is told: the app has no webhooks at that time. */
function cancelAbandoned(store: FakeStore): void {
  if (store.uninstalledAt === null) return;
  const endedAt = Date.parse(store.uninstalledAt) + graceMs;
  if (Date.parse(store.now()) < endedAt) return;
  for (const contract of store.contracts.values())
    if (!isTerminated(contract))
      Object.assign(contract, { status: "CANCELLED", updatedAt: new Date(endedAt).toISOString() });
  for (const { id, isOurs } of [...store.planGroups.values()]) if (isOurs) store.planGroups.delete(id);
}
