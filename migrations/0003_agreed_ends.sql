-- Subscriptions that end by themselves ----------------------------------------------------------------------------------------

-- A subscription ends on the day `ends_on`, from which on nothing is charged, or with the cycle `ends_after_cycle`, which is the last
-- that is charged: its success sets ends_on. Both are NULL where no end was agreed on, and once it has ended.
ALTER TABLE subscriptions ADD COLUMN ends_after_cycle INTEGER CHECK (ends_after_cycle > 0);

-- Few have one, and cron looks for those whose day has come.
-- budget: 0.2 µs a row, at most 1,000,000 rows (none has an end yet)
CREATE INDEX subscriptions_ending ON subscriptions (account_seq, ends_on, id) WHERE ends_on IS NOT NULL;
