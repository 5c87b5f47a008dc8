export { type Client, type ClientOptions, createClient } from "./client.ts";
export { PerennialError, unwrap } from "./error.ts";
export { preview } from "./preview.ts";
export { type ListPath, records } from "./records.ts";
export type { components, operations, paths, webhooks } from "./schema.ts";
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookEvents,
} from "./webhook.ts";
