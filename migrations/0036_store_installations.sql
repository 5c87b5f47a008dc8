-- An app that is installed with OAuth has a token that expires. `refreshing_until` is the lease of whoever refreshes it, by real time.
ALTER TABLE shopify_connections ADD COLUMN refreshing_until TEXT;

-- What is still to be set up at a store after an installation: the address of its webhooks, and when that is tried next.
ALTER TABLE shopify_connections ADD COLUMN webhooks_uri TEXT;
ALTER TABLE shopify_connections ADD COLUMN next_action_at TEXT;
CREATE INDEX shopify_connections_to_do ON shopify_connections (account_id, next_action_at) WHERE next_action_at IS NOT NULL;

-- Installations that were finished, so that none is finished twice; until they would have expired.
CREATE TABLE shopify_installations (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  nonce TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (account_id, nonce)
) STRICT;
