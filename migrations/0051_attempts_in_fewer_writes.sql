-- An attempt is written three times: as it starts, is claimed and is settled. The indexes of what its status decides are written each
-- time, so they go by columns that change once.

-- An attempt is open until settled_at is set.
UPDATE billing_attempts SET settled_at = updated_at
  WHERE settled_at IS NULL AND status IN ('SUCCEEDED', 'FAILED', 'CANCELLED');
DROP INDEX billing_attempts_one_open;
CREATE UNIQUE INDEX billing_attempts_one_open ON billing_attempts (account_id, subscription_id) WHERE settled_at IS NULL;

-- is_refused: the next attempt has its number and key again, because the store never got it. So has that after a withdrawn one.
UPDATE billing_attempts SET is_refused = 1 WHERE status = 'CANCELLED';
DROP INDEX billing_attempts_one_number;
DROP INDEX billing_attempts_one_key;
CREATE UNIQUE INDEX billing_attempts_one_number
  ON billing_attempts (account_id, subscription_id, activation, cycle, attempt_number) WHERE is_refused = 0;
CREATE UNIQUE INDEX billing_attempts_one_key ON billing_attempts (store_key) WHERE is_refused = 0;

-- The attempts of the last hour are among the newest of a subscription.
DROP INDEX billing_attempts_by_request;

-- Settled attempts by status and trigger. The open ones, which are few, are counted when they are asked for.
DROP TRIGGER billing_attempts_count_insert;
DROP TRIGGER billing_attempts_count_update;
DELETE FROM billing_attempt_counts WHERE status IN ('QUEUED', 'PROCESSING', 'ACTION_REQUIRED', 'REVIEW');
CREATE TRIGGER billing_attempts_count_insert AFTER INSERT ON billing_attempts WHEN NEW.settled_at IS NOT NULL BEGIN
  INSERT INTO billing_attempt_counts VALUES (NEW.account_id, NEW.status, NEW.origin, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER billing_attempts_count_update AFTER UPDATE OF status, settled_at ON billing_attempts
WHEN NEW.settled_at IS NOT NULL AND (OLD.settled_at IS NULL OR OLD.status <> NEW.status) BEGIN
  UPDATE billing_attempt_counts SET count = count - 1
    WHERE OLD.settled_at IS NOT NULL AND account_id = OLD.account_id AND status = OLD.status AND origin = OLD.origin;
  INSERT INTO billing_attempt_counts VALUES (NEW.account_id, NEW.status, NEW.origin, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
