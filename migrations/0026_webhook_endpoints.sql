-- Where an account's events are sent. `event_types` is a JSON array of types, of kinds such as 'subscription.*', or of '*'.
-- Secrets are sealed as the credentials of stores are; the previous one signs along until previous_secret_until. `recovering`
-- is where the recovery of missed events has come to (JSON), NULL while there is none. Real time.
CREATE TABLE webhook_endpoints (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  description TEXT,
  event_types TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (payload IN ('full', 'thin')),
  is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
  disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing', 'by_hand')),
  failing_since TEXT,
  last_success_at TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until TEXT,
  recovering TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_id, id)
) STRICT;
CREATE INDEX webhook_endpoints_living ON webhook_endpoints (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_recovering ON webhook_endpoints (updated_at) WHERE recovering IS NOT NULL;
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (account_id) WHERE is_enabled = 1;

-- One row for each event and each endpoint that asked for it: what is to be sent, and what came of it. next_attempt_at is set
-- while a delivery is PENDING; whoever sends it has leased it until leased_until. `sequence` is NULL for a test. Real time.
CREATE TABLE event_deliveries (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  sequence INTEGER,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  attempt_count INTEGER NOT NULL,
  next_attempt_at TEXT CHECK ((next_attempt_at IS NOT NULL) = (status = 'PENDING')),
  leased_until TEXT,
  last_status INTEGER,
  last_error TEXT,
  last_duration_ms INTEGER,
  created_at TEXT NOT NULL,
  delivered_at TEXT,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints (account_id, id)
) STRICT;
CREATE UNIQUE INDEX event_deliveries_once ON event_deliveries (account_id, event_id, endpoint_id);
CREATE INDEX event_deliveries_of_endpoint ON event_deliveries (account_id, endpoint_id, status, created_at, id);
CREATE INDEX event_deliveries_due ON event_deliveries (endpoint_id, next_attempt_at, sequence) WHERE status = 'PENDING';
CREATE INDEX event_deliveries_leased ON event_deliveries (endpoint_id, leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX event_deliveries_by_age ON event_deliveries (created_at);

-- Deliveries of an endpoint by status: what its list says there is.
CREATE TABLE event_delivery_counts (
  account_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, endpoint_id, status)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER event_deliveries_insert AFTER INSERT ON event_deliveries BEGIN
  INSERT INTO event_delivery_counts VALUES (NEW.account_id, NEW.endpoint_id, NEW.status, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER event_deliveries_status AFTER UPDATE OF status ON event_deliveries WHEN OLD.status <> NEW.status BEGIN
  UPDATE event_delivery_counts SET count = count - 1
    WHERE account_id = OLD.account_id AND endpoint_id = OLD.endpoint_id AND status = OLD.status;
  INSERT INTO event_delivery_counts VALUES (NEW.account_id, NEW.endpoint_id, NEW.status, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER event_deliveries_delete AFTER DELETE ON event_deliveries BEGIN
  UPDATE event_delivery_counts SET count = count - 1
    WHERE account_id = OLD.account_id AND endpoint_id = OLD.endpoint_id AND status = OLD.status;
END;

-- With an entry's place in the stream come its deliveries, in the entry's own batch: no event is lost, and none is sent that was
-- not committed. An entry that was moved from another database was delivered there. The id is a UUIDv7 (RFC 9562): the entry's
-- real time, and chance.
CREATE TRIGGER activity_logs_deliveries AFTER UPDATE OF sequence ON activity_logs WHEN OLD.sequence IS NULL BEGIN
  INSERT INTO event_deliveries (id, account_id, endpoint_id, event_id, event_type, sequence, status, attempt_count,
    next_attempt_at, created_at)
  SELECT substr(hex_ms, 1, 8) || '-' || substr(hex_ms, 9, 4) || '-7' || substr(chance, 1, 3) || '-'
      || substr('89ab', 1 + abs(random() % 4), 1) || substr(chance, 4, 3) || '-' || substr(chance, 7, 12),
    NEW.account_id, endpoint_id, NEW.id, NEW.type, NEW.sequence, 'PENDING', 0, moment, moment
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
