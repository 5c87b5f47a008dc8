import { z } from "zod";
import { StoreRefusalError } from "../port.ts";
import { type Connection, requestShopify } from "./client.ts";
import { createWebhook, listWebhooks, updateWebhook } from "./documents.ts";
import { registrable } from "./topics.ts";

type Registered = { topic: string; registration: "unchanged" | "updated" | "created" };

/** Registers this address for every topic that Shopify's API can register. A repetition changes nothing. Throws StoreRefusalError. */
export async function registerWebhooks(connection: Connection, uri: string): Promise<Registered[]> {
  const registered = Map.groupBy(await listAll(connection), ({ topic }) => topic);
  const results: Registered[] = [];
  for (const desired of registrable)
    results.push(await register(connection, uri, desired, registered.get(desired.topic) ?? []));
  return results;
}

const webhook = z.object({
  id: z.string(),
  topic: z.string(),
  uri: z.string(),
  includeFields: z.array(z.string()),
});
type Webhook = z.output<typeof webhook>;

const listed = z.object({
  webhookSubscriptions: z.object({
    nodes: z.array(webhook),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
});

const written = z.object({ userErrors: z.array(z.object({ message: z.string() })) });
const createdSchema = z.object({ webhookSubscriptionCreate: written });
const updatedSchema = z.object({ webhookSubscriptionUpdate: written });

async function listAll(connection: Connection): Promise<Webhook[]> {
  const found: Webhook[] = [];
  for (let after: string | null = null; ; ) {
    const { webhookSubscriptions } = listed.parse(await requestShopify(connection, listWebhooks, { after }));
    const { nodes, pageInfo } = webhookSubscriptions;
    found.push(...nodes);
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor ?? null;
  }
}

function requireAccepted(topic: string, { userErrors }: z.output<typeof written>): void {
  if (userErrors.length === 0) return;
  throw new StoreRefusalError(`${topic}: ${userErrors.map(({ message }) => message).join("; ")}`);
}

function isEqual(found: Webhook, uri: string, fields: string[]): boolean {
  return found.uri === uri && found.includeFields.toSorted().join() === fields.toSorted().join();
}

async function register(
  connection: Connection,
  uri: string,
  { topic, fields }: (typeof registrable)[number],
  existing: Webhook[],
): Promise<Registered> {
  if (existing.some((one) => isEqual(one, uri, fields))) return { topic, registration: "unchanged" };
  const input = { uri, includeFields: fields };
  const known = existing.find((one) => one.uri === uri) ?? existing[0];
  if (known) {
    const answer = await requestShopify(connection, updateWebhook, { id: known.id, webhook: input });
    requireAccepted(topic, updatedSchema.parse(answer).webhookSubscriptionUpdate);
    return { topic, registration: "updated" };
  }
  const answer = await requestShopify(connection, createWebhook, { topic, webhook: input });
  requireAccepted(topic, createdSchema.parse(answer).webhookSubscriptionCreate);
  return { topic, registration: "created" };
}
