-- When a store delivers: days of the week (1 = Monday … 7 = Sunday), and slots of time on a day.
CREATE TABLE delivery_days (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  day_of_week INTEGER NOT NULL CHECK (day_of_week BETWEEN 1 AND 7),
  packing_day_of_week INTEGER CHECK (packing_day_of_week BETWEEN 1 AND 7),
  billing_day_of_week INTEGER CHECK (billing_day_of_week BETWEEN 1 AND 7),
  courier_lead_time_days INTEGER CHECK (courier_lead_time_days >= 0),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_id, id)
) STRICT;

CREATE TABLE delivery_slots (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  delivery_day_id TEXT NOT NULL,
  label TEXT NOT NULL,
  start_time TEXT NOT NULL,
  end_time TEXT NOT NULL,
  is_all_day INTEGER NOT NULL CHECK (is_all_day IN (0, 1)),
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, delivery_day_id) REFERENCES delivery_days (account_id, id)
) STRICT;
CREATE INDEX delivery_slots_by_day ON delivery_slots (account_id, delivery_day_id);
