-- Which subscriptions are paid with a payment method; also what the foreign key asks when a payment method is added after
-- the subscription that refers to it, in one batch.
CREATE INDEX subscriptions_by_payment_method ON subscriptions (account_id, payment_method_id)
  WHERE payment_method_id IS NOT NULL;

-- A customer who is to be forgotten is forgotten in deleted records too.
CREATE INDEX entities_deleted_by_profile ON entities (account_id, profile_id) WHERE deleted_at IS NOT NULL;
CREATE INDEX delivery_addresses_deleted_by_profile ON delivery_addresses (account_id, profile_id)
  WHERE deleted_at IS NOT NULL;

-- What is uploaded, piece by piece, until all of it is applied at once: rows is a JSON array of arrays. What a request that
-- died has left here is removed within the hour. created_at is real time.
CREATE TABLE profile_uploads (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  piece INTEGER NOT NULL,
  rows TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id, piece)
) STRICT;
CREATE INDEX profile_uploads_by_age ON profile_uploads (created_at);

-- The ids that a request has made by its commit (JSON): what its answer is made of anew, where it was lost or is too long to keep.
ALTER TABLE idempotency_keys ADD COLUMN made TEXT;
