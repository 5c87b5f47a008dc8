import { isTerminated } from "./contract-changes.ts";
import type { Registration } from "./registrations.ts";
import type { FakeStore } from "./store.ts";
import { deliveryOf, emit, type Webhook } from "./webhooks.ts";

const graceMs = 48 * 3_600_000;

/** Nobody is told: the app has no webhooks at that time. */
const cancelAbandoned = (store: FakeStore): void => {
  if (store.uninstalledAt === null) return;
  const endedAt = Date.parse(store.uninstalledAt) + graceMs;
  if (Date.parse(store.now()) < endedAt) return;
  for (const contract of store.contracts.values())
    if (!isTerminated(contract))
      Object.assign(contract, { status: "CANCELLED", updatedAt: new Date(endedAt).toISOString() });
  store.planGroups.clear();
};

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
    store.uninstalledAt = store.now();
  },
  /** The merchant installs it again, which issues another token. After two days its contracts and plans are gone. */
  install(token: string): void {
    cancelAbandoned(store);
    store.settings.token = token;
    store.isInstalled = true;
  },
});
