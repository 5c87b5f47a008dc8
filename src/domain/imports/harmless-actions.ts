import type { SystemAction } from "../../base/event-types.ts";

/**
 * The entries of a subscription that do not stand in the way of undoing its import: it was made and released, reminded of, sent to the store, or
 * waits. Whatever else has happened to it has changed it, or was charged. Integrations' own entries change nothing, and are not listed.
 */
export const harmlessActions = [
  "subscription_created",
  "subscription_import_released",
  "payment_reminder_due",
  "store_contract_linked",
  "store_sync_refused",
  "store_sync_agreed",
  "billing_waiting",
  "billing_wait_ended",
] as const satisfies SystemAction[];
