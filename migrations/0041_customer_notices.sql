-- Whether the store asks customers for another payment method when a payment was declined for good.
ALTER TABLE accounts ADD COLUMN notify_payment_update INTEGER NOT NULL DEFAULT 0;

-- What a customer is told about an episode of dunning, once for each. A store sends another e-mail for each request, so that one is
-- marked (SENDING) before the store is asked, and never asked for again unless the store has refused it.
CREATE TABLE customer_notices (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  dunning_episode_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('PENDING', 'SENDING', 'SENT', 'UNKNOWN', 'REFUSED')),
  -- When it is due. While it is SENDING: when its sender is given up. NULL once it is over.
  next_action_at TEXT,
  -- How often the store was asked.
  tries INTEGER NOT NULL DEFAULT 0,
  last_refusal TEXT,
  PRIMARY KEY (account_id, dunning_episode_id)
) STRICT;
CREATE INDEX customer_notices_to_do ON customer_notices (account_id, next_action_at, dunning_episode_id)
  WHERE next_action_at IS NOT NULL;
