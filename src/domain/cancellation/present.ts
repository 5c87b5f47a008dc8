import type { z } from "@hono/zod-openapi";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { CaseBody } from "./case-schemas.ts";
import { statusAt } from "./cases.ts";
import { frozenOffersOf } from "./offers.ts";
import type { CancellationCase } from "./tables.ts";

export function presentCase(row: CancellationCase, now: Instant): z.input<typeof CaseBody> {
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    status: statusAt(row, now),
    cancellation_reason_id: row.cancellation_reason_id,
    note: row.note,
    offers: frozenOffersOf(row).map(({ line_id: _, ...offer }) => offer),
    accepted_offer_id: row.accepted_offer_id,
    outcome: row.outcome,
    expires_at: row.expires_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
