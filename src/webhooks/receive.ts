import type { Ctx } from "../context.ts";
import { invalid } from "../errors.ts";
import { isStorable } from "../lib/text.ts";
import { type Topic, topics } from "../store/shopify/topics.ts";
import { jobOf, keepDelivery } from "./deliveries.ts";

const longestId = 255;

const idIn = (header: string | undefined): string => {
  if (header !== undefined && header !== "" && header.length <= longestId && isStorable(header))
    return header;
  throw invalid([{ path: "X-Shopify-Webhook-Id", message: `must have 1 to ${longestId} characters` }]);
};

const subjectOf = (shop: string, topic: Topic, payload: unknown): string => {
  const read = topic.subjectIn(shop).safeParse(payload);
  if (read.success) return read.data;
  throw invalid(read.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
};

/**
 * Keeps a verified delivery, and has it worked on. The signature covers the body alone: topic and id could be anybody's
 * who has got hold of a signed one. That does no harm: all that is done is to ask the store for the record, whatever the
 * topic says of it; and what erases anything has a payload that no other topic has, and asks the store first.
 */
export const receiveDelivery = async (
  ctx: Ctx,
  { shop, topic = "", webhookId }: { shop: string; topic: string | undefined; webhookId: string | undefined },
  payload: unknown,
): Promise<void> => {
  const known = topics.get(topic);
  if (!known) return;
  const delivery = { webhook_id: idIn(webhookId), topic, subject: subjectOf(shop, known, payload) };
  if (await keepDelivery(ctx, delivery)) await ctx.send([jobOf(ctx, delivery.webhook_id)]);
};
