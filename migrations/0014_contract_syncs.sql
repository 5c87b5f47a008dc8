-- What the last refusal of the store was, as people should read it; NULL where the store agrees.
ALTER TABLE subscriptions ADD COLUMN store_sync_error TEXT;

-- Subscriptions whose contract lives at a store by itself, and when the store is to be told next; NULL where it agrees.
-- Triggers keep it, so that no change of a subscription can be forgotten.
CREATE TABLE contract_syncs (
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  next_action_at TEXT,
  -- Tries since the store last agreed.
  tries INTEGER NOT NULL DEFAULT 0,
  -- How the contract stood when the store last agreed: whoever has changed it since is told by it.
  agreed_status TEXT CHECK (agreed_status IN ('ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED')),
  -- Till when a request that was given up may still arrive.
  silent_until TEXT,
  PRIMARY KEY (account_id, subscription_id),
  FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions (account_id, id)
) STRICT;

CREATE INDEX contract_syncs_next ON contract_syncs (next_action_at) WHERE next_action_at IS NOT NULL;

CREATE TRIGGER contract_syncs_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND store <> 'sandbox') BEGIN
  INSERT INTO contract_syncs (account_id, subscription_id, next_action_at)
  VALUES (NEW.account_id, NEW.id, NEW.created_at);
END;

CREATE TRIGGER contract_syncs_update AFTER UPDATE OF revision ON subscriptions
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND store <> 'sandbox') BEGIN
  INSERT INTO contract_syncs (account_id, subscription_id, next_action_at)
  VALUES (NEW.account_id, NEW.id, NEW.updated_at)
  ON CONFLICT (account_id, subscription_id) DO UPDATE SET next_action_at = excluded.next_action_at, tries = 0;
END;

-- A contract is changed and charged by one at a time. `delivery` is what was last told of where it goes, hashed: a store
-- spells addresses in its own way.
ALTER TABLE shopify_contracts ADD COLUMN delivery TEXT;
