import type { webhooks } from "./schema.ts";

type BodyOf<Webhook> = Webhook extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The events that endpoints are sent, by their types. */
export type WebhookEvents = { [Type in keyof webhooks]: BodyOf<webhooks[Type]> };
/** An event as an endpoint is sent it: `type` says which one, and so what `data` has. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

/** A request that is not an event of the endpoint with this secret; its answer should be 400. */
export class WebhookError extends Error {
  override name = "WebhookError";
}

export type VerifyOptions = {
  /** How far the time of sending may be off: 300 seconds by default. */
  toleranceSeconds?: number;
  /** The present time in milliseconds since 1970. */
  now?: () => number;
};

/**
 * The event in a request to an endpoint, once its signature is proven (Standard Webhooks). `secret` is the endpoint's, `whsec_…`; while it is
 * rotated, either fits. An event may be sent again: its `data.id` is the same with every try. Throws a WebhookError.
 */
export async function verifyWebhook(
  request: Request,
  secret: string,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    request.headers.get(name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError("The request is not signed");
  const off = Math.abs(now() / 1000 - Number(timestamp));
  if (!(off <= toleranceSeconds)) throw new WebhookError("The request was not sent just now");
  const key = await keyOf(secret);
  const body = await request.text();
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") ? bytesOf(signature.slice(3)) : undefined;
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookError("No signature of the request fits the secret");
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0) throw new TypeError("The secret of an endpoint is whsec_ and base64");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Undefined for what is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  } catch {
    return undefined;
  }
}
