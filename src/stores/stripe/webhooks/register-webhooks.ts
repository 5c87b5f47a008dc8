import type Stripe from "stripe";
import { z } from "zod";
import { AccessDeniedError } from "../../port.ts";
import { apiVersion } from "../client.ts";
import type { AskStripe, SentParams } from "../request.ts";
import { pageOf, parseResponse } from "../responses.ts";
import { eventTypes } from "./topics.ts";

type RegisteredEndpoint = { id: string; secret: string };

/**
 * Makes the endpoint at which Stripe sends its webhooks to this address; undefined where the key may not. Others at the address are
 * deleted, because only the answer to the making has an endpoint's secret: https://docs.stripe.com/api/webhook_endpoints/create
 */
export async function registerWebhooks(ask: AskStripe, url: string): Promise<RegisteredEndpoint | undefined> {
  try {
    const old = (await listEndpoints(ask)).filter((endpoint) => endpoint.url === url);
    const params: SentParams<Stripe.WebhookEndpointCreateParams> = {
      url,
      enabled_events: eventTypes,
      api_version: apiVersion,
    };
    const made = await ask({ method: "POST", path: "/v1/webhook_endpoints", params });
    for (const { id } of old) await removeWebhooks(ask, id);
    return parseResponse(madeSchema, made);
  } catch (error) {
    if (error instanceof AccessDeniedError) return undefined;
    throw error;
  }
}

export async function removeWebhooks(ask: AskStripe, id: string): Promise<void> {
  await ask({ method: "DELETE", path: `/v1/webhook_endpoints/${id}` });
}

/** Whether an endpoint still sends all of that to the address. */
export async function isRegistered(ask: AskStripe, id: string, url: string): Promise<boolean> {
  const endpoint = (await listEndpoints(ask)).find((one) => one.id === id);
  if (endpoint?.url !== url || endpoint.status !== "enabled") return false;
  const { enabled_events: sent } = endpoint;
  return sent.includes("*") || eventTypes.every((type) => sent.includes(type));
}

const endpointSchema = z.object({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  enabled_events: z.array(z.string()),
});
const madeSchema = z.object({ id: z.string(), secret: z.string() });

/** An account has sixteen of each mode at most, which is one page. */
async function listEndpoints(ask: AskStripe): Promise<z.output<typeof endpointSchema>[]> {
  const answer = await ask({ method: "GET", path: "/v1/webhook_endpoints", params: { limit: 100 } });
  return parseResponse(pageOf(endpointSchema), answer).data;
}
