-- What the store lets a customer pay with; the store keeps the card, we keep what may be shown of it.
CREATE TABLE payment_methods (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  store_payment_method_id TEXT NOT NULL,
  brand TEXT,
  last4 TEXT,
  exp_month INTEGER,
  exp_year INTEGER,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('VALID', 'EXPIRED', 'REVOKED')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, profile_id, store_payment_method_id),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id)
) STRICT;

-- A recurring order. Dates are calendar dates in the account's time zone: the n-th delivery is anchor_date plus n
-- intervals, next_index is the n of the next, next_billed_index that of the next one that is billed (prepaid plans
-- bill several at once). schedule_revision counts what has moved the dates, activation counts lives: cycles count anew with each.
-- lines and discounts are JSON arrays that change with the row, under its revision. Money in minor units.
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
  delivery_interval TEXT NOT NULL CHECK (delivery_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  delivery_interval_count INTEGER NOT NULL CHECK (delivery_interval_count > 0),
  anchor_date TEXT NOT NULL,
  next_index INTEGER NOT NULL CHECK (next_index >= 0),
  next_billed_index INTEGER NOT NULL,
  schedule_revision INTEGER NOT NULL,
  activation INTEGER NOT NULL CHECK (activation > 0),
  current_billing_cycle INTEGER NOT NULL CHECK (current_billing_cycle > 0),
  next_billing_date TEXT,
  next_delivery_date TEXT,
  next_production_date TEXT,
  min_cycles INTEGER,
  max_cycles INTEGER,
  lines TEXT NOT NULL,
  discounts TEXT NOT NULL,
  subtotal INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  shipping_amount INTEGER NOT NULL,
  tax_amount INTEGER NOT NULL,
  total INTEGER NOT NULL CHECK (total >= 0),
  total_revenue INTEGER NOT NULL,
  payment_method_id TEXT,
  delivery_slot_id TEXT,
  delivery_address TEXT,
  delivery_instructions TEXT,
  note TEXT,
  custom_attributes TEXT,
  store_contract_id INTEGER,
  store_origin_order_id TEXT,
  migration_source_ref TEXT,
  last_order_id TEXT,
  dunning_episode_id TEXT,
  payment_reminder_status TEXT NOT NULL CHECK (payment_reminder_status IN ('NONE', 'DUE', 'SENT')),
  last_payment_reminder_sent_at TEXT,
  last_payment_reminder_billing_date TEXT,
  paused_at TEXT,
  pause_until TEXT,
  pause_reason TEXT,
  pause_reason_id TEXT,
  cancelled_at TEXT,
  cancellation_reason TEXT,
  cancellation_reason_id TEXT,
  search_text TEXT NOT NULL,
  search_tenant TEXT GENERATED ALWAYS AS (substr(account_id, -3)) VIRTUAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, number),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id),
  FOREIGN KEY (account_id, entity_id) REFERENCES entities (account_id, id),
  FOREIGN KEY (account_id, payment_method_id) REFERENCES payment_methods (account_id, id)
    DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (account_id, delivery_slot_id) REFERENCES delivery_slots (account_id, id)
) STRICT;
CREATE INDEX subscriptions_by_time ON subscriptions (account_id, created_at, id);
CREATE INDEX subscriptions_by_billing_date ON subscriptions (account_id, next_billing_date, id);
CREATE INDEX subscriptions_by_delivery_date ON subscriptions (account_id, next_delivery_date, id);
CREATE INDEX subscriptions_by_production_date ON subscriptions (account_id, next_production_date, id);
CREATE INDEX subscriptions_by_total ON subscriptions (account_id, total, id);
CREATE INDEX subscriptions_by_status ON subscriptions (account_id, status, id);
CREATE INDEX subscriptions_by_status_and_time ON subscriptions (account_id, status, created_at, id);
CREATE INDEX subscriptions_by_failed_payment
  ON subscriptions (account_id, (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED'), created_at, id);
CREATE INDEX subscriptions_by_profile ON subscriptions (account_id, profile_id, created_at, id);
CREATE INDEX subscriptions_by_entity ON subscriptions (account_id, entity_id);
CREATE INDEX subscriptions_by_cancellation_reason ON subscriptions (account_id, cancellation_reason_id)
  WHERE cancellation_reason_id IS NOT NULL;
CREATE INDEX subscriptions_by_contract ON subscriptions (account_id, store_contract_id);
CREATE INDEX subscriptions_without_contract ON subscriptions (created_at, id) WHERE store_contract_id IS NULL;
CREATE INDEX subscriptions_paused_until ON subscriptions (pause_until, id) WHERE pause_until IS NOT NULL;

CREATE VIRTUAL TABLE subscription_search USING fts5 (
  search_tenant, search_text, content = 'subscriptions', content_rowid = 'seq', tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER subscriptions_search_insert AFTER INSERT ON subscriptions BEGIN
  INSERT INTO subscription_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;
CREATE TRIGGER subscriptions_search_update AFTER UPDATE OF search_text ON subscriptions
WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO subscription_search (subscription_search, rowid, search_tenant, search_text)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
  INSERT INTO subscription_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;

CREATE TABLE subscription_counts (
  account_id TEXT NOT NULL,
  status TEXT NOT NULL,
  failed_payment INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, status, failed_payment)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER subscriptions_count_insert AFTER INSERT ON subscriptions BEGIN
  INSERT INTO subscription_counts VALUES (
      NEW.account_id, NEW.status, NEW.dunning_episode_id IS NOT NULL OR NEW.status = 'PAYMENT_FAILED', 1
    ) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER subscriptions_count_update AFTER UPDATE OF status, dunning_episode_id ON subscriptions
WHEN OLD.status <> NEW.status OR OLD.dunning_episode_id IS NOT NEW.dunning_episode_id BEGIN
  UPDATE subscription_counts SET count = count - 1
    WHERE account_id = OLD.account_id AND status = OLD.status
      AND failed_payment = (OLD.dunning_episode_id IS NOT NULL OR OLD.status = 'PAYMENT_FAILED');
  INSERT INTO subscription_counts VALUES (
      NEW.account_id, NEW.status, NEW.dunning_episode_id IS NOT NULL OR NEW.status = 'PAYMENT_FAILED', 1
    ) ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Which plans the lines of a subscription are on, kept by triggers.
CREATE TABLE subscription_plans (
  account_id TEXT NOT NULL,
  selling_plan_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  PRIMARY KEY (account_id, selling_plan_id, subscription_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscription_plans_by_subscription ON subscription_plans (account_id, subscription_id);
CREATE TRIGGER subscriptions_plans_insert AFTER INSERT ON subscriptions BEGIN
  INSERT OR IGNORE INTO subscription_plans
    SELECT NEW.account_id, value ->> '$.selling_plan_id', NEW.id FROM json_each(NEW.lines);
END;
CREATE TRIGGER subscriptions_plans_update AFTER UPDATE OF lines ON subscriptions WHEN OLD.lines <> NEW.lines BEGIN
  DELETE FROM subscription_plans WHERE account_id = NEW.account_id AND subscription_id = NEW.id;
  INSERT OR IGNORE INTO subscription_plans
    SELECT NEW.account_id, value ->> '$.selling_plan_id', NEW.id FROM json_each(NEW.lines);
END;

-- What a customer has skipped, with the dates as they were before and the reason's label as it was then.
CREATE TABLE subscription_skips (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  cycle INTEGER NOT NULL,
  skip_weeks INTEGER NOT NULL,
  reason TEXT,
  skip_reason_id TEXT,
  skip_reason_label TEXT,
  previous_anchor_date TEXT NOT NULL,
  previous_billing_date TEXT,
  previous_delivery_date TEXT,
  previous_production_date TEXT,
  schedule_revision INTEGER NOT NULL,
  undone_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions (account_id, id)
) STRICT;
CREATE INDEX subscription_skips_by_subscription ON subscription_skips (account_id, subscription_id, created_at, id);

-- The sandbox store's own memory: the contracts it has made.
CREATE TABLE sandbox_contracts (
  contract_id INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (account_id, subscription_id)
) STRICT;
