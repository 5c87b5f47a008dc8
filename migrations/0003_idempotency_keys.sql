-- One row per (caller, request path, Idempotency-Key) of the last 24 hours. CLAIMED: in flight until lease_until;
-- COMMITTED: its change is made, its answer not yet kept; DONE: answered, `body` is replayed.
CREATE TABLE idempotency_keys (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  caller TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  token TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('CLAIMED', 'COMMITTED', 'DONE')),
  lease_until TEXT NOT NULL,
  status INTEGER,
  headers TEXT,
  body TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, caller, method, path, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
