import { z } from "zod";
import { StoreRefusalError } from "../port.ts";
import { requestShopify, type ShopAccess } from "./client.ts";
import { createWebhook, listWebhooks, updateWebhook } from "./documents.ts";
import { type RegistrableTopic, registrable } from "./topics.ts";

/** A topic with the change that its registration has made, or why the store has refused it. */
export type Registered =
  | { topic: string; registration: "unchanged" | "updated" | "created" }
  | { topic: string; registration: "refused"; is_required: boolean; why: string };

/**
 * Registers this address for every topic that Shopify's API can register; a repetition changes nothing. Each topic is tried, whatever came
 * of the others. Throws StoreRefusalError only where the store refuses the app itself, or to list its registrations.
 */
export async function registerWebhooks(connection: ShopAccess, uri: string): Promise<Registered[]> {
  const registered = Map.groupBy(await listAll(connection), ({ topic }) => topic);
  const results: Registered[] = [];
  for (const desired of registrable)
    results.push(await tryToRegister(connection, uri, desired, registered.get(desired.topic) ?? []));
  return results;
}

/** The refused topics among these, each with its reason; those without which a store is not connected, or the others. */
export function refusedTopics(results: Registered[], { required }: { required: boolean }): string[] {
  return results.flatMap((one) =>
    one.registration === "refused" && one.is_required === required ? [`${one.topic}: ${one.why}`] : [],
  );
}

/** The refusal of the topics that money depends on; undefined if the store has refused none. */
export function refusalOfRequired(results: Registered[]): StoreRefusalError | undefined {
  const refused = refusedTopics(results, { required: true });
  if (refused.length === 0) return undefined;
  return new StoreRefusalError(`The store refuses these webhooks: ${refused.join("; ")}`);
}

/** A refused topic says nothing about the others, unless the app itself is refused. */
async function tryToRegister(
  connection: ShopAccess,
  uri: string,
  desired: RegistrableTopic,
  existing: Webhook[],
): Promise<Registered> {
  try {
    return await register(connection, uri, desired, existing);
  } catch (error) {
    if (!(error instanceof StoreRefusalError) || error.codes.some((code) => code.startsWith("HTTP_")))
      throw error;
    const { topic, isRequired: is_required } = desired;
    return { topic, registration: "refused", is_required, why: error.message };
  }
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

async function listAll(connection: ShopAccess): Promise<Webhook[]> {
  const found: Webhook[] = [];
  for (let after: string | null = null; ; ) {
    const { webhookSubscriptions } = listed.parse(await requestShopify(connection, listWebhooks, { after }));
    const { nodes, pageInfo } = webhookSubscriptions;
    found.push(...nodes);
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor ?? null;
  }
}

function requireAccepted({ userErrors }: z.output<typeof written>): void {
  if (userErrors.length === 0) return;
  throw new StoreRefusalError(userErrors.map(({ message }) => message).join("; "));
}

function isEqual(found: Webhook, uri: string, fields: string[]): boolean {
  return found.uri === uri && found.includeFields.toSorted().join() === fields.toSorted().join();
}

async function register(
  connection: ShopAccess,
  uri: string,
  { topic, fields }: RegistrableTopic,
  existing: Webhook[],
): Promise<Registered> {
  if (existing.some((one) => isEqual(one, uri, fields))) return { topic, registration: "unchanged" };
  const input = { uri, includeFields: fields };
  const known = existing.find((one) => one.uri === uri) ?? existing[0];
  if (known) {
    const answer = await requestShopify(connection, updateWebhook, { id: known.id, webhook: input });
    requireAccepted(updatedSchema.parse(answer).webhookSubscriptionUpdate);
    return { topic, registration: "updated" };
  }
  const answer = await requestShopify(connection, createWebhook, { topic, webhook: input });
  requireAccepted(createdSchema.parse(answer).webhookSubscriptionCreate);
  return { topic, registration: "created" };
}
