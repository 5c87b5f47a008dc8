-- Small rows that are read by their key are stored in it, instead of beside an index of it: skips, and what the sandbox store keeps.
CREATE TABLE subscription_skips_by_key (
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
  PRIMARY KEY (account_id, subscription_id, created_at, id),
  FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions (account_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO subscription_skips_by_key SELECT * FROM subscription_skips;
DROP TABLE subscription_skips;
ALTER TABLE subscription_skips_by_key RENAME TO subscription_skips;

CREATE TABLE sandbox_contracts_by_key (
  contract_id INTEGER,
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, subscription_id),
  UNIQUE (account_id, contract_id)
) STRICT, WITHOUT ROWID;
INSERT INTO sandbox_contracts_by_key SELECT * FROM sandbox_contracts;
DROP TABLE sandbox_contracts;
ALTER TABLE sandbox_contracts_by_key RENAME TO sandbox_contracts;
CREATE TRIGGER sandbox_contracts_number AFTER INSERT ON sandbox_contracts WHEN NEW.contract_id IS NULL BEGIN
  UPDATE sandbox_contracts
    SET contract_id = (SELECT COALESCE(MAX(contract_id), 0) + 1 FROM sandbox_contracts WHERE account_id = NEW.account_id)
    WHERE account_id = NEW.account_id AND subscription_id = NEW.subscription_id;
END;

CREATE TABLE sandbox_charges_by_key (
  charge_number INTEGER,
  account_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('LOST', 'PENDING', 'ACTION_REQUIRED', 'SUCCEEDED', 'DECLINED')),
  amount INTEGER NOT NULL,
  currency_code TEXT NOT NULL,
  error_code TEXT,
  created_at TEXT NOT NULL,
  subscription_id TEXT,
  PRIMARY KEY (account_id, idempotency_key),
  UNIQUE (account_id, charge_number)
) STRICT, WITHOUT ROWID;
INSERT INTO sandbox_charges_by_key SELECT * FROM sandbox_charges;
DROP TABLE sandbox_charges;
ALTER TABLE sandbox_charges_by_key RENAME TO sandbox_charges;
CREATE INDEX sandbox_charges_by_time ON sandbox_charges (account_id, created_at, charge_number);
CREATE TRIGGER sandbox_charges_number AFTER INSERT ON sandbox_charges WHEN NEW.charge_number IS NULL BEGIN
  UPDATE sandbox_charges
    SET charge_number = (SELECT COALESCE(MAX(charge_number), 0) + 1 FROM sandbox_charges WHERE account_id = NEW.account_id)
    WHERE account_id = NEW.account_id AND idempotency_key = NEW.idempotency_key;
END;
