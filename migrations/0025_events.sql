-- Every entry of the history is an event. `type` is the event's name, `sequence` its place in the account's stream,
-- `recorded_at` when it was written, in real time, which a test clock does not move. A required column without a default needs
-- the table to be made anew. Entries keep the order they were written in.
CREATE TABLE activity_logs_with_events (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  action TEXT NOT NULL,
  description TEXT,
  changes TEXT,
  metadata TEXT,
  actor_type TEXT CHECK (actor_type IN ('customer', 'admin', 'api', 'system')),
  actor_name TEXT,
  loggable_type TEXT NOT NULL CHECK (loggable_type IN ('subscription', 'order', 'profile', 'account', 'api_key')),
  loggable_id TEXT NOT NULL,
  subscription_id TEXT,
  order_id TEXT,
  profile_id TEXT,
  created_at TEXT NOT NULL,
  type TEXT NOT NULL,
  sequence INTEGER,
  recorded_at TEXT,
  PRIMARY KEY (account_id, id)
) STRICT;

INSERT INTO activity_logs_with_events
SELECT id, account_id, action, description, changes, metadata, actor_type, actor_name, loggable_type, loggable_id,
  subscription_id, order_id, profile_id, created_at,
  CASE
    WHEN action = 'ship_now_requested' THEN 'billing.ship_now_requested'
    WHEN substr(action, 1, 13) = 'subscription_' THEN 'subscription.' || substr(action, 14)
    WHEN substr(action, 1, 12) = 'integration_' THEN 'integration.' || substr(action, 13)
    WHEN substr(action, 1, 8) = 'account_' THEN 'account.' || substr(action, 9)
    WHEN substr(action, 1, 8) = 'api_key_' THEN 'api_key.' || substr(action, 9)
    WHEN substr(action, 1, 8) = 'billing_' THEN 'billing.' || substr(action, 9)
    WHEN substr(action, 1, 8) = 'dunning_' THEN 'dunning.' || substr(action, 9)
    WHEN substr(action, 1, 6) = 'order_' THEN 'order.' || substr(action, 7)
    ELSE 'subscription.' || action
  END,
  row_number() OVER (PARTITION BY account_id ORDER BY position), NULL
FROM (
  SELECT *, rowid AS position FROM activity_logs WHERE action NOT IN ('integration_store_refused', 'integration_store_agreed')
  UNION ALL
  SELECT id, account_id, replace(action, 'integration_store_', 'store_sync_'), description, changes, metadata, actor_type,
    actor_name, loggable_type, loggable_id, subscription_id, order_id, profile_id, created_at, rowid
  FROM activity_logs WHERE action IN ('integration_store_refused', 'integration_store_agreed')
);

DROP TABLE activity_logs;
ALTER TABLE activity_logs_with_events RENAME TO activity_logs;

-- These were the service's own all along, and are listed among the integrations' no more.
DELETE FROM activity_names WHERE kind = 'action' AND name IN ('integration_store_refused', 'integration_store_agreed');

-- The feed's entries and the others have an index by time each: a page of the feed never reads past what it does not show.
CREATE INDEX activity_logs_by_time ON activity_logs (account_id, created_at, id)
  WHERE loggable_type IN ('subscription', 'order');
CREATE INDEX activity_logs_unfed_by_time ON activity_logs (account_id, created_at, id)
  WHERE loggable_type NOT IN ('subscription', 'order');
CREATE INDEX activity_logs_by_record ON activity_logs (account_id, loggable_type, loggable_id, created_at, id);
CREATE INDEX activity_logs_by_profile ON activity_logs (account_id, profile_id, created_at, id)
  WHERE loggable_type IN ('subscription', 'order');
CREATE UNIQUE INDEX activity_logs_by_sequence ON activity_logs (account_id, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX activity_logs_by_type ON activity_logs (account_id, type, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX activity_logs_of_integrations ON activity_logs (account_id, sequence)
  WHERE sequence IS NOT NULL AND substr(type, 1, 12) = 'integration.';

-- The last number that an account's stream has given. Writers have their turn one after the other, and a batch that fails
-- takes its numbers back, so the numbers grow in the order of commits.
CREATE TABLE event_sequences (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  last INTEGER NOT NULL,
  PRIMARY KEY (account_id)
) STRICT;
INSERT INTO event_sequences SELECT account_id, MAX(sequence) FROM activity_logs GROUP BY account_id;

-- An entry that comes with a number was moved from another database: it keeps that, and the stream goes on above it.
CREATE TRIGGER activity_logs_sequence AFTER INSERT ON activity_logs BEGIN
  INSERT INTO event_sequences (account_id, last) VALUES (NEW.account_id, COALESCE(NEW.sequence, 1))
    ON CONFLICT DO UPDATE SET last = CASE WHEN NEW.sequence IS NULL THEN last + 1 ELSE MAX(last, NEW.sequence) END;
  UPDATE activity_logs SET sequence = (SELECT last FROM event_sequences WHERE account_id = NEW.account_id)
    WHERE NEW.sequence IS NULL AND account_id = NEW.account_id AND id = NEW.id;
END;

CREATE TRIGGER activity_logs_insert AFTER INSERT ON activity_logs
WHEN NEW.loggable_type IN ('subscription', 'order') BEGIN
  INSERT INTO activity_counts VALUES (NEW.account_id, 'D' || substr(NEW.created_at, 1, 10), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO activity_counts
    VALUES (NEW.account_id, 'Q' || substr(NEW.created_at, 1, 14)
      || substr('00153045', substr(NEW.created_at, 15, 2) / 15 * 2 + 1, 2), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT OR IGNORE INTO activity_names SELECT NEW.account_id, 'action', NEW.action
    WHERE substr(NEW.action, 1, 12) = 'integration_';
  INSERT OR IGNORE INTO activity_names SELECT NEW.account_id, 'actor', NEW.actor_name
    WHERE NEW.actor_type = 'admin' AND NEW.actor_name IS NOT NULL;
END;
