import type { Registration } from "./registrations.ts";
import type { FakeStore } from "./store.ts";
import { deliveryOf, emit, type Webhook } from "./webhooks.ts";

/** The app as Shopify sees it: it receives webhooks as long as it is installed. */
export const appOf = (store: FakeStore) => ({
  /** Its webhook subscriptions. */
  registered: (): Registration[] => [...store.registrations.values()],
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
    store.isInstalled = false;
  },
  /** The merchant installs it again, which issues another token. */
  install(token: string): void {
    store.settings.token = token;
    store.isInstalled = true;
  },
});
