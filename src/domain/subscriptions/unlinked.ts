import { minuteMs } from "../../base/lib/time/durations.ts";
import { importHeld } from "./lifecycle.ts";

/** The subscriptions that are to get a contract at the store, in the words of their index. One that is held is to have none. */
export const isUnlinked = `store_contract_id IS NULL AND billing_blocked_reason IS NOT '${importHeld}'`;

/** So long after it was made, a subscription without a contract counts as one whose message was lost. */
export const unlinkedAfterMs = minuteMs;
