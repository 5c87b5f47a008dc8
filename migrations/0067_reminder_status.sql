-- The list by payment_reminder_status. The billing date whose reminder a receiver has accepted:
ALTER TABLE subscriptions ADD COLUMN reminder_sent_for TEXT GENERATED ALWAYS AS (
  CASE WHEN status = 'ACTIVE' AND last_payment_reminder_sent_at IS NOT NULL
    AND next_billing_date = last_payment_reminder_billing_date THEN next_billing_date END
) VIRTUAL;
CREATE INDEX subscriptions_by_sent_reminder ON subscriptions (account_id, created_at) WHERE reminder_sent_for IS NOT NULL;
-- That whose reminder was recorded, and that nobody has accepted. remind_of is that whose reminder was not recorded yet.
ALTER TABLE subscriptions ADD COLUMN reminder_recorded_for TEXT GENERATED ALWAYS AS (
  CASE WHEN status = 'ACTIVE' AND dunning_episode_id IS NULL AND last_payment_reminder_sent_at IS NULL
    AND next_billing_date = last_payment_reminder_billing_date THEN next_billing_date END
) VIRTUAL;
CREATE INDEX subscriptions_by_recorded_reminder ON subscriptions (account_id, reminder_recorded_for)
  WHERE reminder_recorded_for IS NOT NULL;
