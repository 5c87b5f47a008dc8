import type { Instant } from "../../base/lib/time/dates.ts";

/** A request to pay back part of a charge. Amounts are minor units. A key is refunded at most once, however often it is sent. */
export type Refund = {
  key: string;
  /** The store's own id of the charge. */
  reference: string;
  amount: number;
  currency_code: string;
  reason: string | null;
};

/** A refund as the store has it; `key` is null for one that was made at the store. */
export type StoreRefund = {
  reference: string;
  key: string | null;
  amount: number;
  status: "PENDING" | "SUCCEEDED" | "FAILED";
  reason: string | null;
  created_at: Instant;
};

/** A page of the refunds that were made since an instant, after the position that the page before ended at. */
export type RefundPage = { since: Instant; after: string | null };

/** The state of a refund of one of the account's charges; `charge_reference` is the store's own id of that. */
export type ListedRefund = Pick<StoreRefund, "reference" | "status"> & { charge_reference: string };

/** Refunds of charges. `refund` and `listRefunds` are undefined for a store that is not asked for refunds from here. */
export interface StoreRefunds {
  /** Why the store cannot pay an amount back, whatever was charged; undefined if it can. Undefined for a store that pays back any. */
  whyNotRefundable?(amount: number, currencyCode: string): string | undefined;
  /** Pays back part of a charge; repeating the key returns the same refund. Throws StoreRefusalError. */
  refund?(refund: Refund): Promise<StoreRefund>;
  /** All refunds of a charge, ours and those that were made at the store, by the store's own id of the charge. */
  listRefunds?(reference: string): Promise<StoreRefund[]>;
  /** A page of the refunds of the account's charges, and where the next one begins; null after the last. */
  listRefundsSince?(page: RefundPage): Promise<{ refunds: ListedRefund[]; next: string | null }>;
}
