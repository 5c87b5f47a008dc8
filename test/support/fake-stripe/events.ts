import type { StripeEvent } from "./records.ts";
import { type FakeAccount, newRecord } from "./store.ts";

/**
 * Records an event with the record as it is at this moment (docs.stripe.com/api/events). `pending_webhooks` counts the endpoints that
 * listen to it.
 */
export function emit(
  account: FakeAccount,
  type: string,
  object: object,
  previous?: Record<string, unknown>,
): void {
  const event: StripeEvent = {
    ...newRecord(account, "event", "evt"),
    api_version: account.settings.apiVersion,
    data: {
      object: structuredClone(object) as Record<string, unknown>,
      ...(previous ? { previous_attributes: structuredClone(previous) } : {}),
    },
    pending_webhooks: [...account.endpoints.values()].filter(({ enabled_events }) =>
      listensTo(enabled_events, type),
    ).length,
    request: { ...account.cause },
    type,
  };
  account.events.push(event);
  account.undelivered.push(event);
}

/** `*` stands for all (docs.stripe.com/api/webhook_endpoints/create). */
export function listensTo(enabledEvents: string[], type: string): boolean {
  return enabledEvents.includes("*") || enabledEvents.includes(type);
}
