import { vi } from "vitest";
import { connectShopify } from "../../src/store/shopify/connect.ts";
import type { WebhookDelivery } from "../../src/webhooks/tables.ts";
import { credentialsKey, type Points, type Shop, shopOnShopify, token } from "../shopify/shop.ts";
import { type Answer, nobody } from "../support/client.ts";
import { select, testDb } from "../support/database.ts";
import { fetchOf, type Webhook } from "../support/fake-shopify.ts";
import type { Json } from "../support/lives.ts";

export const path = "/webhooks/shopify";

/** A shop on Shopify whose webhooks are signed with a secret of its own. */
export const hookedShop = async (points?: Points): Promise<Shop> => {
  const shop = await shopOnShopify(points);
  shop.store.settings.secret = `shpss_${shop.own.of.account.id}`;
  await connect(shop);
  await shop.store.webhooks();
  return shop;
};

/** Connects the shop's account, with what its store takes now. */
export const connect = ({ own, store }: Shop): Promise<unknown> => {
  const credentials = { token: store.settings.token, secret: store.settings.secret };
  return connectShopify(testDb(), credentialsKey, own.of.account, credentials, new Date().toISOString());
};

/** Has `fetch` lead to several shops. */
export const reach = (...shops: Shop[]): void => {
  vi.stubGlobal("fetch", fetchOf(...shops.map(({ store }) => store)));
};

/** Sends a webhook as Shopify would, but for what is changed; a header that is undefined is left out. */
export const send = (
  { works }: Pick<Shop, "works">,
  { headers, body }: Webhook,
  changed: { headers?: Record<string, string | undefined>; body?: BodyInit; method?: string } = {},
): Promise<Answer<Json>> => {
  const whole = Object.entries({ ...headers, ...changed.headers }).filter(([, value]) => value !== undefined);
  return works.call(nobody, changed.method ?? "POST", path, {
    raw: changed.body ?? body,
    headers: Object.fromEntries(whole) as Record<string, string>,
  });
};

/** Sends a webhook, which must be taken. */
export const taken = async (shop: Pick<Shop, "works">, hook: Webhook): Promise<void> => {
  const { status, text } = await send(shop, hook);
  if (status !== 200) throw new Error(`${hook.topic}: ${status} ${text}`);
};

/** Sends all that the store has to tell, in an order of the test's. */
export const tellAll = async (shop: Shop, inOrder = (hooks: Webhook[]) => hooks): Promise<Webhook[]> => {
  const hooks = inOrder(await shop.store.webhooks());
  for (const hook of hooks) await taken(shop, hook);
  return hooks;
};

/** Sends all that the store has to tell, and has it worked on: now, not what is delayed. */
export const told = async (shop: Shop, inOrder?: (hooks: Webhook[]) => Webhook[]): Promise<Webhook[]> => {
  const hooks = await tellAll(shop, inOrder);
  await shop.works.drain({ soon: false });
  return hooks;
};

export const deliveriesOf = ({ own }: Pick<Shop, "own">): Promise<WebhookDelivery[]> =>
  select<WebhookDelivery>(
    "SELECT * FROM webhook_deliveries WHERE account_id = ? ORDER BY received_at, rowid",
    own.of.account.id,
  );

export const isDisconnected = async ({ own }: Pick<Shop, "own">): Promise<boolean> => {
  const [row] = await select<{ disconnected_at: string | null }>(
    "SELECT disconnected_at FROM shopify_connections WHERE account_id = ?",
    own.of.account.id,
  );
  return row?.disconnected_at !== null;
};

/** What the log says while something is done. */
export const logged = async (act: () => Promise<unknown>): Promise<Json[]> => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  await act().finally(() => spy.mockRestore());
  return lines.map((line) => JSON.parse(line));
};

export { credentialsKey, type Shop, token };
