import { normalizeShop } from "../../base/accounts/shop.ts";
import { invalid } from "../../base/errors.ts";
import { isStorable } from "../../base/lib/text.ts";
import { isHmacOf } from "../hmac.ts";
import { UnknownOutcomeError } from "../port.ts";
import type { SenderInput, StoreWebhook, StoreWebhooks, WebhookSender } from "../webhooks.ts";
import { type App, appOf } from "./app/app.ts";
import { findConnection, type StoredConnection, unsealConnection } from "./app/connection.ts";
import { type ShopifyTopic, topics } from "./topics.ts";

/** Shopify's webhooks: https://shopify.dev/docs/apps/build/webhooks */
export const shopifyWebhooks: StoreWebhooks = {
  findSender,
  shopIn,
  read: readWebhook,
  kindOf: (topic) => topics.get(topic)?.kind,
};

/** The sender is the account whose credentials were verified for the shop in the headers, whatever the account is called. */
async function findSender({ db, env, headers, log }: SenderInput): Promise<WebhookSender | undefined> {
  const signature = headers.get("X-Shopify-Hmac-Sha256");
  if (!signature) return undefined;
  const stored = await findConnection(db, shopIn(headers));
  const secrets = stored
    ? await openSecrets(stored, { key: env.STORE_CREDENTIALS_KEY, app: appOf(env), log })
    : [];
  if (!stored || secrets.length === 0) return undefined;
  const claims = [bytesOf(signature)].filter((claim) => claim !== undefined);
  return { account_id: stored.account_id, hasSigned: (body) => isHmacOf(body, claims, secrets) };
}

/**
 * The secrets that a shop's webhooks may be signed with: two while the app's secret is replaced. Operators have to see that a
 * key does not open them.
 */
async function openSecrets(
  stored: StoredConnection,
  { key, app, log }: Pick<SenderInput, "log"> & { key: string | undefined; app: App | undefined },
): Promise<string[]> {
  try {
    const { credentials } = await unsealConnection(key, stored);
    if ("app_id" in credentials) return app?.clientId === credentials.app_id ? app.secrets : [];
    return [credentials.secret, credentials.previous_secret].filter((secret) => secret !== undefined);
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    const { account_id } = stored;
    log("webhook_secret_unreadable", { alert: true, account_id, cause: error.message });
    return [];
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * The signature covers the body alone, so anybody who has obtained a signed body can send it with another topic and id. That
 * does no harm: whatever the topic, the store is asked for the record; and the payload of a topic that erases something
 * passes for that of no other topic, and the store is asked before anything is erased.
 */
function readWebhook(headers: Headers, payload: unknown): StoreWebhook | undefined {
  const name = headers.get("X-Shopify-Topic") ?? "";
  const topic = topics.get(name);
  if (!topic) return undefined;
  return { webhook_id: idIn(headers), topic: name, subject: subjectOf(topic, shopIn(headers), payload) };
}

const maxIdLength = 255;

function idIn(headers: Headers): string {
  const id = headers.get("X-Shopify-Webhook-Id") ?? "";
  if (id !== "" && id.length <= maxIdLength && isStorable(id)) return id;
  throw invalid([{ path: "X-Shopify-Webhook-Id", message: `must have 1 to ${maxIdLength} characters` }]);
}

function subjectOf(topic: ShopifyTopic, shop: string, payload: unknown): string {
  const parsed = topic.subjectIn(shop).safeParse(payload);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
}

function shopIn(headers: Headers): string {
  return normalizeShop(headers.get("X-Shopify-Shop-Domain") ?? "");
}
