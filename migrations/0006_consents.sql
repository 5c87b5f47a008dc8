-- Consents --------------------------------------------------------------------------------------------------------------------

-- The terms that a customer has agreed to as a subscription was created, word by word. prune_at is when it is looked whether the record may
-- go: three years after it was made, or one after the subscription's end, if that is later. Real time.
CREATE TABLE consents (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  text TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('page', 'phone', 'import', 'other')),
  source TEXT,
  agreed_at TEXT NOT NULL,
  prune_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT;
CREATE INDEX consents_of_subscription ON consents (account_seq, subscription_id, created_at, id);
CREATE INDEX consents_to_prune ON consents (prune_at);
