-- The history also records changes of profiles, of the account and of its keys. The activity feed shows entries about
-- subscriptions and orders alone, so its counters count those alone. SQLite cannot change a CHECK: the table is made anew.
CREATE TABLE activity_logs_new (
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
  PRIMARY KEY (account_id, id)
) STRICT;
INSERT INTO activity_logs_new SELECT * FROM activity_logs ORDER BY rowid;
DROP TABLE activity_logs;
ALTER TABLE activity_logs_new RENAME TO activity_logs;
CREATE INDEX activity_logs_by_time ON activity_logs (account_id, created_at, id);
CREATE INDEX activity_logs_by_record ON activity_logs (account_id, loggable_type, loggable_id, created_at, id);
CREATE INDEX activity_logs_by_profile ON activity_logs (account_id, profile_id, created_at, id);
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
