-- How something is sold on subscription. The id is the store's own; a discount_value is basis points of a
-- percentage, or minor units off each unit.
CREATE TABLE selling_plans (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  billing_interval TEXT NOT NULL CHECK (billing_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  billing_interval_count INTEGER NOT NULL CHECK (billing_interval_count > 0),
  delivery_interval TEXT NOT NULL CHECK (delivery_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  delivery_interval_count INTEGER NOT NULL CHECK (delivery_interval_count > 0),
  discount_type TEXT CHECK (discount_type IN ('PERCENTAGE', 'FIXED_AMOUNT')),
  discount_value INTEGER,
  shipping_amount INTEGER NOT NULL CHECK (shipping_amount >= 0),
  min_cycles INTEGER CHECK (min_cycles > 0),
  max_cycles INTEGER CHECK (max_cycles > 0),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  CHECK ((discount_type IS NULL) = (discount_value IS NULL))
) STRICT;
CREATE INDEX selling_plans_by_time ON selling_plans (account_id, created_at, id);
