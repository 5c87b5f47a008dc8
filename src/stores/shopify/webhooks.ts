import { normalizeShop } from "../../base/accounts/shop.ts";
import { invalid } from "../../base/errors.ts";
import { isStorable } from "../../base/lib/text.ts";
import { isHmacOf } from "../hmac.ts";
import type { SenderInput, StoreWebhook, StoreWebhooks, WebhookSender } from "../webhooks.ts";
import { appOf } from "./app/app.ts";
import { findConnection } from "./app/connection.ts";
import { openApp } from "./app/signing-app.ts";
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
  if (!stored) return undefined;
  const { secrets } = await openApp(stored, { key: env.STORE_CREDENTIALS_KEY, app: appOf(env), log });
  if (secrets.length === 0) return undefined;
  const claims = [bytesOf(signature)].filter((claim) => claim !== undefined);
  return { account_id: stored.account_id, hasSigned: (body) => isHmacOf(body, claims, secrets) };
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
