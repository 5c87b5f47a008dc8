import type { ForecastDate } from "./cells.ts";

/**
 * The next delivery of each subscription whose stored dates say it: no charge is under way, owed or waiting, and neither a pause nor the
 * subscription ends by itself. A date that has passed moves as `upcoming` moves it (upcoming.ts, which a property test holds this to). What is read is the
 * rows of the days that are asked about, and those that are overdue.
 */
export function selectPlanned(by: ForecastDate): string {
  return `SELECT billing_date, ${moved("production")} AS production_date, ${moved("delivery")} AS delivery_date,
      slot, kind, lines, is_paid_for
    FROM (
      SELECT s.*, MAX(?2, s.planned_on) AS billing_date,
        CASE WHEN s.is_paid_for THEN 'planned' WHEN s.billing_blocked_reason IS NOT NULL THEN 'at_risk'
          WHEN method.status <> 'VALID' OR method.expires_on < MAX(?2, s.planned_on) THEN 'at_risk'
          ELSE 'planned' END AS kind
      FROM (${subscriptionsBy(by)}) AS s
      LEFT JOIN payment_methods AS method ON method.account_seq = ?1 AND method.id = s.payment_method_id
      WHERE s.planned_on IS NOT NULL
    ) AS next`;
}

/** A delivery whose day is still to come is made on it, and packed today if it should have been before. Otherwise it is the slot's earliest. */
function moved(date: "delivery" | "production"): string {
  const earliest = `(?5 ->> ('$."' || COALESCE(slot, '') || '".${date}'))`;
  const planned =
    date === "delivery"
      ? "next_delivery_date"
      : "MAX(billing_date, COALESCE(next_production_date, next_delivery_date))";
  return `CASE WHEN next_delivery_date >= billing_date THEN ${planned} ELSE ${earliest} END`;
}

/** The days that are read: those that have passed, and those that are asked about. A compound select has few terms, so that they are rows. */
const dayRanges = `json_each(json_array(
  json_array('', date(?2, '-1 day')), json_array(MAX(?2, ?3), ?4))) AS days`;

function subscriptionsBy(by: ForecastDate): string {
  const parts = ranges[by].map(
    ({ index, column, condition = "TRUE" }) => `${columns} FROM ${dayRanges}
      CROSS JOIN subscriptions INDEXED BY ${index}
      WHERE account_seq = ?1 AND status = 'ACTIVE' AND ${column} BETWEEN days.value ->> 0 AND days.value ->> 1
        AND ${condition} AND ${isPlain}`,
  );
  return [...parts, outstanding].join(" UNION ALL ");
}

const isPaidFor = "next_index < next_billed_index";
const packed = "COALESCE(next_production_date, next_delivery_date)";
const isWithoutPacking = "next_production_date IS NULL";

/** The day on which billing orders the delivery: it is packed, where it is paid for, and charged otherwise. */
const columns = `SELECT next_delivery_date, next_production_date, delivery_slot_id AS slot, lines, payment_method_id,
  billing_blocked_reason, ${isPaidFor} AS is_paid_for,
  CASE WHEN ${isPaidFor} THEN ${packed} WHEN current_billing_cycle <= COALESCE(max_cycles, current_billing_cycle)
    THEN next_billing_date END AS planned_on`;

/** Its charge waits for no_charge_before, so that the delivery comes later than its date says. */
const isChargedLater = `no_charge_before IS NOT NULL AND no_charge_before > next_delivery_date AND NOT (${isPaidFor})`;

const isPlain = `ends_on IS NULL AND open_attempt_id IS NULL AND dunning_episode_id IS NULL AND retry_due_at IS NULL
    AND (${isPaidFor} OR (disputed_at IS NULL AND billing_blocked_reason IS NOT 'address_missing')) AND NOT (${isChargedLater})`;

/** Those that have ended, or whose payment has failed for good: what is paid for is still delivered. */
const outstanding = `${columns} FROM subscriptions INDEXED BY subscriptions_outstanding
  WHERE account_seq = ?1 AND status NOT IN ('ACTIVE', 'PAUSED') AND (${isPaidFor} OR open_attempt_id IS NOT NULL)
    AND ${isPaidFor} AND ${isPlain}`;

type Range = { index: string; column: string; condition?: string };

const byProduction = { index: "subscriptions_by_production_date", column: "next_production_date" };
const byDelivery = { index: "subscriptions_by_delivery_date", column: "next_delivery_date" };

const ranges: Record<ForecastDate, Range[]> = {
  production_date: [byProduction, { ...byDelivery, condition: isWithoutPacking }],
  delivery_date: [byDelivery],
  billing_date: [
    {
      index: "subscriptions_by_billing_date",
      column: "next_billing_date",
      condition: `NOT (${isPaidFor})`,
    },
    { ...byProduction, condition: isPaidFor },
    { ...byDelivery, condition: `${isPaidFor} AND ${isWithoutPacking}` },
  ],
};

/**
 * The subscriptions whose next delivery the stored dates do not say: a charge is under way, owed or waiting, for
 * no_charge_before too, a pause ends by itself until the last day, or the subscription itself is to end. Few have any of these, and an index each (a
 * compound select has few terms); ?2 is the last day here.
 */
export const idsOfOthers = `SELECT subscription_id AS id FROM billing_attempts INDEXED BY billing_attempts_one_open
    WHERE account_seq = ?1 AND settled_at IS NULL
  UNION SELECT subscription_id FROM dunning_episodes INDEXED BY dunning_episodes_one_open
    WHERE account_seq = ?1 AND status IN ('OPEN', 'AWAITING_CUSTOMER')
  UNION SELECT id FROM subscriptions INDEXED BY subscriptions_billing_retry
    WHERE account_seq = ?1 AND retry_due_at IS NOT NULL
  UNION SELECT id FROM subscriptions INDEXED BY subscriptions_pausing
    WHERE account_seq = ?1 AND status = 'PAUSED' AND pause_until IS NOT NULL AND pause_until <= ?2
  UNION SELECT id FROM (
    SELECT id FROM subscriptions INDEXED BY subscriptions_charged_later
      WHERE account_seq = ?1 AND status = 'ACTIVE' AND ${isChargedLater}
    UNION ALL SELECT id FROM subscriptions INDEXED BY subscriptions_ending
      WHERE account_seq = ?1 AND ends_on IS NOT NULL)`;
