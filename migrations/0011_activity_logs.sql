-- The history of subscriptions and orders. A row is written in the same batch as the change it tells of, first:
-- loggable_id is then a subquery that finds the record at the revision the change was decided on, and NOT NULL
-- refuses the whole batch if the record has moved.
CREATE TABLE activity_logs (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  action TEXT NOT NULL,
  description TEXT,
  changes TEXT,
  metadata TEXT,
  actor_type TEXT CHECK (actor_type IN ('customer', 'admin', 'api', 'system')),
  actor_name TEXT,
  loggable_type TEXT NOT NULL CHECK (loggable_type IN ('subscription', 'order')),
  loggable_id TEXT NOT NULL,
  subscription_id TEXT,
  order_id TEXT,
  profile_id TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT;
CREATE INDEX activity_logs_by_time ON activity_logs (account_id, created_at, id);
CREATE INDEX activity_logs_by_record ON activity_logs (account_id, loggable_type, loggable_id, created_at, id);
CREATE INDEX activity_logs_by_profile ON activity_logs (account_id, profile_id, created_at, id);

-- Entries by UTC day ('D2026-11-20') and by quarter of an hour ('Q2026-11-20T13:45'): every zone's day is made of these.
CREATE TABLE activity_counts (
  account_id TEXT NOT NULL,
  bucket TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, bucket)
) STRICT, WITHOUT ROWID;
-- The names that the two distinct lists show.
CREATE TABLE activity_names (
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('action', 'actor')),
  name TEXT NOT NULL,
  PRIMARY KEY (account_id, kind, name)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER activity_logs_insert AFTER INSERT ON activity_logs BEGIN
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
