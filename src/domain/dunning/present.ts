import type { z } from "@hono/zod-openapi";
import { toMajor } from "../../base/lib/money.ts";
import { fullName } from "../profiles/rules.ts";
import { maxAttempts } from "../retries/policy.ts";
import type { AccountEpisode } from "./queries.ts";
import type { AccountEpisodeBody, DunningEpisodeBody } from "./schemas.ts";
import type { DunningEpisode } from "./tables.ts";

export function presentEpisode(row: DunningEpisode): z.input<typeof DunningEpisodeBody> {
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    cycle: row.cycle,
    status: row.status,
    attempt_count: row.attempt_count,
    max_attempts: maxAttempts(JSON.parse(row.retry_days)),
    next_retry_at: row.status === "OPEN" ? row.due_at : null,
    last_error_code: row.last_error_code,
    last_error_message: row.last_error_message,
    opened_at: row.opened_at,
    closed_at: row.closed_at,
  };
}

export function presentAccountEpisode(row: AccountEpisode): z.input<typeof AccountEpisodeBody> {
  const { amount, currency_code, customer_first_name, customer_last_name } = row;
  return {
    ...presentEpisode(row),
    subscription_number: String(row.subscription_number),
    customer_name: fullName({ first_name: customer_first_name, last_name: customer_last_name }) || null,
    amount: toMajor(amount, currency_code),
    currency_code,
  };
}
