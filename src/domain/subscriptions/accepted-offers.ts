import { sql } from "drizzle-orm";
import type { OfferKind } from "../cancellation/tables.ts";

/** An offer that a customer who was about to leave has accepted, for as long as charges count for it. */
export type AcceptedOffer = {
  case_id: string;
  kind: OfferKind;
  discount_id: string | null;
  /** The attempt that was under way when it was accepted. */
  earlier_attempt_id: string | null;
  outcome: "PENDING" | "SAVED" | "LOST";
};

/** The accepted offers of a subscription's present life as one column, the latest last. It is written by name, so that it can stand in any list. */
export const acceptedOffersColumn = sql<string>`(SELECT json_group_array(json_object('case_id', id, 'kind', accepted_kind,
    'discount_id', discount_id, 'earlier_attempt_id', earlier_attempt_id, 'outcome', outcome))
  FROM (SELECT * FROM cancellation_cases AS tracked WHERE tracked.account_seq = subscriptions.account_seq
    AND tracked.subscription_id = subscriptions.id AND tracked.is_tracked = 1
    AND tracked.activation = subscriptions.activation ORDER BY tracked.accepted_at, tracked.id))`;

export function readAcceptedOffers(json: string): AcceptedOffer[] {
  return JSON.parse(json);
}
