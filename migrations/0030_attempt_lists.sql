-- All of an account's billing attempts, newest first; by status and by trigger each with an index that ends in time.
CREATE INDEX billing_attempts_by_time ON billing_attempts (account_id, created_at, id);
CREATE INDEX billing_attempts_by_status ON billing_attempts (account_id, status, created_at, id);
CREATE INDEX billing_attempts_by_origin ON billing_attempts (account_id, origin, created_at, id);

-- How many attempts an account has, by status and trigger.
CREATE TABLE billing_attempt_counts (
  account_id TEXT NOT NULL,
  status TEXT NOT NULL,
  origin TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, status, origin)
) STRICT, WITHOUT ROWID;
INSERT INTO billing_attempt_counts
  SELECT account_id, status, origin, COUNT(*) FROM billing_attempts GROUP BY account_id, status, origin;
CREATE TRIGGER billing_attempts_count_insert AFTER INSERT ON billing_attempts BEGIN
  INSERT INTO billing_attempt_counts VALUES (NEW.account_id, NEW.status, NEW.origin, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER billing_attempts_count_update AFTER UPDATE OF status ON billing_attempts WHEN OLD.status <> NEW.status BEGIN
  UPDATE billing_attempt_counts SET count = count - 1
    WHERE account_id = OLD.account_id AND status = OLD.status AND origin = OLD.origin;
  INSERT INTO billing_attempt_counts VALUES (NEW.account_id, NEW.status, NEW.origin, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
