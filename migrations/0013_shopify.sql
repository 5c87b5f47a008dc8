-- How an account reaches its Shopify store: an access token or client credentials, sealed (AES-GCM) with a key that the
-- database does not hold.
CREATE TABLE shopify_connections (
  account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id),
  credentials TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Who is making a subscription's contract: Shopify takes no idempotency key for it, so one at a time looks for it
-- first, by the mark it carries, and then makes it.
CREATE TABLE shopify_contracts (
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  lease_until TEXT NOT NULL,
  PRIMARY KEY (account_id, subscription_id)
) STRICT;
