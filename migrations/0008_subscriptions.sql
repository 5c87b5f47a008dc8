-- A recurring order. What orders and the history show of it stands here; the rest of its life comes with its own migrations.
CREATE TABLE subscriptions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  revision INTEGER NOT NULL,
  number INTEGER NOT NULL,
  profile_id TEXT NOT NULL,
  entity_id TEXT,
  entity_label TEXT,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'PAYMENT_FAILED')),
  currency_code TEXT NOT NULL,
  billing_interval TEXT NOT NULL CHECK (billing_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  billing_interval_count INTEGER NOT NULL CHECK (billing_interval_count > 0),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, number),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id),
  FOREIGN KEY (account_id, entity_id) REFERENCES entities (account_id, id)
) STRICT;
CREATE INDEX subscriptions_by_profile ON subscriptions (account_id, profile_id, created_at, id);
CREATE INDEX subscriptions_by_entity ON subscriptions (account_id, entity_id);
