import { listensTo } from "./events.ts";
import type { StripeEvent, WebhookEndpoint } from "./records.ts";
import type { FakeAccount } from "./store.ts";

export type Delivery = {
  /** Stripe does not guarantee the order (docs.stripe.com/webhooks, "Event ordering"). */
  order?: "created" | "reversed";
  /** An event may come more than once (docs.stripe.com/webhooks, "Handle duplicate events"). */
  times?: number;
};

/** The requests that Stripe sends for what has happened since the last call, one to each endpoint that listens. */
export async function deliver(
  account: FakeAccount,
  { order = "created", times = 1 }: Delivery = {},
): Promise<Request[]> {
  const events = account.undelivered.splice(0);
  if (order === "reversed") events.reverse();
  const requests: Request[] = [];
  for (const event of events)
    for (const endpoint of account.endpoints.values())
      if (endpoint.status === "enabled" && listensTo(endpoint.enabled_events, event.type))
        for (let sent = 1; sent <= times; sent += 1)
          requests.push(await signedRequest(account, endpoint, event));
  return requests;
}

/**
 * One delivery, signed at the time it is sent: "Stripe generates the timestamp and signature each time we send an event"
 * (docs.stripe.com/webhooks, "Preventing replay attacks"). Every secret that is valid signs. In test mode there is a signature of the
 * scheme v0, too, which proves nothing.
 */
export async function signedRequest(
  account: FakeAccount,
  endpoint: WebhookEndpoint,
  event: StripeEvent,
  signedAt = account.now(),
): Promise<Request> {
  const body = JSON.stringify({ ...event, api_version: endpoint.api_version ?? event.api_version }, null, 2);
  const secrets = (account.endpointSecrets.get(endpoint.id) ?? []).filter(
    ({ expiresAt }) => expiresAt > account.nowMs(),
  );
  const signatures = await Promise.all(
    secrets.map(async ({ secret }) => `v1=${await signatureOf(secret, signedAt, body)}`),
  );
  if (!account.settings.livemode) signatures.push(`v0=${await signatureOf("v0", signedAt, body)}`);
  return new Request(endpoint.url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Stripe-Signature": [`t=${signedAt}`, ...signatures].join(","),
      "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    },
    body,
  });
}

/** docs.stripe.com/webhooks, "Verify webhook signatures manually": HMAC with SHA-256 of `{timestamp}.{body}`, in hex. */
export async function signatureOf(secret: string, timestamp: number, body: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`${timestamp}.${body}`));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
