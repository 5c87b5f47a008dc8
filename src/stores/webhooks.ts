import type { z } from "zod";
import type { Db } from "../base/db/port.ts";
import type { Env } from "../base/env.ts";
import type { Log } from "../base/lib/log.ts";

/** The port of the webhooks of a store platform whose headers name the sender. */
export interface StoreWebhooks {
  /** Who claims to have sent a webhook; undefined where its headers name nobody whose signature can be checked. */
  findSender(input: SenderInput): Promise<WebhookSender | undefined>;
  /** The shop that a webhook's headers name, which proves nothing. */
  shopIn(headers: Headers): string;
  /** The subject of a verified webhook; undefined for a topic that is ignored. Throws VALIDATION_FAILED. */
  read(headers: Headers, payload: unknown): StoreWebhook | undefined;
  /** The kind of work that a stored topic calls for; undefined for one that is ignored. */
  kindOf(topic: string): WebhookKind | undefined;
}

/** The webhooks of a store platform whose address says whose they are, as nothing else of them does. */
export interface AddressedWebhooks {
  /** The account at the address; undefined where nothing can be of it. */
  findSender(input: AddressedSenderInput): Promise<WebhookSender | undefined>;
  /** The subject of a verified webhook; undefined for one that is ignored. Throws VALIDATION_FAILED. */
  read(accountId: string, payload: unknown): StoreWebhook | undefined;
  kindOf(topic: string): WebhookKind | undefined;
}

/** The operation that takes a platform's webhooks, as the API document tells of it. */
export type WebhookOperation = {
  id: string;
  summary: string;
  description: string;
  /** The meaning of the answer 200. */
  success: string;
  payload: {
    name: string;
    schema: z.ZodObject;
    /** The meaning of each field, with an example where its value does not explain itself. */
    texts: Record<string, string | readonly [text: string, example: unknown]>;
    about: { description?: string; example: unknown };
  };
};

export type AddressedSenderInput = SenderInput & { accountId: string; realNow: Date };

export type SenderInput = { db: Db; env: Env; headers: Headers; log: Log };

export type WebhookSender = {
  account_id: string;
  /** Whether the sender has signed exactly these bytes. */
  hasSigned(body: Uint8Array<ArrayBuffer>): Promise<boolean>;
};

/** All that is stored of a webhook. `subject` is the store's id, or our key, of the record it is about: no personal data. */
export type StoreWebhook = { webhook_id: string; topic: string; subject: string };

/** All topics of one kind have the same effect. */
export type WebhookKind =
  | "attempt"
  | "contract"
  | "cycle"
  | "order"
  | "payment_method"
  | "payment_setup"
  | "refund"
  | "dispute"
  | "selling_plans"
  | "customer"
  | "customer_merge"
  | "uninstalled"
  | "scopes"
  | "data_request"
  | "customer_redaction"
  | "shop_redaction";
