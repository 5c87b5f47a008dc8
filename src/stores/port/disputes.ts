import type { Instant } from "../../base/lib/time/dates.ts";

/** The state of a dispute. CLOSED: an inquiry from which nothing followed. PREVENTED: the payment was paid back before it became a dispute. */
export const disputeStatuses = [
  "NEEDS_RESPONSE",
  "UNDER_REVIEW",
  "WON",
  "LOST",
  "CLOSED",
  "PREVENTED",
] as const;

/** A customer's dispute of a charge at their bank. Amounts are minor units. */
export type StoreDispute = {
  /** The store's own id of the dispute. */
  reference: string;
  /** The store's own id of the charge; null for a payment that is none of this service's. */
  charge_reference: string | null;
  amount: number;
  currency_code: string;
  status: (typeof disputeStatuses)[number];
  /** Whether the bank only asks about the payment, so far: an inquiry takes no money. */
  is_inquiry: boolean;
  /** The bank's category, as the store names it. */
  reason: string | null;
  opened_at: Instant;
};

/** A page of the disputes that were opened at an instant or later; `after` is the `next` of the page before. */
export type DisputePage = { since: Instant; after: string | null };

/** Disputes of charges. Both calls are undefined for a store that tells of none, and throw StoreRefusalError. */
export interface StoreDisputes {
  /** A dispute as it stands now; undefined if the store has none with this id. */
  findDispute?(reference: string): Promise<StoreDispute | undefined>;
  /** `next` is null after the last page. */
  listDisputes?(page: DisputePage): Promise<{ disputes: StoreDispute[]; next: string | null }>;
}
