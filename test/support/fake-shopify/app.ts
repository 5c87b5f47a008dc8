import type { Registration } from "./registrations.ts";
import type { FakeStore } from "./store.ts";
import { deliveryOf, emit, type Webhook } from "./webhooks.ts";

/** The app as Shopify has it: what it is told of, as long as it is installed. */
export const appOf = (store: FakeStore) => ({
  /** What it wants to be told of, and where. */
  registered: (): Registration[] => [...store.registrations.values()],
  /** What Shopify would send since last asked, in the order it happened. */
  webhooks: (): Promise<Webhook[]> =>
    Promise.all(store.events.splice(0).map((event) => deliveryOf(store, event))),
  /** Any webhook as Shopify would send it: those that nothing here leads to, such as customers/redact. */
  webhookOf: (topic: string, payload: Record<string, unknown>): Promise<Webhook> =>
    deliveryOf(store, { topic, id: crypto.randomUUID(), at: store.now(), payload }),
  /** Its token is worth nothing then, and this is the last that it is told. */
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
  /** The merchant has it again, for which there is another token. */
  install(token: string): void {
    store.settings.token = token;
    store.isInstalled = true;
  },
});
