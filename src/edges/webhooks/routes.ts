import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { demoId } from "../../base/demo.ts";
import type { Ctx } from "../../kit/context.ts";
import { named } from "../../kit/http/document/describe.ts";
import { type AnyOperation, type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { idInPath } from "../../kit/http/document/params.ts";
import { receiving } from "../../stores/platforms.ts";
import type { Receiving } from "../../stores/port/platform.ts";
import type { StoreWebhook } from "../../stores/webhooks.ts";
import { addDelivery, jobOf } from "./deliveries.ts";
import { maxBodyBytes, verifyAddressedWebhook, verifyWebhook } from "./verify.ts";

/** An operation for the webhooks of each platform. */
export function webhookOperations(): Promise<AnyOperation[]> {
  return Promise.all(receiving.map(declareReceiver));
}

async function declareReceiver({ path, load, describe }: Receiving): Promise<AnyOperation> {
  const { success, payload, ...about } = await describe();
  const common = {
    ...about,
    method: "post",
    path,
    tag: "Webhooks",
    credentials: "none",
    idempotent: false,
    countsItself: true,
    body: named(payload.name, payload.schema, payload.texts, payload.about),
    bodyLimit: maxBodyBytes,
    success: { status: 200, description: success, contentType: "text/plain", schema: z.string() },
    errors: ["UNAUTHENTICATED"],
  } as const;
  const webhooks = await load();
  if ("shopIn" in webhooks)
    return operation({
      ...common,
      errors: [...common.errors],
      middleware: [verifyWebhook(webhooks)],
      handler: ({ c, body }) => answer(c, webhooks.read(c.req.raw.headers, body)),
    });
  return operation({
    ...common,
    errors: [...common.errors],
    middleware: [verifyAddressedWebhook(webhooks)],
    params: z.object({ account_id: idInPath("account_id", "account", demoId("account", 1)) }),
    handler: ({ c, params, body }) => answer(c, webhooks.read(params.account_id, body)),
  });
}

/** A topic that is ignored is answered as one that is stored. */
async function answer(c: Context<HonoEnv>, webhook: StoreWebhook | undefined): Promise<Response> {
  if (webhook) await receiveWebhook(c.get("ctx"), webhook);
  return c.text("OK");
}

/** Stores a verified webhook, once, and enqueues its job. */
async function receiveWebhook(ctx: Ctx, webhook: StoreWebhook): Promise<void> {
  if (await addDelivery(ctx, webhook)) await ctx.send([jobOf(ctx, webhook.webhook_id)]);
}
