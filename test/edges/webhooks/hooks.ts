import { expect, vi } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import { insertAllPlansDue } from "../../../src/domain/selling-plans/outbox.ts";
import type { WebhookDelivery } from "../../../src/edges/webhooks/tables.ts";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { registrable } from "../../../src/stores/shopify/topics.ts";
import {
  type ConnectedShop,
  credentialsKey,
  isSetUp,
  type Points,
  plansSent,
  shopOnShopify,
  token,
  webhooksUri,
} from "../../stores/shopify/shop.ts";
import { type Answer, nobody } from "../../support/client.ts";
import { select, testDb } from "../../support/database.ts";
import { fetchOf, type Webhook } from "../../support/fake-shopify.ts";
import type { Json } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";

export const path = "/webhooks/shopify";

/** A shop on Shopify that signs its webhooks. */
export async function hookedShop(points?: Points): Promise<ConnectedShop> {
  const shop = await shopOnShopify(points);
  shop.store.settings.secret = `shpss_${shop.merchant.of.account.id}`;
  await connect(shop);
  await plansSent(shop.merchant);
  await shop.store.webhooks();
  return shop;
}

/** Connects the shop's account with the store's current credentials. A store that has installed the app again has none of its webhooks. */
export async function connect({ merchant: shop, store }: ConnectedShop): Promise<void> {
  if (store.registered().length === 0) store.subscribe(webhooksUri, registrable);
  const credentials = { token: store.settings.token, secret: store.settings.secret };
  await connectShopify(testDb(), credentialsKey, shop.of.account, credentials, new Date().toISOString());
  await isSetUp(shop);
  await plansAreDue(shop);
}

/** Our plans are to be sent, as they are once a store has been set up. */
function plansAreDue({ of: { account } }: ConnectedShop["merchant"]): Promise<unknown> {
  return commit({ db: testDb() }, [insertAllPlansDue(account.seq, new Date().toISOString())]);
}

/** Makes `fetch` reach several shops. */
export function reach(...shops: ConnectedShop[]): void {
  vi.stubGlobal("fetch", fetchOf(...shops.map(({ store }) => store)));
}

/** Sends a webhook as Shopify would, with changes; a header that is undefined is omitted. */
export function send(
  { worker }: Pick<ConnectedShop, "worker">,
  { headers, body }: Webhook,
  changed: { headers?: Record<string, string | undefined>; body?: BodyInit; method?: string } = {},
): Promise<Answer<Json>> {
  const whole = Object.entries({ ...headers, ...changed.headers }).filter(([, value]) => value !== undefined);
  return worker.call(nobody, changed.method ?? "POST", path, {
    raw: changed.body ?? body,
    headers: Object.fromEntries(whole) as Record<string, string>,
  });
}

/** Sends a webhook, which must be answered with 200. */
export async function sendAccepted(shop: Pick<ConnectedShop, "worker">, hook: Webhook): Promise<void> {
  const { status, text } = await send(shop, hook);
  if (status !== 200) throw new Error(`${hook.topic}: ${status} ${text}`);
}

/** Sends all pending webhooks of the store, in the test's order. */
export async function sendAll(
  shop: ConnectedShop,
  inOrder = (hooks: Webhook[]) => hooks,
): Promise<Webhook[]> {
  const hooks = inOrder(await shop.store.webhooks());
  for (const hook of hooks) await sendAccepted(shop, hook);
  return hooks;
}

/** Sends all pending webhooks of the store, then runs their jobs, except delayed ones. */
export async function processAll(
  shop: ConnectedShop,
  inOrder?: (hooks: Webhook[]) => Webhook[],
): Promise<Webhook[]> {
  const hooks = await sendAll(shop, inOrder);
  await shop.worker.drain({ soon: false });
  return hooks;
}

export function deliveriesOf({
  merchant: shop,
}: Pick<ConnectedShop, "merchant">): Promise<WebhookDelivery[]> {
  return select<WebhookDelivery>(
    "SELECT * FROM webhook_deliveries WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY received_at, rowid",
    shop.of.account.id,
  );
}

export async function undoneDeliveries(shop: Pick<ConnectedShop, "merchant">): Promise<WebhookDelivery[]> {
  return (await deliveriesOf(shop)).filter(({ done_at }) => done_at === null);
}

export async function expectAllDone(shop: Pick<ConnectedShop, "merchant">): Promise<void> {
  return expect(await undoneDeliveries(shop)).toEqual([]);
}

/** Ships now, and leaves the attempt pending at the store, without polling. */
export async function chargePending(
  { merchant: shop, worker, store }: ConnectedShop,
  id: string,
): Promise<void> {
  store.settings.settlesAtRead = Number.POSITIVE_INFINITY;
  const { status, text } = await shipNow(shop, worker, id);
  if (status !== 200) throw new Error(text);
  await worker.drain({ soon: false });
  worker.forget();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
}

export async function isDisconnected({ merchant: shop }: Pick<ConnectedShop, "merchant">): Promise<boolean> {
  const [row] = await select<{ disconnected_at: string | null }>(
    "SELECT disconnected_at FROM shopify_connections WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
  return row?.disconnected_at !== null;
}

export { logged } from "../../support/jobs.ts";
export { type ConnectedShop as Shop, credentialsKey, token };
