-- Since when an attempt waits for its customer to confirm the payment, by the account's time: a deadline ends it.
ALTER TABLE billing_attempts ADD COLUMN challenged_at TEXT;
