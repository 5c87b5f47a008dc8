-- The account of an object that was erased: a call that was under way must not begin it anew. No column is named account_id, as an
-- erasure empties all tables that have one.
CREATE TABLE erased_accounts (
  id TEXT PRIMARY KEY,
  erased_at TEXT NOT NULL
) STRICT;
