-- What a store has told of, once for each id of its deliveries: which record has changed, never how. `subject` names that
-- record by the store's id or by our key. next_action_at is when the sweep looks at it again, NULL once it is done. Real time.
CREATE TABLE webhook_deliveries (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  webhook_id TEXT NOT NULL,
  topic TEXT NOT NULL,
  subject TEXT NOT NULL,
  tries INTEGER NOT NULL,
  next_action_at TEXT,
  received_at TEXT NOT NULL,
  done_at TEXT,
  PRIMARY KEY (account_id, webhook_id)
) STRICT;
CREATE INDEX webhook_deliveries_to_do ON webhook_deliveries (next_action_at) WHERE next_action_at IS NOT NULL;
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (done_at) WHERE done_at IS NOT NULL;

-- Since when the store takes the credentials no more: the app was uninstalled. They stay, for what it signs with them.
ALTER TABLE shopify_connections ADD COLUMN disconnected_at TEXT;

-- A redaction concerns deleted profiles too.
CREATE INDEX profiles_deleted_by_store_customer ON profiles (account_id, store_customer_id) WHERE deleted_at IS NOT NULL;

-- What is searched goes when its row goes: rows were only ever marked as deleted before.
CREATE TRIGGER profiles_search_delete AFTER DELETE ON profiles BEGIN
  INSERT INTO profile_search (profile_search, rowid, search_tenant, search_identity, search_other)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_identity, OLD.search_other);
END;
CREATE TRIGGER subscriptions_search_delete AFTER DELETE ON subscriptions BEGIN
  INSERT INTO subscription_search (subscription_search, rowid, search_tenant, search_text)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
END;
CREATE TRIGGER orders_search_delete AFTER DELETE ON orders BEGIN
  INSERT INTO order_search (order_search, rowid, search_tenant, search_text)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
END;
