-- Why a customer skips, pauses or cancels: one ordered list per account and kind. Deleted reasons stay, for history.
CREATE TABLE reasons (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('skip', 'pause', 'cancellation')),
  label TEXT NOT NULL,
  description TEXT,
  position INTEGER NOT NULL CHECK (position >= 0),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_id, id)
) STRICT;
CREATE INDEX reasons_in_order ON reasons (account_id, kind, position, created_at, id) WHERE deleted_at IS NULL;
