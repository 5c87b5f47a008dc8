-- An entry of the history is written with its place in the stream, not numbered afterwards: new entries are inserted into the view
-- `new_entries`, which numbers them and makes their deliveries. An entry that is inserted into the table with a number was moved
-- from another database, and has been delivered there; one without is numbered by a trigger, as before.
-- The number follows the account's last. `event_sequences` holds only what numbers have to be above besides: those that were given
-- before this migration, and those that a restore may have undone.
CREATE VIEW new_entries AS SELECT * FROM activity_logs;

CREATE TRIGGER new_entries_insert INSTEAD OF INSERT ON new_entries BEGIN
  INSERT INTO activity_logs (id, account_id, action, description, changes, metadata, actor_type, actor_name, loggable_type,
    loggable_id, subscription_id, order_id, profile_id, created_at, type, sequence, recorded_at)
  VALUES (NEW.id, NEW.account_id, NEW.action, NEW.description, NEW.changes, NEW.metadata, NEW.actor_type, NEW.actor_name,
    NEW.loggable_type, NEW.loggable_id, NEW.subscription_id, NEW.order_id, NEW.profile_id, NEW.created_at, NEW.type,
    1 + MAX(
      COALESCE((SELECT MAX(sequence) FROM activity_logs WHERE account_id = NEW.account_id AND sequence IS NOT NULL), 0),
      COALESCE((SELECT last FROM event_sequences WHERE account_id = NEW.account_id), 0)),
    NEW.recorded_at);
  INSERT INTO event_deliveries (id, account_id, endpoint_id, event_id, event_type, sequence, status, attempt_count,
    next_attempt_at, created_at)
  SELECT substr(hex_ms, 1, 8) || '-' || substr(hex_ms, 9, 4) || '-7' || substr(chance, 1, 3) || '-'
      || substr('89ab', 1 + abs(random() % 4), 1) || substr(chance, 4, 3) || '-' || substr(chance, 7, 12),
    NEW.account_id, endpoint_id, NEW.id, NEW.type,
    (SELECT sequence FROM activity_logs WHERE account_id = NEW.account_id AND id = NEW.id), 'PENDING', 0, moment, moment
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

DROP TRIGGER activity_logs_sequence;
CREATE TRIGGER activity_logs_sequence AFTER INSERT ON activity_logs WHEN NEW.sequence IS NULL BEGIN
  UPDATE activity_logs SET sequence = 1 + MAX(
      COALESCE((SELECT MAX(sequence) FROM activity_logs WHERE account_id = NEW.account_id AND sequence IS NOT NULL), 0),
      COALESCE((SELECT last FROM event_sequences WHERE account_id = NEW.account_id), 0))
    WHERE account_id = NEW.account_id AND id = NEW.id;
END;

-- Entries by UTC day, with those of each quarter of an hour beside them: a JSON object such as {"13:45": 2}.
CREATE TABLE activity_counts_by_day (
  account_id TEXT NOT NULL,
  day TEXT NOT NULL,
  count INTEGER NOT NULL,
  quarters TEXT NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO activity_counts_by_day
  SELECT account_id, substr(bucket, 2, 10), SUM(count), json_group_object(substr(bucket, 13, 5), count)
  FROM activity_counts WHERE substr(bucket, 1, 1) = 'Q' GROUP BY account_id, substr(bucket, 2, 10);
DROP TRIGGER activity_logs_insert;
DROP TABLE activity_counts;
ALTER TABLE activity_counts_by_day RENAME TO activity_counts;
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
