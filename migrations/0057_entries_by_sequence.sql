-- An entry of the history is stored in its place in the stream, instead of beside an index of it, and its other indexes end in that
-- number instead of in the id. An entry's id holds its time, so an entry is found by its id in the index by time; `other_id` is the id where
-- it holds another time. The table is made anew, and so are its view and triggers.
DROP VIEW new_entries;
CREATE TABLE activity_logs_in_order (
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
  sequence INTEGER NOT NULL,
  recorded_at TEXT,
  other_id TEXT GENERATED ALWAYS AS (
    CASE WHEN length(created_at) = 24 AND substr(id, 1, 8) || substr(id, 10, 4)
        = printf('%012x', unixepoch(substr(created_at, 1, 19)) * 1000 + substr(created_at, 21, 3))
      THEN NULL ELSE id END
  ) VIRTUAL,
  PRIMARY KEY (account_id, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO activity_logs_in_order (id, account_id, action, description, changes, metadata, actor_type, actor_name, loggable_type,
    loggable_id, subscription_id, order_id, profile_id, created_at, type, sequence, recorded_at)
  SELECT id, account_id, action, description, changes, metadata, actor_type, actor_name, loggable_type, loggable_id, subscription_id,
    order_id, profile_id, created_at, type, sequence, NULLIF(recorded_at, created_at)
  FROM activity_logs ORDER BY account_id, sequence;
DROP TABLE activity_logs;
ALTER TABLE activity_logs_in_order RENAME TO activity_logs;

-- The feed's entries and the others have an index by time each.
CREATE INDEX activity_logs_by_time ON activity_logs (account_id, created_at)
  WHERE loggable_type IN ('subscription', 'order');
CREATE INDEX activity_logs_unfed_by_time ON activity_logs (account_id, created_at)
  WHERE loggable_type NOT IN ('subscription', 'order');
CREATE UNIQUE INDEX activity_logs_by_other_id ON activity_logs (account_id, other_id) WHERE other_id IS NOT NULL;
CREATE INDEX activity_logs_by_record ON activity_logs (account_id, loggable_type, loggable_id, created_at);
CREATE INDEX activity_logs_by_profile ON activity_logs (account_id, profile_id, created_at)
  WHERE loggable_type IN ('subscription', 'order');
CREATE INDEX activity_logs_by_type ON activity_logs (account_id, type, sequence);
CREATE INDEX activity_logs_of_integrations ON activity_logs (account_id, sequence) WHERE substr(type, 1, 12) = 'integration.';
-- What billing writes for each cycle is not in the index by action: there is some of it on any page.
CREATE INDEX activity_logs_by_action ON activity_logs (account_id, action, created_at)
  WHERE action NOT IN ('billing_started', 'billing_succeeded', 'order_placed', 'payment_reminder_due');
CREATE INDEX activity_logs_by_actor ON activity_logs (account_id, actor_type, created_at) WHERE actor_type <> 'system';
CREATE INDEX activity_logs_by_staff ON activity_logs (account_id, actor_name, created_at) WHERE actor_type = 'admin';

-- New entries are inserted into the view, which gives them their place and makes their deliveries. An entry that is inserted into the table
-- was moved from another database: it has its place, and was delivered there. `recorded_at` is kept where it is not `created_at`.
CREATE VIEW new_entries AS SELECT * FROM activity_logs;
CREATE TRIGGER new_entries_insert INSTEAD OF INSERT ON new_entries BEGIN
  INSERT INTO activity_logs (id, account_id, action, description, changes, metadata, actor_type, actor_name, loggable_type,
    loggable_id, subscription_id, order_id, profile_id, created_at, type, sequence, recorded_at)
  VALUES (NEW.id, NEW.account_id, NEW.action, NEW.description, NEW.changes, NEW.metadata, NEW.actor_type, NEW.actor_name,
    NEW.loggable_type, NEW.loggable_id, NEW.subscription_id, NEW.order_id, NEW.profile_id, NEW.created_at, NEW.type,
    1 + MAX(
      COALESCE((SELECT MAX(sequence) FROM activity_logs WHERE account_id = NEW.account_id), 0),
      COALESCE((SELECT last FROM event_sequences WHERE account_id = NEW.account_id), 0)),
    NULLIF(NEW.recorded_at, NEW.created_at));
  INSERT INTO event_deliveries (id, account_id, endpoint_id, event_id, event_type, sequence, status, attempt_count,
    next_attempt_at, created_at)
  SELECT substr(hex_ms, 1, 8) || '-' || substr(hex_ms, 9, 4) || '-7' || substr(chance, 1, 3) || '-'
      || substr('89ab', 1 + abs(random() % 4), 1) || substr(chance, 4, 3) || '-' || substr(chance, 7, 12),
    NEW.account_id, endpoint_id, NEW.id, NEW.type,
    (SELECT MAX(sequence) FROM activity_logs WHERE account_id = NEW.account_id), 'PENDING', 0, moment, moment
  FROM (
    SELECT id AS endpoint_id, lower(hex(randomblob(9))) AS chance, COALESCE(NEW.recorded_at, NEW.created_at) AS moment,
      printf('%012x', unixepoch(substr(COALESCE(NEW.recorded_at, NEW.created_at), 1, 19)) * 1000
        + substr(COALESCE(NEW.recorded_at, NEW.created_at), 21, 3)) AS hex_ms
    FROM webhook_endpoints
    WHERE account_id = NEW.account_id AND is_enabled = 1 AND EXISTS (
      SELECT 1 FROM json_each(event_types) AS wanted WHERE wanted.value IN ('*', NEW.type)
        OR (substr(wanted.value, -2) = '.*'
          AND substr(NEW.type, 1, length(wanted.value) - 1) = substr(wanted.value, 1, length(wanted.value) - 1)))
  );
END;
CREATE TRIGGER activity_logs_insert AFTER INSERT ON activity_logs
WHEN NEW.loggable_type IN ('subscription', 'order') BEGIN
  INSERT INTO activity_counts
    SELECT NEW.account_id, substr(NEW.created_at, 1, 10), 1, json_object(quarter, 1) FROM (
      SELECT substr(NEW.created_at, 12, 3) || substr('00153045', substr(NEW.created_at, 15, 2) / 15 * 2 + 1, 2) AS quarter)
    WHERE TRUE
    ON CONFLICT DO UPDATE SET count = count + 1, quarters = json_set(quarters,
      '$."' || substr(NEW.created_at, 12, 3) || substr('00153045', substr(NEW.created_at, 15, 2) / 15 * 2 + 1, 2) || '"',
      1 + COALESCE(quarters ->> ('$."' || substr(NEW.created_at, 12, 3)
        || substr('00153045', substr(NEW.created_at, 15, 2) / 15 * 2 + 1, 2) || '"'), 0));
  INSERT OR IGNORE INTO activity_names SELECT NEW.account_id, 'action', NEW.action
    WHERE substr(NEW.action, 1, 12) = 'integration_';
  INSERT OR IGNORE INTO activity_names SELECT NEW.account_id, 'actor', NEW.actor_name
    WHERE NEW.actor_type = 'admin' AND NEW.actor_name IS NOT NULL;
END;
