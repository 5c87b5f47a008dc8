import { z } from "zod";
import { StoreRefusalError } from "../port.ts";
import { type Connection, requestShopify } from "./client.ts";
import { createWebhook, listWebhooks, updateWebhook } from "./documents.ts";
import { registrable } from "./topics.ts";

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

/** What was done of a topic. */
export type Registered = { topic: string; registration: "unchanged" | "updated" | "created" };

const listAll = async (connection: Connection): Promise<Webhook[]> => {
  const found: Webhook[] = [];
  for (let after: string | null = null; ; ) {
    const { webhookSubscriptions } = listed.parse(await requestShopify(connection, listWebhooks, { after }));
    const { nodes, pageInfo } = webhookSubscriptions;
    found.push(...nodes);
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor ?? null;
  }
};

const requireTaken = (topic: string, { userErrors }: z.output<typeof written>): void => {
  if (userErrors.length === 0) return;
  throw new StoreRefusalError(`${topic}: ${userErrors.map(({ message }) => message).join("; ")}`);
};

const isAs = (found: Webhook, uri: string, fields: string[]): boolean =>
  found.uri === uri && found.includeFields.toSorted().join() === fields.toSorted().join();

const register = async (
  connection: Connection,
  uri: string,
  { topic, fields }: (typeof registrable)[number],
  its: Webhook[],
): Promise<Registered> => {
  if (its.some((one) => isAs(one, uri, fields))) return { topic, registration: "unchanged" };
  const wanted = { uri, includeFields: fields };
  const known = its.find((one) => one.uri === uri) ?? its[0];
  if (known) {
    const answer = await requestShopify(connection, updateWebhook, { id: known.id, webhook: wanted });
    requireTaken(topic, updatedSchema.parse(answer).webhookSubscriptionUpdate);
    return { topic, registration: "updated" };
  }
  const answer = await requestShopify(connection, createWebhook, { topic, webhook: wanted });
  requireTaken(topic, createdSchema.parse(answer).webhookSubscriptionCreate);
  return { topic, registration: "created" };
};

/** Has Shopify tell this address of every topic that its API registers. Repeating it changes nothing. Throws StoreRefusalError. */
export const registerWebhooks = async (connection: Connection, uri: string): Promise<Registered[]> => {
  const present = Map.groupBy(await listAll(connection), ({ topic }) => topic);
  const done: Registered[] = [];
  for (const desired of registrable)
    done.push(await register(connection, uri, desired, present.get(desired.topic) ?? []));
  return done;
};
